import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseOriginsFile } from '../../src/server/stores/content/content-store.ts';
import { parseHistory } from '../../src/server/stores/content/history-file.ts';
import { lasting, startTestServer } from '../support/test-server.ts';
import { createTypingClient, flawless, playRound, sessionOperations } from '../support/typing-client.ts';
import { factor, seed } from './amount.ts';
import { damageText } from './file-damage.ts';
import { createRandom } from './random.ts';

test('whatever the content files contain, they are accepted or refused with reasons, and accepted ones are safe', () => {
  const history = {
    announcements: [{ ...lasting, id: '2026-002', published: '2026-02-05T09:00:00Z' }, lasting],
  };
  const origins = { origins: ['https://good.example', 'https://*.wild.example:8443'] };
  for (let number = 0; number < 500 * factor; number += 1) {
    const random = createRandom(seed, number);
    const text = damageText(JSON.stringify(history, undefined, 2), random);
    const result = parseHistory(text);
    if ('problems' in result) {
      expect(result.problems.length, text).toBeGreaterThan(0);
      for (const { message } of result.problems) expect(message, text).toMatch(/^\P{Cc}{3,}$/u);
    } else {
      for (const { message, link, published, expires } of result.history.announcements) {
        expect(message, text).toMatch(/^\P{Cc}{1,280}$/u);
        expect(link, text).toMatch(/^(?:https?:\/\/.*)?$/);
        expect(Date.parse(expires), text).toBeGreaterThan(Date.parse(published));
      }
    }
    const list = parseOriginsFile(damageText(JSON.stringify(origins), random));
    if (!('problems' in list))
      for (const { entry } of list.patterns) expect(entry).toMatch(/^https?:\/\/[^/@\s]+$/);
  }
});

test('a server starts on any damaged data folder, counts every intact round, and answers everything without a fault', async () => {
  const rounds = 4;
  const root = await mkdtemp(join(tmpdir(), 'typebadge-damage-'));
  const original = join(root, 'original');
  await leaveFolder(join(root, 'living'), original, rounds);
  const entries = await readdir(original, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(original.length + 1));
  for (let number = 0; number < 6 * factor; number += 1) {
    const random = createRandom(seed, number);
    const data = join(root, `data-${number}`);
    await cp(original, data, { recursive: true });
    const file = random.pick(files);
    const text = await readFile(join(data, file), 'utf8');
    const damaged = damageText(text, random);
    await writeFile(join(data, file), damaged);
    const where = `FUZZ_SEED=${seed}, number ${number}, ${file}: ${damaged.slice(0, 3_000)}`;
    const intact = /\/rounds\/[^/]*$/.test(file) ? intactRounds(text, damaged) : rounds;
    for (let start = 0; start < 2; start += 1)
      expect(await countRounds(data, where), where).toBeGreaterThanOrEqual(intact);
  }
  await rm(root, { recursive: true, force: true });
});

/** A copy of a data folder as a killed server leaves it: finished rounds, a running one, sessions. */
async function leaveFolder(data: string, copy: string, rounds: number): Promise<void> {
  const server = await startTestServer({ data });
  const client = createTypingClient(server.port);
  const id = await client.createSession();
  for (let left = rounds; left > 0; left -= 1) await playRound(client, id);
  await client.input(id, flawless((await client.startRound(id)).words).slice(0, 40));
  await client.keystroke(id, { char: '👩‍👩‍👧' });
  await client.save(id);
  await cp(data, copy, { recursive: true });
  await server.close();
}

/** How many rounds of a file are whole in the damaged one: the line of each, and the change before it with its checksum. */
function intactRounds(text: string, damaged: string): number {
  const lines = text.split('\n');
  return lines.filter((line, at) => line.startsWith('=') && damaged.includes(`${lines[at - 1]}\n${line}\n`))
    .length;
}

/** Starts a server there and calls everything for each session; resolves with the rounds that count. */
async function countRounds(data: string, where: string): Promise<number> {
  const server = await startTestServer({ data });
  const client = createTypingClient(server.port);
  await client.createSession();
  let counted = 0;
  for (const { id } of await client.sessions()) {
    const { body } = await client.call<{ total_sessions?: number }>(
      'GET',
      `/sessions/${id}/stats/historical?mode=all`,
    );
    counted = Math.max(counted, body.total_sessions ?? 0);
    for (const { method, pathOf, body } of sessionOperations)
      if (method !== 'DELETE')
        expect((await client.call(method, pathOf(id), body)).status, where).toBeLessThan(500);
  }
  await server.close();
  return counted;
}
