import { resolve } from 'node:path';
import { safeText } from '../../../kit/terminal-text.ts';
import { type PublicFile, readPublicTree } from '../../../server/badge/public-tree.ts';
import { newServeConfig } from '../../../server/settings/config.ts';
import { parseBrand, parsePublicUrl } from '../../../server/settings/config-parsers.ts';
import { createLog } from '../../../server/settings/log.ts';
import { createContentStore } from '../../../server/stores/content/content-store.ts';
import { dataFolderOf } from '../../desk/local-desk.ts';
import { openTexts } from '../../desk/open-desk.ts';
import { writeExport } from '../../export/export-folder.ts';
import { parseGiven } from '../../program/command-io.ts';
import type { DeskCommand, Texts } from '../../program/subcommand.ts';

type ExportOptions = Texts<'brand' | 'publicUrl' | 'logo'> & { readonly anyOrigin?: boolean };

const defaultUrl = 'http://127.0.0.1:8787';

/** Writes everything that the server would answer now as files for a static host. */
export const exportTree: DeskCommand<ExportOptions> = async ([folder = ''], options, io) => {
  const content = await openTexts(options, io);
  const url = options.publicUrl ?? io.env.TYPEBADGE_PUBLIC_URL;
  const publicUrl = url ? parseGiven(parsePublicUrl, url) : undefined;
  const name = options.brand ?? io.env.TYPEBADGE_BRAND;
  const logo = options.logo ?? io.env.TYPEBADGE_LOGO;
  const config = newServeConfig({
    ...(name ? { brand: parseGiven(parseBrand, name) } : {}),
    logo: logo ? resolve(io.cwd, logo) : undefined,
  });
  const log = createLog({ format: 'pretty', write: (line) => io.err.write(line) });
  const baseUrl = publicUrl ?? defaultUrl;
  const tree = await readPublicTree({ config, content, baseUrl, log, now: io.now });
  // A headers file cannot name several origins.
  const patterns = await createContentStore(content).readOrigins();
  const [only] = patterns.length === 1 ? patterns.filter(({ subdomains }) => !subdomains) : [];
  const origin = options.anyOrigin ? '*' : only?.entry;
  const files = exportedFiles(tree, origin);
  const target = resolve(io.cwd, folder);
  await writeExport(target, files, {
    ...(content.kind === 'folder' && { 'the content folder': content.name }),
    'the data folder': dataFolderOf(io),
  });
  const written = [...files].map(([name, { length: bytes }]) => ({ name, bytes }));
  const size = Math.ceil(written.reduce((sum, { bytes }) => sum + bytes, 0) / 1024);
  const warnings: string[] = [];
  if (publicUrl === undefined)
    warnings.push(`feeds and the demo page contain ${defaultUrl}; set the public URL with --public-url`);
  if (origin === undefined)
    warnings.push(
      'no other site can read these files, because a headers file cannot distinguish several origins; --any-origin allows every site',
    );
  return {
    value: { folder: target, files: written, allowOrigin: origin ?? null, warnings },
    warnings,
    text: (paint) =>
      [
        ...[...files.keys()].filter((name) => !/\.(?:br|gz)$/.test(name)).map((name) => `  ${name}`),
        `${paint.good('✔')} ${files.size} files (${size} KiB, compressed ones included) in ${safeText(target)}`,
      ].join('\n'),
  };
};

/** The public files: pages as `.html`, compressed copies, and `_headers` for Netlify and Cloudflare. */
function exportedFiles(tree: readonly PublicFile[], allowOrigin: string | undefined): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  for (const file of tree)
    for (const [ending, body] of Object.entries({ '': file.identity, '.br': file.br, '.gz': file.gzip }))
      if (body !== undefined) files.set(fileNameOf(file) + ending, body);
  return files.set('_headers', Buffer.from(tree.map((file) => headersOf(file, allowOrigin)).join('\n')));
}

/** A static host answers `/demo` with `demo.html`, and derives the type from the name. */
function fileNameOf({ path, headers }: PublicFile): string {
  const isPage = headers.some((value) => value.startsWith('text/html'));
  return `${path.slice(1)}${isPage && !path.endsWith('.html') ? '.html' : ''}`;
}

function headersOf({ path, headers }: PublicFile, allowOrigin: string | undefined): string {
  const isShared = headers.includes('Cross-Origin-Resource-Policy') && allowOrigin !== undefined;
  const all = [...headers, ...(isShared ? ['Access-Control-Allow-Origin', allowOrigin] : [])];
  return `${path}\n${all.map((text, at) => (at % 2 === 0 ? `  ${text}: ` : `${text}\n`)).join('')}`;
}
