import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseTrustProxy } from '../../../src/server/settings/config-parsers.ts';
import { labels } from '../../../src/typing/labels.ts';
import { createPlayerClient } from '../../support/player-client.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';
import { startServeProcess } from '../../support/typebadge-process.ts';
import { flawless } from '../../support/typing-client.ts';

const trustProxy = parseTrustProxy('127.0.0.1');
const annaKey = 'anna'.repeat(8);
const bertKey = 'bert'.repeat(8);

const wholeRound = {
  id: '',
  words: ['two', 'words'],
  events: flawless(['two', 'words']),
  start_time_unix_ms: 1,
  end_time_unix_ms: 60_001,
  duration_ms: 60_000,
};

describe.each([
  ['on a server that only this machine can reach', {}],
  ['on a server behind a proxy', { trustProxy }],
])('the rounds of a player %s', (_, config) => {
  let server: TestServer;
  const port = () => server.port;
  const player = (key: string) => createPlayerClient(port, { key });
  beforeAll(async () => {
    server = await startTestServer({ ...config, apiLimit: 'off' });
  });
  afterAll(() => server.close());

  it('are listed newest first with the statistics of each, saved or not', async () => {
    const anna = player(annaKey);
    const id = await anna.open();
    for (let round = 0; round < 5; round++) {
      await anna.play(id);
      if (round === 2) await anna.ask('POST', `/sessions/${id}/save`);
    }
    const last = (await anna.ask('GET', `/sessions/${id}/stats/session`)).json as Record<string, unknown>;
    const { rounds, next } = await anna.rounds();
    expect([rounds.length, next]).toEqual([5, undefined]);
    const { is_new_best_wpm, is_new_best_accuracy, is_new_best_time, ...lasting } = last;
    expect(rounds[0]).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      completed_at: expect.stringMatching(/^\d{4}-.*Z$/),
      mode: 'words-30',
      language: 'en',
      layout: 'qwerty',
      ...lasting,
    });
    const times = rounds.map(({ completed_at }) => completed_at);
    expect(times).toEqual([...times].sort().reverse());
    const paged: string[] = [];
    for (let after = ''; ; ) {
      const page = await anna.rounds(`?limit=2${after}`);
      paged.push(...page.rounds.map((round) => round.id));
      if (page.next === undefined) break;
      after = `&after=${page.next}`;
    }
    expect(paged).toEqual(rounds.map((round) => round.id));
    expect(await player(bertKey).rounds()).toEqual({ rounds: [] });
    const stolen = await player(bertKey).ask('GET', `/rounds?after=${rounds[0]?.id}`);
    expect(stolen.status).toBe(400);
  });

  it.each(Object.entries(labels))('say again what the client said: %s', async (name, { maxLength }) => {
    const anna = player(`${annaKey}${name}`);
    const opened = await anna.ask('POST', '/sessions', { [name]: 'vim 9.1' });
    await anna.play((opened.json as { session_id: string }).session_id);
    await anna.play(await anna.open());
    const { id: _, ...round } = wholeRound;
    for (const [at, label] of ['emacs', undefined].entries()) {
      const upload = { ...round, id: randomUUID(), [name]: label };
      expect((await anna.ask('POST', '/rounds', upload)).status, String(at)).toBe(201);
    }
    const { rounds: listed } = await anna.rounds();
    expect(listed.map((each) => each[name as keyof typeof labels])).toEqual([
      undefined,
      'emacs',
      undefined,
      'vim 9.1',
    ]);
    const tooLong = { [name]: 'x'.repeat(maxLength + 1) };
    expect((await anna.ask('POST', '/sessions', tooLong)).status).toBe(400);
  });

  it('count once if they are sent whole while they are typed, or after they were finished', async () => {
    const anna = player(`${annaKey}whole`);
    const id = await anna.open();
    const { words, round_id } = (await anna.ask('POST', `/sessions/${id}/round`)).json as {
      words: string[];
      round_id: string;
    };
    const upload = { ...wholeRound, id: round_id, words, events: flawless(words) };
    expect((await anna.ask('POST', '/rounds', upload)).status).toBe(200);
    expect(await anna.total(id)).toBe(1);
    await anna.ask('POST', `/sessions/${id}/input`, { events: flawless(words) });
    const { start_time_unix_ms, end_time_unix_ms, duration_ms } = upload;
    const timing = { start_time_unix_ms, end_time_unix_ms, duration_ms };
    expect((await anna.ask('POST', `/sessions/${id}/timing`, timing)).status).toBe(200);
    expect((await anna.ask('POST', '/rounds', upload)).status).toBe(200);
    expect(await anna.total(id)).toBe(1);
  });

  it('and the sessions are permanently gone after DELETE /api/player, from memory and disk; those of others stay', async () => {
    const [anna, bert] = [player(`${annaKey}gone`), player(`${bertKey}stays`)];
    const ids = [await anna.open(), await anna.open()];
    for (const id of ids) await anna.play(id);
    await anna.ask('POST', `/sessions/${ids[0]}/save`);
    const stays = await bert.open();
    await bert.play(stays);
    const { rounds } = await anna.rounds();
    const { status, body } = await anna.ask('DELETE', '/player');
    expect([status, body.length]).toEqual([204, 0]);
    expect(await anna.sessions()).toEqual([]);
    expect(await anna.rounds()).toEqual({ rounds: [] });
    for (const id of ids) expect((await anna.ask('GET', `/sessions/${id}/state`)).status).toBe(404);
    expect(await anna.total(await anna.open())).toBe(0);
    expect(await bert.total(stays)).toBe(1);
    // The player has opened a session since.
    const files = await textOf(server.dataDir);
    for (const id of [...ids, ...rounds.map((round) => round.id)]) expect(files).not.toContain(id);
    expect((await anna.ask('DELETE', '/player')).status).toBe(204);
    const hash = createHash('sha256').update(`${annaKey}gone`).digest('hex');
    expect(await textOf(server.dataDir)).not.toContain(hash);
  });
});

