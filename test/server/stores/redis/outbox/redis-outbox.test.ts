import { beforeEach, expect, test } from 'vitest';
import { createDocumentOutbox } from '../../../../../src/server/stores/outbox/document-outbox.ts';
import { createDocuments } from '../../../../../src/server/stores/redis/content/documents.ts';
import { describeOnEveryStore } from '../../../../support/redis/every-store.ts';
import { describeOutbox } from '../../outbox-contract.ts';

describeOnEveryStore('outbox', (store) => {
  let number = 0;
  beforeEach(() => {
    number += 1;
  });
  const openDocuments = async () => createDocuments(await store.connect(), `outbox-${number}`);

  describeOutbox('the outbox of a store', async () => createDocumentOutbox(await openDocuments()));

  test('a damaged text stays in the store', async () => {
    const documents = await openDocuments();
    const outbox = createDocumentOutbox(documents);
    expect(await outbox.setAside('{ damaged')).toBe('outbox.json-damaged of the store');
    expect((await documents.read('outbox.json-damaged'))?.text).toBe('{ damaged');
  });
});
