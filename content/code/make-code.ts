// Makes <language>.json from snippets/<language>.*, which was written for this package:
//
//   npx tsx content/code/make-code.ts
//
// A comment "--- title" begins each snippet.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

const folder = new URL('snippets/', import.meta.url);
const head = /^(?:\/\/|#|--|\/\*|<!--) --- (.+?)(?: \*\/| -->)?\n/gm;

for (const file of readdirSync(folder).sort()) {
  const language = file.replace(/\..*/, '');
  const parts = readFileSync(new URL(file, folder), 'utf8').split(head).slice(1);
  const snippets = parts.flatMap((title, index) =>
    index % 2 === 0 ? [{ title, text: (parts[index + 1] as string).trimEnd() }] : [],
  );
  const code = { source: 'written for typebadge', licence: 'MIT', snippets };
  writeFileSync(new URL(`${language}.json`, import.meta.url), `${JSON.stringify(code, undefined, 1)}\n`);
  console.log(`${language}: ${snippets.length} snippets`);
}
