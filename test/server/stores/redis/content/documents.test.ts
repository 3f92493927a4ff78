import { expect, test } from 'vitest';
import { createDocuments } from '../../../../../src/server/stores/redis/content/documents.ts';
import { describeOnEveryStore } from '../../../../support/redis/every-store.ts';

describeOnEveryStore('documents', (store) => {
  const open = async (prefix: string) => createDocuments(await store.connect(), prefix);
  let attempts = 0;
  const to = (text: string, before?: string, token = `attempt-${++attempts}`) => ({ before, text, token });

  test('everybody reads what was written, with the same version', async () => {
    const [one, other] = [await open('a'), await open('a')];
    expect(await one.read('history')).toBeUndefined();
    expect(await one.replace('history', to('grüße\n'))).toBe(true);
    const [version] = await other.versions(['history', 'origins']);
    expect(await other.read('history')).toEqual({ version, text: 'grüße\n' });
  });

  test('of two writers that read the same version, the second one learns of the first', async () => {
    const documents = await open('b');
    await documents.replace('history', to('one'));
    expect(await documents.replace('history', to('two'))).toBe(false);
    const first = (await documents.read('history'))?.version;
    expect(await documents.replace('history', to('three', first))).toBe(true);
    expect(await documents.replace('history', to('four', first))).toBe(false);
    expect((await documents.read('history'))?.text).toBe('three');
  });

  test('a change resent after a lost reply is made once, even if others have made changes since', async () => {
    const documents = await open('c');
    expect(await documents.replace('history', to('one', undefined, 'lost'))).toBe(true);
    const first = (await documents.read('history'))?.version;
    expect(await documents.replace('history', to('one and two', first))).toBe(true);
    expect(await documents.replace('history', to('one', undefined, 'lost'))).toBe(true);
    expect((await documents.read('history'))?.text).toBe('one and two');
  });

  test('of several servers that fill an empty store at once, one succeeds, with all of its documents', async () => {
    const servers = await Promise.all(Array.from({ length: 6 }, () => open('d')));
    const filled = await Promise.all(
      servers.map((server, at) =>
        server.fill('history', { history: `history ${at}`, origins: `origins ${at}` }),
      ),
    );
    expect(filled.filter(Boolean)).toHaveLength(1);
    const winner = filled.indexOf(true);
    expect((await servers[0]?.read('history'))?.text).toBe(`history ${winner}`);
    expect((await servers[0]?.read('origins'))?.text).toBe(`origins ${winner}`);
    expect(await servers[1]?.fill('history', { editors: 'more' })).toBe(false);
  });

  test('a store without its main document is filled, and texts written into it since stay', async () => {
    const documents = await open('g');
    await documents.replace('origins', to('of today'));
    expect(await documents.fill('history', { history: 'kept', origins: 'kept', editors: 'kept' })).toBe(true);
    const names = ['history', 'origins', 'editors'];
    const texts = await Promise.all(names.map(async (name) => (await documents.read(name))?.text));
    expect(texts).toEqual(['kept', 'of today', 'kept']);
  });

  test('servers with another prefix see nothing of it', async () => {
    await (await open('e')).replace('history', to('mine'));
    expect(await (await open('f')).read('history')).toBeUndefined();
  });
});
