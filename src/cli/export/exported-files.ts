import type { PublicFile } from '../../server/badge/public-tree.ts';

export interface ExportedFile {
  /** Path below the folder, with slashes. */
  readonly name: string;
  readonly body: Buffer;
}

/** The public tree as files: pages as `.html`, compressed neighbours, and the headers file that Netlify and Cloudflare Pages read. */
export function exportedFiles(tree: readonly PublicFile[], allowOrigin: string | undefined): ExportedFile[] {
  const bodies = tree.flatMap((file) => {
    const name = fileNameOf(file);
    return [
      { name, body: file.identity },
      ...(file.br === undefined ? [] : [{ name: `${name}.br`, body: file.br }]),
      ...(file.gzip === undefined ? [] : [{ name: `${name}.gz`, body: file.gzip }]),
    ];
  });
  return [...bodies, { name: '_headers', body: Buffer.from(headersFile(tree, allowOrigin)) }];
}

/** A static host answers `/demo` with `demo.html`, and takes the type from the name. */
function fileNameOf({ path, headers }: PublicFile): string {
  const isPage = headers.some(
    (value, at) => value === 'Content-Type' && headers[at + 1]?.startsWith('text/html'),
  );
  return `${path.slice(1)}${isPage ? '.html' : ''}`;
}

function headersFile(tree: readonly PublicFile[], allowOrigin: string | undefined): string {
  return tree
    .map(({ path, headers }) => {
      const isShared = headers.includes('Cross-Origin-Resource-Policy');
      const cors = isShared && allowOrigin !== undefined ? ['Access-Control-Allow-Origin', allowOrigin] : [];
      return `${path}\n${headerLines([...headers, ...cors])}`;
    })
    .join('\n');
}

function headerLines(headers: readonly string[]): string {
  return headers.map((name, at) => (at % 2 === 0 ? `  ${name}: ${headers[at + 1]}\n` : '')).join('');
}
