import {
  appendFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  rmdir,
  stat,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createLog } from '../../../../../src/server/settings/log.ts';
import { openFileStores } from '../../../../../src/server/stores/files/file-stores.ts';
import { localPlayer } from '../../../../../src/server/stores/player.ts';
import { newSession, type Session } from '../../../../../src/server/stores/session.ts';
import { toUnsavedRound } from '../../../../../src/server/stores/unsaved-rounds.ts';
import { defaultPractice } from '../../../../../src/typing/modes/practice.ts';
import { newJournalRound, toRoundId } from '../../journal-rounds.ts';
import { readSessionLines, toSessionLines } from './session-lines.ts';

let dir: string;
let left: string;
let said: string[];
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'typebadge-overflow-'));
  left = join(dir, 'sessions', 'left');
  said = [];
  await mkdir(left, { recursive: true });
  await writeFile(join(left, 'owner.json'), '{"ended":true}');
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const now = Date.now();
const open = (sessionMemory: number) =>
  openFileStores({
    contentDir: dir,
    dataDir: dir,
    sessionTtl: 60_000_000,
    maxSessions: 100_000,
    sessionMemory,
    roundQuota: 2 ** 30,
    clock: () => now,
    log: createLog({ format: 'json', write: (line) => said.push(line) }),
  });

/** Sessions with a finished round each, the later the younger; 0 was used last. */
async function leave(count: number): Promise<Session[]> {
  const sessions: Session[] = [];
  for (let number = 0; number < count; number++) {
    const unsaved = [toUnsavedRound(newJournalRound(toRoundId(1_000_000 + number)))];
    const session = { ...newSession(toRoundId(number), defaultPractice, now), unsaved };
    sessions.push(session);
    await appendFile(join(left, 'log-000001.jsonl'), toSessionLines({ session, lastUsed: now - number }));
  }
  return sessions;
}
const idsOf = async (stores: Awaited<ReturnType<typeof open>>) => {
  const page = await stores.sessions.list(localPlayer, { limit: 1_000_000, after: undefined });
  return new Set(page?.sessions.map(({ session }) => session.id));
};

it('a start loads the most recently used sessions that fit, sets the rest aside in a named file, and loses no finished round', async () => {
  const sessions = await leave(600);
  const stores = await open(2 ** 20);
  const taken = await idsOf(stores);
  expect(taken.size).toBeGreaterThan(100);
  expect(taken.size).toBeLessThan(500);
  expect([...taken].sort()).toEqual(sessions.slice(0, taken.size).map(({ id }) => id));
  expect((await stores.rounds.history(localPlayer)).rounds).toBe(600);

  const [name = ''] = await readdir(join(dir, 'set-aside'));
  expect(said.join('')).toContain(`"sessions":${600 - taken.size}`);
  expect(said.join('')).toContain(join(dir, 'set-aside', name));
  const lines = (await readFile(join(dir, 'set-aside', name), 'utf8')).split(/(?<=\n)/);
  expect([...readSessionLines(lines).keys()]).toEqual(sessions.slice(taken.size).map(({ id }) => id));
  await stores.close();

  const again = await open(2 ** 20);
  expect(await idsOf(again)).toEqual(taken);
  expect((await again.rounds.history(localPlayer)).rounds).toBe(600);
  await again.close();
});

it('a start that can neither save their rounds nor set them aside leaves the logs for the next one', async () => {
  await leave(600);
  // A folder in the place of a file, and a file in the place of a folder.
  await mkdir(join(dir, 'rounds.jsonl'));
  await writeFile(join(dir, 'set-aside'), '');
  const stores = await open(2 ** 20);
  const taken = (await idsOf(stores)).size;
  expect(taken).toBeGreaterThan(100);
  expect(said.join('')).toContain('the next start tries again');
  await stores.close();

  await rm(join(dir, 'rounds.jsonl'), { recursive: true });
  await rm(join(dir, 'set-aside'));
  const again = await open(2 ** 30);
  expect((await idsOf(again)).size).toBe(600);
  expect((await again.rounds.history(localPlayer)).rounds).toBe(600);
  await again.close();
});

it('logs that cannot be read prevent no start, and are there for the next one', async () => {
  const sessions = await leave(3);
  const log = join(left, 'log-000001.jsonl');
  await rename(log, `${log}.kept`);
  await mkdir(log);
  const stores = await open(2 ** 26);
  expect((await idsOf(stores)).size).toBe(0);
  expect(said.join('')).toContain('cannot be taken over and are left as they are');
  await stores.close();

  const [folder = ''] = await readdir(join(dir, 'sessions'));
  const moved = join(dir, 'sessions', folder, 'taken-left', 'log-000001.jsonl');
  await rmdir(moved);
  await rename(`${moved}.kept`, moved);
  const again = await open(2 ** 26);
  expect([...(await idsOf(again))].sort()).toEqual(sessions.map(({ id }) => id));
  await again.close();
});

it('a session that changes often writes none of its unsaved rounds twice', async () => {
  const stores = await open(2 ** 26);
  await stores.sessions.create(newSession(toRoundId(1), defaultPractice, now));
  const lines = new Set<string>();
  for (let number = 0; number < 40; number++) {
    const words = Array.from({ length: 30 }, (_, at) => `word${number}x${at}`);
    const round = toUnsavedRound(newJournalRound(toRoundId(number), words));
    lines.add(round.line);
    await stores.sessions.update(toRoundId(1), (session) => ({
      session: { ...session, roundCount: number, unsaved: [...session.unsaved, round] },
      result: undefined,
    }));
    await stores.sessions.flush();
  }
  const folders = await readdir(join(dir, 'sessions'));
  let written = 0;
  for (const folder of folders.filter((name) => name !== 'left'))
    for (const name of await readdir(join(dir, 'sessions', folder)))
      written += (await stat(join(dir, 'sessions', folder, name))).size;
  const content = [...lines].reduce((sum, line) => sum + line.length, 0);
  expect(written).toBeGreaterThan(content);
  expect(written).toBeLessThan(2 * content);
  await stores.close();
});
