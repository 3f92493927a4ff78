// Builds dist/: the command line with all its libraries (bundled and split, so that an installation is one package and a start
// loads few files), their licences, the public badge assets, what is written into the pages, and the OpenAPI document.
import { copyFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { brotliCompressSync, constants } from 'node:zlib';
import { build } from 'esbuild';
import { bundleAsync as bundleCss } from 'lightningcss';
import { minify } from 'terser';

import { bundleProgram } from './build/bundles.mjs';
import { toNotices } from './build/notices.mjs';

const { version } = JSON.parse(await readFile('package.json', 'utf8'));

// Built aside and swapped in whole: a program that is running, or a build that breaks, never meets half of it.
const out = `dist.${process.pid}`;
const old = `${out}.old`;
await mkdir(`${out}/badge`, { recursive: true });
await Promise.all(['pages', 'desk'].map((folder) => mkdir(`${out}/${folder}`)));
try {
  await Promise.all([buildProgram(), buildBadge(), buildPages(), buildDesk(), buildContract()]);
  await rename('dist', old).catch(() => {});
  await rename(out, 'dist');
} finally {
  await rm(out, { recursive: true, force: true });
  await rm(old, { recursive: true, force: true });
}

async function buildProgram() {
  const inputs = await bundleProgram(out);
  await writeFile(`${out}/THIRD-PARTY-NOTICES.txt`, await toNotices(inputs));
}

async function buildBadge() {
  await Promise.all([
    writeScript('content/badge/inject.ts', 'badge/inject.min.js'),
    writeStyle('content/badge/inject.css', 'badge/inject.min.css'),
  ]);
  await Promise.all(['inject.min.js', 'inject.min.css'].map((name) => compress(`${out}/badge/${name}`)));
}

/** In as few bytes as Brotli can make of it, beside it: a server that starts has no time for that. */
async function compress(file) {
  const body = await readFile(file);
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
    // As large as the body, like those that a server makes (see representation.ts).
    [constants.BROTLI_PARAM_LGWIN]: Math.ceil(Math.log2(body.length + 16)),
  };
  await writeFile(`${file}.br`, brotliCompressSync(body, { params }));
}

async function buildPages() {
  await Promise.all([
    ...['demo', 'history'].map((name) => writeScript(`content/pages/${name}.ts`, `pages/${name}.js`)),
    ...['demo', 'history', 'preview'].map((name) =>
      writeStyle(`content/pages/${name}.css`, `pages/${name}.css`),
    ),
  ]);
}

async function buildDesk() {
  await Promise.all([
    copyFile('content/desk/desk.html', `${out}/desk/desk.html`),
    ...['desk', 'preview'].map((name) => writeScript(`content/desk/${name}.ts`, `desk/${name}.js`)),
    writeStyle('content/desk/desk.css', 'desk/desk.css'),
  ]);
}

async function buildContract() {
  const module = `${out}/openapi.mjs`;
  await build({
    entryPoints: ['src/contract/openapi/openapi.ts'],
    outfile: module,
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    logLevel: 'warning',
  });
  const { createOpenApiDocument } = await import(`./${module}`);
  await rm(module);
  await writeFile(`${out}/openapi.json`, JSON.stringify(createOpenApiDocument(version)));
}

async function writeScript(entry, target) {
  const bundled = await build({
    entryPoints: [entry],
    bundle: true,
    format: 'iife',
    target: 'es2022',
    define: { VERSION: JSON.stringify(version) },
    minifySyntax: true,
    write: false,
    logLevel: 'warning',
  });
  const { code } = await minify(bundled.outputFiles[0].text, {
    ecma: 2020,
    format: { ascii_only: true }, // a page that names no charset would misread any other character
    module: true, // inside the function that wraps it all, every name may be shortened
    compress: { passes: 3, unsafe_arrows: true, unsafe_methods: true },
  });
  await writeFile(`${out}/${target}`, code);
}

async function writeStyle(entry, target) {
  const { code } = await bundleCss({ filename: entry, minify: true });
  await writeFile(`${out}/${target}`, toAscii(code.toString()));
}

/** A page that names no charset would misread any other character. */
function toAscii(css) {
  return css.replace(/\P{ASCII}(?=([\da-fA-F\s])?)/gu, (character, next) => {
    const code = `\\${character.codePointAt(0).toString(16)}`;
    return next === undefined ? code : `${code} `;
  });
}
