import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chownSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { constants as system, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { changeText, sealText, stateText } from '../../../../src/server/stores/records/file-lines.ts';
import {
  lastLineBefore,
  openFile,
  type RecordFile,
  writeWhole,
} from '../../../../src/server/stores/records/record-file.ts';
import { newRecordState } from '../../../../src/server/stores/records/record-state.ts';
import type { RecordChange } from '../../../../src/server/stores/records/records.ts';
import { openFilesIn } from '../../../support/open-files.ts';
import { canBeSecondUser, secondUser } from '../../../support/second-user.ts';

/** Versions are a name of the process, of eight characters, and a number. */
const version = (count: number, by = 'process1') => `${by}${count}`;
const placed = (count: number, change: RecordChange, by?: string) =>
  changeText({ version: version(count, by), at: 10, change });
/** An entry with a byte that has changed on the disk. */
const damaged = (entry: string) => `${entry[0]}x${entry.slice(2)}`;

describe('a file of a record', () => {
  let root: string;
  let base: string;
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'typebadge-record-file-'));
  });
  afterAll(() => rm(root, { recursive: true }));
  beforeEach(async () => {
    base = join(await mkdtemp(join(root, 'folder-')), 'b');
  });

  function opened(number: number): RecordFile {
    const file = openFile('a/b', base, number) as RecordFile;
    file.readOn();
    return file;
  }
  function fileOf(...entries: string[]): RecordFile {
    writeFileSync(`${base}.1`, entries.join(''));
    return opened(1);
  }

  test('after its seal nothing counts, read with it or later', () => {
    const file = fileOf(
      placed(1, { push: ['one'] }),
      sealText(version(2), 10, 'continued'),
      placed(3, { push: ['two'] }),
    );
    appendFileSync(file.path, placed(4, { push: ['three'] }));
    expect(file.readOn(version(4))).toBeUndefined();
    expect(file.state).toMatchObject({ version: version(1), last: 1 });
    expect(file.isContinued).toBe(true);
    file.close();
  });

  test('after damage, fields do not change on the condition of a version that was lost', () => {
    const file = fileOf(
      placed(1, { put: { a: '1' } }),
      damaged(placed(2, { if: version(1), put: { a: '2' } })),
      placed(3, { if: version(2), put: { a: '3' } }),
    );
    expect(file.state.fields).toEqual(new Map([['a', '1']]));
    file.close();
  });

  test('of two writers that expected the same lost version, the first has added its lines', () => {
    const file = fileOf(
      placed(1, { push: ['one'] }),
      damaged(placed(2, { push: ['lost'] })),
      placed(3, { if: version(2), push: ['two'] }),
      placed(3, { if: version(2), push: ['refused'] }, 'process2'),
    );
    expect(file.linesIn(1, 9)).toEqual(['one', 'two']);
    file.close();
  });

  test('a cut entry is no damage, unless a line was added on the condition of what is not there', () => {
    const [whole, cut] = [placed(1, { push: ['one'] }), placed(2, { push: ['cut'] }).slice(0, -3)];
    const file = fileOf(whole, cut, placed(3, { if: version(1), push: ['two'] }));
    expect([file.isDamaged, file.linesIn(1, 9)]).toEqual([false, ['one', 'two']]);
    appendFileSync(file.path, cut + placed(5, { if: version(4, 'process2'), push: ['three'] }));
    file.readOn();
    expect([file.isDamaged, file.linesIn(1, 9)]).toEqual([true, ['one', 'two', 'three']]);
    file.close();
  });

  test('one whose beginning is damaged goes on where the file before ends, if that is there and no seal of a removal ends it', () => {
    const before = placed(1, { put: { a: '1' }, push: ['one', 'two'] });
    const end = sealText(version(3), 10, 'continued');
    const removed = placed(2, { ttl: 5 }) + sealText(version(3), 15, 'expired');
    const rows: [string | undefined, { a?: string }, number][] = [
      [before + end, { a: '1' }, 2],
      [before + damaged(end), { a: '1' }, 2],
      // Another process whose clock was behind wrote to the next record.
      [before + removed, {}, 0],
      [undefined, {}, 0],
    ];
    for (const [text, kept, last] of rows) {
      if (text === undefined) execFileSync('rm', [`${base}.1`]);
      else writeFileSync(`${base}.1`, text);
      for (const state of [damaged(stateText({ ...newRecordState(), version: 'lost' })), '']) {
        const next = { if: version(9, 'process2'), put: { b: '2' }, push: ['next'] };
        writeFileSync(`${base}.2`, state + placed(4, next));
        const file = opened(2);
        expect(Object.fromEntries(file.state.fields)).toEqual({ ...kept, b: '2' });
        expect([file.firstLine, file.state.last]).toEqual([last + 1, last + 1]);
        expect(file.linesIn(1, 9)).toEqual(['next']);
        expect(file.isDamaged).toBe(true);
        file.close();
        expect(openFilesIn(root)).toEqual([]);
      }
    }
  });

  test('how many lines come before it is in its first entry, if that can be read', () => {
    const state = stateText({ ...newRecordState(), version: 'v', first: 3, last: 7 });
    for (const [text, last] of [
      [state + placed(1, { push: ['next'] }), 7],
      [damaged(state), undefined],
      [placed(1, { push: ['first'] }), undefined],
      ['', undefined],
    ] as const) {
      writeFileSync(`${base}.2`, text);
      expect(lastLineBefore(base, 2)).toBe(last);
    }
    expect(lastLineBefore(base, 3)).toBeUndefined();
  });

  test('it is created only on demand, and not without its folder', () => {
    expect(openFile('a/b', base, 1)).toBeUndefined();
    expect(openFile('a/b', join(root, 'none', 'b'), 1, true)).toBeUndefined();
    expect(existsSync(`${base}.1`)).toBe(false);
    openFile('a/b', base, 1, true)?.close();
    expect(statSync(`${base}.1`).mode & 0o777).toBe(0o600);
  });

  test.runIf(canBeSecondUser)('root gives away no file that holds something already', () => {
    chownSync(join(base, '..'), secondUser, secondUser);
    for (const [number, text, owner] of [
      [1, 'a link to a file of root', 0],
      [2, '', secondUser],
    ] as const) {
      writeFileSync(`${base}.${number}`, text);
      openFile('a/b', base, number, true)?.close();
      expect(statSync(`${base}.${number}`).uid).toBe(owner);
    }
  });

  test.runIf(canBeSecondUser)(
    'one of another user is opened for reading, but not in place of a new one',
    () => {
      for (const folder of [root, join(base, '..')]) execFileSync('chmod', ['755', folder]);
      writeFileSync(`${base}.1`, placed(1, { put: { a: '1' } }), { mode: 0o644 });
      process.seteuid?.(secondUser);
      try {
        const file = opened(1);
        expect(file.state.fields.get('a')).toBe('1');
        expect(() => writeWhole(file.fd, 'x')).toThrow('EBADF');
        file.close();
        expect(() => openFile('a/b', base, 2, true)).toThrow('EACCES');
      } finally {
        process.seteuid?.(0);
      }
    },
  );

  test('what fits only in part is refused as by a full disk', () => {
    execFileSync('mkfifo', [base]);
    const pipe = openSync(base, constants.O_RDWR | constants.O_NONBLOCK);
    expect(writeWhole(pipe, 'é\n')).toBe(3);
    const refused = { errno: -system.errno.ENOSPC, message: 'no space left on device' };
    expect(() => writeWhole(pipe, 'x'.repeat(100_000))).toThrow(expect.objectContaining(refused));
    closeSync(pipe);
  });
});
