import { beforeEach, describe, expect, test } from 'vitest';
import { createRecordContent } from '../../../src/server/stores/content/record-content.ts';
import { createPulse } from '../../../src/server/stores/pulse.ts';
import { type Records, StoreUnavailableError } from '../../../src/server/stores/records/records.ts';
import { createSharedText, openAddressKey, type SharedText } from '../../../src/server/stores/shared-text.ts';
import { describeContent } from './content-contract.ts';
import { click, describePulse } from './pulse-contract.ts';

const name = 'redis://127.0.0.1:6379/0 (typebadge)';
const rejecting = (problem: unknown): never => {
  throw problem;
};

/** What is written once above the engines. `open` opens one more server's view of records that are empty at first. */
export function describeSharedData(open: () => Promise<Records>): void {
  describePulse('counters', async () => createPulse(await open(), rejecting));
  describeContent('content', async () => createRecordContent(await open(), name));

  describe('outbox', () => {
    const openOutbox = async () => createSharedText(await open(), 'webhooks');
    let [outbox, other]: SharedText[] = [];
    beforeEach(async () => {
      [outbox, other] = [await openOutbox(), await openOutbox()];
    });

    test('every server sees what was written, and a change gets what was there', async () => {
      expect(await outbox?.update((text) => ({ text: undefined, result: [text] }))).toEqual([undefined]);
      expect(await outbox?.read()).toBeUndefined();
      await outbox?.update(() => ({ text: '{"one":"grüße 🎉"}', result: 0 }));
      expect(await other?.read()).toBe('{"one":"grüße 🎉"}');
      expect(await other?.update((text) => ({ text: `${text} two`, result: text?.length }))).toBe(18);
      expect(await outbox?.read()).toBe('{"one":"grüße 🎉"} two');
    });

    test('a change that leaves the text as it is writes nothing', async () => {
      await outbox?.update(() => ({ text: 'one', result: 0 }));
      const unwritable = createSharedText({ ...(await open()), commit: rejecting }, 'webhooks');
      expect(await unwritable.update((text) => ({ text, result: [text] }))).toEqual(['one']);
    });

    test('one of four servers claims each of fifteen deliveries, however they race', async () => {
      const servers = await Promise.all([openOutbox(), openOutbox(), openOutbox(), openOutbox()]);
      const deliveries = Array.from({ length: 15 }, (_, at) => `delivery ${at}`);
      const claims = await Promise.all(
        servers.map(async (server) => {
          const won: string[] = [];
          for (const line of deliveries) {
            const isWon = await server.update((text = '') =>
              text.includes(`${line}\n`)
                ? { text: undefined, result: false }
                : { text: `${text}${line}\n`, result: true },
            );
            if (isWon) won.push(line);
          }
          return won;
        }),
      );
      expect(claims.flat().sort()).toEqual(deliveries.toSorted());
      expect(((await outbox?.read()) ?? '').trim().split('\n').sort()).toEqual(deliveries.toSorted());
    });
  });

  test('servers that need the address key at once get the same one, and so does every later one', async () => {
    const keys = await Promise.all(Array.from({ length: 5 }, async () => openAddressKey(await open())));
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^[0-9a-f]{64}$/);
    expect(await openAddressKey(await open())).toBe(keys[0]);
  });

  test('counters that cannot be saved are saved later, once, also if only the reply was lost', async () => {
    const records = await open();
    const fates = ['refused', 'lost', 'lost', 'made', 'lost', 'made', 'made'];
    let problems = 0;
    const pulse = createPulse(unreliable(records, fates), () => (problems += 1));
    for (let at = 0; at < 10; at += 1) {
      pulse.count(click);
      pulse.count({ ...click, day: '2026-12-01' });
      await pulse.save();
    }
    expect(await pulse.save()).toBe('nothing to save');
    expect(problems).toBe(1);
    const ids: string[] = [];
    for await (const id of records.ids('')) ids.push(id.slice(0, 14));
    expect(ids.sort()).toEqual(['pulse/2026-11/', 'pulse/2026-12/']);
    const counts = await createPulse(await open(), rejecting).read('2026-11-01');
    expect(counts.map(({ count }) => count)).toEqual([10, 10]);
  });

  test('counters of months before those that are asked for are not read', async () => {
    const records = await open();
    const fields: Records['fields'] = (id) =>
      id.startsWith('pulse/2026-12/') ? records.fields(id) : rejecting(new Error(id));
    const pulse = createPulse({ ...records, fields }, rejecting);
    for (const day of ['2026-11-30', '2026-12-01']) pulse.count({ ...click, day });
    await pulse.save();
    expect(await pulse.read('2026-12-01')).toEqual([{ ...click, day: '2026-12-01', count: 1 }]);
  });

  test('a change that the store itself refuses was not made', async () => {
    const cause = Object.assign(new Error('READONLY You can not write'), { name: 'ReplyError' });
    const refusing: Records = {
      ...(await open()),
      commit: () => Promise.reject(new StoreUnavailableError('The store is read-only.', { cause })),
    };
    const attempt = createRecordContent(refusing, name).update('history.json', () => ({
      text: 'x',
      result: 0,
    }));
    await expect(attempt).rejects.toThrow('The store is read-only. Nothing was changed.');
  });

  test('a lost reply leaves open whether the change was made', async () => {
    const content = createRecordContent(unreliable(await open(), ['lost']), name);
    const attempt = content.update('history.json', () => ({ text: 'x', result: 0 }));
    await expect(attempt).rejects.toThrow(/in time\. It is not known whether the change was made/);
  });
}

/** Records whose first commits fail: nothing happens, or only the reply is lost. */
function unreliable(records: Records, fates: readonly string[]): Records {
  const left = [...fates];
  return {
    ...records,
    async commit(id, change) {
      const fate = left.shift() ?? 'made';
      if (fate === 'refused') throw new StoreUnavailableError('The store is read-only.');
      const outcome = await records.commit(id, change);
      if (fate === 'lost') throw new StoreUnavailableError('The store does not answer in time.');
      return outcome;
    },
  };
}
