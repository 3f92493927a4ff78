import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../src/server/package-files.ts';

/** What every room of the server may stand on. */
const ground = [
  'src/server/config.ts',
  'src/server/folder.ts',
  'src/server/log.ts',
  'src/server/package-files.ts',
  'src/server/process-life.ts',
  'src/server/whole-file.ts',
  'src/server/wire-types.ts',
];

/** Who may import whom, by the longest matching folder or file; a room may always import itself. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  'src/cli/': [
    ...ground,
    'src/server/start.ts',
    'src/server/badge/',
    'src/server/http/origins.ts',
    'src/tui/',
  ],
  'src/tui/': ['src/server/wire-types.ts'],
  'src/server/': ['src/server/'],
  'src/server/badge/': [...ground, 'src/server/http/'],
  'src/server/http/': [],
  'src/server/sessions/': [...ground, 'src/server/typing/'],
  'src/server/typing/': [],
  'src/server/typing-api/': [...ground, 'src/server/http/', 'src/server/sessions/', 'src/server/typing/'],
};

interface Import {
  readonly from: string;
  readonly to: string;
  readonly isTypeOnly: boolean;
  readonly isLazy: boolean;
}

const files = readdirSync(join(packageRoot, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => join('src', file));
const imports = files.flatMap(importsOf);
const local = imports.filter(({ to }) => to.startsWith('src/'));

function importsOf(from: string): Import[] {
  const text = readFileSync(join(packageRoot, from), 'utf8');
  const statements = text.matchAll(
    /^\s*(?:import|export)\s+(type\s)?[^;'"]*?from\s+'([^']+)'|import\(\s*'([^']+)'\s*\)|^import '([^']+)'/gm,
  );
  return [...statements].map(([, type, named, lazy, bare]) => {
    const to = (named ?? lazy ?? bare) as string;
    const path = to.startsWith('.') ? relative('.', normalize(join(dirname(from), to))) : to;
    return { from, to: path, isTypeOnly: type !== undefined, isLazy: lazy !== undefined };
  });
}

const roomOf = (file: string) =>
  Object.keys(mayImport)
    .filter((room) => file.startsWith(room))
    .sort((a, b) => b.length - a.length)[0] as string;

test('every room imports only what the table allows', () => {
  const strays = local.filter(({ from, to }) => {
    const room = roomOf(from);
    return roomOf(to) !== room && !mayImport[room]?.some((allowed) => to.startsWith(allowed));
  });
  expect(strays.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
});

test('the HTTP kit imports node and itself alone, and the typing engine nothing but itself', () => {
  const foreign = (room: string) =>
    imports.filter(({ from, to }) => from.startsWith(room) && !to.startsWith(room)).map(({ to }) => to);
  expect(foreign('src/server/http/').filter((to) => !to.startsWith('node:'))).toEqual([]);
  expect(foreign('src/server/typing/')).toEqual([]);
});

test('the terminal client knows of the server nothing but types', () => {
  const reached = local.filter(
    ({ from, to, isTypeOnly }) => from.startsWith('src/tui/') && to.startsWith('src/server/') && !isTypeOnly,
  );
  expect(reached).toEqual([]);
});

test('the server, the terminal client and their libraries are loaded only when a command needs them', () => {
  const reached = new Set<string>();
  const visit = (file: string) => {
    if (reached.has(file)) return;
    reached.add(file);
    for (const { to } of local.filter(
      ({ from, isLazy, isTypeOnly }) => from === file && !isLazy && !isTypeOnly,
    ))
      visit(to);
  };
  visit('src/cli/main.ts');
  expect([...reached].filter((file) => /^src\/(?:tui|server\/(?!package-files))/.test(file))).toEqual([]);
});

test('no import goes in a circle', () => {
  const next = new Map(
    files.map((file) => [
      file,
      local.filter(({ from, isTypeOnly }) => from === file && !isTypeOnly).map(({ to }) => to),
    ]),
  );
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (file: string, path: readonly string[]) => {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' -> '));
    if (path.includes(file) || done.has(file)) return;
    for (const to of next.get(file) ?? []) visit(to, [...path, file]);
    done.add(file);
  };
  for (const file of files) visit(file, []);
  expect(circles).toEqual([]);
});

test('file names are nouns of the field in kebab-case, and no file is a dumping ground', () => {
  const odd = files.filter(
    (file) =>
      !/\/[a-z0-9]+(?:-[a-z0-9]+)*\.tsx?$/.test(file) ||
      /(?:utils?|helpers?|common|manager|misc|index)\.tsx?$/.test(file),
  );
  expect(odd).toEqual([]);
});
