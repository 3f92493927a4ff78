import { readFile } from 'node:fs/promises';
import { packageFile } from '../../kit/package-files.ts';
import { createRepresentation, type Representation } from '../http/replies/representation.ts';
import { picturePolicy } from './pictures/logo.ts';

/** The three files that a site embeds. */
export interface Assets {
  readonly script: Representation;
  readonly style: Representation;
  readonly logo: Representation;
}

const shortCaching = 'public, max-age=3600, must-revalidate';
const longCaching = 'public, max-age=604800, immutable';

/** Reads and compresses the assets; the logo is given, as SVG. */
export async function loadAssets(logo: Buffer): Promise<Assets> {
  const [script, style] = await Promise.all([
    readFile(packageFile('dist', 'badge', 'inject.min.js')),
    readFile(packageFile('dist', 'badge', 'inject.min.css')),
  ]);
  const [scriptFile, styleFile, logoFile] = await Promise.all([
    createAsset(script, 'application/javascript', shortCaching),
    createAsset(style, 'text/css', shortCaching),
    createAsset(logo, 'image/svg+xml', longCaching, ['Content-Security-Policy', picturePolicy]),
  ]);
  return { script: scriptFile, style: styleFile, logo: logoFile };
}

/** Every first view of every embedding page fetches these bytes, so they are made as few as can be. */
function createAsset(
  body: Buffer,
  type: string,
  cacheControl: string,
  headers: readonly string[] = [],
): Promise<Representation> {
  return createRepresentation({ body, type, cacheControl, headers, brotliQuality: 11 });
}
