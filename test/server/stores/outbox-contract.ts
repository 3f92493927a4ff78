import { beforeEach, describe, expect, it } from 'vitest';
import type { Outbox } from '../../../src/server/stores/outbox.ts';

/** What every outbox must hold. `open` opens one more server's view of an outbox that is empty at first. */
export function describeOutbox(name: string, open: () => Promise<Outbox>): void {
  describe(name, () => {
    let outbox: Outbox;
    let other: Outbox;
    beforeEach(async () => {
      outbox = await open();
      other = await open();
    });
    const write = (text: string) => outbox.update(() => ({ text, result: undefined }));

    it('is empty at first', async () => {
      expect(await outbox.read()).toBeUndefined();
      expect(await outbox.update((text) => ({ text: undefined, result: [text] }))).toEqual([undefined]);
      expect(await outbox.read()).toBeUndefined();
    });

    it('shows every server what was written, and returns the result of the change', async () => {
      await write('{"one":"grüße 🎉"}');
      expect(await other.read()).toBe('{"one":"grüße 🎉"}');
      expect(await other.update((text) => ({ text: `${text} two`, result: text?.length }))).toBe(18);
      expect(await outbox.read()).toBe('{"one":"grüße 🎉"} two');
    });

    it.each([undefined, 'one'])('stays as it is if a change makes %s of "one"', async (text) => {
      await write('one');
      expect(await other.update(() => ({ text, result: 'as it was' }))).toBe('as it was');
      expect(await outbox.read()).toBe('one');
    });

    it('stays as it is if a change throws', async () => {
      await write('one');
      const attempt = other.update(() => {
        throw new Error('no such luck');
      });
      await expect(attempt).rejects.toThrow('no such luck');
      expect(await outbox.read()).toBe('one');
      await other.update((text) => ({ text: `${text} two`, result: undefined }));
      expect(await outbox.read()).toBe('one two');
    });

    it('lets one of four servers claim each of fifteen deliveries, however they race', async () => {
      const servers = await Promise.all([open(), open(), open(), open()]);
      const deliveries = Array.from({ length: 15 }, (_, at) => `delivery ${at}`);
      const claim = async (server: Outbox, line: string) =>
        server.update((text = '') =>
          text.includes(`${line}\n`)
            ? { text: undefined, result: false }
            : { text: `${text}${line}\n`, result: true },
        );
      const claims = await Promise.all(
        servers.map(async (server) => {
          const won: string[] = [];
          for (const line of deliveries) if (await claim(server, line)) won.push(line);
          return won;
        }),
      );
      expect(claims.flat().sort()).toEqual([...deliveries].sort());
      expect(((await outbox.read()) ?? '').trim().split('\n').sort()).toEqual([...deliveries].sort());
    });

    it('keeps an unreadable text under another name, and goes on', async () => {
      await write('{ damaged');
      expect(await outbox.setAside('{ damaged')).toMatch(/damaged/);
      await write('{}');
      expect(await other.read()).toBe('{}');
    });
  });
}
