import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { StoredRound } from '../../src/server/stores/stored-round.ts';
import { readWordList } from '../../src/server/typing/library.ts';
import { createRandom } from '../../src/typing/choice/random-draw.ts';
import { createWordChooser } from '../../src/typing/choice/word-choice.ts';
import { newStoredRound, toRoundId, withRounds } from '../server/stores/stored-rounds.ts';
import { createTypingClient, flawless, type TypingClient } from '../support/typing-client.ts';
import { type Report, toCount, toRatio, toTable } from './report.ts';
import { stop } from './serving.ts';
import { median, spread } from './statistics.ts';

const openSessions = 10_000;
const longHistory = 10_000;
const shortHistory = 10;

/** What the typing API takes in memory and time when there is much of everything. */
export async function benchTypingFigures(rounds: number): Promise<Report> {
  const dir = await mkdtemp(join(tmpdir(), 'typebadge-bench-'));
  try {
    const [short, long, open] = ['short', 'long', 'open'].map((name) => join(dir, name)) as [
      ...[string, string, string],
    ];
    await writeJournal(short, shortHistory);
    await writeJournal(long, longHistory);
    const parts = [await measureSession(open), await measureReading(short, long, rounds)];
    return { text: parts.map(({ text }) => text).join('\n\n'), aims: parts.flatMap(({ aims }) => aims) };
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/** Rounds as people type them: some errors and corrections, each key with a time of its own. */
async function writeJournal(data: string, count: number): Promise<void> {
  await mkdir(data, { recursive: true });
  const choose = createWordChooser(readWordList());
  const random = createRandom(7);
  const played: StoredRound[] = [];
  for (let number = 1; number <= count; number++) {
    const tape = Array.from({ length: 160 }, () => {
      // Every sixteenth decision of the typist is any at all, the others are right keys at changing speed.
      const decision = Math.floor(random() * 100_000);
      return random() < 1 / 16 ? decision : decision - (decision % 100);
    });
    played.push(newStoredRound(toRoundId(number), choose({ seed: number }), tape));
  }
  await withRounds(data, async (rounds) => {
    for (const round of played) await rounds.add('local', round);
  });
}

async function measureSession(data: string): Promise<Report> {
  const { child, client } = await serveWithGc(data);
  const before = await heapOf(child);
  for (let at = 0; at < openSessions; at += 50) {
    await Promise.all(Array.from({ length: 50 }, () => openHalfRound(client)));
  }
  const after = await heapOf(child);
  await stop(child);
  const bytes = (after - before) / openSessions;
  const text = toTable(
    [`${toCount(openSessions)} sessions in the middle of a round`, ''],
    [['memory of each, KB', (bytes / 1024).toFixed(1)]],
  );
  const what = `memory of a session, with ${toCount(openSessions)} in the middle of a round`;
  return { text, aims: [{ what, value: bytes / 1024, unit: 'KB', atMost: 10 }] };
}

async function openHalfRound(client: TypingClient): Promise<void> {
  const id = await client.createSession();
  const events = flawless((await client.startRound(id)).words);
  await client.input(id, events.slice(0, events.length / 2));
}

async function serveWithGc(data: string): Promise<{ child: ChildProcess; client: TypingClient }> {
  const program = fileURLToPath(new URL('./peers/typebadge-typing.ts', import.meta.url));
  const child = spawn(process.execPath, ['--expose-gc', '--import', 'tsx', program, data], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const [line] = (await once(child.stdout as NonNullable<typeof child.stdout>, 'data')) as [Buffer];
  return { child, client: createTypingClient(Number(new URL(line.toString().trim()).port)) };
}

/** Bytes of live objects, after everything else was thrown away. */
async function heapOf(child: ChildProcess): Promise<number> {
  child.send('gc');
  const [bytes] = (await once(child, 'message')) as [number];
  return bytes;
}

async function measureReading(short: string, long: string, rounds: number): Promise<Report> {
  const few = await serveWithGc(short);
  const many = await serveWithGc(long);
  const times = { few: [] as number[], many: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    times.few.push(await timeReading(few.client));
    times.many.push(await timeReading(many.client));
  }
  await Promise.all([stop(few.child), stop(many.child)]);
  const ratio = median(times.many) / median(times.few);
  const text = toTable(
    ['stats/historical', 'ms', '± %'],
    [
      [`over ${shortHistory} rounds`, median(times.few).toFixed(2), spread(times.few).toFixed(1)],
      [`over ${toCount(longHistory)} rounds`, median(times.many).toFixed(2), spread(times.many).toFixed(1)],
      ['ratio', toRatio(ratio), ''],
    ],
  );
  // A thousand times the rounds; what is allowed is noise.
  return {
    text,
    aims: [{ what: 'history over 10,000 rounds / over 10', value: ratio, unit: '×', atMost: 1.2 }],
  };
}

/** Milliseconds of one reading, as the median of many in a row. */
async function timeReading(client: TypingClient): Promise<number> {
  const id = await client.createSession();
  const times: number[] = [];
  for (let reading = 0; reading < 300; reading++) {
    const start = performance.now();
    await client.history(id);
    times.push(performance.now() - start);
  }
  return median(times);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  console.log((await benchTypingFigures(Number(process.argv[2] ?? 7))).text);
}
