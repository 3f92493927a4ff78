import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createRepresentation, type Representation } from '../http/representation.ts';
import { packageFile } from '../package-files.ts';

/** The three files that a site embeds. */
export interface Assets {
  readonly script: Representation;
  readonly style: Representation;
  readonly logo: Representation;
}

const shortCaching = 'public, max-age=3600, must-revalidate';
const longCaching = 'public, max-age=604800, immutable';

/** Reads and compresses the assets. A `badge/logo.svg` in the content folder goes before the logo of the package. */
export async function loadAssets(contentDir: string): Promise<Assets> {
  const [script, style, logo] = await Promise.all([
    readFile(packageFile('dist', 'badge', 'inject.min.js')),
    readFile(packageFile('dist', 'badge', 'inject.min.css')),
    readFile(join(contentDir, 'badge', 'logo.svg')).catch(() =>
      readFile(packageFile('content', 'badge', 'logo.svg')),
    ),
  ]);
  return {
    script: await createRepresentation({
      body: script,
      type: 'application/javascript',
      cacheControl: shortCaching,
    }),
    style: await createRepresentation({ body: style, type: 'text/css', cacheControl: shortCaching }),
    logo: await createRepresentation({ body: logo, type: 'image/svg+xml', cacheControl: longCaching }),
  };
}
