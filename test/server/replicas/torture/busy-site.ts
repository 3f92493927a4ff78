import { setTimeout as sleep } from 'node:timers/promises';
import type { RedisAddress } from '../../../../src/server/settings/store-url.ts';
import { readPulse } from '../../../../src/server/stores/pulse.ts';
import { createRedisRecords } from '../../../../src/server/stores/records/redis-records.ts';
import { openConnection } from '../../../../src/server/stores/records/store-connection.ts';
import { send } from '../../../support/http-client.ts';
import { eventually } from '../../../support/redis/redis-process.ts';
import { runTypebadge } from '../../../support/typebadge-process.ts';
import type { ReplicaGroup } from './replica-group.ts';
import { createStubbornClient, type Insist, WrongAnswer } from './stubborn-client.ts';

/** Editors who publish on any server, and visitors whose clicks are counted by any, whatever happens to them. */
export interface BusySite {
  /** Ends their work; resolves to what they are owed. */
  stop(): Promise<SiteLedger>;
}

export interface SiteLedger {
  /** Ids of all announcements that were confirmed, sorted. */
  readonly published: readonly string[];
  /** Clicks that were sent, and those confirmed by servers that were not killed since: at least those count. */
  readonly clicks: { readonly sent: number; readonly owed: number };
}

const editorCount = 2;
const clicked = 'clicked-by-visitors';

/** Makes a token in the store, and begins. */
export async function openBusySite(group: ReplicaGroup, url: string): Promise<BusySite> {
  const token = await makeToken('anna', url);
  const editors = Array.from({ length: editorCount }, () =>
    createStubbornClient({ nextPort: group.nextPort, key: token }),
  );
  await publish(editors[0] as Insist, clicked, { alongside: true });
  await eventually(async () =>
    (await Promise.all(group.ports().map(readIds))).every((ids) => ids.includes(clicked)),
  );
  let isOver = false;
  const published = [clicked];
  const work = editors.map(async (insist, editor) => {
    for (let number = 0; !isOver; number += 1) {
      const id = `torture-${editor}-${number}`;
      await publish(insist, id, { alongside: true });
      published.push(id);
      await sleep(200 + Math.random() * 200);
    }
  });
  const confirmed = new Map<number, number>();
  let sent = 0;
  const visits = (async () => {
    while (!isOver) {
      const port = group.nextPort();
      sent += 1;
      if (await click(port)) confirmed.set(port, (confirmed.get(port) ?? 0) + 1);
      await sleep(50);
    }
  })();
  return {
    async stop() {
      isOver = true;
      await Promise.all([...work, visits]);
      const owed = group.ports().reduce((sum, port) => sum + (confirmed.get(port) ?? 0), 0);
      return { published: published.sort(), clicks: { sent, owed } };
    },
  };
}

async function makeToken(name: string, url: string): Promise<string> {
  const { stdout, stderr } = await runTypebadge(['editors', 'add', name, '--store', url]);
  const [token] = /tbe_[\w-]{43}/.exec(stdout) ?? [];
  if (token === undefined) throw new Error(`no token: ${stderr}`);
  return token;
}

/** Publishes until it is confirmed; a request that is sent again is the same one. */
async function publish(insist: Insist, id: string, more: object = {}): Promise<void> {
  const announcement = { id, message: `Published as ${id}`, ...more };
  const { status, body } = await insist('POST', '/announcements', announcement, { 'Idempotency-Key': id });
  if (status !== 201) throw new WrongAnswer(`publishing ${id}: ${status} ${JSON.stringify(body)}`);
}

async function click(port: number): Promise<boolean> {
  const request = send(port, { path: `/pulse?event=click&id=${clicked}` });
  const answer = await Promise.race([request, sleep(1_000)]).catch(() => undefined);
  request.catch(() => undefined);
  return answer?.status === 204;
}

/** Ids of the public history, newest first. */
export async function readIds(port: number): Promise<string[]> {
  const { body } = await send(port, { path: '/content/history.json' });
  const { announcements } = JSON.parse(body.toString()) as { announcements: { id: string }[] };
  return announcements.map(({ id }) => id);
}

/** Clicks that the store has. */
export async function readClicks(address: RedisAddress): Promise<number> {
  const store = await openConnection(address);
  try {
    await eventually(() => store.problem() === undefined);
    const counts = await readPulse(createRedisRecords(store, { prefix: 'typebadge' }), '');
    return counts
      .filter(({ announcement }) => announcement === clicked)
      .reduce((sum, { count }) => sum + count, 0);
  } finally {
    await store.close();
  }
}

/** Publishes on each server in turn; resolves to the milliseconds after which all servers showed each change. */
export async function timeChanges(group: ReplicaGroup, url: string): Promise<number[]> {
  const token = await makeToken('berta', url);
  const times: number[] = [];
  for (const [number, port] of group.ports().entries()) {
    const id = `timed-${number}`;
    await publish(createStubbornClient({ nextPort: () => port, key: token }), id);
    const start = performance.now();
    await Promise.all(group.ports().map((each) => untilCurrent(each, id)));
    times.push(performance.now() - start);
  }
  return times;
}

/** Asked as often as a client may. */
async function untilCurrent(port: number, id: string): Promise<void> {
  await eventually(async () => {
    const { body } = await send(port, { path: '/content/announcement.json' });
    if (body.includes(id)) return true;
    await sleep(100);
    return false;
  });
}
