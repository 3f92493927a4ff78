import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { scrape, total } from '../server/metrics/scrape.ts';
import { freePort, hasRedis, type RedisProcess, startRedis } from '../support/redis/redis-process.ts';
import { type RunningProcess, startServeProcess } from '../support/typebadge-process.ts';
import { flawless } from '../support/typing-client.ts';
import { until } from '../support/until.ts';
import { canUse } from './programs.ts';
import {
  type FrontServer,
  publicName,
  startHaproxy,
  startNginxForReplicas,
  type TlsQuestion,
} from './proxies.ts';

const fronts = [
  { name: 'nginx', isHere: canUse('nginx', '-v'), start: startNginxForReplicas },
  { name: 'HAProxy', isHere: canUse('haproxy', '-v'), start: startHaproxy },
].filter(({ isHere }) => isHere && hasRedis);

interface Replica extends RunningProcess {
  readonly metrics: string;
}

describe.each(fronts)('three replicas behind $name', ({ start }) => {
  let folder: string;
  let redis: RedisProcess;
  let replicas: Replica[];
  let front: FrontServer;

  const startReplica = async (at: number): Promise<Replica> => {
    const metricsPort = await freePort();
    const process = await startServeProcess([
      ...['--store', redis.url, '--content', join(folder, 'content'), '--data', join(folder, `data-${at}`)],
      ...['--trust-proxy', '127.0.0.1', '--allow-host', publicName, '--metrics', `127.0.0.1:${metricsPort}`],
    ]);
    return { ...process, metrics: `http://127.0.0.1:${metricsPort}/metrics` };
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'typebadge-replicas-'));
    await mkdir(join(folder, 'content'));
    await mkdir(join(folder, 'front'));
    redis = await startRedis(join(folder, 'redis'));
    replicas = [];
    for (const at of [0, 1, 2]) replicas.push(await startReplica(at));
    front = await start(
      join(folder, 'front'),
      replicas.map(({ port }) => port),
    );
  });
  afterAll(async () => {
    await front?.stop();
    for (const { child, finished } of replicas ?? []) {
      child.kill('SIGKILL');
      await finished;
    }
    await redis?.kill();
    await rm(folder, { recursive: true, force: true });
  });

  const ask = (question: TlsQuestion) => front.ask(question);
  const post = (path: string, body: unknown = {}, from = '127.0.0.2') =>
    ask({
      ...{ method: 'POST', path, from, body: JSON.stringify(body) },
      headers: { 'Content-Type': 'application/json' },
    });
  const createSession = async (from?: string): Promise<string> => {
    const answer = await post('/api/sessions', {}, from);
    expect(answer.status).toBe(201);
    return JSON.parse(answer.body.toString()).session_id;
  };
  /** Requests of a route that each replica has answered. */
  const shares = (route: string) =>
    Promise.all(
      replicas.map(async ({ metrics }) =>
        total(await scrape(metrics), 'typebadge_requests_total', `route="${route}"`),
      ),
    );

  test('requests without a session are distributed, and a session stays on one replica', async () => {
    for (let at = 0; at < 30; at += 1) expect((await ask({ path: '/api/health' })).status).toBe(200);
    expect((await shares('/api/health')).every((share) => share > 0)).toBe(true);
    const id = await createSession();
    const other = await createSession();
    await post(`/api/sessions/${id}/round`);
    await post(`/api/sessions/${other}/round`);
    for (let at = 0; at < 12; at += 1) {
      expect((await ask({ path: `/api/sessions/${id}/state`, from: '127.0.0.2' })).status).toBe(200);
    }
    await until(async () => (await shares('/api/sessions/:id/state')).reduce((a, b) => a + b) === 12);
    expect((await shares('/api/sessions/:id/state')).filter((share) => share > 0)).toEqual([12]);
    for (let at = 0; at < 12; at += 1) await ask({ path: `/api/v1/sessions/${id}/state`, from: '127.0.0.2' });
    await until(async () => (await shares('/api/v1/sessions/:id/state')).reduce((a, b) => a + b) === 12);
    const first = (await shares('/api/sessions/:id/state')).findIndex((share) => share > 0);
    expect((await shares('/api/v1/sessions/:id/state'))[first]).toBe(12);
  });

  test('the client is the one that connects to the proxy, whatever it claims', async () => {
    const from = '127.0.0.7';
    const id = await createSession(from);
    const sessionsOf = async (question: Partial<TlsQuestion>) => {
      const answer = await ask({ path: '/api/sessions', ...question });
      return JSON.parse(answer.body.toString()).sessions.map((session: { id: string }) => session.id);
    };
    for (let at = 0; at < 6; at += 1) {
      expect(await sessionsOf({ from })).toContain(id);
      expect(await sessionsOf({ from: '127.0.0.8' })).not.toContain(id);
      const claim = { 'X-Forwarded-For': from };
      expect(await sessionsOf({ from: '127.0.0.8', headers: claim })).not.toContain(id);
    }
  });

  test('if one replica is killed while people type, reads and new sessions go on, and numbered keys are not lost', async () => {
    const typists = await Promise.all(
      ['127.0.0.21', '127.0.0.22', '127.0.0.23', '127.0.0.24'].map(async (from) => {
        const id = await createSession(from);
        const { words } = JSON.parse((await post(`/api/sessions/${id}/round`, {}, from)).body.toString());
        return { from, id, events: flawless(words) };
      }),
    );
    const type = async ({ from, id, events }: (typeof typists)[number], first: number, end: number) => {
      for (let at = first; at < end; at += 5) {
        const part = { events: events.slice(at, Math.min(at + 5, end)) };
        const input = () => post(`/api/sessions/${id}/input`, part, from);
        const isTaken = (status: number) => status === 200;
        // A key that was sent to a replica that died may have been taken: its number makes sending it again harmless.
        if (!isTaken((await input()).status)) await until(async () => isTaken((await input()).status));
      }
    };
    await Promise.all(typists.map((typist) => type(typist, 0, 60)));
    const [victim] = replicas;
    const typing = typists.map((typist) => type(typist, 60, typist.events.length));
    victim?.child.kill('SIGKILL');
    await victim?.finished;
    const statuses: number[] = [];
    for (let at = 0; at < 40; at += 1) {
      statuses.push((await ask({ path: '/content/announcement.json', from: `127.0.1.${at + 1}` })).status);
    }
    expect(new Set(statuses)).toEqual(new Set([200]));
    await createSession('127.0.0.25');
    await Promise.all(typing);
    for (const { from, id, events } of typists) {
      const answer = await ask({ path: `/api/sessions/${id}/state`, from });
      expect(JSON.parse(answer.body.toString())).toMatchObject({ last_seq: events.length });
    }
  });
});
