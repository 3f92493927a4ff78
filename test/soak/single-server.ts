import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { toTable } from '../support/report-table.ts';
import { lasting } from '../support/test-server.ts';
import { type RunningProcess, startServeProcess } from '../support/typebadge-process.ts';
import { createTally, growthText, hasGrown, measureGrowth, readSample, say } from './figures.ts';
import { attacks, runAttacker, runRudeClient } from './hostile.ts';
import { newPlayer } from './player.ts';
import { checkRounds, checkSessions } from './restart-check.ts';
import { runTypist } from './typist.ts';
import { runEditor, runVisitor, type Sights } from './visitor.ts';
import { createWorld, keepRunning, newLedger } from './world.ts';

// Mixed load on the built server, then SIGTERM and kill -9 under it. The clients are all in this process, so that every latency
// contains their own work. Prints a report in Markdown; ends with 1 where anything happened that was not owed, or the server grew.

const minutes = Number(process.argv[2] ?? 10);
if (!(minutes >= 0.5 && minutes <= 1440)) throw new Error('Give the minutes: a number from 0.5 to 1440.');
const warmUp = Math.min(60_000, minutes * 15_000);
/** Until connections kept for a next request are closed. */
const untilQuiet = 8000;
/** How much load runs before a server is killed. */
const beforeKill = 15_000;
/** How soon an open session is on disk, as promised. */
const writtenWithin = 1000;
/** Running requests have five seconds, and then everything is saved. */
const longestEnd = 10_000;

const dir = await mkdtemp(join(tmpdir(), 'typebadge-soak-'));
const contentDir = join(dir, 'content');
const dataDir = join(dir, 'data');
const tally = createTally();
const ledger = newLedger();
const sights: Sights = new Map();
/** MB of the heap after each full collection of garbage. */
let heap: number[] = [];
let crowds = 0;
let server: RunningProcess | undefined;

