import { readFile } from 'node:fs/promises';
import { packageFile } from '../../kit/package-files.ts';
import {
  createRepresentation,
  type Representation,
  type RepresentationOptions,
} from '../http/replies/representation.ts';
import { picturePolicy } from './pictures/logo.ts';

/** The three files that a site embeds. */
export interface Assets {
  readonly script: Representation;
  readonly style: Representation;
  readonly logo: Representation;
}

const shortCaching = 'public, max-age=3600, must-revalidate';
const longCaching = 'public, max-age=604800, immutable';

/** Reads the assets, and compresses what the build has not; the logo is given, as SVG. */
export async function loadAssets(logo: Buffer): Promise<Assets> {
  const [script, style] = await Promise.all([readBuilt('inject.min.js'), readBuilt('inject.min.css')]);
  const [scriptFile, styleFile, logoFile] = await Promise.all([
    createAsset({ ...script, type: 'application/javascript', cacheControl: shortCaching }),
    createAsset({ ...style, type: 'text/css', cacheControl: shortCaching }),
    createAsset({
      body: logo,
      type: 'image/svg+xml',
      cacheControl: longCaching,
      headers: ['Content-Security-Policy', picturePolicy],
    }),
  ]);
  return { script: scriptFile, style: styleFile, logo: logoFile };
}

/** A file of the build, which has compressed it at the highest quality: that takes as long as reading the whole content. */
async function readBuilt(name: string): Promise<Pick<RepresentationOptions, 'body' | 'brotli'>> {
  const file = packageFile('dist', 'badge', name);
  const [body, brotli] = await Promise.all([
    readFile(file),
    readFile(`${file}.br`).catch(() => undefined), // somebody's own build may lack it
  ]);
  return { body, brotli };
}

/** Every first view of every embedding page fetches these bytes, so they are made as few as can be. */
function createAsset(options: Omit<RepresentationOptions, 'brotliQuality'>): Promise<Representation> {
  return createRepresentation({ ...options, brotliQuality: 11 });
}
