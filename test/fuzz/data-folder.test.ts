import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { send } from '../support/http-client.ts';
import { startTestServer } from '../support/test-server.ts';
import { createTypingClient, flawless, playRound } from '../support/typing-client.ts';
import { factor, seed } from './amount.ts';
import { damageText } from './file-damage.ts';
import { createRandom } from './random.ts';

const rounds = 4;
let root: string;
let original: string;
let files: readonly string[];

/** A data folder as a killed server leaves it: finished rounds, running ones, sessions, counters. */
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
  for (let left = rounds - 2; left > 0; left -= 1) await playRound(client, one);
  await playRound(client, two);
  await playRound(client, three);
  await client.input(two, flawless((await client.startRound(two)).words).slice(0, 40));
  await client.keystroke(two, { char: '👩‍👩‍👧' });
  await send(server.port, { path: '/pulse?event=click&id=2026-001' });
  await client.save(one);
  await cp(data, original, { recursive: true });
  await server.close();
  const entries = await readdir(original, { recursive: true, withFileTypes: true });
  files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(original.length + 1));
});
afterAll(() => rm(root, { recursive: true, force: true }));

test('a server starts on any damaged data folder, counts every intact round, and answers everything without a fault', async () => {
  expect(files.some((file) => /\/session\//.test(file))).toBe(true);
  for (let number = 0; number < 6 * factor; number += 1) {
    const random = createRandom(seed, number);
    const data = join(root, `data-${number}`);
    await cp(original, data, { recursive: true });
    const file = random.pick(files);
    const text = await readFile(join(data, file), 'utf8');
    const damaged = damageText(text, random);
    await writeFile(join(data, file), damaged);
    const intact = /\/rounds\/[^/]*$/.test(file) ? intactRounds(text, damaged) : rounds;
    const where = `FUZZ_SEED=${seed}, number ${number}, ${file}: ${damaged.slice(0, 3_000)}`;
    const answered = await callEverything(data).catch((error) => expect.fail(`${where}\n${error.stack}`));
    expect(answered.faults, where).toEqual([]);
    expect(answered.rounds, where).toBeGreaterThanOrEqual(intact);
    await rm(data, { recursive: true, force: true });
  }
});

/** How many rounds of a file are whole in the damaged one: the line of each, and the change before it with its checksum. */
function intactRounds(text: string, damaged: string): number {
  const lines = text.split('\n');
  return lines.filter((line, at) => line.startsWith('=') && damaged.includes(`${lines[at - 1]}\n${line}\n`))
    .length;
}

/** Starts a server there, twice, and calls all that reads what was on disk. */
async function callEverything(data: string): Promise<{ rounds: number; faults: string[] }> {
  const faults: string[] = [];
  let counted = 0;
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
      counted = Math.max(counted, (await of('stats/historical?mode=all', 'GET')).body.total_sessions ?? 0);
      await of('keystroke', 'POST', { char: 'a', seq: 1 });
      await of('space', 'POST', {});
      await of('backspace', 'POST', {});
      await of('timing', 'POST', { start_time_unix_ms: 1, end_time_unix_ms: 2, duration_ms: 1 });
      await of('save');
      if (!isFirst) await of('round');
    }
    await send(server.port, { path: '/pulse?event=click&id=2026-001' });
    await server.close();
  }
  return { rounds: counted, faults };
}
