import { beforeEach, describe, expect, it } from 'vitest';
import { type Content, contentNames } from '../../../src/server/stores/content/content.ts';
import { createContentStore } from '../../../src/server/stores/content/content-store.ts';

/** What every store of content must hold. `open` opens one more process's view of a store that is empty at first. */
export function describeContent(name: string, open: () => Promise<Content>): void {
  describe(name, () => {
    let content: Content;
    let other: Content;
    beforeEach(async () => {
      content = await open();
      other = await open();
    });
    const write = (text: string, by = content) =>
      by.update('history.json', () => ({ text, result: undefined }));
    const textOf = async (view = content) => (await view.read('history.json'))?.text;

    it('is empty at first', async () => {
      for (const each of contentNames) expect(await content.read(each)).toBeUndefined();
      const result = content.update('history.json', (...texts) => ({ text: undefined, result: texts }));
      expect(await result).toEqual([undefined, '']);
      expect(await content.versions(contentNames)).toEqual([undefined, undefined, undefined]);
    });

    it('changes the version of a changed text, and no other', async () => {
      await write('grüße 🎉\n');
      expect(await textOf(other)).toBe('grüße 🎉\n');
      const [first, origins] = await other.versions(['history.json', 'origins.json']);
      expect([first, origins]).toEqual([(await other.read('history.json'))?.version, undefined]);
      expect(await other.versions(['history.json'])).toEqual([first]);
      await write('two');
      const [second] = await other.versions(['history.json']);
      expect(second).not.toBe(first);
      expect(second).toBe((await other.read('history.json'))?.version);
    });

    it('changes text and log together, and passes both to the next change', async () => {
      await content.update('origins.json', () => ({ text: '{}', result: 0 }));
      await content.update('history.json', () => ({ text: 'one', added: '{"id":1}\n', result: 0 }));
      const [first, origins] = await content.versions(['history.json', 'origins.json']);
      const result = await other.update('history.json', (text, log) => ({
        text: `${text} two`,
        added: '{"id":2}\n',
        result: [text, log],
      }));
      expect(result).toEqual(['one', '{"id":1}\n']);
      expect(await content.read('history.json')).toMatchObject({
        text: 'one two',
        log: '{"id":1}\n{"id":2}\n',
      });
      const [second, same] = await content.versions(['history.json', 'origins.json']);
      expect(second).not.toBe(first);
      expect(same).toBe(origins);
    });

    it('writes nothing if a change makes nothing or the same text, or throws', async () => {
      await write('one');
      const before = await content.versions(['history.json']);
      for (const text of [undefined, 'one'])
        expect(await content.update('history.json', () => ({ text, result: 'as it was' }))).toBe('as it was');
      const attempt = content.update('history.json', () => {
        throw new Error('no such luck');
      });
      await expect(attempt).rejects.toThrow('no such luck');
      expect(await content.versions(['history.json'])).toEqual(before);
      expect(await textOf(other)).toBe('one');
    });

    it('loses none of sixty changes by four simultaneous editors', async () => {
      const editors = await Promise.all([open(), open(), open(), open()]);
      const names = editors.map((_, editor) => Array.from({ length: 15 }, (__, at) => `${editor}-${at}`));
      const work = async (editor: Content, lines: readonly string[]) => {
        for (const line of lines)
          await editor.update('editors.json', (text = '') => ({
            text: `${text}${line}\n`,
            result: undefined,
          }));
      };
      await Promise.all(editors.map((editor, at) => work(editor, names[at] ?? [])));
      const lines = ((await content.read('editors.json'))?.text ?? '').trim().split('\n');
      expect(lines.sort()).toEqual(names.flat().sort());
    });

    it('keeps a text of almost two megabytes', async () => {
      const text = 'announcement '.repeat(150_000);
      await write(text);
      expect(await textOf(other)).toBe(text);
    });

    it('keeps the allow-list, and everything else in its file', async () => {
      await content.update('origins.json', () => ({ text: '{"note":"ours","origins":[]}', result: 0 }));
      const store = createContentStore(content);
      await store.updateOrigins((origins) => ({ origins: [...origins, 'https://example.org'] }));
      expect((await store.readOrigins()).map(({ entry }) => entry)).toEqual(['https://example.org']);
      expect(JSON.parse((await other.read('origins.json'))?.text ?? '')).toMatchObject({ note: 'ours' });
      const refusal = new Error('not today');
      const before = '{ "origins": ["https://example.org"] }';
      await content.update('origins.json', () => ({ text: before, result: 0 }));
      expect(await store.updateOrigins(() => ({ refusal }))).toEqual({ refusal });
      await store.updateOrigins((origins) => ({ origins }));
      expect((await other.read('origins.json'))?.text).toBe(before);
    });

    it('keeps the announcements as they are after a change that is refused, or changes nothing', async () => {
      const before = '{ "announcements": [] }';
      await write(before);
      const store = createContentStore(content);
      expect(await store.updateHistory(() => ({ problem: 'not today' }))).toEqual({ problem: 'not today' });
      await store.updateHistory((history) => ({ history }));
      expect(await textOf(other)).toBe(before);
    });

    it('names a broken text with its place and never replaces it', async () => {
      const broken = '{\n  "announcements": [\n    { "id": "a", }\n  ]\n}\n';
      await write(broken);
      const store = createContentStore(other);
      await expect(store.updateHistory((history) => ({ history: { ...history } }))).rejects.toThrow(
        `${content.nameOf('history.json')}:3: this is not valid JSON`,
      );
      expect(await textOf()).toBe(broken);
      await write('{"announcements":[\n7,\n8]}');
      const problem = [
        `${content.nameOf('history.json')}:2: announcements[0]: expected an object { … } here, found 7`,
        ' (and 1 more: see typebadge announce validate)',
      ].join('');
      await expect(store.readHistory()).rejects.toMatchObject({ name: 'ContentError', message: problem });
      await write('{"announcements":[7]}');
      await expect(store.readHistory()).rejects.toThrow(/found 7$/);
      await write('{"announcements":"\u0001"}');
      await expect(store.readHistory()).rejects.toThrow(`${content.nameOf('history.json')}: this is not`);
    });
  });
}
