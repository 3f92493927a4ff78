// The program and all its libraries, so that an installation is one package and a start opens few files.
import { build } from 'esbuild';
import { define, withoutUnused, withShortNames } from './left-out.mjs';

/** Large, and rarely loaded: the bundle of all commands has them, and the other takes them from there. */
const sharedLibraries = ['ioredis', 'prom-client'];

/** What else is drawn with Ink, the largest of all: the bundle of `play` has it. */
const forms = ['announcement-form', 'choice'];

/**
 * Writes three bundles into a folder: one of all commands, and one each for `serve` and `play`, which run long, and whose start somebody
 * waits for. What several commands use is split into a file for each set of commands that uses it; of the first bundle, `serve` would
 * open more than seventy, which takes longer than to compile them. bin/typebadge.js chooses.
 *
 * @returns the paths of all files that they are made of
 */
export async function bundleProgram(out) {
  const inputs = await Promise.all([
    bundle({
      entryPoints: [program, ...sharedLibraries],
      outdir: out,
      plugins: [without(/\/run-(?:server|play)\.ts$/), withForms], // of these two, it knows the options
    }),
    bundle({
      entryPoints: [program, 'src/server/start.ts'],
      outdir: `${out}/serve`,
      plugins: [withOnly('serve'), withSharedLibraries],
    }),
    bundle({
      // The terminal's reader is an entry of its own because it runs in a thread of its own.
      entryPoints: [
        program,
        'src/tui/input/terminal-reader.ts',
        ...forms.map((form) => `src/tui/announce-form/${form}.tsx`),
      ],
      outdir: `${out}/play`,
      plugins: [withOnly('play'), withServer],
    }),
  ]);
  return [...new Set(inputs.flat())];
}

const program = 'src/cli/main.ts';

async function bundle(options) {
  const { metafile } = await build({
    ...options,
    plugins: [...options.plugins, withoutUnused, withShortNames],
    entryNames: '[name]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    jsx: 'automatic',
    chunkNames: 'chunks/[name]-[hash]',
    define,
    // Older libraries ask for Node's own modules by require, which a module does not have.
    banner: {
      js: "import { createRequire as newRequire } from 'node:module'; const require = newRequire(import.meta.url);",
    },
    // Names stay readable in stack traces; blanks and dead code only cost time to read.
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none', // all of it is in the notices
    metafile: true,
    logLevel: 'warning',
  });
  return Object.keys(metafile.inputs);
}

/** Of all commands in the table, this one. */
function withOnly(command) {
  return onImport(/-command\.ts$/, (path) =>
    path.endsWith(`/${command}-command.ts`) ? undefined : elsewhere,
  );
}

/** Leaves out what is loaded lazily, and in this bundle never is. */
function without(filter) {
  return onImport(filter, () => elsewhere);
}

/** A file that is there; Node is never asked for it. */
const elsewhere = '../main.js';

// These are imported by files in the folder "chunks" of a bundle.
const withSharedLibraries = onImport(
  new RegExp(`^(?:${sharedLibraries.join('|')})$`),
  (name) => `../../${name}.js`,
);
const withForms = onImport(
  new RegExp(`/(?:${forms.join('|')})\\.tsx$`),
  (path) => `../play/${path.replace(/^.*\/|\.tsx$/g, '')}.js`,
);

/** The server that `play` runs inside itself is that of `serve`. */
const withServer = onImport(/\/server\/start\.ts$/, () => '../../serve/start.js');

/** Leaves dynamic imports of what fits `filter` to be resolved by Node, from where `toPath` says; undefined: bundles them. */
function onImport(filter, toPath) {
  return {
    name: `on-import-of-${filter.source}`,
    setup({ onResolve }) {
      onResolve({ filter }, ({ kind, path }) => {
        const found = kind === 'dynamic-import' ? toPath(path) : undefined;
        return found === undefined ? undefined : { path: found, external: true };
      });
    },
  };
}
