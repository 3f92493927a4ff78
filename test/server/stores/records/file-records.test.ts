import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { changeText, sealText } from '../../../../src/server/stores/records/file-lines.ts';
import { createFileRecords } from '../../../../src/server/stores/records/file-records.ts';
import { openFile, type RecordFile } from '../../../../src/server/stores/records/record-file.ts';
import {
  type RecordChange,
  type Records,
  StoreUnavailableError,
} from '../../../../src/server/stores/records/records.ts';
import { findFullDisks } from '../../../support/full-disk.ts';
import { openFilesIn } from '../../../support/open-files.ts';
import { canBeSecondUser, secondUser } from '../../../support/second-user.ts';
import { recordsContract } from './records-contract.ts';

/** All files of records below a folder. */
function filesIn(dir: string): string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

describe('records in files', () => {
  let root: string;
  let dir: string;
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'typebadge-records-'));
  });
  afterAll(() => rm(root, { recursive: true }));
  beforeEach(async () => {
    dir = await mkdtemp(join(root, 'data-'));
  });

  describe('like every engine', () => {
    recordsContract(async () =>
      createFileRecords({ dir: join(root, 'contract'), maxOpen: 20, maxFileSize: 300 }),
    );
  });

  test('what the disk refuses is said once, without the path, and stays known for a while', async () => {
    const blocked = join(dir, 'a file');
    writeFileSync(blocked, '');
    const said: string[] = [];
    const records = createFileRecords({
      dir: join(blocked, 'records'),
      onProblem: (text) => said.push(text),
    });
    expect(records.problem()).toBeUndefined();
    for (const id of ['rounds/a', 'rounds/b'])
      await expect(records.commit(id, { put: { a: '1' } })).rejects.toThrow(StoreUnavailableError);
    expect(said).toEqual([expect.stringMatching(/^The data folder cannot be used: [^/]+\.$/)]);
    expect(records.problem()).toBe(said[0]);
  });

  test('lines stay readable over many files, and trimmed ones leave the disk', async () => {
    const [writer, reader] = [1, 2].map(() => createFileRecords({ dir, maxFileSize: 1_000 }));
    const all = Array.from({ length: 300 }, (_, at) => `line ${at + 1} ${'.'.repeat(at % 50)}`);
    for (const line of all) await writer?.commit('rounds/a', { push: [line], add: { n: 1 } });
    expect(filesIn(dir).length).toBeGreaterThan(10);
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 310 }),
        fc.integer({ min: 0, max: 310 }),
        async (from, to) => {
          expect(await reader?.lines('rounds/a', from, to)).toEqual(all.slice(Math.max(0, from - 1), to));
        },
      ),
    );
    await writer?.commit('rounds/a', { trim: 280 });
    expect(filesIn(dir).length).toBeLessThan(6);
    expect(await reader?.lines('rounds/a', 1, 999)).toEqual(all.slice(279));
    expect(await reader?.read('rounds/a', ['n'])).toMatchObject({ values: ['300'], first: 280, last: 300 });
  });

  test('a refused change leaves nothing on the disk, and neither do reads and removals of what is not there', async () => {
    const records = createFileRecords({ dir });
    expect(await records.read('a/b')).toEqual({ version: '', values: [], first: 1, last: 0 });
    await records.remove('a/b');
    expect(await records.commit('a/b', { if: 'lost', put: { a: '1' } })).toEqual({ refused: 'changed' });
    expect(await records.commit('a/b', { add: { n: 2 }, max: { n: 1 } })).toEqual({ refused: 'full' });
    expect(readdirSync(dir)).toEqual([]);
    await records.commit('a/b', { put: { a: '1' } });
    const before = filesIn(dir).map((path) => readFileSync(path, 'utf8'));
    expect(await records.commit('a/b', { if: 'lost', put: { a: '2' } })).toEqual({ refused: 'changed' });
    expect(filesIn(dir).map((path) => readFileSync(path, 'utf8'))).toEqual(before);
  });

  test('a removed record leaves nothing on the disk, and an expired one goes with a sweep', async () => {
    let now = 1_000_000;
    const records = createFileRecords({ dir, maxFileSize: 500, clock: () => now });
    for (let at = 0; at < 20; at += 1) {
      for (const id of ['a/removed', 'a/cleared'])
        await records.commit(id, { push: [`secret ${at}`.repeat(9)] });
      await records.commit('a/expired', { append: { text: 'secret' }, ttl: 1_000 });
    }
    await records.remove('a/removed');
    await records.commit('a/cleared', { ttl: 0 });
    expect(filesIn(dir).filter((path) => /removed|cleared/.test(path))).toEqual([]);
    await records.commit('a/kept', { put: { a: '1', b: 'secret' }, ttl: 60_000 });
    await records.commit('a/kept', { remove: ['b'], forget: true });
    now += 5_000;
    await createFileRecords({ dir, clock: () => now }).sweep();
    expect(filesIn(dir).map((path) => path.slice(dir.length + 4))).toEqual(['a/kept.2']);
    expect(readFileSync(filesIn(dir)[0] as string, 'utf8')).not.toContain('secret');
    await records.commit('a/removed', { push: ['new'] });
    expect(await records.lines('a/removed', 1, 9)).toEqual(['new']);
  });

  test('a record that cannot be read keeps no other from being swept, and keeps no file open', async () => {
    let now = 1_000;
    const records = createFileRecords({ dir, clock: () => now });
    for (let at = 0; at < 20; at += 1) await records.commit(`sessions/${at}`, { put: { a: 'b' }, ttl: 10 });
    await records.close();
    const folder = await mkdtemp(join(root, 'no-file-'));
    for (const file of filesIn(dir).slice(0, 10)) {
      rmSync(file);
      symlinkSync(folder, file);
    }
    now += 100;
    const swept = createFileRecords({ dir, clock: () => now });
    const openBefore = readdirSync('/proc/self/fd').length;
    await swept.sweep();
    expect(filesIn(dir)).toEqual([]);
    expect(readdirSync('/proc/self/fd').length).toBeLessThan(openBefore + 5);
    await swept.close();
  });

  test('a sweep changes nothing in what lives, and opens nothing for longer', async () => {
    const records = createFileRecords({ dir });
    for (const id of ['a/used', 'a/other']) await records.commit(id, { put: { a: '1' }, ttl: 60_000 });
    const texts = () => filesIn(dir).map((path) => readFileSync(path, 'utf8'));
    const before = texts();
    await records.close();
    await records.read('a/used');
    await records.sweep();
    expect(texts()).toEqual(before);
    expect(openFilesIn(dir)).toEqual(filesIn(dir).filter((path) => path.includes('used')));
    await records.close();
    expect(openFilesIn(dir)).toEqual([]);
  });

  test('a writer learns what became of its own change, whatever others append behind it', async () => {
    const records = createFileRecords({ dir });
    const other = createFileRecords({ dir });
    const first = (await records.commit('a/b', { put: { a: '1' } })) as { version: string };
    await other.read('a/b');
    const [path = ''] = filesIn(dir);
    const file = openFile('a/b', path.slice(0, -2), 1) as RecordFile;
    file.readOn();
    const placed = (version: string, change: RecordChange) => changeText({ version, at: 0, change });
    const given = { if: first.version, put: { a: '2' } };
    appendFileSync(path, placed('own', given) + placed('late', given) + sealText('end', 0, 'expired'));
    expect(file.readOn('own')).toBe('applied');
    // The seal of a process that took the record for expired does not count, because it lives.
    expect(file.seal).toBeUndefined();
    appendFileSync(path, placed('later', given) + placed('last', { put: { a: '3' } }));
    expect(file.readOn('later')).toBe('changed');
    expect(file.state.fields).toEqual(new Map([['a', '3']]));
    expect((await other.read('a/b', ['a'])).values).toEqual(['3']);
    file.close();
    for (const each of [records, other]) await each.close();
  });

  test('few files of long records are kept open, because their states are in memory', async () => {
    const records = createFileRecords({ dir, maxOpen: 10 });
    for (let at = 0; at < 9; at += 1)
      await records.commit(`long/${at}`, { put: { text: 'x'.repeat(256 * 1024) } });
    for (let at = 0; at < 9; at += 1) await records.commit(`short/${at}`, { put: { text: 'x' } });
    // Whether a file is long shows when it is used again.
    for (let at = 0; at < 9; at += 1) await records.read(`short/${at}`, ['text']);
    const open = openFilesIn(dir);
    expect(open.filter((path) => path.includes('short')).length).toBeGreaterThan(5);
    expect(open.filter((path) => path.includes('long')).length).toBeLessThanOrEqual(1);
    for (let at = 0; at < 9; at += 1)
      expect((await records.read(`long/${at}`, ['text'])).values[0]).toHaveLength(256 * 1024);
    await records.close();
  });

  test('other files in the folder are not records, and a sweep skips them', async () => {
    let now = 1_000_000;
    const records = createFileRecords({ dir, clock: () => now });
    await records.commit('a/expired', { push: ['old'], ttl: 1_000 });
    await records.commit('a/kept', { push: ['new'] });
    const foreign = filesIn(dir).flatMap((path) =>
      ['Copy of x.1', '.x.1', 'x.1.damaged', 'x.2~draft'].map((name) => join(dirname(path), name)),
    );
    mkdirSync(join(dirname(foreign[0] as string), 'folder.1'));
    for (const path of foreign) writeFileSync(path, 'something else');
    now += 5_000;
    await records.sweep();
    const ids: string[] = [];
    for await (const id of records.ids('a/')) ids.push(id);
    expect(ids).toEqual(['a/kept']);
    expect(filesIn(dir).filter((path) => !foreign.includes(path))).toHaveLength(1);
    expect(foreign.every((path) => existsSync(path))).toBe(true);
  });

  test('leftovers of a process killed in the middle of a removal go with the next removal or sweep', async () => {
    const records = createFileRecords({ dir });
    for (const id of ['a/one', 'a/two'])
      await records.commit(id, { put: { text: 'secret' }, push: ['secret'] });
    await records.close();
    for (const path of filesIn(dir)) {
      const at = Date.now();
      appendFileSync(path, changeText({ version: 'gone', at, change: { ttl: 0 } }));
      appendFileSync(path, sealText('killed', at, 'expired'));
      writeFileSync(`${path}~killed`, 'secret');
    }
    const next = createFileRecords({ dir });
    const left = () => filesIn(dir).map((path) => path.slice(dir.length + 4));
    expect((await next.read('a/one', ['text'])).version).toBe('');
    expect(left()).toEqual(['a/one.1', 'a/one.1~killed', 'a/two.1', 'a/two.1~killed']);
    await next.remove('a/one');
    expect(left()).toEqual(['a/two.1', 'a/two.1~killed']);
    expect(await next.commit('a/one', { if: '', put: { text: 'new' } })).toHaveProperty('version');
    await next.sweep();
    expect(left()).toEqual(['a/one.1']);
    expect((await next.read('a/one', ['text'])).values).toEqual(['new']);
  });

  test('a change that was cut at any byte did not happen, and the next one counts', async () => {
    const records = createFileRecords({ dir });
    const changes = [
      { append: { text: 'an end' } },
      { put: { a: 'x y' }, push: ['one line', 'another\nline', '='] },
      { add: { n: 1 } },
    ];
    for (const [number, change] of changes.entries()) {
      const id = `cut/${number}`;
      const { version } = (await records.commit(id, { put: { text: 'begin' }, push: ['first'] })) as {
        version: string;
      };
      const [path = ''] = filesIn(dir).filter((file) => file.endsWith(`${number}.1`));
      const before = readFileSync(path);
      await records.commit(id, change);
      const after = readFileSync(path);
      for (let cut = before.length; cut < after.length; cut += 1) {
        const folder = join(dir, `cut-${number}-${cut}`);
        const damaged: string[] = [];
        const open = () => createFileRecords({ dir: folder, onDamage: (file) => damaged.push(file) });
        const first = open();
        await first.commit(id, { put: { to: 'make the folders' } });
        const [copy = ''] = filesIn(folder);
        writeFileSync(copy, after.subarray(0, cut));
        const second = open();
        expect(await second.read(id, ['text'])).toMatchObject({ version, values: ['begin'], last: 1 });
        await second.commit(id, { if: version, append: { text: '!' }, push: ['last'] });
        for (const each of [second, open()]) {
          expect((await each.read(id, ['text', 'a', 'n'])).values).toEqual(['begin!', undefined, undefined]);
          expect(await each.lines(id, 1, 9)).toEqual(['first', 'last']);
        }
        expect(damaged).toEqual([]);
        for (const each of [first, second]) await each.close();
      }
    }
  }, 60_000);

  test('a cut entry gives no change a second chance whose version was replaced before it', async () => {
    const replacements: RecordChange[] = [
      { push: ['one'] },
      { add: { n: 1 } },
      { add: { n: 1 }, durable: true },
    ];
    for (const isNew of [true, false]) {
      for (const [number, change] of replacements.entries()) {
        const id = `cut/${isNew}-${number}`;
        const damaged: string[] = [];
        const open = () => createFileRecords({ dir, onDamage: (message) => damaged.push(message) });
        const [fast, slow] = [open(), open()];
        if (!isNew) await fast.commit(id, number === 1 ? { add: { n: 1 } } : { push: ['first'] });
        const { version } = await slow.read(id, []);
        // A record that does not exist is looked for again.
        const isKept = number % 2 === 0 && !isNew;
        await fast.commit(id, { ...change, ...(isKept && { if: version }) });
        const [path = ''] = filesIn(dir).filter((file) => file.includes(id));
        const before = await fast.lines(id, 1, 9);
        appendFileSync(path, '!123456789 {"ver');
        expect(await slow.commit(id, { if: version, push: ['late'] })).toEqual({ refused: 'changed' });
        for (const each of [fast, slow, open()]) expect(await each.lines(id, 1, 9)).toEqual(before);
        expect(damaged).toEqual([]);
      }
    }
  });

  test('of damaged files, every intact line counts, the record continues, and the damage is reported once', async () => {
    const records = createFileRecords({ dir, maxFileSize: 1_000 });
    const all = Array.from({ length: 40 }, (_, at) => `line ${at + 1} ${'.'.repeat(at % 30)}`);
    let version = '';
    const commit = async (by: Records, change: RecordChange) => {
      const done = await by.commit('rounds/a', { if: version, ...change });
      if ('refused' in done) throw new Error(done.refused);
      version = done.version;
    };
    for (const [at, line] of all.entries()) {
      await commit(records, { push: [line], add: { n: 1 }, ttl: 1_000_000 });
      if (at % 3 === 0) await commit(records, { durable: true });
    }
    await records.close();
    const files = filesIn(dir);
    expect(files.length).toBeGreaterThan(4);
    let number = 0;
    type Damage = typeof damage extends fc.Arbitrary<infer One> ? One : never;
    const damage = fc.record({
      file: fc.nat(files.length - 1),
      from: fc.nat(1_100),
      length: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 400 }), fc.constant(2_000)),
      by: fc.constantFrom('noise', 'zeros', 'nothing', 'removal'),
    });
    const lineEnds = files.flatMap((path, file) =>
      [...readFileSync(path, 'latin1').matchAll(/\n/g)].map(
        ({ index }) => [{ file, from: index, length: 1, by: 'noise' as const }] as [Damage],
      ),
    );
    const fileOf = (line: string) =>
      files.findIndex((path) => readFileSync(path, 'utf8').includes(`\r=${line}\n`));
    const places = all.map(fileOf);
    const emptied: [Damage] = [{ file: files.length - 1, from: 0, length: 2_000, by: 'nothing' }];
    await fc.assert(
      fc.asyncProperty(damage, async ({ file, from, length, by }) => {
        number += 1;
        const copy = join(root, `damaged-${number}`);
        cpSync(dir, copy, { recursive: true });
        const path = join(copy, (files[file] as string).slice(dir.length));
        const bytes = readFileSync(path);
        const [start, end] = [Math.min(from, bytes.length), Math.min(from + length, bytes.length)];
        const noise = Buffer.from(bytes.subarray(start, end).map((byte) => byte ^ 1));
        const between = by === 'noise' ? noise : Buffer.alloc(by === 'zeros' ? end - start : 0);
        const isRemoved = by === 'removal' && file < files.length - 1;
        if (isRemoved) rmSync(path);
        else writeFileSync(path, Buffer.concat([bytes.subarray(0, start), between, bytes.subarray(end)]));
        const isIntact = (line: string) => {
          const at = bytes.indexOf(`\r=${line}\n`);
          if (at === -1) return true;
          const begin = bytes.lastIndexOf('\n', at) + 1;
          return !isRemoved && (at + line.length + 3 <= start || begin >= end);
        };
        const left = all.filter(isIntact);
        const reports: string[] = [];
        const open = () =>
          createFileRecords({ dir: copy, maxFileSize: 1_000, onDamage: (message) => reports.push(message) });
        const readAll = (each: Records) => each.lines('rounds/a', 1, 99);
        const read = async (each: Records) => (await readAll(each)).filter((line) => line !== '');
        const first = open();
        version = (await first.read('rounds/a', [])).version;
        expect(await read(first)).toEqual(left);
        const found = await readAll(first);
        for (const [at, line] of found.entries()) {
          expect(await first.lines('rounds/a', at + 1, at + 1)).toEqual([line]);
          // Lost lines of another file change no number.
          if (places[at] !== file) expect(line).toBe(all[at]);
        }
        await commit(first, { push: ['new'] });
        for (const each of [first, open()]) expect(await read(each)).toEqual([...left, 'new']);
        expect(existsSync(path)).toBe(!isRemoved);
        if (!isRemoved) expect(reports.length).toBeLessThanOrEqual(1);
        for (const report of reports) {
          expect(report).toContain(copy);
          expect(report.includes('is missing')).toBe(isRemoved);
        }
        // Without the end of the last file, nothing tells how many lines it had.
        const isEmptied = start === 0 && end === bytes.length && by === 'nothing';
        if ((left.length < all.length && left.at(-1) === all.at(-1) && !isRemoved) || isEmptied)
          expect(reports).toHaveLength(1);
        await first.close();
      }),
      { examples: [...lineEnds, emptied], numRuns: lineEnds.length + 100, interruptAfterTimeLimit: 60_000 },
    );
  }, 120_000);

  test('of a damaged file to which several wrote at once, every other line that was acknowledged counts', async () => {
    const [fast, slow] = [createFileRecords({ dir }), createFileRecords({ dir })];
    const all = Array.from({ length: 9 }, (_, at) => `line ${at + 1}`);
    for (const line of all) {
      const { version } = await slow.read('rounds/a', []);
      const done = (await fast.commit('rounds/a', { if: version, push: [line] })) as { version: string };
      const late = { if: version, push: ['refused'] };
      expect(await slow.commit('rounds/a', late)).toEqual({ refused: 'changed' });
      if (line.endsWith('5')) await fast.commit('rounds/a', { if: done.version, durable: true });
    }
    const [path = ''] = filesIn(dir);
    const bytes = readFileSync(path);
    for (const at of bytes.keys()) {
      const start = at === 0 ? 0 : bytes.lastIndexOf('\n', at - 1) + 1;
      const entry = bytes.toString('utf8', start, bytes.indexOf('\n', at));
      for (const file of filesIn(dir)) rmSync(file);
      writeFileSync(
        path,
        bytes.map((byte, index) => (index === at ? byte ^ 1 : byte)),
      );
      const reader = createFileRecords({ dir });
      const found = await reader.lines('rounds/a', 1, 99);
      expect(found.filter((line) => line !== 'refused')).toEqual(all.filter((line) => !entry.endsWith(line)));
      // The writer of a change that was refused after the damaged one may have seen the same version.
      expect(found.length).toBeLessThanOrEqual(all.length);
      await reader.close();
    }
  });

  test('a file that does not hold records is set aside, too', async () => {
    const records = createFileRecords({ dir });
    await records.commit('a/b', { put: { a: '1' } });
    await records.close();
    const [path = ''] = filesIn(dir);
    for (const rubbish of [
      '{"some": "JSON"}\n',
      `${'\0'.repeat(5_000)}\n`,
      `${'00000000+'.repeat(50_000)}\n`,
      '\n\n\n',
    ]) {
      await createFileRecords({ dir }).remove('a/b');
      writeFileSync(path, rubbish);
      const reports: string[] = [];
      const next = createFileRecords({ dir, onDamage: (file) => reports.push(file) });
      expect((await next.read('a/b', [])).version).toBe('');
      expect(await next.commit('a/b', { if: '', put: { a: '2' } })).toHaveProperty('version');
      expect((await createFileRecords({ dir }).read('a/b', ['a'])).values).toEqual(['2']);
      expect(reports).toEqual([expect.stringContaining(`${path}.damaged`)]);
      expect(readFileSync(`${path}.damaged`, 'utf8')).toContain(rubbish);
    }
  });

  test.skipIf(!existsSync('/proc/self/fd'))(
    'only so many files are open, whatever happens to them',
    async () => {
      const records = createFileRecords({ dir, maxOpen: 4, maxFileSize: 400 });
      await Promise.all(
        Array.from({ length: 300 }, (_, at) =>
          records.commit(`many/${at % 25}`, { push: ['x'.repeat(40)], add: { n: 1 }, durable: at % 3 === 0 }),
        ),
      );
      for (let at = 0; at < 25; at += 1) {
        expect((await records.read(`many/${at}`, ['n'])).values).toEqual(['12']);
        expect(await records.lines(`many/${at}`, 1, 99)).toHaveLength(12);
      }
      expect(openFilesIn(dir).length).toBeLessThanOrEqual(4);
      for (let at = 0; at < 25; at += 2) await records.remove(`many/${at}`);
      await records.close();
      expect(openFilesIn(dir)).toEqual([]);
    },
  );

  test.each([1, 100_000])(
    'forgotten data is not in a file of %i bytes that was set aside, either',
    async (maxFileSize) => {
      const records = createFileRecords({ dir });
      for (const name of ['first', 'secret', 'last'])
        await records.commit('a/b', { put: { [name]: 'text' } });
      await records.close();
      const [path = ''] = filesIn(dir);
      writeFileSync(path, readFileSync(path, 'utf8').replace('last', 'lost'));
      const next = createFileRecords({ dir, maxFileSize });
      await next.commit('a/b', { remove: ['first'], put: { more: 'x'.repeat(500) } });
      const holders = () => filesIn(dir).filter((file) => readFileSync(file, 'utf8').includes('secret'));
      expect(holders()).toContain(`${path}.damaged`);
      await next.commit('a/b', { remove: ['secret'], forget: true });
      expect(holders()).toEqual([]);
      await next.close();
    },
  );

  test('trimmed lines that are to be forgotten leave the disk with the last of those added since the time before', async () => {
    const records = createFileRecords({ dir });
    const add = (...push: string[]) => records.commit('a/b', { push });
    const forgetUpTo = (line: number) => records.commit('a/b', { trim: line, forget: true });
    const onDisk = () =>
      ['one', 'two', 'three'].filter((word) =>
        filesIn(dir).some((file) => readFileSync(file, 'utf8').includes(word)),
      );
    await add('one', 'two');
    await forgetUpTo(2);
    await add('three');
    expect(onDisk()).toEqual(['one', 'two', 'three']);
    await forgetUpTo(3);
    expect(onDisk()).toEqual(['three']);
    expect(await records.lines('a/b', 1, 9)).toEqual(['three']);
    await records.close();
  });

  test('a folder that cannot be read is not one without records', async () => {
    const file = join(dir, 'file');
    writeFileSync(file, '');
    const records = createFileRecords({ dir: file });
    const refused = 'The data folder cannot be used: not a directory.';
    await expect(records.read('a/b', [])).rejects.toThrow(refused);
    await expect(records.ids('a/')[Symbol.asyncIterator]().next()).rejects.toThrow('ENOTDIR');
  });

  test('a key takes few bytes, and counts only after the version that it expects', async () => {
    const records = createFileRecords({ dir });
    await records.commit('a/b', { put: { keys: '' } });
    const [path = ''] = filesIn(dir);
    for (const key of ['h', 'é', ' ']) {
      const [{ version }, before] = [await records.read('a/b', []), readFileSync(path).length];
      await records.commit('a/b', { if: version, append: { keys: key } });
      expect(readFileSync(path).length - before).toBeLessThan(55);
    }
    for (const change of [{ push: ['late'] }, { append: { keys: '?' } }])
      appendFileSync(path, changeText({ version: 'x', at: 0, change: { ...change, if: 'unknown' } }));
    for (const each of [records, createFileRecords({ dir })])
      expect(await each.read('a/b', ['keys'])).toMatchObject({ values: ['hé '], last: 0 });
  });

  test('a change that continues two texts continues both', async () => {
    const records = createFileRecords({ dir });
    const { version } = Object.assign({ version: '' }, await records.commit('a/b', { put: { one: 'a' } }));
    await records.commit('a/b', { if: version, append: { one: 'b', two: 'c' } });
    for (const each of [records, createFileRecords({ dir })])
      expect(await each.read('a/b', ['one', 'two'])).toMatchObject({ values: ['ab', 'c'] });
  });

  test('damage to a session is reported without the id that would be enough to use it', async () => {
    const id = '0123456789abcdef0123456789abcdef';
    const records = createFileRecords({ dir });
    for (const text of ['one', 'two', 'three']) await records.commit(`session/${id}`, { put: { text } });
    await records.close();
    const [path = ''] = filesIn(dir);
    writeFileSync(path, readFileSync(path, 'utf8').replace('two', 'owt'));
    const reports: string[] = [];
    await createFileRecords({ dir, onDamage: (report) => reports.push(report) }).read(`session/${id}`);
    expect(reports.join()).toContain(`${id.slice(0, 8)}….1.damaged`);
    expect(reports.join()).not.toContain(id.slice(0, 9));
  });

  test.runIf(canBeSecondUser)('what root writes belongs to the owner of the folder', async () => {
    chownSync(dir, secondUser, secondUser);
    const records = createFileRecords({ dir, maxFileSize: 100 });
    for (const line of ['first', 'second', 'third'])
      await records.commit('rounds/local', { push: [line.repeat(20)] });
    await records.close();
    const owners = filesIn(dir).map((path) => [statSync(path).uid, statSync(dirname(path)).uid]);
    expect(owners.length).toBeGreaterThan(1);
    for (const owner of owners) expect(owner).toEqual([secondUser, secondUser]);
  });

  test('a folder that somebody removes is created again', async () => {
    const records = createFileRecords({ dir });
    await records.commit('a/b', { put: { a: '1' } });
    await rm(dir, { recursive: true });
    expect(await records.commit('a/b', { put: { b: '2' }, durable: true })).toHaveProperty('version');
    expect(await createFileRecords({ dir }).fields('a/b')).toEqual(new Map([['b', '2']]));
  });
});

