import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../src/kit/package-files.ts';
import { mayImport } from './import-table.ts';
import { longestFiles } from './test-order.ts';

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

test('the table allows only imports that are used', () => {
  const unused = Object.entries(mayImport).flatMap(([room, allowed]) =>
    allowed
      .filter((place) => !local.some(({ from, to }) => roomOf(from) === room && to.startsWith(place)))
      .map((place) => `${room} may import ${place}`),
  );
  expect(unused).toEqual([]);
});

test('the table itself goes in one direction', () => {
  const rooms = Object.keys(mayImport);
  const upwards = rooms.flatMap((room, at) =>
    (mayImport[room] ?? [])
      .filter((allowed) => allowed !== room && rooms.slice(at + 1).some((later) => roomOf(allowed) === later))
      .map((allowed) => `${room} may import ${allowed}`),
  );
  expect(upwards).toEqual([]);
});

test('the typing engine imports nothing but itself', () => {
  const foreign = imports.filter(
    ({ from, to }) => from.startsWith('src/typing/') && !to.startsWith('src/typing/'),
  );
  expect(foreign).toEqual([]);
});

/** What is loaded with a file at once: files, and libraries by their names. */
function loadedWith(start: string): Set<string> {
  const reached = new Set<string>();
  const visit = (file: string) => {
    if (reached.has(file)) return;
    reached.add(file);
    for (const { from, to, isLazy, isTypeOnly } of imports)
      if (from === file && !isLazy && !isTypeOnly) visit(to);
  };
  visit(start);
  return reached;
}

test('the server, the terminal client and their libraries are loaded only when a command needs them', () => {
  const loaded = [...loadedWith('src/cli/main.ts')];
  expect(loaded.filter((file) => /^src\/(?:tui|server)/.test(file))).toEqual([]);
});

/** The libraries that each part of a start waits for. Whatever else is needed rarely comes in a chunk of its own, when it is. */
const librariesOf: Readonly<Record<string, readonly string[]>> = {
  'src/cli/main.ts': ['commander'],
  'src/cli/commands/serve/run-server.ts': ['@humanwhocodes/momoa', 'env-paths', 'kleur', 'valibot'],
  'src/server/start.ts': ['@humanwhocodes/momoa', 'env-paths', 'kleur', 'valibot'],
  'src/cli/commands/play/run-play.ts': ['commander', 'env-paths', 'string-width', 'valibot'],
  'src/tui/play.ts': ['env-paths', 'string-width', 'valibot'],
};

test.each(Object.entries(librariesOf))('%s makes a start wait for few libraries', (start, libraries) => {
  const loaded = [...loadedWith(start)].filter((name) => !/^(?:src\/|node:)/.test(name));
  expect(loaded.sort()).toEqual(libraries);
});

test('the start of a server never waits for what only editors need', () => {
  const late = [
    'src/server/desk/desk-api.ts',
    'src/server/desk/desk-operations.ts',
    'src/announcements/times/moment.ts',
  ];
  expect(files).toEqual(expect.arrayContaining(late));
  const loaded = loadedWith('src/server/start.ts');
  expect(late.filter((file) => loaded.has(file))).toEqual([]);
});

/** Circles of imports, types included: the name of a place is what `placeOf` makes of a file. */
function circlesOf(placeOf: (file: string) => string): string[] {
  const next = new Map<string, Set<string>>(files.map((file) => [placeOf(file), new Set()]));
  for (const { from, to } of local)
    if (placeOf(from) !== placeOf(to)) next.get(placeOf(from))?.add(placeOf(to));
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (place: string, path: readonly string[]) => {
    if (path.includes(place)) circles.push([...path.slice(path.indexOf(place)), place].join(' -> '));
    if (path.includes(place) || done.has(place)) return;
    for (const to of next.get(place) ?? []) visit(to, [...path, place]);
    done.add(place);
  };
  for (const place of next.keys()) visit(place, []);
  return circles;
}

test('files do not import each other in a circle', () => {
  expect(circlesOf((file) => file)).toEqual([]);
});

test('folders do not import each other in a circle', () => {
  expect(circlesOf(dirname)).toEqual([]);
});

test('every folder has few enough files to be seen at a glance', () => {
  const folders = [...new Set(files.map(dirname))];
  const crowded = folders.filter((folder) => files.filter((file) => dirname(file) === folder).length > 18);
  expect(crowded).toEqual([]);
});

test('file names are nouns of the field in kebab-case, and no file is a dumping ground', () => {
  const odd = files.filter(
    (file) =>
      !/\/[a-z0-9]+(?:-[a-z0-9]+)*\.tsx?$/.test(file) ||
      /(?:utils?|helpers?|common|manager|misc|index)\.tsx?$/.test(file),
  );
  expect(odd).toEqual([]);
});

test('the rules of announcements are pure: no Node APIs, no clock, no environment', () => {
  const own = files.filter((file) => file.startsWith('src/announcements/'));
  const foreign = imports.filter(({ from, to }) => own.includes(from) && to.startsWith('node:'));
  expect(foreign).toEqual([]);
  const impure = own.filter((file) =>
    /Date\.now|new Date\(\)|Temporal\.Now|Math\.random|process\./.test(
      readFileSync(join(packageRoot, file), 'utf8'),
    ),
  );
  expect(impure).toEqual([]);
});

test('no command imports another; what they share is in separate rooms', () => {
  const verbOf = (file: string) => /^src\/cli\/commands\/(announce\/[^/]+|[^/]+)/.exec(file)?.[1];
  const isTable = (file: string) => /-commands?\.ts$/.test(file);
  const strays = local.filter(
    ({ from, to, isLazy }) =>
      !isLazy && !isTable(from) && verbOf(from) && verbOf(to) && verbOf(from) !== verbOf(to),
  );
  expect(strays.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
  const shared = local.filter(
    ({ from, to }) => /^src\/cli\/(?!commands|command-line|main)/.test(from) && verbOf(to),
  );
  expect(shared.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
});

test('the test files listed to start first exist', () => {
  expect(longestFiles.filter((file) => !existsSync(join(packageRoot, file)))).toEqual([]);
});

test('ARCHITECTURE.md names only files and folders that exist', () => {
  const text = readFileSync(join(packageRoot, 'ARCHITECTURE.md'), 'utf8');
  const named = [...text.matchAll(/`([\w-][\w./-]*\/[\w./-]+|[\w-]+\.tsx?)`/g)].map(
    ([, name]) => name as string,
  );
  const places = ['src', 'bin', 'content', 'deploy', 'docs', 'test'].flatMap((root) =>
    readdirSync(join(packageRoot, root), { recursive: true, encoding: 'utf8' }).flatMap((path) => {
      const place = `/${join(root, path)}`;
      return [place, place.replace(/\.tsx?$/, '')];
    }),
  );
  const lost = named.filter((name) => !places.some((place) => place.endsWith(`/${name}`)));
  expect(named.length).toBeGreaterThan(40);
  expect(lost).toEqual([]);
});

// A link to installed packages that is checked out replaces the packages themselves. An unpacked package has no repository.
test.skipIf(!existsSync(join(packageRoot, '.git')))(
  'nothing that is to be ignored is in the repository',
  () => {
    const listed = execFileSync('git', ['ls-files', '--cached', '--ignored', '--exclude-standard'], {
      cwd: packageRoot,
      encoding: 'utf8',
    });
    expect(listed).toBe('');
  },
);
