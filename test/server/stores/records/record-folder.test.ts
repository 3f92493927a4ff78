import fs, { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  basePath,
  fileNumbers,
  idsIn,
  networkDiskWarning,
  numbered,
  removeFiles,
  spoiled,
} from '../../../../src/server/stores/records/record-folder.ts';

let root: string;
let dir: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'typebadge-folder-'));
});
afterAll(() => rm(root, { recursive: true }));
beforeEach(async () => {
  dir = await mkdtemp(join(root, 'records-'));
});

const make = (...names: readonly string[]) => {
  for (const name of names) writeFileSync(join(dir, name), '');
};
const left = () => readdirSync(dir).sort();

test('records are spread evenly over 256 folders, and one is always in the same', () => {
  const ids = Array.from({ length: 4_000 }, (_, at) => `session/${at}`);
  const places = ids.map((id) => relative(dir, basePath(dir, id)));
  expect(places.map((place) => place.slice(2))).toEqual(ids.map((id) => `/${id}`));
  const folders = new Set(places.map((place) => place.slice(0, 2)));
  expect([...folders].filter((name) => /^[0-9a-f]{2}$/.test(name))).toHaveLength(256);
  expect(basePath('records', 'session/1')).toBe('records/ac/session/1');
});

test('the files of a record are known by their endings, and what was spoiled by its own', () => {
  const ours = ['x.1', 'x.2', 'x.9', 'x.10', 'x.100'];
  const bad = ['x.3~', 'x.4~q8Zt1', 'x.5.damaged', 'x.10~b', 'x.11.damaged', 'x.12~a'];
  const foreign = [
    'x',
    'x.',
    'x.1a',
    'x.a1',
    'x.a1~',
    'x.1.bak',
    'x.1.2~',
    'x.1.damaged2',
    'x.1damaged',
    'xy.1',
    'y.1',
    '.x.1',
  ];
  make(...ours, ...bad, ...foreign, 'x.0', 'x.01');
  const base = join(dir, 'x');
  expect(fileNumbers(base)).toEqual([1, 2, 9, 10, 100]);
  removeFiles(base, 11, spoiled);
  expect(left()).toEqual([...ours, ...bad.slice(4), ...foreign, 'x.0', 'x.01'].sort());
  removeFiles(base, 10, numbered);
  expect(left()).toEqual([...ours.slice(3), ...bad.slice(4), ...foreign, 'x.0', 'x.01'].sort());
  removeFiles(base, 12);
  expect(left()).toEqual(['x.100', 'x.12~a', ...foreign].sort());
});

test('the lowest file goes first, so that none that is left misses one after it', () => {
  make(...[12, 11, 10, 8, 7, 6, 5, 4, 3, 2, 1].map((number) => `x.${number}`));
  mkdirSync(join(dir, 'x.9'));
  expect(() => removeFiles(join(dir, 'x'), 12)).toThrow();
  expect(left()).toEqual(['x.10', 'x.11', 'x.12', 'x.9']);
});

test('where there is no folder there are no files, and where there is something else, they are not known', () => {
  make('file');
  expect(fileNumbers(join(dir, 'none', 'x'))).toEqual([]);
  expect(() => fileNumbers(join(dir, 'file', 'x'))).toThrow('ENOTDIR');
});

test('all records are found by the begin of their ids, each once, whatever else is in the folder', async () => {
  // A part of an id may be the name of one of the 256 folders.
  const like = relative(dir, basePath(dir, 'z')).slice(0, 2);
  const ids = [`rounds/${like}/a`, 'session/one', 'session/sub/a.json', 'session/two', 'sessions/x', 'z'];
  const place = (id: string, ending: string) => {
    const path = basePath(dir, id) + ending;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, '');
  };
  for (const id of ids) for (const ending of id === 'z' ? ['.1'] : ['.2', '.10']) place(id, ending);
  for (const ending of ['', '.0', '.01', '.1a', '.1.damaged', '.2~a', '. 1', '1'])
    place('session/no', ending);
  place('session/none', '/UPPER.1');
  mkdirSync(`${basePath(dir, 'session/folder')}.1`, { recursive: true });
  make('notes.1', '.DS_Store');
  const found = async (prefix: string) => {
    const all: string[] = [];
    for await (const id of idsIn(dir, prefix)) all.push(id);
    return all.sort();
  };
  expect(await found('')).toEqual(ids);
  expect(await found('session/')).toEqual(ids.slice(1, 4));
  expect(await found('session')).toEqual(ids.slice(1, 5));
  expect(await found('session/sub/a')).toEqual(['session/sub/a.json']);
  expect(await found('session/sub/b')).toEqual([]);
  expect(await found('none/')).toEqual([]);
});

test('a folder on a network disk is warned of, which is named with the kind of disk', () => {
  expect(networkDiskWarning(dir)).toBeUndefined();
  // Few machines can mount one, so this process is told that the disk is NFS.
  const { statfsSync } = fs;
  try {
    fs.statfsSync = (() => ({ type: 0x6969 })) as unknown as typeof statfsSync;
    syncBuiltinESMExports();
    expect(networkDiskWarning(dir)).toMatch(/ is on a network disk \(NFS\)/);
    expect(networkDiskWarning(dir)).toContain(dir);
  } finally {
    fs.statfsSync = statfsSync;
    syncBuiltinESMExports();
  }
});
