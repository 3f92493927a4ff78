import { beforeEach, expect, test } from 'vitest';
import { StoreUnavailableError } from '../../../../../src/server/stores/ports.ts';
import { createDocuments, type Documents } from '../../../../../src/server/stores/redis/content/documents.ts';
import { createRedisContent } from '../../../../../src/server/stores/redis/content/redis-content.ts';
import { describeOnEveryStore } from '../../../../support/redis/every-store.ts';
import { describeContent } from '../../content-contract.ts';

const name = 'redis://127.0.0.1:6379/0 (typebadge)';

describeOnEveryStore('content', (store) => {
  let number = 0;
  beforeEach(() => {
    number += 1;
  });
  const openDocuments = async () => createDocuments(await store.connect(), `content-${number}`);

  describeContent('the content of a store', async () => createRedisContent(await openDocuments(), { name }));

  test('a change whose reply was lost is made once, even if another editor came in between', async () => {
    const documents = await openDocuments();
    let lost = 0;
    const lossy: Documents = {
      ...documents,
      async replace(document, replacement) {
        const isReplaced = await documents.replace(document, replacement);
        if (lost === 2) return isReplaced;
        lost += 1;
        if (lost === 1)
          await createRedisContent(documents, { name }).update('history.json', (text) => ({
            text: `${text} ben`,
            result: 0,
          }));
        throw new StoreUnavailableError('The store does not answer in time.');
      },
    };
    const content = createRedisContent(lossy, { name, patience: 10_000 });
    await content.update('history.json', (text = '') => ({ text: `${text} ada`, result: 0 }));
    expect((await content.read('history.json'))?.text).toBe(' ada ben');
    expect(lost).toBe(2);
  });

  test('without patience, a lost reply leaves open whether the change was made', async () => {
    const documents = await openDocuments();
    const silent: Documents = {
      ...documents,
      replace: () => Promise.reject(new StoreUnavailableError('The store does not answer in time.')),
    };
    const attempt = createRedisContent(silent, { name }).update('history.json', () => ({
      text: 'x',
      result: 0,
    }));
    await expect(attempt).rejects.toThrow(/in time\. Whether the change was made is not known/);
  });
});
