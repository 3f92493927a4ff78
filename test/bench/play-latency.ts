// How `typebadge play` feels and what it measures, in a pseudo-terminal, beside gtypist where that is installed.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newServeConfig } from '../../src/server/settings/config.ts';
import { startServer } from '../../src/server/start.ts';
import {
  type PlayedRound,
  playBurst,
  playGtypist,
  playRound,
  type Setting,
  timeStart,
  weighPlay,
} from './play-run.ts';
import { openPty } from './pty.ts';
import { type Aim, type Report, toTable } from './report.ts';
import { median, quantile, spread } from './statistics.ts';

const common = '150 WPM, 80 x 24';
const large = '150 WPM, 200 x 60';

const settings: readonly Setting[] = [
  { name: '60 WPM, 80 x 24', columns: 80, rows: 24, wpm: 60, delay: 0 },
  { name: '120 WPM, 80 x 24', columns: 80, rows: 24, wpm: 120, delay: 0 },
  { name: common, columns: 80, rows: 24, wpm: 150, delay: 0 },
  { name: '200 WPM, 80 x 24', columns: 80, rows: 24, wpm: 200, delay: 0 },
  { name: '150 WPM, 40 x 12', columns: 40, rows: 12, wpm: 150, delay: 0 },
  { name: large, columns: 200, rows: 60, wpm: 150, delay: 0 },
  ...['--time 600', '--quote medium', '--code typescript', '--drill bigrams', '--guided'].map((flags) => ({
    name: `${common}, ${flags}`,
    columns: 80,
    rows: 24,
    wpm: 150,
    delay: 0,
    flags: flags.split(' '),
  })),
  // The last one is of words: the starts measured after it go on in its mode.
  { name: '150 WPM, 80 x 24, server 100 ms away', columns: 80, rows: 24, wpm: 150, delay: 100 },
];

const gtypist = 'gtypist, 150 WPM, 80 x 24';

/** The figures of one setting, each a median over its rounds. */
interface Figures {
  readonly name: string;
  readonly p50: number;
  readonly p95: number;
  /** Half the distance between the quartiles of the rounds' p95, in percent. */
  readonly spread: number;
  /** Ms, 95th percentile; undefined where no intervals are recorded. */
  readonly error: number | undefined;
  readonly bytes: number;
  readonly mostBytes: number;
  /** Seconds of processor time for 1,000 keys. */
  readonly cpu: number;
}

/** Rounds of every setting in turn. */
export async function benchPlay(rounds: number): Promise<Report> {
  const pty = openPty();
  if (pty === undefined) {
    const text = 'Left out: the bench of play needs python3, whose library has pseudo-terminals.';
    return { text, aims: [] };
  }
  const home = await mkdtemp(join(tmpdir(), 'typebadge-bench-'));
  const server = await startServer(newServeConfig({ port: 0, data: join(home, 'server'), log: 'off' }));
  const played = new Map<string, PlayedRound[]>();
  const starts: number[] = [];
  const add = (name: string, round: PlayedRound) => played.set(name, [...(played.get(name) ?? []), round]);
  try {
    for (let round = 0; round < rounds; round += 1) {
      for (const setting of settings) add(setting.name, await playRound(pty, setting, server.url, home));
      const reference = await playGtypist(pty, home);
      if (reference !== undefined) add(gtypist, reference);
      starts.push(await timeStart(pty, server.url, home));
    }
    const { memory, idle } = await weighPlay(pty, home);
    const figures = [...played].map(([name, some]) => toFigures(name, some));
    const text = [
      `${rounds} rounds of 30 words each, the settings in turn; medians over the rounds.\n`,
      toFigureTable(figures),
      '',
      `Burst: ${await playBurst(pty, server.url, home)}.`,
      `From the command to the first words: ${median(starts).toFixed(0)} ms (± ${spread(starts).toFixed(1)} %), with the server there.`,
      `With its own server inside: ${memory.toFixed(0)} MB resident; ${idle.toFixed(1)} ms of processor time a second while nobody types.`,
    ].join('\n');
    const weights: Aim[] = [
      { what: 'idle on the typing screen', value: idle, unit: 'ms/s', atMost: 2 },
      { what: 'resident memory with its server', value: memory, unit: 'MB', atMost: 95 },
    ];
    return { text, aims: [...toAims(figures), ...weights] };
  } finally {
    pty.close();
    await server.close();
    await rm(home, { recursive: true, force: true });
  }
}

function toFigures(name: string, rounds: readonly PlayedRound[]): Figures {
  const p95 = rounds.map(({ latencies }) => quantile(latencies, 0.95));
  const errors = rounds.map((round) => round.errors).filter(({ length }) => length > 0);
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  return {
    name,
    p50: median(rounds.map(({ latencies }) => median(latencies))),
    p95: median(p95),
    spread: spread(p95),
    error: errors.length === 0 ? undefined : median(errors.map((some) => quantile(some, 0.95))),
    bytes: median(rounds.map(({ bytes }) => mean(bytes))),
    mostBytes: Math.max(...rounds.flatMap(({ bytes }) => bytes)),
    cpu: median(rounds.map(({ cpu, keys }) => (cpu / keys) * 1000)),
  };
}

function toFigureTable(figures: readonly Figures[]): string {
  return toTable(
    [
      '',
      'key to screen p50, ms',
      'p95, ms',
      '± %',
      'interval error p95, ms',
      'bytes a key',
      'most bytes',
      'CPU s / 1,000 keys',
    ],
    figures.map(({ name, p50, p95, spread: width, error, bytes, mostBytes, cpu }) => [
      name,
      p50.toFixed(1),
      p95.toFixed(1),
      width.toFixed(0),
      error === undefined ? '' : error.toFixed(2),
      bytes.toFixed(0),
      String(mostBytes),
      cpu.toFixed(1),
    ]),
  );
}

function toAims(all: readonly Figures[]): Aim[] {
  const figures = all.filter(({ name }) => name !== gtypist);
  const worst = (pick: (figure: Figures) => number) => Math.max(...figures.map(pick));
  return [
    ...figures
      .filter(({ name }) => name.startsWith(common) || name === large)
      .flatMap(({ name, p50, p95 }) => [
        { what: `key to screen, p50, ${name}`, value: p50, unit: 'ms', atMost: 2.5 },
        { what: `key to screen, p95, ${name}`, value: p95, unit: 'ms', atMost: 6 },
      ]),
    { what: 'processor time a key, worst setting', value: worst(({ cpu }) => cpu), unit: 'ms', atMost: 3.5 },
    {
      what: 'error of the recorded intervals, p95, worst setting',
      value: worst(({ error }) => error ?? 0),
      unit: 'ms',
      atMost: 2,
    },
    {
      what: 'bytes to the terminal a key, most',
      value: worst(({ bytes }) => bytes),
      unit: 'bytes',
      atMost: 400,
    },
  ];
}
