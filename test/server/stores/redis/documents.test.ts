import { expect, test } from 'vitest';
import { createDocuments, updateDocument } from '../../../../src/server/stores/redis/documents.ts';
import { describeOnEveryStore } from '../../../support/redis/every-store.ts';

describeOnEveryStore('documents', (store) => {
  const open = async (prefix: string) => createDocuments(await store.connect(), prefix);

  test('what is written is read by everybody, with one version', async () => {
    const [one, other] = [await open('a'), await open('a')];
    expect(await one.read('history')).toBeUndefined();
    const version = await one.replace('history', undefined, 'grüße\n');
    expect(await other.read('history')).toEqual({ version, text: 'grüße\n' });
    expect(await other.versions(['history', 'origins'])).toEqual([version, undefined]);
  });

  test('of two who change what they read, the second is told', async () => {
    const documents = await open('b');
    const first = await documents.replace('history', undefined, 'one');
    expect(await documents.replace('history', undefined, 'two')).toBeUndefined();
    expect(await documents.replace('history', first, 'three')).toBeDefined();
    expect(await documents.replace('history', first, 'four')).toBeUndefined();
    expect((await documents.read('history'))?.text).toBe('three');
  });

  test('a change sent again after its reply was lost is no conflict', async () => {
    const documents = await open('c');
    const first = await documents.replace('history', undefined, 'one');
    expect(await documents.replace('history', undefined, 'one')).toBe(first);
  });

  test('a hundred changes by five servers at once are all there', async () => {
    const servers = await Promise.all(Array.from({ length: 5 }, () => open('d')));
    const add = (server: number, at: number) =>
      updateDocument(servers[server] as (typeof servers)[number], 'log', (text = '') => ({
        text: `${text}${server}-${at}\n`,
      }));
    await Promise.all(
      servers.flatMap((_, server) => Array.from({ length: 20 }, (__, at) => add(server, at))),
    );
    const lines = ((await servers[0]?.read('log'))?.text ?? '').trim().split('\n');
    expect(new Set(lines).size).toBe(100);
    expect(lines.length).toBe(100);
  });

  test('servers with another prefix see nothing of it', async () => {
    await (await open('e')).replace('history', undefined, 'mine');
    expect(await (await open('f')).read('history')).toBeUndefined();
  });
});
