import { readFile } from 'node:fs/promises';
import { packageFile } from '../../kit/package-files.ts';
import { hashSource } from '../http/errors.ts';
import { createRateLimiter } from '../http/rate-limiter.ts';
import { createRepresentation, type Representation } from '../http/representation.ts';
import type { Handler, RouteGroup } from '../http/router.ts';

/** A view of the page takes four requests. */
const limit = { rate: 20, burst: 60 };

const pagePolicy = [
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'",
  "frame-src 'self'; frame-ancestors 'none'; form-action 'none'; base-uri 'none'",
  "require-trusted-types-for 'script'; trusted-types 'none'",
].join('; ');

/**
 * The page for editors, a client of the editors' API. All of its addresses are relative, so it works below
 * any path. The badge in its preview runs in a sandboxed frame, which can read neither the token nor what was
 * typed.
 *
 * @param brand part of the names of the badge's files
 */
export function createDeskPage(brand: string): RouteGroup {
  const files = {
    '/desk': () => desk('desk.html', 'text/html; charset=utf-8', pagePolicy),
    '/desk/desk.js': () => desk('desk.js', 'application/javascript'),
    '/desk/desk.css': () => desk('desk.css', 'text/css'),
    '/desk/preview': preview,
  };
  async function desk(name: string, type: string, policy?: string): Promise<Representation> {
    return represent((await readBuilt('desk', name)).replaceAll('BRAND', brand), type, policy);
  }

  /** Script and style are inline, because a document without an origin may not load files of this server. */
  async function preview(): Promise<Representation> {
    const [style, script, badgeStyle] = await Promise.all([
      readBuilt('pages', 'preview.css'),
      readBuilt('desk', 'preview.js'),
      readBuilt('badge', 'inject.min.css'),
    ]);
    const policy = [
      `default-src 'none'; script-src 'self' ${hashSource(script)}; style-src 'self' ${hashSource(style)}`,
      "connect-src 'none'; img-src 'self'; frame-ancestors 'self'; form-action 'none'; base-uri 'none'",
      "require-trusted-types-for 'script'; sandbox allow-scripts",
    ].join('; ');
    const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Preview</title>
<style>${style}</style>
</head>
<body>
<main aria-labelledby="title"><h1 id="title">Your page</h1>${'<i></i>'.repeat(8)}</main>
<template>${badgeStyle}</template>
<script>${script}</script>
<script src="../js/${brand}-inject.min.js" data-analytics="off" async></script>
</body>
</html>
`;
    return represent(page, 'text/html; charset=utf-8', policy);
  }

  return {
    limiter: createRateLimiter({ name: 'desk-page', ...limit }),
    headers: ['Cross-Origin-Resource-Policy', 'same-origin'],
    routes: Object.entries(files).map(([path, make]) => {
      // Prepared on the first request: few servers have editors who use the page.
      let file: Promise<Representation> | undefined;
      const handler: Handler = async (context) => {
        file ??= make();
        return (await file).reply(context);
      };
      return { method: 'GET' as const, path, handler };
    }),
  };
}

function readBuilt(folder: string, name: string): Promise<string> {
  return readFile(packageFile('dist', folder, name), 'utf8');
}

function represent(body: string, type: string, policy?: string): Promise<Representation> {
  const security = policy === undefined ? [] : ['Content-Security-Policy', policy];
  return createRepresentation({
    body,
    type,
    cacheControl: 'no-store',
    headers: [...security, 'Referrer-Policy', 'same-origin'],
  });
}