const [disk] = await findFullDisks(await mkdtemp(join(tmpdir(), 'typebadge-disk-')));

describe.skipIf(disk?.name !== 'a file system that is full')('records on a full disk', () => {
  let folder: string;
  beforeEach(async () => {
    folder = (await disk?.open(await mkdtemp(join(tmpdir(), 'typebadge-disk-')))) ?? '';
  });
  afterEach(() => disk?.close(folder));

  test('a change is refused with a sentence, reads go on, and all works again when there is room', async () => {
    const dir = join(folder, 'records');
    const [records, other] = [1, 2].map(() => createFileRecords({ dir, maxFileSize: 3_000 }));
    const lines = new Map<string, string[]>();
    const write = async (at: number) => {
      const id = `full/${at % 5}`;
      const line = `${at} ${'x'.repeat(at % 700)}`;
      const answer = await (at % 2 === 0 ? records : other)?.commit(id, { push: [line], add: { n: 1 } });
      expect(answer).toHaveProperty('version');
      lines.set(id, [...(lines.get(id) ?? []), line]);
    };
    const check = async (each = records) => {
      for (const [id, expected] of lines) {
        expect(await each?.lines(id, 1, 99_999)).toEqual(expected);
        expect((await each?.read(id, ['n']))?.values).toEqual([String(expected.length)]);
      }
    };
    for (let at = 0; at < 50; at += 1) await write(at);
    for (let time = 0; time < 3; time += 1) {
      await disk?.fill(folder, process.pid);
      let refused = 0;
      for (let at = 0; at < 200 && refused < 20; at += 1) {
        await write(at).catch((error) => {
          expect(error).toBeInstanceOf(StoreUnavailableError);
          expect(error.message).toBe('The data folder cannot be used: no space left on device.');
          refused += 1;
        });
      }
      expect(refused).toBe(20);
      await check();
      await check(createFileRecords({ dir }));
      await disk?.makeRoom(folder, process.pid);
      for (let at = 0; at < 50; at += 1) await write(at);
    }
    await check();
    await check(createFileRecords({ dir }));
  });

  test('a read-only file system can be read, and changes are refused with a sentence until it can be written', async () => {
    const records = createFileRecords({ dir: join(folder, 'read-only') });
    await records.commit('a/b', { put: { a: '1' } });
    await records.close();
    const remount = (way: string) => execFileSync('mount', ['-o', `remount,${way}`, folder]);
    remount('ro');
    const next = createFileRecords({ dir: join(folder, 'read-only') });
    try {
      // The last one would be in the same folder as the first.
      for (const id of ['a/b', 'a/new', 'a/206'])
        await expect(next.commit(id, { put: { a: '2' } })).rejects.toThrow(/read-only|may not write/);
      expect((await next.read('a/b', ['a'])).values).toEqual(['1']);
    } finally {
      remount('rw');
    }
    expect(await next.commit('a/b', { append: { a: '2' } })).toHaveProperty('version');
    expect((await next.read('a/b', ['a'])).values).toEqual(['12']);
  });
});