/** V8 itself tells of every full collection, so that no inspector is needed. */
async function start(): Promise<RunningProcess> {
  const flags = ['--content', contentDir, '--data', dataDir, '--trust-proxy', '127.0.0.0/8'];
  server = await startServeProcess([...flags, '--allow-origin', 'https://*.example.org'], {
    under: ['sh', '-c', 'exec "$0" --trace-gc "$@"'],
  });
  server.child.stdout?.on('data', (text: string) => {
    for (const [, megabytes] of text.matchAll(/Mark-Compact.*? -> ([\d.]+) \(/g))
      heap.push(Number(megabytes));
  });
  return server;
}

/** Starts simulated clients; the typists of each crowd are other players. */
function startCrowd({ port }: RunningProcess, { isHostile = true } = {}) {
  const world = createWorld(port, tally, ledger);
  const many = (count: number, run: (at: number) => Promise<void>) =>
    Array.from({ length: count }, (_, at) => keepRunning(world, () => run(at)));
  const players = Array.from({ length: 200 }, (_, at) => newPlayer(crowds * 200 + at));
  crowds += 1;
  const running = [
    ...players.map((player) => keepRunning(world, () => runTypist(world, player))),
    ...many(120, () => runVisitor(world, sights)),
    ...many(24, () => runRudeClient(world)),
    ...many(1, () => runEditor(world, contentDir)),
    ...(isHostile ? attacks : []).map((attack, at) =>
      keepRunning(world, () => runAttacker(world, attack, at)),
    ),
  ];
  const end = async () => {
    world.end();
    await Promise.all(running);
    world.closeIdle();
  };
  return { world, end };
}

/** Lets the load run for a while, with a line now and then that says so; stops early where the server has died. */
async function run({ child }: RunningProcess, ms: number, what: string): Promise<number[]> {
  const used: number[] = [];
  const end = Date.now() + ms;
  for (let next = Date.now(); Date.now() < end; await pause(2000)) {
    const { memory, sockets, files } = await readSample(child.pid as number);
    used.push(memory);
    if (Date.now() < next) continue;
    next += 10_000;
    const left = Math.round((end - Date.now()) / 1000);
    say(
      `${what}: ${left} s to go, ${tally.requests()} requests, ${tally.faultCount()} not owed, ${memory.toFixed(0)} MB, ${sockets} sockets, ${files} other files`,
    );
  }
  return used;
}

async function quietSample({ child }: RunningProcess) {
  await pause(untilQuiet);
  return readSample(child.pid as number);
}

/** Ends a server; whatever its log complains of is not owed. Resolves to the seconds that it took. */
async function end({ child, finished }: RunningProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<number> {
  const signalled = Date.now();
  child.kill(signal);
  const { code, signal: endedBy, stdout, stderr } = await finished;
  const seconds = (Date.now() - signalled) / 1000;
  if (signal === 'SIGTERM' && code !== 0) tally.fault(`SIGTERM ended the server with ${code ?? endedBy}`);
  if (seconds * 1000 > longestEnd) tally.fault(`the server took ${seconds} s to end`);
  const complaints = [...stdout.split('\n').filter((line) => /"level":"(?:warn|error)"/.test(line)), stderr];
  for (const line of complaints) if (line !== '') tally.fault(`the log: ${line.slice(0, 300)}`);
  return seconds;
}

/** Ends the server under full load, starts it again on the same folders, and compares: a row of the report. */
async function endAndCompare(running: RunningProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<string[]> {
  const crowd = startCrowd(running);
  await run(running, beforeKill, `before ${signal}`);
  const isOrderly = signal === 'SIGTERM';
  crowd.world.expectEnd(!isOrderly);
  const promised = { until: isOrderly ? Number.POSITIVE_INFINITY : Date.now() - writtenWithin, isOrderly };
  const seconds = await end(running, signal);
  await crowd.end();
  const next = await start();
  const world = createWorld(next.port, tally, ledger);
  const found = await checkSessions(world, promised);
  world.closeIdle();
  await end(next, 'SIGTERM');
  found.rounds = await checkRounds({ tally, ledger }, dataDir, promised);
  // Compared, or lost as it may be: it is not looked for again.
  ledger.sessions.clear();
  for (const [duration, { savedAt }] of ledger.finished)
    if (savedAt === undefined) ledger.finished.set(duration, { timedAt: undefined, savedAt: undefined });
  return [
    ...[signal, seconds.toFixed(2), String(found.sessions), String(found.keys)],
    ...[`${found.lateKeysKept} of ${found.lateKeys}`, String(found.rounds)],
  ];
}

try {
  await mkdir(contentDir);
  await writeFile(join(contentDir, 'history.json'), JSON.stringify({ announcements: [lasting] }));
  const first = await start();
  const calm = startCrowd(first, { isHostile: false });
  await run(first, warmUp, 'warming up');
  await calm.end();
  const before = await quietSample(first);
  const crowd = startCrowd(first);
  // Attackers open as many sessions with long texts as they may: that is memory taken, but no growth.
  await run(first, warmUp, 'until the attackers hold what they may');
  heap = [];
  const [started, requests] = [Date.now(), tally.requests()];
  const memory = await run(first, minutes * 60_000, 'under load');
  const perSecond = ((tally.requests() - requests) * 1000) / (Date.now() - started);
  const loadedHeap = heap;
  await crowd.end();
  const growth = measureGrowth([before, await quietSample(first)], memory, loadedHeap);
  const restarts = [await endAndCompare(first, 'SIGTERM')];
  restarts.push(await endAndCompare(await start(), 'SIGKILL'));
  const sections = [
    `# Soak: ${minutes} minutes of mixed load, ${perSecond.toFixed(0)} requests a second; Node ${process.versions.node}`,
    ...[tally.text(), growthText(growth)],
    toTable(
      [
        ...['end under load', 'seconds until ended', 'sessions compared', 'acknowledged keys found'],
        ...['later keys, kept of sent', 'rounds on disk'],
      ],
      restarts,
    ),
  ];
  process.stdout.write(`${sections.join('\n\n')}\n`);
  if (tally.faultCount() > 0 || growth.some(hasGrown)) process.exitCode = 1;
} finally {
  server?.child.kill('SIGKILL');
  await rm(dir, { recursive: true, force: true });
}
