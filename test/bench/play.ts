// How `typebadge play` feels and what it measures, in a pseudo-terminal, beside gtypist where that is installed.
import { spawnSync } from 'node:child_process';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readUnsentRounds } from '../../src/tui/link/unsent-rounds.ts';
import type { TypedInput } from '../../src/tui/round/round-view.ts';
import { eventually } from '../support/redis/redis-process.ts';
import { cleanEnvironment, openPty, type Pty, startPlay, type TypedKeys } from './pty.ts';
import { atMost, median, quantile, type Report, spread, toTable } from './report.ts';
import { readMemory } from './serving.ts';

const sizes = [
  [80, 24],
  [200, 60],
] as const;
const modes = [
  '--words 30',
  '--time 600',
  '--quote medium',
  '--code typescript',
  '--drill bigrams',
  '--guided',
];
const wpm = 150;

/** One round, or as much text in another program; all in milliseconds. */
interface PlayedRound {
  /** From a key to the first byte that it draws. */
  readonly latencies: readonly number[];
  /** Between the recorded and the sent intervals. */
  readonly errors: readonly number[];
  /** Processor time a key. */
  readonly cpu: number;
}

/** Rounds of every mode and size in turn. */
export async function benchPlay(rounds: number, secondsIdle = 20): Promise<Report> {
  const pty = openPty();
  const played = new Map<string, PlayedRound[]>();
  const add = (name: string, round: PlayedRound) => played.set(name, [...(played.get(name) ?? []), round]);
  const hasGtypist = spawnSync('gtypist', ['--version']).status === 0;
  for (let round = 0; round < rounds; round += 1) {
    for (const size of sizes)
      for (const mode of modes) add(`${size.join(' x ')}, ${mode}`, await playRound(pty, mode, size));
    if (hasGtypist) add('gtypist, 80 x 24', await playGtypist(pty));
  }
  const { memory, afterStart, idle } = await weighPlay(pty, secondsIdle);
  const figures = [...played].map(([name, some]) => ({
    name,
    p50: median(some.map(({ latencies }) => median(latencies))),
    p95s: some.map(({ latencies }) => quantile(latencies, 0.95)),
    error: median(some.map(({ errors }) => quantile(errors, 0.95))),
    cpu: median(some.map(({ cpu }) => cpu)),
  }));
  const text = [
    `${rounds} rounds of 29 words each at ${wpm} WPM, the settings in turn; medians over the rounds.`,
    toTable(
      ['', 'key to screen p50, ms', 'p95, ms', '± %', 'interval error p95, ms', 'CPU ms a key'],
      figures.map(({ name, p50, p95s, error, cpu }) => [
        ...[name, p50.toFixed(1), median(p95s).toFixed(1), spread(p95s).toFixed(0)],
        ...[Number.isNaN(error) ? '' : error.toFixed(2), cpu.toFixed(1)],
      ]),
    ),
    `Idle, ${afterStart.toFixed(1)} ms/s in the first ${secondsIdle} s, in which garbage is collected once.`,
  ].join('\n\n');
  const ours = figures.filter(({ name }) => !name.startsWith('gtypist'));
  const worst = (what: string, pick: (figure: (typeof ours)[number]) => number, limit: number) =>
    atMost(`${what}, worst setting`, Math.max(...ours.map(pick)), limit, 'ms');
  const aims = [
    worst('key to screen, p50', ({ p50 }) => p50, 1),
    worst('key to screen, p95', ({ p95s }) => median(p95s), 3),
    worst('processor time a key', ({ cpu }) => cpu, 1.2),
    worst('error of the recorded intervals, p95', ({ error }) => error, 2),
    atMost(`idle on the typing screen, after ${secondsIdle} s`, idle, 1, 'ms/s'),
    atMost('resident memory', memory, 75, 'MB'),
  ];
  return { text, aims };
}

const openHome = () => mkdtemp(join(tmpdir(), 'home-'));

/** The round that is being typed, as it is on the disk. */
function roundIn(home: string) {
  const [round] = readUnsentRounds(join(home, 'typebadge', 'typist', 'unsent'));
  if (round === undefined) throw new Error('There is no round.');
  return round;
}

