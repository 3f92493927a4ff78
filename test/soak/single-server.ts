import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lasting } from '../support/test-server.ts';
import { type Editor, startEditor } from './clients/editor.ts';
import { createAsker } from './clients/exchange.ts';
import { growthBeyondBounds, measureGrowth } from './figures/growth.ts';
import { type ProcessSample, readSample, watchProcess } from './figures/process-samples.ts';
import { type RestartReport, type SoakReport, toMarkdown } from './figures/report.ts';
import { createTally } from './figures/tally.ts';
import { type FinishedEntry, newLedger } from './ledger.ts';
import { type LoadProcess, startLoad } from './load-process.ts';
import { checkJournal, checkSessions, type Promised } from './restart-check.ts';
import { type SoakServer, startSoakServer } from './server-process.ts';
import { createWorld, pause } from './world.ts';

// Mixed load on the built server, then SIGTERM and kill -9 under it. Prints a report in
// Markdown; ends with 1 where anything happened that was not owed, or the server grew.

const minutes = Number(process.argv[2] ?? 10);
if (!(minutes >= 0.5 && minutes <= 1440)) throw new Error('Give the minutes: a number from 0.5 to 1440.');
const warmUp = Math.min(60_000, minutes * 15_000);
/** Until connections kept for a next request are closed, and longer than the longest pause of a rude client. */
const untilQuiet = 8000;
/** How much load runs before a server is killed. */
const beforeKill = 15_000;
/** How soon an open session is on disk, as promised. */
const writtenWithin = 1000;
/** Running requests have five seconds, and then everything is saved. */
const longestEnd = 10_000;

const say = (text: string) => process.stderr.write(`${text}\n`);
const dir = await mkdtemp(join(tmpdir(), 'typebadge-soak-'));
const contentDir = join(dir, 'content');
const dataDir = join(dir, 'data');
const tally = createTally((what) => say(`not owed: ${what}`));
const finished: FinishedEntry[] = [];
const messagesSeen = new Set<string>();
let server: SoakServer | undefined;
let load: LoadProcess | undefined;
let editor: Editor | undefined;

async function start(): Promise<SoakServer> {
  const folders = ['--content', contentDir, '--data', dataDir];
  const open = ['--trust-proxy', '127.0.0.0/8', '--allow-origin', 'https://*.example.org'];
  server = await startSoakServer([...folders, ...open]);
  return server;
}

/** Whatever its log complains of is not owed. */
function note({ complaints }: SoakServer): void {
  for (const line of complaints) tally.fault(`the log: ${line.slice(0, 300)}`);
}

/** Lets the load run for a while, with a line now and then that says so; stops early where the server has died. */
async function run(running: LoadProcess, watched: SoakServer, ms: number, what: string): Promise<void> {
  const end = Date.now() + ms;
  while (Date.now() < end) {
    await pause(Math.min(5000, Math.max(0, end - Date.now())));
    const { requests, faults } = running.progress();
    const sample = await readSample(watched.pid);
    say(
      `${what}: ${Math.max(0, Math.round((end - Date.now()) / 1000))} s to go, ${requests} requests, ${faults} not owed, ${sample.memory.toFixed(0)} MB, ${sample.sockets} sockets, ${sample.files} other files`,
    );
  }
}

function cpuOf(samples: readonly ProcessSample[]): SoakReport['cpu'] {
  const [first] = samples;
  const last = samples.at(-1);
  if (first === undefined || last === undefined) return { used: 0, of: 0 };
  return { used: last.cpu - first.cpu, of: (last.at - first.at) / 1000 };
}

async function quietSample(running: LoadProcess, { pid }: SoakServer): Promise<ProcessSample> {
  await running.order('hush');
  await pause(untilQuiet);
  return readSample(pid);
}

