// Files of a bundle that are always loaded together become one: Node resolves, opens, reads, compiles and links every file by itself, which
// takes longer than to run what is in most of them.
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
  const files = Object.keys(outputs).filter((path) => path.endsWith('.js'));
  const ofSource = (source) => files.find((path) => outputs[path].entryPoint === source);
  const homes = new Map();
  const targets = steps.map((sources, step) => {
    const home = `${outdir}/chunks/start-${step + 1}.js`;
    const shared = toImported(outputs, sources.map(ofSource)).filter((path) => !homes.has(path));
    for (const path of shared) homes.set(path, home);
    return { path: home, contents: shared.map((path) => toReExport(outputs, path, resolve(path))).join('') };
  });
  const alone = apart.map(ofSource);
  const rest = files
    .filter((path) => !homes.has(path))
    .map((path) => ({ path, isAlone: alone.includes(path) }));
  const texts = await Promise.all([...targets, ...rest].map((target) => bundle(outputs, homes, target)));
  await Promise.all([...homes.keys()].map((path) => rm(path)));
  await Promise.all(texts.map(([path, text]) => writeFile(path, text)));
}

/** The files that these import statically, and that belong to no part alone. */
function toImported(outputs, parts) {
  const seen = new Set(parts);
  for (const part of seen) {
    for (const { kind, external, path } of outputs[part].imports)
      if (kind === 'import-statement' && !external) seen.add(path);
  }
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