/** Leaves the last word of a short text out, so that the round is not finished, and its record is there. */
async function playRound(pty: Pty, mode: string, size: readonly [number, number]): Promise<PlayedRound> {
  const home = await openHome();
  await startPlay(pty, home, mode, size);
  await eventually(async () => roundIn(home).inputs.length === 0);
  await pty.rest(1);
  const words = roundIn(home).head.words.slice(0, 30);
  const keys = [...words.slice(0, -1).join(' ')];
  const { typed, cpu } = await typeKeys(pty, keys);
  const { inputs } = roundIn(home);
  if (inputs.length !== keys.length)
    throw new Error(`${inputs.length} of ${keys.length} keys were recorded.`);
  await pty.stop();
  return { latencies: latenciesOf(typed), errors: errorsOf(typed, inputs), cpu };
}

/** The same keys in gtypist, a typing program on ncurses: what a key costs there. */
async function playGtypist(pty: Pty): Promise<PlayedRound> {
  const home = await openHome();
  const lines = Array(3).fill('pairs my cluster lobster cricket prefer talks window garden simple');
  const script = join(home, 'speed.typ');
  await writeFile(script, `*:START\nS:${lines.join('\n :')}\nX:\n`);
  const command = ['gtypist', '-q', '-w', script];
  await pty.start({ command, columns: 80, rows: 24, env: cleanEnvironment(home) });
  await pty.rest(1);
  const { typed, cpu } = await typeKeys(pty, [...lines.join('\n')]);
  await pty.stop();
  return { latencies: latenciesOf(typed), errors: [], cpu };
}

/** Key times of a person: around the mean, never regular. The same for every run. */
async function typeKeys(pty: Pty, keys: readonly string[]): Promise<{ typed: TypedKeys; cpu: number }> {
  const mean = 60 / (wpm * 5);
  let state = 12345;
  const intervals = keys.map(() => {
    state = (state * 1103515245 + 12345) & 0x7fffffff;
    return mean * (0.6 + (0.8 * state) / 0x7fffffff);
  });
  const before = await pty.cpu();
  const typed = await pty.type(keys, intervals);
  return { typed, cpu: (((await pty.cpu()) - before) / keys.length) * 1000 };
}

/** Of each key, to what is drawn before the next one. */
function latenciesOf({ sent, read }: TypedKeys): number[] {
  return sent.flatMap(([time], at) => {
    const next = sent[at + 1]?.[0] ?? Number.POSITIVE_INFINITY;
    const first = read.find((when) => when >= time && when < next);
    return first === undefined ? [] : [(first - time) * 1000];
  });
}

/** A typist who was interrupted while writing does not know when the key was sent: seconds. */
const surest = 0.0005;

/** Between each interval that was recorded and the one between the two writes. */
function errorsOf({ sent }: TypedKeys, inputs: readonly TypedInput[]): number[] {
  return inputs.flatMap(({ ms }, at) => {
    const [before, after] = [sent[at - 1], sent[at]];
    if (ms === 0 || before === undefined || after === undefined) return [];
    const isSure = before[1] - before[0] < surest && after[1] - after[0] < surest;
    return isSure ? [Math.abs(ms - (after[0] - before[0]) * 1000)] : [];
  });
}

/** MB resident, and ms of processor time a second while nobody types: in the first seconds, and in as many after them. */
async function weighPlay(
  pty: Pty,
  seconds: number,
): Promise<Record<'memory' | 'afterStart' | 'idle', number>> {
  const pid = await startPlay(pty, await openHome(), '--words 30', [80, 24]);
  await pty.see('word 1 of 30');
  await pty.rest(2);
  const measure = async () => {
    const before = await pty.cpu();
    await sleep(seconds * 1000);
    return (((await pty.cpu()) - before) / seconds) * 1000;
  };
  const afterStart = await measure();
  const idle = await measure();
  const memory = readMemory(pid);
  await pty.stop();
  return { memory, afterStart, idle };
}
