import { beforeEach, expect, test } from 'vitest';
import { contentNames } from '../../../../src/server/stores/content/content.ts';
import { createRecordContent } from '../../../../src/server/stores/content/record-content.ts';
import { createMemoryRecords } from '../../../../src/server/stores/records/memory-records.ts';
import { type Records, StoreUnavailableError } from '../../../../src/server/stores/records/records.ts';
import { storeProblem } from '../../../../src/server/stores/records/store-problem.ts';
import { describeContent } from '../content-contract.ts';

let records: Records;
beforeEach(() => {
  records = createMemoryRecords();
});

describeContent('the content of records', async () => createRecordContent(records, 'a store'));

const away = new StoreUnavailableError('The store is away.');
const full = storeProblem(Object.assign(new Error('OOM command not allowed'), { name: 'ReplyError' }));
const fault = new TypeError('a fault of ours');

test.each([
  ['read', away, /^The store is away\. Nothing was changed\.$/],
  ['commit', full, /^The store is full.*\. Nothing was changed\.$/],
  ['commit', away, /^The store is away\. It is not known .*: check before you try again\.$/],
  ['read', fault, /^a fault of ours$/],
  ['commit', fault, /^a fault of ours$/],
] as const)(
  'if a %s fails with "%s", an editor learns whether something was changed',
  async (call, error, message) => {
    const content = createRecordContent({ ...records, [call]: () => Promise.reject(error) }, 'a store');
    const change = content.update('history.json', () => ({ text: '{}', result: undefined }));
    await expect(change).rejects.toMatchObject({ name: error.name, message: expect.stringMatching(message) });
  },
);

test('a change that others have come before a hundred times is given up, and nothing is changed', async () => {
  const content = createRecordContent({ ...records, commit: () => ({ refused: 'changed' }) }, 'a store');
  let runs = 0;
  const change = content.update('history.json', () => {
    runs += 1;
    return { text: '{}', result: undefined };
  });
  const message = /^history\.json of a store is being changed by others.* Nothing was changed\. Try again\.$/;
  await expect(change).rejects.toThrow(message);
  expect(runs).toBe(100);
});

test('every text has its record, and a change of it is as safe as the store can make it', async () => {
  const commits: unknown[] = [];
  const commit: Records['commit'] = (id, change) => {
    commits.push([id, change.durable]);
    return records.commit(id, change);
  };
  const content = createRecordContent({ ...records, commit }, 'a store');
  for (const name of contentNames) await content.update(name, () => ({ text: '{}', result: undefined }));
  await content.sayLost();
  const ids = ['content/history', 'content/origins', 'content/editors', 'content/lost'];
  expect(commits).toEqual(ids.map((id) => [id, true]));
  // In Redis, a record without fields would not be there.
  expect((await records.fields('content/lost')).size).toBe(1);
});