/** Ends the server under full load, starts it again on the same folders, and compares. */
async function endAndCompare(
  running: LoadProcess,
  ending: SoakServer,
  signal: 'SIGTERM' | 'SIGKILL',
  firstDuration: number,
) {
  const isOrderly = signal === 'SIGTERM';
  await running.order(isOrderly ? 'end is near' : 'kill is near');
  const signalled = Date.now();
  ending.child.kill(signal);
  const { code, signal: endedBy } = await ending.ended;
  const seconds = (Date.now() - signalled) / 1000;
  if (isOrderly && code !== 0) tally.fault(`SIGTERM ended the server with ${code ?? endedBy}`);
  if (seconds * 1000 > longestEnd) tally.fault(`the server took ${seconds} s to end`);
  note(ending);
  const done = await running.done;
  // Attackers who still hold connections go on for ever.
  running.kill();
  for (const message of done.messages) messagesSeen.add(message);
  finished.push(...done.ledger.finished);

  const promised: Promised = {
    until: isOrderly ? Number.POSITIVE_INFINITY : signalled - writtenWithin,
    isOrderly,
  };
  const next = await start();
  const asker = createAsker(next.port);
  const ledger = newLedger(firstDuration);
  for (const entry of done.ledger.finished) ledger.finished.set(entry.duration, entry);
  const found = await checkSessions(createWorld(next.port, asker.ask, tally, ledger), done.ledger, promised);
  asker.closeIdle();
  // Ended in order, this server saves what it has recovered.
  next.child.kill('SIGTERM');
  const { code: nextCode } = await next.ended;
  if (nextCode !== 0) tally.fault(`the restarted server ended with ${nextCode}`);
  note(next);
  for (const entry of ledger.finished.values())
    if (entry.duration >= firstDuration) finished.push({ ...entry, savedAt: Date.now() });
  found.rounds = await checkJournal({ tally }, dataDir, finished, promised);
  const restart: RestartReport = { name: isOrderly ? 'SIGTERM' : 'kill -9', seconds, found };
  return { done, restart };
}

try {
  await mkdir(contentDir);
  await writeFile(join(contentDir, 'history.json'), JSON.stringify({ announcements: [lasting] }));
  const first = await start();
  const editing = createAsker(first.port);
  load = startLoad(first.port, 60_000, 0);
  editor = startEditor(contentDir, lasting.message, () => editing.ask, tally);
  await run(load, first, warmUp, 'warming up');
  const before = await quietSample(load, first);
  await load.order('attack');
  await load.order('go on');
  // They open as many sessions with long texts as they may: that is memory taken, but no growth.
  await run(load, first, warmUp, 'until the attackers hold what they may');
  const watch = watchProcess(first.pid);
  const heapFrom = Date.now();
  const requestsBefore = load.progress().requests;
  const started = Date.now();
  await run(load, first, minutes * 60_000, 'under load');
  const seconds = (Date.now() - started) / 1000;
  watch.stop();
  say(`${((load.progress().requests - requestsBefore) / seconds).toFixed(0)} requests a second`);
  await editor.stop();
  editing.closeIdle();
  const heap = first.heap.filter(({ at }) => at >= heapFrom);
  const after = await quietSample(load, first);
  await load.order('go on');
  await run(load, first, beforeKill, 'before SIGTERM');
  const orderly = await endAndCompare(load, first, 'SIGTERM', 20_000_000);

  const second = await start();
  load = startLoad(second.port, 30_000_000, 1);
  await load.order('attack');
  await run(load, second, beforeKill, 'before kill -9');
  const killed = await endAndCompare(load, second, 'SIGKILL', 40_000_000);

  for (const message of messagesSeen)
    if (!editor.messages.has(message)) tally.fault(`an announcement that nobody published: ${message}`);
  const faults = [...tally.report().faults, ...orderly.done.tally.faults, ...killed.done.tally.faults];
  const growth = measureGrowth(watch.samples, heap);
  const broken = growthBeyondBounds({ before, after }, growth);
  const kinds = [...orderly.done.tally.kinds, ...tally.report().kinds];
  process.stdout.write(
    toMarkdown({
      minutes,
      seconds: seconds + (2 * warmUp + beforeKill) / 1000,
      load: { kinds, faults: [] },
      quiet: { before, after },
      growth,
      cpu: cpuOf(watch.samples),
      delay: orderly.done.delay,
      restarts: [orderly.restart, killed.restart],
      faults,
      broken,
    }),
  );
  if (faults.length > 0 || broken.length > 0) process.exitCode = 1;
} finally {
  await editor?.stop();
  load?.kill();
  server?.child.kill('SIGKILL');
  await rm(dir, { recursive: true, force: true });
}
