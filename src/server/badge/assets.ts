import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageFile } from '../../kit/package-files.ts';
import { readRegularFile } from '../../kit/regular-file.ts';
import { createRepresentation, type Representation } from '../http/replies/representation.ts';

/** The three files that a site embeds. */
export interface Assets {
  readonly script: Representation;
  readonly style: Representation;
  readonly logo: Representation;
}

/** Bytes of a logo that every embedding page fetches. */
const largestLogo = 1024 * 1024;
const shortCaching = 'public, max-age=3600, must-revalidate';
const longCaching = 'public, max-age=604800, immutable';

/** Reads and compresses the assets. A `badge/logo.svg` in the content folder goes before the logo of the package. */
export async function loadAssets(contentDir: string | undefined): Promise<Assets> {
  const ownLogo = readFile(packageFile('content', 'badge', 'logo.svg'));
  const [script, style, logo] = await Promise.all([
    readFile(packageFile('dist', 'badge', 'inject.min.js')),
    readFile(packageFile('dist', 'badge', 'inject.min.css')),
    contentDir === undefined
      ? ownLogo
      : readRegularFile(join(contentDir, 'badge', 'logo.svg'), largestLogo).catch(() => ownLogo),
  ]);
  const [scriptFile, styleFile, logoFile] = await Promise.all([
    createAsset(script, 'application/javascript', shortCaching),
    createAsset(style, 'text/css', shortCaching),
    createAsset(logo, 'image/svg+xml', longCaching),
  ]);
  return { script: scriptFile, style: styleFile, logo: logoFile };
}

/** Every first view of every embedding page fetches these bytes, so they are made as few as can be. */
function createAsset(body: Buffer, type: string, cacheControl: string): Promise<Representation> {
  return createRepresentation({ body, type, cacheControl, brotliQuality: 11 });
}
