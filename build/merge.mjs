// Files of a bundle that are always loaded together become one, and so do those that are smaller than a block of a disk: Node resolves, opens,
// reads, compiles and links every file by itself, which takes longer than to run what is in most of them.
import { rm, writeFile } from 'node:fs/promises';
import { dirname, relative, resolve } from 'node:path';
import { build } from 'esbuild';
import { format, withRequire } from './format.mjs';

/**
 * Merges the files that several parts of a bundle share, by the steps of its start: what a step imports, and no step before it has.
 * The parts take from there what they took from the files in it.
 *
 * @param outputs of esbuild's metafile: the files of the bundle with their imports and exports
 * @param steps the sources that begin each step, in the order in which they are loaded
 * @param apart sources that a thread of their own loads: they take nothing from there
 */
export async function mergeStart(outputs, { outdir, steps, apart = [] }) {
  const ofSource = (source) => toPrograms(outputs).find((path) => outputs[path].entryPoint === source);
  const merged = new Set();
  const groups = steps.map((sources, step) => {
    const shared = toImported(outputs, sources.map(ofSource)).filter((path) => !merged.has(path));
    for (const path of shared) merged.add(path);
    return { home: `${outdir}/chunks/start-${step + 1}.js`, paths: shared };
  });
  const filled = groups.filter(({ paths }) => paths.length > 0);
  await merge(outputs, filled, apart.map(ofSource));
}

/** Smaller than this, a file takes more of the disk for its block than for what is in it. */
const smallest = 1000;

/**
 * Merges the small files that import nothing but each other: which command needs which of them is not worth a file for each set.
 *
 * @param outputs of esbuild's metafile
 */
export async function mergeSmall(outputs, { outdir }) {
  const isSmall = (path) => outputs[path].entryPoint === undefined && outputs[path].bytes < smallest;
  let small = toPrograms(outputs).filter(isSmall);
  for (let count = 0; count !== small.length; ) {
    count = small.length;
    const among = new Set(small);
    small = small.filter((path) => toStaticImports(outputs, path).every((file) => among.has(file)));
  }
  await merge(outputs, [{ home: `${outdir}/chunks/small.js`, paths: small }], []);
}

/** Makes one file of those in each group; what is `alone` takes nothing from there. */
async function merge(outputs, groups, alone) {
  const homes = new Map(groups.flatMap(({ home, paths }) => paths.map((path) => [path, home])));
  const targets = groups.map(({ home, paths }) => ({
    path: home,
    contents: paths.map((path) => toReExport(outputs, path, resolve(path))).join(''),
  }));
  const files = toPrograms(outputs);
  const rest = files
    .filter((path) => !homes.has(path))
    .map((path) => ({ path, isAlone: alone.includes(path) }));
  const texts = await Promise.all([...targets, ...rest].map((target) => bundle(outputs, homes, target)));
  await Promise.all([...homes.keys()].map((path) => rm(path)));
  await Promise.all(texts.map(([path, text]) => writeFile(path, text)));
}

function toPrograms(outputs) {
  return Object.keys(outputs).filter((path) => path.endsWith('.js'));
}

/** The files of the bundle that this one imports statically. */
function toStaticImports(outputs, file) {
  return outputs[file].imports
    .filter(({ kind, external }) => kind === 'import-statement' && !external)
    .map(({ path }) => path);
}

/** The files that these import statically, and that belong to no part alone. */
function toImported(outputs, parts) {
  const seen = new Set(parts);
  for (const part of seen) for (const path of toStaticImports(outputs, part)) seen.add(path);
  return [...seen].filter((path) => outputs[path].entryPoint === undefined);
}

/** Everything that a file exports, under names that no other file has. */
function toReExport(outputs, path, from) {
  const names = outputs[path].exports.map((name) => `${name} as ${toUnique(outputs, path, name)}`);
  return `export { ${names.join(', ')} } from ${JSON.stringify(from)};\n`;
}

function toUnique(outputs, path, name) {
  return `${name}_${Object.keys(outputs).indexOf(path)}`;
}

/** One file of the merged bundle. */
async function bundle(outputs, homes, { path, contents, isAlone = false }) {
  const entry =
    contents === undefined ? { entryPoints: [path] } : { stdin: { contents, resolveDir: dirname(path) } };
  const { outputFiles } = await build({
    ...format,
    ...entry,
    write: false,
    plugins: [fromHomes(outputs, isAlone ? new Map() : homes, path, isAlone)],
  });
  const { text } = outputFiles[0];
  return [path, text.includes('typeof require') ? `${withRequire}\n${text}` : text];
}

/** Takes what is merged from where it is now; the file `target` contains what has its home there. */
function fromHomes(outputs, homes, target, isAlone) {
  return {
    name: 'from-homes',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^\.|^\// }, ({ kind, path, resolveDir, namespace }) => {
        if (kind === 'entry-point') return undefined;
        if (kind === 'dynamic-import' || namespace === 'homes') return { path, external: true };
        const file = relative('.', resolve(resolveDir, path));
        const home = homes.get(file);
        if (home === target || isAlone) return undefined;
        return home === undefined ? { path, external: true } : { path: file, namespace: 'homes' };
      });
      onLoad({ filter: /.*/, namespace: 'homes' }, ({ path }) => {
        const from = `./${relative(dirname(target), homes.get(path))}`;
        const names = outputs[path].exports.map((name) => `${toUnique(outputs, path, name)} as ${name}`);
        return { contents: `export { ${names.join(', ')} } from ${JSON.stringify(from)};` };
      });
    },
  };
}
