import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { constants as system, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { changeText, sealText } from '../../../../src/server/stores/records/file-lines.ts';
import { createFileRecords, type FileRecords } from '../../../../src/server/stores/records/file-records.ts';
import { openFile } from '../../../../src/server/stores/records/record-file.ts';
import { basePath, fileNumbers } from '../../../../src/server/stores/records/record-folder.ts';
import { StoreUnavailableError } from '../../../../src/server/stores/records/records.ts';
import { openFilesIn } from '../../../support/open-files.ts';

const id = 'a/b';

describe('a record in files that others change, remove or break', () => {
  let root: string;
  let dir: string;
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'typebadge-rivals-'));
  });
  afterAll(() => rm(root, { recursive: true }));
  beforeEach(async () => {
    dir = await mkdtemp(join(root, 'data-'));
  });
  const path = (number: number) => `${basePath(dir, id)}.${number}`;
  const numbers = () => fileNumbers(basePath(dir, id));

  /** Two that use the folder. The second one acts when the first one asks for the time. */
  function withRival() {
    let acts: (() => unknown)[] = [];
    const damage: string[] = [];
    const clock = () => {
      acts.shift()?.();
      return Date.now();
    };
    return {
      rival: createFileRecords({ dir }),
      records: createFileRecords({ dir, clock, onDamage: (message) => damage.push(message) }),
      damage,
      /** What the rival does at the next calls of the clock. */
      willAct: (...next: (() => unknown)[]) => {
        acts = next;
      },
    };
  }
  const nothing = () => undefined;

  /** One line in each file. */
  async function addInFiles(records: FileRecords, ...lines: string[]): Promise<void> {
    for (const [at, line] of lines.entries()) {
      if (at > 0) await records.commit(id, { forget: true });
      await records.commit(id, { push: [line] });
    }
    expect(numbers()).toHaveLength(lines.length);
  }
  const replaceIn = (file: string, what: string, by: string) => {
    const text = readFileSync(file, 'utf8');
    expect(text).toContain(what);
    writeFileSync(file, text.replace(what, by));
  };

  test('lines that are trimmed or removed while they are read are no damage', async () => {
    const { records, rival, damage, willAct } = withRival();
    await addInFiles(rival, 'one', 'two', 'three', 'four');
    willAct(() => rival.commit(id, { trim: 3 }));
    expect(await records.lines(id, 1, 9)).toEqual(['three', 'four']);
    willAct(() => rival.remove(id));
    expect(await records.lines(id, 1, 9)).toEqual([]);
    expect(damage).toEqual([]);
  });

  test('a removal takes with it what is written in the midst of it', async () => {
    const { records, rival, willAct } = withRival();
    await records.commit(id, { put: { a: '1' } });
    willAct(nothing, () => rival.commit(id, { put: { a: '2' } }));
    await records.remove(id);
    expect(numbers()).toEqual([]);
    for (const each of [records, rival]) expect((await each.read(id)).version).toBe('');
  });

  test('only the process whose seal counts removes the files, and others that have them open see the seal', async () => {
    const { records, willAct } = withRival();
    await createFileRecords({ dir, clock: () => 0 }).commit(id, { put: { a: '1' }, ttl: 1 });
    willAct(() => appendFileSync(path(1), sealText('rival', Date.now(), 'expired')));
    await records.sweep();
    expect(numbers()).toEqual([1]);
    await records.sweep();
    expect(numbers()).toEqual([]);
    await records.commit(id, { put: { a: '2' } });
    const file = openFile(id, basePath(dir, id), 1);
    await records.remove(id);
    file?.readOn();
    expect(file?.seal?.end).toBe('expired');
    file?.close();
  });

  test('a new record has nothing of one whose removal was cut short', async () => {
    const { records, rival } = withRival();
    await rival.commit(id, { put: { a: 'secret' }, push: ['secret'] });
    const at = Date.now();
    const removal = changeText({ version: 'gone', at, change: { ttl: 0 } });
    appendFileSync(path(1), removal + sealText('killed', at, 'expired'));
    await records.commit(id, { push: ['new'] });
    expect(await records.lines(id, 1, 9)).toEqual(['new']);
    expect(numbers()).toEqual([2]);
    expect(readFileSync(path(2), 'utf8')).not.toContain('secret');
  });

  test('a record that another process has removed and made again is found', async () => {
    const { records, rival } = withRival();
    await records.commit(id, { put: { a: '1' } });
    await rival.remove(id);
    await rival.commit(id, { put: { a: '2' } });
    expect((await records.read(id, ['a'])).values).toEqual(['2']);
  });

  test('who has a file open that was removed by hand removes nothing that was written since', async () => {
    const { records, rival } = withRival();
    await records.commit(id, { put: { a: '1' } });
    rmSync(path(1));
    await rival.commit(id, { put: { a: '2' } });
    await records.commit(id, { ttl: 0 });
    expect(await createFileRecords({ dir }).fields(id)).toEqual(new Map([['a', '2']]));
  });

  test('a change that always comes after a seal is given up in the end', async () => {
    const { records, rival } = withRival();
    let left = 3;
    const overtaken = {
      /** Asked for when the change is written, after its file was chosen. */
      get put() {
        left -= 1;
        if (left >= 0) rival.commit(id, { forget: true });
        return { a: 'new' };
      },
    };
    expect(await records.commit(id, overtaken)).toHaveProperty('version');
    expect((await rival.read(id, ['a'])).values).toEqual(['new']);
    left = Number.POSITIVE_INFINITY;
    await expect(records.commit(id, overtaken)).rejects.toThrow(StoreUnavailableError);
  });

  test('a file that is listed but never found is not looked for without end', async () => {
    await createFileRecords({ dir }).commit(id, { put: { a: '1' } });
    // Its number is more than a number holds.
    writeFileSync(`${basePath(dir, id)}.${'9'.repeat(25)}`, '');
    await expect(createFileRecords({ dir }).read(id)).rejects.toThrow(StoreUnavailableError);
  });

  test('a durable change counts if its file was continued and removed, and not if that cannot be opened', async () => {
    const { records, willAct } = withRival();
    expect(await records.commit(id, { put: { a: '1' }, durable: true, forget: true })).toHaveProperty(
      'version',
    );
    expect(numbers()).toEqual([2]);
    willAct(nothing, () => {
      renameSync(path(2), `${path(2)}~moved`);
      symlinkSync(path(2), path(2));
    });
    const done = records.commit(id, { push: ['one'], durable: true, forget: true });
    await expect(done).rejects.toThrow(StoreUnavailableError);
  });

  test('a change of which only a part can be written is refused with the reason', async () => {
    const { records, rival } = withRival();
    await rival.commit(id, { put: { a: '1' } });
    rmSync(path(1));
    // A pipe, which has room for less than that.
    execFileSync('mkfifo', [path(1)]);
    const push = ['x'.repeat(200_000)];
    await expect(records.commit(id, { push })).rejects.toThrow(': no space left on device.');
    await records.close();
  });

  test('with too many files open, those of records are closed, and the call succeeds', async () => {
    const tooMany = Object.assign(new Error('too many open files'), {
      code: 'EMFILE',
      errno: -system.errno.EMFILE,
    });
    const { records, willAct } = withRival();
    for (const each of ['a/c', 'a/d', id]) await records.commit(each, { put: { a: '1' } });
    willAct(() => {
      throw tooMany;
    });
    expect((await records.read(id, ['a'])).values).toEqual(['1']);
    expect(openFilesIn(dir)).toEqual([path(1)]);
  });

  test.runIf(process.platform === 'linux')(
    'while the next file cannot be made, reads go on, and no change goes to a sealed one',
    async () => {
      // The longest path is of 4095 bytes: a new file has a longer name at first.
      while (path(1).length < 4090) dir = join(dir, 'x'.repeat(Math.min(200, 4090 - path(1).length - 1)));
      await createFileRecords({ dir }).commit(id, { put: { a: '1' } });
      appendFileSync(path(1), sealText('killed', Date.now(), 'continued'));
      const text = readFileSync(path(1), 'utf8');
      const records = createFileRecords({ dir });
      for (let time = 0; time < 2; time += 1) {
        expect((await records.read(id, ['a'])).values).toEqual(['1']);
        await expect(records.commit(id, { put: { a: '2' } })).rejects.toThrow('name too long');
      }
      expect(readFileSync(path(1), 'utf8')).toBe(text);
    },
  );

  test('a damaged file that a killed process has sealed is continued as it is', async () => {
    const { records, rival, damage } = withRival();
    for (const line of ['one', 'two', 'three']) await rival.commit(id, { push: [line] });
    replaceIn(path(1), 'two', 'owt');
    appendFileSync(path(1), sealText('killed', Date.now(), 'continued'));
    const text = readFileSync(path(1), 'utf8');
    expect(await records.lines(id, 1, 9)).toEqual(['one', 'three']);
    expect(readFileSync(path(1), 'utf8')).toBe(text);
    expect(numbers()).toEqual([1, 2]);
    expect(damage).toHaveLength(1);
  });

  test('what stands after a seal that was lost hides no line of the next file', async () => {
    const { records, rival } = withRival();
    await addInFiles(rival, 'one', 'two');
    replaceIn(path(1), 'continued', 'damaged');
    appendFileSync(path(1), changeText({ version: 'late', at: 0, change: { push: ['late', 'later'] } }));
    expect(await records.lines(id, 1, 9)).toEqual(['one', 'two']);
  });

  test('lines are read only from the files that have them, and leave the disk once all of a file are trimmed', async () => {
    const { records, rival, damage } = withRival();
    await addInFiles(rival, 'one', 'two', 'three');
    replaceIn(path(2), '\r=two', '\r=owt');
    for (const [at, line] of [
      [3, 'three'],
      [1, 'one'],
    ] as const)
      expect(await records.lines(id, at, at)).toEqual([line]);
    expect(damage).toEqual([]);
    expect(await records.lines(id, 2, 2)).toEqual(['']);
    expect(damage).toHaveLength(1);
    await records.commit(id, { trim: 3 });
    expect(numbers()).toEqual([3]);
    expect(existsSync(`${path(2)}.damaged`)).toBe(false);
  });

  test('a record of long fields gets no new file with each change', async () => {
    const records = createFileRecords({ dir, maxFileSize: 1_000 });
    await records.commit(id, { put: { text: 'x'.repeat(2_000) } });
    for (let at = 0; at < 10; at += 1) await records.commit(id, { add: { n: 1 } });
    expect(numbers()).toEqual([2]);
    for (let at = 0; at < 30; at += 1) await records.commit(id, { add: { n: 1 } });
    expect(numbers()).toEqual([3]);
  });

  test('a record lives from the latest time on, and is removed at once', async () => {
    let now = 1_000;
    const records = createFileRecords({ dir, clock: () => now, latest: () => 5_000 });
    await records.commit(id, { put: { a: '1' }, ttl: 100 });
    now = 5_099;
    expect(await records.fields(id)).toEqual(new Map([['a', '1']]));
    now = 5_100;
    expect(await records.fields(id)).toEqual(new Map());
    now = 1_000;
    await records.commit(id, { ttl: 0 });
    expect(numbers()).toEqual([]);
  });
});
