import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { send } from '../support/http-client.ts';
import { startTestServer } from '../support/test-server.ts';
import { createTypingClient, flawless, playRound } from '../support/typing-client.ts';
import { factor, seed } from './amount.ts';
import { damageText, damageValue } from './file-damage.ts';
import { createRandom } from './random.ts';

let root: string;
let original: string;
let files: readonly string[];

/** A data folder as a server leaves it that was killed: saved and unsaved rounds, running ones, counters. */
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'typebadge-damage-'));
  original = join(root, 'original');
  const data = join(root, 'living');
  const server = await startTestServer({ data });
  const client = createTypingClient(server.port);
  const [one, two, three] = [
    await client.createSession(),
    await client.createSession(true),
    await client.createSession(),
  ];
  for (let left = 4; left > 0; left -= 1) await playRound(client, one);
  await client.save(one);
  await playRound(client, two);
  await playRound(client, three);
  const { words } = await client.startRound(two);
  await client.input(two, flawless(words).slice(0, 40));
  await client.keystroke(two, { char: '👩‍👩‍👧' });
  await send(server.port, { path: '/pulse?event=click&id=2026-001' });
  await waitForLog(data);
  await mkdir(original);
  await cp(data, original, { recursive: true });
  await server.close();
  await send(server.port, { path: '/' }).catch(() => undefined);
  for (const name of await readdir(join(data, 'pulse'))) {
    await mkdir(join(original, 'pulse'), { recursive: true });
    await cp(join(data, 'pulse', name), join(original, 'pulse', name));
  }
  for (const dir of await readdir(join(original, 'sessions')))
    await writeFile(join(original, 'sessions', dir, 'owner.json'), JSON.stringify({ ended: true }));
  const entries = await readdir(original, { recursive: true, withFileTypes: true });
  files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(original.length + 1));
});
afterAll(() => rm(root, { recursive: true, force: true }));

/** Sessions are written behind: the last key typed tells when everything before it is there. */
async function waitForLog(data: string): Promise<void> {
  for (;;) {
    const [dir = ''] = await readdir(join(data, 'sessions'));
    const logs = (await readdir(join(data, 'sessions', dir))).filter((name) => name.startsWith('log-'));
    const texts = await Promise.all(logs.map((name) => readFile(join(data, 'sessions', dir, name), 'utf8')));
    if (texts.join('').includes('👧')) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const numbers = Array.from({ length: 12 * factor }, (_, at) => at);

test('a server starts on any damaged data folder, counts every intact round, and answers everything without a fault', async () => {
  expect(files.some((file) => file.includes('log-'))).toBe(true);
  expect(files).toContain('rounds.jsonl');
  const intact = new Set(
    (await readFile(join(original, 'rounds.jsonl'), 'utf8')).split('\n').filter(Boolean),
  );
  expect(intact.size).toBe(4);
  for (const number of numbers) {
    const random = createRandom(seed, number);
    const data = join(root, `data-${number}`);
    await cp(original, data, { recursive: true });
    const file = random.pick(random.once(2) ? files.filter((name) => name.includes('log-')) : files);
    const text = await readFile(join(data, file), 'utf8');
    const damaged = damageText(text, random);
    await writeFile(join(data, file), damaged);
    const journal =
      file === 'rounds.jsonl' ? damaged : await readFile(join(original, 'rounds.jsonl'), 'utf8');
    const whole = new Set(journal.split('\n').filter((line) => intact.has(line))).size;
    const where = `FUZZ_SEED=${seed}, number ${number}, ${file}: ${damaged.slice(0, 3_000)}`;
    const answered = await callEverything(data).catch((error) => expect.fail(`${where}\n${error.stack}`));
    expect(answered.faults, where).toEqual([]);
    expect(answered.rounds, where).toBeGreaterThanOrEqual(whole);
    await rm(data, { recursive: true, force: true });
  }
});

test('an open session with any wrong value in its log is set aside or served without a fault', async () => {
  const [dir = ''] = await readdir(join(original, 'sessions'));
  const log = (await readFile(join(original, 'sessions', dir, 'log-000001.jsonl'), 'utf8')).split('\n');
  const whole = log.filter((line) => line.includes('"session":{'));
  expect(whole.length).toBeGreaterThan(3);
  const data = join(root, 'all-sessions');
  await mkdir(join(data, 'sessions', 'before'), { recursive: true });
  await writeFile(join(data, 'sessions', 'before', 'owner.json'), JSON.stringify({ ended: true }));
  const lines = Array.from({ length: 120 * factor }, (_, at) => {
    const random = createRandom(seed, at);
    const line = JSON.parse(random.pick(whole)) as { session: Record<string, unknown> };
    const session = damageValue(line.session, random) as Record<string, unknown>;
    return JSON.stringify({ ...line, session: { ...session, id: at.toString(16).padStart(32, '0') } });
  });
  await writeFile(join(data, 'sessions', 'before', 'log-000001.jsonl'), `${lines.join('\n')}\n`);
  const { faults } = await callEverything(data);
  const blamed = faults.map((fault) => {
    const id = /[0-9a-f]{32}/.exec(fault)?.[0];
    return `${fault}: ${id === undefined ? '' : lines[Number.parseInt(id, 16)]}`;
  });
  expect(blamed.slice(0, 5)).toEqual([]);
});

/** Starts a server there, twice, and calls all that reads what was on disk. */
async function callEverything(data: string): Promise<{ rounds: number; faults: string[] }> {
  const faults: string[] = [];
  let rounds = 0;
  for (const isFirst of [true, false]) {
    const server = await startTestServer({ data });
    const client = createTypingClient(server.port);
    const call = async <T>(method: string, path: string, body?: unknown) => {
      const answer = await client.call<T>(method, path, body);
      if (answer.status >= 500) faults.push(`${method} ${path}: ${answer.status}`);
      return answer;
    };
    const { body } = await call<{ sessions?: { id: string }[] }>('GET', '/sessions');
    const fresh = await client.createSession();
    for (const { id } of [...(body.sessions ?? []), { id: fresh }]) {
      const of = (name: string, method = 'POST', value?: unknown) =>
        call<Record<string, number>>(method, `/sessions/${id}/${name}`, value);
      await of('state', 'GET');
      await of('stats/session', 'GET');
      rounds = Math.max(rounds, (await of('stats/historical', 'GET')).body.total_sessions ?? 0);
      for (const [name, value] of [
        ['keystroke', { char: 'a', seq: 1 }],
        ['space', {}],
        ['backspace', {}],
        ['timing', { start_time_unix_ms: 1, end_time_unix_ms: 2, duration_ms: 1 }],
      ] as const)
        await of(name, 'POST', value);
      await of('save');
      if (!isFirst) await of('round');
    }
    await send(server.port, { path: '/pulse?event=click&id=2026-001' });
    await server.close();
  }
  return { rounds, faults };
}
