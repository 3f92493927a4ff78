import { readFile } from 'node:fs/promises';
import { packageFile } from '../../kit/package-files.ts';
import { createRepresentation, type RepresentationOptions } from '../http/representation.ts';
import { type Logo, picturePolicy } from './pictures/logo.ts';
import type { Files } from './prepared-content.ts';

const shortCaching = 'public, max-age=3600, must-revalidate';
const longCaching = 'public, max-age=604800, immutable';

/**
 * Reads the three files that a site embeds, and compresses those that the build has not. The stylesheet names
 * a logo that is an image; without one, a first view needs no request for it.
 */
export async function loadAssets(logo: Logo, brand: string): Promise<Files> {
  const [script, built] = await Promise.all([readBuilt('inject.min.js'), readBuilt('inject.min.css')]);
  const image = `[part=logo]{content:var(--typebadge-logo,url(../images/${brand}-logo.svg));background:0 0;box-shadow:none}`;
  const style = logo.isLetter ? built : { body: `${built.body}${image}`, brotli: undefined };
  const [scriptFile, styleFile, logoFile] = await Promise.all([
    createRepresentation({ ...script, type: 'application/javascript', cacheControl: shortCaching }),
    createRepresentation({ ...style, type: 'text/css', cacheControl: shortCaching }),
    createRepresentation({
      body: logo.svg,
      type: 'image/svg+xml',
      cacheControl: longCaching,
      headers: ['Content-Security-Policy', picturePolicy],
    }),
  ]);
  return {
    [`/js/${brand}-inject.min.js`]: () => scriptFile,
    [`/css/${brand}-inject.min.css`]: () => styleFile,
    [`/images/${brand}-logo.svg`]: () => logoFile,
  };
}

/** A file of the build, compressed at build time, because that takes as long as reading the content. */
async function readBuilt(name: string): Promise<Pick<RepresentationOptions, 'body' | 'brotli'>> {
  const file = packageFile('dist', 'badge', name);
  const [body, brotli] = await Promise.all([
    readFile(file),
    readFile(`${file}.br`).catch(() => undefined), // missing in builds that skip compression
  ]);
  return { body, brotli };
}