it('a server killed in the middle of DELETE /api/player brings nothing back that was reported deleted', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'typebadge-forget-'));
  const start = () =>
    startServeProcess(['--data', dir, '--trust-proxy', '127.0.0.1', '--api-limit', 'off'], { cwd: dir });
  let server = await start();
  const port = () => server.port;
  const stays = createPlayerClient(port, { key: bertKey });
  const kept = await stays.open();
  await stays.play(kept);
  await stays.ask('POST', `/sessions/${kept}/save`);
  for (let turn = 0; turn < 5; turn++) {
    const goes = createPlayerClient(port, { key: `${annaKey}${turn}` });
    const ids = [await goes.open(), await goes.open()];
    for (const id of ids) await goes.play(id);
    await goes.ask('POST', `/sessions/${ids[0]}/save`);
    const { rounds } = await goes.rounds();
    expect(rounds).toHaveLength(2);
    let status = 0;
    const asked = goes.ask('DELETE', '/player').then(
      (answer) => {
        status = answer.status;
      },
      () => undefined,
    );
    if (turn % 2 === 0) await sleep(turn / 2);
    else await asked;
    server.child.kill('SIGKILL');
    await Promise.all([server.finished, asked]);
    server = await start();
    // Whoever got no answer asks again.
    if (status !== 204) expect((await goes.ask('DELETE', '/player')).status).toBe(204);
    expect(await goes.sessions()).toEqual([]);
    expect(await goes.rounds()).toEqual({ rounds: [] });
    const files = await textOf(dir);
    for (const { id } of rounds) expect(files).not.toContain(id);
  }
  expect(await stays.sessions()).toEqual([kept]);
  expect(await stays.total(kept)).toBe(1);
  server.child.kill('SIGTERM');
  await server.finished;
  await rm(dir, { recursive: true });
});

/** The names and texts of all files. */
async function textOf(dir: string): Promise<string> {
  const entries = await readdir(dir, { withFileTypes: true, recursive: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile());
  return (
    await Promise.all(
      files.map(async ({ parentPath, name }) => {
        const text = await readFile(join(parentPath, name), 'utf8').catch(() => '');
        return name + text;
      }),
    )
  ).join();
}
