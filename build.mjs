// Builds dist/: the command line (bundled and split, so that a start loads few files), and the public badge assets.
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { build } from 'esbuild';
import { transform as minifyCss } from 'lightningcss';
import { minify } from 'terser';

const { version } = JSON.parse(await readFile('package.json', 'utf8'));

// Built aside and swapped in whole: a program that is running, or a build that breaks, never meets half of it.
const out = `dist.${process.pid}`;
const old = `${out}.old`;
await mkdir(`${out}/badge`, { recursive: true });
try {
  await Promise.all([buildProgram(), buildBadgeScript(), buildBadgeStyle()]);
  await rename('dist', old).catch(() => {});
  await rename(out, 'dist');
} finally {
  await rm(out, { recursive: true, force: true });
  await rm(old, { recursive: true, force: true });
}

async function buildProgram() {
  await build({
    entryPoints: ['src/cli/main.ts'],
    outdir: out,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    packages: 'external',
    jsx: 'automatic',
    chunkNames: 'chunks/[name]-[hash]',
    logLevel: 'warning',
  });
}

async function buildBadgeScript() {
  const bundled = await build({
    entryPoints: ['content/badge/inject.ts'],
    bundle: true,
    format: 'iife',
    target: 'es2020',
    define: { VERSION: JSON.stringify(version) },
    write: false,
    logLevel: 'warning',
  });
  const source = bundled.outputFiles[0].text;
  const { code } = await minify(source, {
    ecma: 2020,
    compress: { passes: 3, unsafe_arrows: true },
    mangle: true,
  });
  await writeFile(`${out}/badge/inject.min.js`, code);
}

async function buildBadgeStyle() {
  const source = await readFile('content/badge/inject.css');
  const { code } = minifyCss({ filename: 'inject.css', code: source, minify: true });
  await writeFile(`${out}/badge/inject.min.css`, code);
}
