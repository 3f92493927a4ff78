import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lasting } from '../support/test-server.ts';
import { type Editor, startEditor } from './clients/editor.ts';
import { createAsker } from './clients/exchange.ts';
import type { Sights } from './clients/visitor.ts';
import { startCrowd } from './crowd.ts';
import { measureGrowth, type ProcessSample, readSample, watchProcess } from './figures/process-samples.ts';
import { growthText, type RestartReport, restartText, tallyText } from './figures/report.ts';
import { createTally } from './figures/tally.ts';
import { newLedger } from './ledger.ts';
import { checkRounds, checkSessions, type Promised } from './restart-check.ts';
import { type SoakServer, startSoakServer } from './server-process.ts';
import { createWorld, pause } from './world.ts';

// Mixed load on the built server, then SIGTERM and kill -9 under it. The clients are all in this process, so that every latency
// contains their own work. Prints a report in Markdown; ends with 1 where anything happened that was not owed, or the server grew.

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
const ledger = newLedger();
const sights: Sights = { bodies: new Map(), messages: new Set() };
let server: SoakServer | undefined;
let editor: Editor | undefined;

async function start(): Promise<SoakServer> {
  const folders = ['--content', contentDir, '--data', dataDir];
  const open = ['--trust-proxy', '127.0.0.0/8', '--allow-origin', 'https://*.example.org'];
  server = await startSoakServer([...folders, ...open]);
  return server;
}

/** A server under the load of a crowd of its own. */
async function startLoaded(number: number) {
  const own = await start();
  const asker = createAsker(own.port);
  const world = createWorld(own.port, asker.ask, tally, ledger);
  return { server: own, asker, world, crowd: startCrowd(world, sights, number) };
}
type Loaded = Awaited<ReturnType<typeof startLoaded>>;

/** Lets the load run for a while, with a line now and then that says so; stops early where the server has died. */
async function run({ server: { pid } }: Loaded, ms: number, what: string): Promise<void> {
  const end = Date.now() + ms;
  while (Date.now() < end) {
    await pause(Math.min(5000, Math.max(0, end - Date.now())));
    const { memory, sockets, files } = await readSample(pid);
    const left = Math.max(0, Math.round((end - Date.now()) / 1000));
    say(
      `${what}: ${left} s to go, ${tally.requests()} requests, ${tally.faultCount()} not owed, ${memory.toFixed(0)} MB, ${sockets} sockets, ${files} other files`,
    );
  }
}

async function quietSample({ server: { pid }, asker, world }: Loaded): Promise<ProcessSample> {
  await world.hush();
  asker.closeIdle();
  await pause(untilQuiet);
  return readSample(pid);
}

/** Ends a server; whatever its log complains of is not owed. Resolves to the seconds that it took. */
async function end(ending: SoakServer, signal: 'SIGTERM' | 'SIGKILL'): Promise<number> {
  const signalled = Date.now();
  ending.child.kill(signal);
  const { code, signal: endedBy } = await ending.ended;
  const seconds = (Date.now() - signalled) / 1000;
  if (signal === 'SIGTERM' && code !== 0) tally.fault(`SIGTERM ended the server with ${code ?? endedBy}`);
  if (seconds * 1000 > longestEnd) tally.fault(`the server took ${seconds} s to end`);
  for (const line of ending.complaints) tally.fault(`the log: ${line.slice(0, 300)}`);
  return seconds;
}

/** Ends the server under full load, starts it again on the same folders, and compares. */
async function endAndCompare(loaded: Loaded, signal: 'SIGTERM' | 'SIGKILL'): Promise<RestartReport> {
  const isOrderly = signal === 'SIGTERM';
  loaded.world.expectEnd(!isOrderly);
  const until = isOrderly ? Number.POSITIVE_INFINITY : Date.now() - writtenWithin;
  const seconds = await end(loaded.server, signal);
  loaded.world.end();
  await loaded.crowd.ended;
  loaded.asker.closeIdle();
  const promised: Promised = { until, isOrderly };
  const next = await start();
  const asker = createAsker(next.port);
  const found = await checkSessions(createWorld(next.port, asker.ask, tally, ledger), promised);
  asker.closeIdle();
  await end(next, 'SIGTERM');
  found.rounds = await checkRounds({ tally, ledger }, dataDir, promised);
  // Compared, or lost as it may be: it is not looked for again.
  ledger.sessions.clear();
  for (const [duration, { savedAt }] of ledger.finished)
    if (savedAt === undefined) ledger.finished.set(duration, { timedAt: undefined, savedAt: undefined });
  return { name: isOrderly ? 'SIGTERM' : 'kill -9', seconds, found };
}

try {
  await mkdir(contentDir);
  await writeFile(join(contentDir, 'history.json'), JSON.stringify({ announcements: [lasting] }));
  const first = await startLoaded(0);
  const editing = createAsker(first.server.port);
  editor = startEditor(contentDir, lasting.message, () => editing.ask, tally);
  await run(first, warmUp, 'warming up');
  const before = await quietSample(first);
  first.crowd.attack();
  first.world.goOn();
  // They open as many sessions with long texts as they may: that is memory taken, but no growth.
  await run(first, warmUp, 'until the attackers hold what they may');
  const watch = watchProcess(first.server.pid);
  const [started, requests] = [Date.now(), tally.requests()];
  await run(first, minutes * 60_000, 'under load');
  watch.stop();
  const perSecond = ((tally.requests() - requests) * 1000) / (Date.now() - started);
  await editor.stop();
  editing.closeIdle();
  const heap = first.server.heap.filter(({ at }) => at >= started);
  const after = await quietSample(first);
  first.world.goOn();
  await run(first, beforeKill, 'before SIGTERM');
  const orderly = await endAndCompare(first, 'SIGTERM');

  const second = await startLoaded(1);
  second.crowd.attack();
  await run(second, beforeKill, 'before kill -9');
  const killed = await endAndCompare(second, 'SIGKILL');

  for (const message of sights.messages)
    if (!editor.messages.has(message)) tally.fault(`an announcement that nobody published: ${message}`);
  const growth = measureGrowth({ before, after }, watch.samples, heap);
  const sections = [
    `# Soak: ${minutes} minutes of mixed load, ${perSecond.toFixed(0)} requests a second; Node ${process.versions.node}`,
    ...[tallyText(tally.report()), growthText(growth), restartText([orderly, killed])],
  ];
  process.stdout.write(`${sections.join('\n\n')}\n`);
  const hasGrown = growth.some(({ from, to, bound }) => to - from > bound);
  if (tally.faultCount() > 0 || hasGrown) process.exitCode = 1;
} finally {
  await editor?.stop();
  server?.child.kill('SIGKILL');
  await rm(dir, { recursive: true, force: true });
}
