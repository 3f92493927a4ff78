import { readdirSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import {
  appendFile,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Change } from '../../../../src/announcements/announcement.ts';
import { edit, publish } from '../../../../src/announcements/changes/history-edit.ts';
import { undo } from '../../../../src/announcements/changes/history-undo.ts';
import { withFolderLock } from '../../../../src/kit/files/folder-lock.ts';
import { ContentError, contentNames } from '../../../../src/server/stores/content/content.ts';
import { createContentStore, fillContent } from '../../../../src/server/stores/content/content-store.ts';
import { createFolderContent } from '../../../../src/server/stores/content/folder-content.ts';
import { isOversize, maxHistory, roomWarnings } from '../../../../src/server/stores/content/history-file.ts';
import { createRecordContent } from '../../../../src/server/stores/content/record-content.ts';
import { createMemoryRecords } from '../../../../src/server/stores/records/memory-records.ts';
import { type Records, StoreUnavailableError } from '../../../../src/server/stores/records/records.ts';
import { describeContent } from '../content-contract.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'typebadge-content-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

describeContent('the content of a folder', async () => createFolderContent(dir));

test('only the owner can read the editors, even after a change; other files are for everybody', async () => {
  const content = createFolderContent(dir);
  const modeOf = async (name: string) => (await stat(join(dir, name))).mode & 0o777;
  for (const text of ['{}', '{"editors":[]}']) {
    await content.update('editors.json', () => ({ text, result: undefined }));
    expect(await modeOf('editors.json')).toBe(0o600);
  }
  expect(await readdir(dir)).toEqual(['editors.json']);
  await open().updateOrigins(() => ({ origins: [] }));
  await open().updateHistory((history) => publish(history, draft, stamp));
  for (const name of ['origins.json', 'history.json', 'changes.jsonl'])
    expect(await modeOf(name)).toBe(0o666 & ~process.umask());
});

test('a file that is written in place has another version, even if it is as long as before', async () => {
  const content = createFolderContent(dir);
  const versions: unknown[] = [];
  for (const second of [1, 2]) {
    await writeFile(join(dir, 'origins.json'), '{}');
    await utimes(join(dir, 'origins.json'), second, second);
    versions.push(...(await content.versions(['origins.json'])));
  }
  expect(new Set(versions).size).toBe(2);
});

test('what processes that were killed have begun to write is gone after the next change', async () => {
  const drafts = ['history.json', 'changes.jsonl'].map((name) => `${name}.0123456789abcdef.draft`);
  for (const name of drafts) await writeFile(join(dir, name), 'half a');
  await open().updateHistory((history) => publish(history, draft, stamp));
  expect((await readdir(dir)).sort()).toEqual(['changes.jsonl', 'history.json']);
});

test('what somebody writes into the file by hand during a change is not lost', async () => {
  const path = join(dir, 'origins.json');
  await writeFile(path, 'a');
  let isEdited = false;
  const append = async (text: string | undefined) => {
    if (!isEdited) await writeFile(path, `${text} by hand`);
    isEdited = true;
    return { text: `${text}, changed`, result: undefined };
  };
  await createFolderContent(dir).update('origins.json', append);
  expect(await readFile(path, 'utf8')).toBe('a by hand, changed');
});

test('what somebody writes by hand while the new text is already being written is not lost either', async () => {
  const path = join(dir, 'origins.json');
  await writeFile(path, 'a');
  const edited = editedDuringWrite('origins.json', 'a by hand');
  const append = (text: string | undefined) => ({ text: `${text}, changed`, result: undefined });
  await createFolderContent(dir).update('origins.json', append);
  await edited;
  expect(await readFile(path, 'utf8')).toBe('a by hand, changed');
});

/** Writes into a file by hand once its replacement is being written. */
const editedDuringWrite = (file: string, text: string) =>
  new Promise<void>((resolve) => {
    const editDuringWrite = () => {
      const isWritten = readdirSync(dir).some(
        (name) => name.startsWith(`${file}.`) && name.endsWith('.draft'),
      );
      if (!isWritten) return setImmediate(editDuringWrite);
      writeFileSync(join(dir, file), text);
      return resolve();
    };
    editDuringWrite();
  });

test('a change during which somebody edits the announcements by hand has one line in the log', async () => {
  await open().updateHistory((history) => publish(history, draft, stamp));
  const byHand = (await readFile(historyPath(), 'utf8')).replace('One', 'By hand');
  const edited = editedDuringWrite('history.json', byHand);
  await open().updateHistory((history) => publish(history, { ...draft, id: 'other' }, stamp));
  await edited;
  const { announcements, changes } = await open().readHistory();
  expect(announcements.map(({ message }) => message)).toEqual(['By hand', 'One']);
  expect(changes.map(({ id }) => id)).toEqual(['2026-001', 'other']);
});

test('a file that cannot be read is named, with the reason', async () => {
  await mkdir(join(dir, 'history.json'));
  const content = createFolderContent(dir);
  const update = () => content.update('history.json', () => ({ text: '{}', result: undefined }));
  for (const attempt of [update, () => content.read('history.json')])
    await expect(attempt()).rejects.toThrow(/history\.json cannot be read: it is a folder$/);
});

const open = () => createContentStore(createFolderContent(dir));
const historyPath = () => join(dir, 'history.json');
const logPath = () => join(dir, 'changes.jsonl');
const stamp = { by: 'ada', at: Date.UTC(2026, 10, 24) };
const draft = { message: 'One', link: '', published: stamp.at, expires: stamp.at + 86_400_000 };

test('a last line without line break counts if the announcements have its change, and only then', async () => {
  for (const id of ['2026-001', 'other'])
    await open().updateHistory((history) => publish(history, { ...draft, id }, stamp));
  const before = await readFile(join(dir, 'history.json'), 'utf8');
  await open().updateHistory((history) => edit(history, '2026-001', { message: 'Two' }, stamp));
  const log = await readFile(logPath());
  await truncate(logPath(), log.length - 1);
  expect((await open().readHistory()).changes).toHaveLength(3);
  expect(await open().updateHistory((history) => undo(history, undefined, stamp))).toHaveProperty(
    'number',
    4,
  );
  expect((await open().readHistory()).changes).toHaveLength(4);

  await writeFile(join(dir, 'history.json'), before);
  for (let size = log.length - 1; size > log.lastIndexOf('\n', -2); size -= 7) {
    await writeFile(logPath(), log.subarray(0, size));
    const { changes } = await open().readHistory();
    expect(changes).toHaveLength(2);
  }
  await open().updateHistory((history) => edit(history, '2026-001', { message: 'Three' }, stamp));
  await open().updateOrigins(() => ({ origins: [] }));
  const messages = (await open().readHistory()).changes.map(({ after }) => after?.message);
  expect(messages).toEqual(['One', 'One', 'Three']);
});

test('a file that cannot be written is named with the reason, and nothing has changed', async () => {
  const write = async () => {
    await mkdir(logPath());
    return { text: '{"announcements":[]}', result: undefined, log: 'x\n' };
  };
  const attempt = createFolderContent(dir).update('history.json', write);
  await expect(attempt).rejects.toThrow(/history\.json cannot be written: .+\. Nothing was changed$/);
  await expect(attempt).rejects.toBeInstanceOf(ContentError);
  expect((await readdir(dir)).filter((name) => !name.startsWith('.'))).toEqual(['changes.jsonl']);
  const broken = createFolderContent(dir).update('origins.json', () => {
    throw new TypeError('a fault of ours');
  });
  await expect(broken).rejects.toThrow(new TypeError('a fault of ours'));
});

test('who reads while others write finds announcements and a log that belong together', async () => {
  let isDone = false;
  const write = async () => {
    for (let number = 1; number <= 30; number += 1)
      await open().updateHistory((history) => publish(history, { ...draft, id: `a${number}` }, stamp));
    isDone = true;
  };
  const read = async () => {
    let seen = 0;
    while (!isDone) {
      const { announcements, changes } = await open().readHistory();
      expect(changes.map(({ id }) => id)).toEqual(announcements.map(({ id }) => id));
      expect(changes.length).toBeGreaterThanOrEqual(seen);
      seen = changes.length;
    }
  };
  await Promise.all([write(), read(), read()]);
  expect((await open().readHistory()).changes).toHaveLength(30);
});

test('who reads while both files are replaced again and again finds what belongs together', async () => {
  let turn = 0;
  const replaceBoth = () => {
    turn += 1;
    // As a change does it. Every log has another length, so that its version differs within a tick of the clock.
    const [log, text] = [`${'x'.repeat(turn)}\n`, String(turn)];
    for (const [path, content] of [
      [logPath(), log] as const,
      [historyPath(), text] as const,
      [logPath(), log] as const,
    ]) {
      writeFileSync(`${path}.new`, content);
      renameSync(`${path}.new`, path);
    }
    // Fewer turns of the event loop than four attempts to read take.
    if (turn < 40) setImmediate(replaceBoth);
  };
  replaceBoth();
  const { text, log } = Object(await createFolderContent(dir).read('history.json'));
  expect(log).toHaveLength(Number(text) + 1);
});

test('a log that somebody touches all the time keeps nobody from reading', async () => {
  for (const path of [historyPath(), logPath()]) await writeFile(path, 'x\n');
  let [seconds, isRead] = [0, false];
  const touch = () => {
    seconds += 1;
    utimesSync(logPath(), seconds, seconds);
    if (!isRead) setImmediate(touch);
  };
  touch();
  expect(await createFolderContent(dir).read('history.json')).toMatchObject({ text: 'x\n', log: 'x\n' });
  isRead = true;
});

test('a change without a line for the log does not touch it', async () => {
  await open().updateHistory((history) => publish(history, draft, stamp));
  await utimes(logPath(), 1, 1);
  await createFolderContent(dir).update('history.json', (text) => ({ text: `${text}\n`, result: undefined }));
  expect((await stat(logPath())).mtimeMs).toBe(1000);
});

test('reverting the last change by hand loses no line of the log', async () => {
  await open().updateHistory((history) => publish(history, draft, stamp));
  const before = await readFile(join(dir, 'history.json'));
  await open().updateHistory((history) => edit(history, '2026-001', { message: 'Two' }, stamp));
  await writeFile(join(dir, 'history.json'), before);
  expect((await open().readHistory()).changes).toHaveLength(2);
});

test('a change counts that was cut short before its line break, although an editor has gone over it since', async () => {
  await open().updateHistory((history) => publish(history, draft, stamp));
  await open().updateHistory((history) => edit(history, '2026-001', { message: 'Two' }, stamp));
  const log = await readFile(logPath());
  await truncate(logPath(), log.length - 1);
  const history = await readFile(join(dir, 'history.json'), 'utf8');
  await writeFile(join(dir, 'history.json'), `\uFEFF${history.replace('Two', 'Three')}`);
  expect((await open().readHistory()).changes).toHaveLength(2);
});

test('an undo that was cut short before its line break counts if it took an announcement away', async () => {
  await open().updateHistory((history) => publish(history, draft, stamp));
  await open().updateHistory((history) => undo(history, undefined, stamp));
  const log = await readFile(logPath());
  await truncate(logPath(), log.length - 1);
  expect(await open().readHistory()).toMatchObject({ announcements: [], changes: { length: 2 } });
});

test('an unfinished line of another folder, or of nobody, is left out', async () => {
  await open().updateHistory((history) => publish(history, draft, stamp));
  for (const rest of ['{"id":"20', 'null', '{}', '"\u00fc']) {
    await appendFile(logPath(), rest);
    expect((await open().readHistory()).changes).toHaveLength(1);
  }
  await open().updateHistory((history) => publish(history, draft, stamp));
  expect((await open().readHistory()).changes).toHaveLength(2);
});

test('if the announcements are missing and their log is there, nothing new begins, and the log stays', async () => {
  for (const id of ['first', 'second'])
    await open().updateHistory((history) => publish(history, { ...draft, id }, stamp));
  const log = await readFile(logPath(), 'utf8');
  await rm(join(dir, 'history.json'));
  const change = () => open().updateHistory((history) => publish(history, draft, stamp));
  await expect(change()).rejects.toThrow(
    /missing, but its log is there.*restore it from a backup, or move .*changes.jsonl away/,
  );
  await expect(open().readHistory()).rejects.toMatchObject({
    message: expect.stringContaining('missing, but its log is there'),
    file: historyPath(),
  });
  expect(await readFile(logPath(), 'utf8')).toBe(log);
  await rm(logPath());
  await change();
  expect((await open().readHistory()).changes).toHaveLength(1);
});

test('what a first change that was cut short has left of a log does not count', async () => {
  await writeFile(logPath(), '{"cut":');
  expect(await createFolderContent(dir).read('history.json')).toBeUndefined();
  await open().updateHistory((history) => publish(history, draft, stamp));
  expect((await open().readHistory()).changes).toHaveLength(1);
});

test('a symbolic link that leads nowhere, because its disk is not mounted, is no missing file, and stays', async () => {
  await symlink(join(dir, 'mounted', 'history.json'), join(dir, 'history.json'));
  await writeFile(logPath(), 'kept\n');
  const change = open().updateHistory((history) => publish(history, draft, stamp));
  await expect(change).rejects.toThrow(
    'history.json cannot be read: it is a symbolic link that leads nowhere',
  );
  expect((await lstat(join(dir, 'history.json'))).isSymbolicLink()).toBe(true);
  expect(await readFile(logPath(), 'utf8')).toBe('kept\n');
});

test.each([
  ['history.json', /text$/],
  ['changes.jsonl', /text; restore it/],
])('%s in another encoding is refused, and no change replaces its characters', async (name, end) => {
  await open().updateHistory((history) => publish(history, { ...draft, message: 'Café' }, stamp));
  const latin = Buffer.from(await readFile(join(dir, name), 'utf8'), 'latin1');
  await writeFile(join(dir, name), latin);
  const change = open().updateHistory((history) => publish(history, draft, stamp));
  await expect(change).rejects.toThrow(`${join(dir, name)} cannot be read: it is not UTF-8 text`);
  await expect(change).rejects.toThrow(end);
  expect(await readFile(join(dir, name))).toEqual(latin);
});

test.each([
  ['a byte of a key', (log: Buffer) => log.fill('x', 1, 2)],
  ['a byte that is not UTF-8', (log: Buffer) => log.fill(0xe9, 10, 11)],
])('a damaged log (%s) is refused, with what makes the announcements usable again', async (_, damage) => {
  await open().updateHistory((history) => publish(history, draft, stamp));
  await writeFile(logPath(), damage(await readFile(logPath())));
  await expect(open().readHistory()).rejects.toThrow(
    /changes\.jsonl.*; restore it from a backup, or move changes\.jsonl elsewhere: the announcements stay/,
  );
  await rm(logPath());
  expect((await open().readHistory()).announcements).toHaveLength(1);
});

test('content larger than two megabytes is refused with what helps', async () => {
  await writeFile(
    join(dir, 'history.json'),
    JSON.stringify({ announcements: [], note: 'x'.repeat(1_200_000) }),
  );
  await writeFile(logPath(), `${' '.repeat(1_000_000)}\n`);
  await expect(open().readHistory()).rejects.toThrow(
    /larger than 2 MiB together.*move changes\.jsonl elsewhere/,
  );
});

test('a living process that never releases the lock is named, and nothing is changed', async () => {
  await open().updateHistory((history) => publish(history, draft, stamp));
  const before = await readFile(join(dir, 'history.json'), 'utf8');
  await withFolderLock(dir, async () => {
    const hasty = createContentStore(createFolderContent(dir, { wait: 200 }));
    const attempt = hasty.updateHistory((history) => publish(history, draft, stamp));
    await expect(attempt).rejects.toThrow(
      new RegExp(
        `being changed by process ${process.pid} on ${hostname()}; waited 0\\.2 s.*Nothing was changed`,
      ),
    );
  });
  expect(await readFile(join(dir, 'history.json'), 'utf8')).toBe(before);
  expect((await readdir(dir)).sort()).toEqual(['changes.jsonl', 'history.json']);
});

test('editors are warned in good time before both files are too large', async () => {
  const store = open();
  await store.updateHistory((history) => publish(history, { ...draft, message: 'x'.repeat(280) }, stamp));
  const history = await store.readHistory();
  expect(roomWarnings(history)).toEqual([]);
  const [change] = history.changes as [Change];
  const warningsAt = (size: number) => {
    const other = { ...change, by: '' };
    const [announcements, empty] = [history.announcements, other].map((part) => JSON.stringify(part).length);
    const by = 'x'.repeat(size - Number(announcements) - Number(empty) - 1);
    return roomWarnings({ ...history, changes: [{ ...other, by }] });
  };
  expect(warningsAt(maxHistory * 0.75 - 1)).toEqual([]);
  expect(warningsAt(maxHistory * 0.75)).toEqual([
    expect.stringMatching(/take 75 % of the 2 MiB.*move changes\.jsonl elsewhere/),
  ]);
  expect(['', 'x'].map((more) => isOversize('x'.repeat(maxHistory - 1), `x${more}`))).toEqual([false, true]);
});

test('a change that would make both files too large is refused, and moving the log away helps', async () => {
  const store = open();
  const most = 2 * 1024 * 1024;
  const add = (message: string) =>
    store.updateHistory((history) => publish(history, { ...draft, message }, stamp));
  await add('small');
  await appendFile(logPath(), `${' '.repeat(most - 3_000)}\n`);
  let refusal: unknown;
  for (let count = 0; count < 9 && refusal === undefined; count++)
    await add(String(count).repeat(100)).catch((error) => {
      refusal = error;
    });
  expect(refusal).toBeInstanceOf(ContentError);
  expect(refusal).toHaveProperty('file', historyPath());
  expect((refusal as Error).message).toMatch(
    /^Nothing was changed: history\.json and changes\.jsonl would be larger than 2 MiB.*move changes\.jsonl elsewhere/,
  );
  const texts = await Promise.all(
    ['changes.jsonl', 'history.json'].map((name) => readFile(join(dir, name), 'utf8')),
  );
  expect(Buffer.byteLength(texts.join(''))).toBeLessThanOrEqual(most);
  const { announcements } = await store.readHistory();
  await rm(logPath());
  expect(await add('small again')).toHaveProperty('number', 1);
  expect((await store.readHistory()).announcements).toHaveLength(announcements.length + 1);
});

test('a store is filled from a folder once, whole or not at all, and never after it has lost its announcements', async () => {
  const openStore = () => createRecordContent(createMemoryRecords(), 'a store');
  const folder = createFolderContent(dir);
  await writeFile(join(dir, 'origins.json'), '{"origins":["not an origin"]}');
  await writeFile(join(dir, 'editors.json'), '{}');
  await open().updateHistory((history) => publish(history, draft, stamp));
  const store = openStore();
  await expect(fillContent(store, folder)).rejects.toThrow(/origins\.json:1: origins\[0\]/);
  expect(await store.versions(contentNames)).toEqual([undefined, undefined, undefined]);
  await writeFile(join(dir, 'origins.json'), '{"origins":[]}');
  expect([await fillContent(store, folder), await fillContent(store, folder)]).toEqual([true, false]);
  for (const name of contentNames) {
    const [{ version: _, ...copied }, { version: __, ...original }] = [
      Object(await store.read(name)),
      Object(await folder.read(name)),
    ];
    expect(copied).toEqual(original);
  }
  const lost = openStore();
  expect(await lost.hasLost()).toBe(false);
  await lost.sayLost();
  expect([await lost.hasLost(), await fillContent(lost, folder)]).toEqual([true, false]);
  const change = createContentStore(lost).updateHistory((history) => publish(history, draft, stamp));
  await expect(change).rejects.toThrow(/a store was lost.*restore the backup/);
  expect(await lost.read('history.json')).toBeUndefined();
  expect(await createContentStore(lost).readOrigins()).toEqual([]);
});

test('a store gets nothing from a folder if it has announcements of its own, or the folder has none', async () => {
  const store = createRecordContent(createMemoryRecords(), 'a store');
  const folder = createFolderContent(dir);
  expect(await fillContent(store, folder)).toBe(false);
  await createContentStore(store).updateHistory((history) => publish(history, draft, stamp));
  await writeFile(join(dir, 'origins.json'), '{"origins":[]}');
  expect(await fillContent(store, folder)).toBe(false);
  expect(await store.versions(['origins.json', 'editors.json'])).toEqual([undefined, undefined]);
});

test('a store that goes away while it is being filled is filled by the next server', async () => {
  const folder = createFolderContent(dir);
  for (const name of contentNames) await writeFile(join(dir, name), '{"announcements":[],"origins":[]}');
  for (const count of contentNames.keys()) {
    const records = createMemoryRecords();
    let left = count;
    const commit: Records['commit'] = (id, change) => {
      if (left === 0) throw new StoreUnavailableError('The store is away.');
      left -= 1;
      return records.commit(id, change);
    };
    const interrupted = createRecordContent({ ...records, commit }, 'a store');
    await expect(fillContent(interrupted, folder)).rejects.toThrow('The store is away.');
    const store = createRecordContent(records, 'a store');
    expect(await fillContent(store, folder)).toBe(true);
    expect(await store.versions(contentNames)).toEqual(Array(3).fill(expect.any(String)));
  }
});
