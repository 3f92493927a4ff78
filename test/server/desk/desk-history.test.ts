import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { publish } from '../../../src/announcements/changes/history-edit.ts';
import { createDeskHistory } from '../../../src/server/desk/revisions/desk-history.ts';
import { createFolderContent } from '../../../src/server/stores/content/folder-content.ts';
import { createHistoryReader } from '../../../src/server/stores/content/history-file.ts';
import { newLongHistory } from '../../support/long-history.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'typebadge-desk-history-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

/** A desk on a folder, and how often it has read the whole text without changing it. */
function openCounted() {
  const content = createFolderContent(dir);
  const counted = { reads: 0 };
  const read: typeof content.read = (name) => {
    counted.reads += 1;
    return content.read(name);
  };
  return { desk: createDeskHistory({ ...content, read }, createHistoryReader()), counted };
}

async function write(count: number) {
  const { changes, ...rest } = newLongHistory(count);
  await writeFile(
    join(dir, 'changes.jsonl'),
    changes.map((change) => `${JSON.stringify(change)}\n`).join(''),
  );
  await writeFile(join(dir, 'history.json'), JSON.stringify(rest));
}

test('however many requests come at once, a version of the announcements is read once', async () => {
  const { desk, counted } = openCounted();
  const readTwenty = () => Promise.all(Array.from({ length: 20 }, desk.read));
  for (const [at, count] of [3, 4].entries()) {
    await write(count);
    for (const { history, revision } of [...(await readTwenty()), ...(await readTwenty())]) {
      expect(history.announcements).toHaveLength(count);
      expect(revision).toMatch(new RegExp(`^${count}-`));
    }
    expect(counted.reads).toBe(at + 1);
  }
});

test('after a change, everybody sees the announcements as they are then', async () => {
  const { desk } = openCounted();
  await write(2);
  const { revision: before } = await desk.read();
  const draft = { message: 'x', link: '', published: Date.now(), expires: Date.now() + 86_400_000 };
  const change = desk.update(({ history }) => {
    const made = publish(history, draft, { by: 'ada', at: Date.now() });
    if ('problem' in made) throw new Error(made.problem);
    return made;
  });
  await desk.read();
  const { revision } = await change;
  expect(revision).not.toBe(before);
  expect((await desk.read()).revision).toBe(revision);
});

test('without a file there are no announcements, and once it is there it is read', async () => {
  const { desk } = openCounted();
  expect((await desk.read()).history.announcements).toEqual([]);
  await write(1);
  expect((await desk.read()).history.announcements).toHaveLength(1);
});

test('announcements that cannot be read are reported to each request, and read again once they are correct', async () => {
  const { desk } = openCounted();
  await writeFile(join(dir, 'history.json'), '{');
  for (const result of await Promise.allSettled([desk.read(), desk.read()]))
    expect(result.status).toBe('rejected');
  await write(1);
  expect((await desk.read()).history.announcements).toHaveLength(1);
});
