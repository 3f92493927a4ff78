import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { finished } from 'node:stream/promises';
import { packageFile } from '../../src/kit/package-files.ts';
import { toJournalLine } from '../../src/server/stores/journal-line.ts';
import { newJournalRound, toRoundId } from '../server/stores/journal-rounds.ts';
import { startServeProcess } from '../support/typebadge-process.ts';
import { createTypingClient } from '../support/typing-client.ts';
import { timeFirstAnswer } from './start-up.ts';
import { median } from './statistics.ts';

// tsx test/bench/start-size.ts [rounds of the large journal]: what a start costs with 10,000 rounds and with 10,000 open
// sessions, and what a server with a large history holds in memory.

const [large = '200000'] = process.argv.slice(2);
const repeats = 9;
const root = await mkdtemp(join(tmpdir(), 'typebadge-start-size-'));

async function writeJournal(dir: string, count: number): Promise<void> {
  await mkdir(dir, { recursive: true });
  const words = ['seven', 'quiet', 'badgers', 'type', 'until', 'morning', 'comes', 'over', 'the', 'hills'];
  const round = newJournalRound('', words);
  const out = createWriteStream(join(dir, 'rounds.jsonl'));
  for (let at = 0; at < count; at += 1) {
    const line = toJournalLine({ ...round, id: toRoundId(at) });
    if (!out.write(`${line}\n`)) await once(out, 'drain');
  }
  out.end();
  await finished(out);
}

/** Each in turn, so that what else the machine does meets all of them; the fastest of each is the least disturbed. */
async function timeStarts(dirs: readonly string[]): Promise<void> {
  const times = new Map(dirs.map((dir) => [dir, [] as number[]]));
  for (let repeat = 0; repeat < repeats; repeat += 1)
    for (const [dir, all] of times) all.push(await timeFirstAnswer(dir));
  for (const [dir, all] of times)
    console.log(
      `start with ${basename(dir)}: ${median(all).toFixed(0)} ms (median), ${Math.min(...all).toFixed(0)} ms (fastest)`,
    );
}

/** Resident memory after the history was asked for, in MB, and how long the first answer with it took. */
async function weigh(dir: string): Promise<{ megabytes: number; milliseconds: number }> {
  const {
    child,
    port,
    finished: ended,
  } = await startServeProcess([...['--content', packageFile('content'), '--data', dir]]);
  const client = createTypingClient(port);
  const id = await client.createSession();
  const start = performance.now();
  await client.history(id);
  const milliseconds = performance.now() - start;
  await client.startRound(id);
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
  await client.deleteSession(id);
  child.kill('SIGTERM');
  await ended;
  return { megabytes: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024, milliseconds };
}

async function openSessions(dir: string, count: number): Promise<void> {
  const {
    child,
    port,
    finished: ended,
  } = await startServeProcess([...['--content', packageFile('content'), '--data', dir]]);
  const client = createTypingClient(port);
  for (let opened = 0; opened < count; opened += 50) {
    await Promise.all(
      Array.from({ length: 50 }, async (_, at) => {
        const id = await client.createSession();
        // With a round each they would take more memory than sessions may have.
        if (at % 20 > 0) return;
        const { words } = await client.startRound(id);
        const [word = ''] = words;
        await client.input(
          id,
          [...word].map((char, key) => ({ type: 'keystroke', char, seq: key + 1 })),
        );
      }),
    );
  }
  child.kill('SIGTERM');
  await ended;
}

try {
  const none = join(root, 'nothing');
  const rounds = join(root, '10,000 rounds');
  const sessions = join(root, '10,000 open sessions');
  const huge = join(root, `${large} rounds`);
  await writeJournal(rounds, 10_000);
  await weigh(rounds);
  await openSessions(sessions, 10_000);
  await writeJournal(huge, Number(large));
  const first = await weigh(huge);
  const second = await weigh(huge);
  const base = await weigh(none);
  const { size } = await stat(join(huge, 'rounds.jsonl'));
  const perRound = ((second.megabytes - base.megabytes) * 2 ** 20) / Number(large);
  console.log(
    `${large} rounds (${(size / 2 ** 20).toFixed(0)} MB): history after ${first.milliseconds.toFixed(0)} ms when first read, ${second.milliseconds.toFixed(0)} ms with its snapshot; ${second.megabytes.toFixed(0)} MB resident (${base.megabytes.toFixed(0)} MB without rounds): ${perRound.toFixed(1)} bytes a round`,
  );
  await timeStarts([none, rounds, sessions, huge]);
} finally {
  await rm(root, { recursive: true, force: true });
}
