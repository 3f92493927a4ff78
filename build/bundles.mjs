// The program and all its libraries, so that an installation is one package and a start opens few files.
import { build } from 'esbuild';
import { format } from './format.mjs';
import { define, withoutUnused, withShortNames } from './left-out.mjs';
import { mergeSmall, mergeStart } from './merge.mjs';

/**
 * Large, and rarely loaded: the bundle of all commands has them, and the others take them from there. A part of a library that is
 * imported by itself is named too: what one copy of it is changed to, another would not know.
 */
const sharedLibraries = ['ioredis', 'ioredis/built/DataHandler.js', 'prom-client', 'undici'];

/**
 * Writes three bundles into a folder: one of all commands, and one each for `serve` and `play`, which run long, and whose start somebody
 * waits for. What several commands use is split into a file for each set of commands that uses it; of the first bundle, `serve` would
 * open more than seventy, which takes longer than to compile them. In these two, what the steps of a start share is merged further; in the
 * first, the many small files are one.
 * bin/typebadge.js chooses.
 *
 * @returns the paths of all files that they are made of
 */
export async function bundleProgram(out) {
  const inputs = await Promise.all([
    bundleCommands({
      entryPoints: [program, ...sharedLibraries],
      outdir: out,
      plugins: [without(/\/run-(?:server|play)\.ts$/)], // of these two, it knows the options
    }),
    bundleStart({
      entryPoints: [program, server],
      outdir: `${out}/serve`,
      plugins: [withOnly('serve'), withSharedLibraries],
      steps: [[program], [`${commands}/serve/serve-command.ts`], [`${commands}/serve/run-server.ts`, server]],
    }),
    bundleStart({
      entryPoints: [program, reader],
      outdir: `${out}/play`,
      plugins: [withOnly('play'), withSharedLibraries],
      steps: [
        [program],
        [`${commands}/play/play-command.ts`],
        [`${commands}/play/run-play.ts`, 'src/tui/play.ts'],
        ['src/server/local-typing.ts'],
        ['src/tui/ink-page.tsx'],
      ],
      apart: [reader],
    }),
  ]);
  return [...new Set(inputs.flat())];
}

const program = 'src/cli/main.ts';
const commands = 'src/cli/commands';
const server = 'src/server/start.ts';
/** The terminal's reader is an entry because it runs in a thread of its own. */
const reader = 'src/tui/terminal/terminal-reader.ts';

async function bundleCommands(options) {
  const { inputs, outputs } = await bundle(options);
  await mergeSmall(outputs, options);
  return inputs;
}

async function bundleStart({ steps, apart, ...options }) {
  const { inputs, outputs } = await bundle(options);
  await mergeStart(outputs, { outdir: options.outdir, steps, apart });
  return inputs;
}

async function bundle(options) {
  const { metafile } = await build({
    ...format,
    ...options,
    plugins: [...options.plugins, withoutUnused, withShortNames],
    entryNames: '[name]',
    splitting: true,
    jsx: 'automatic',
    chunkNames: 'chunks/[name]-[hash]',
    define,
    metafile: true,
  });
  return { inputs: Object.keys(metafile.inputs), outputs: metafile.outputs };
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
  (name) => `../../${name.replace(/^.*\/|\.js$/g, '')}.js`,
);

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
