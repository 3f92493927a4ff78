// How cost grows with the amount of everything: tables, and a curve of each in docs/images.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageFile } from '../../src/kit/package-files.ts';
import { type Curve, drawCurve } from './curve.ts';
import { putAnnouncements, putRounds, putSessions } from './full-folders.ts';
import { load } from './load.ts';
import { type Aim, type Report, toCount, toTable } from './report.ts';
import { measureAlone, readProcessorTime, type Serving, serve } from './serving.ts';
import { timeFirstAnswer } from './start-up.ts';
import { median, spread } from './statistics.ts';
import { weighServer } from './weigh-server.ts';

const crowds = [1, 100, 10_000, 65_536, 1_000_000];
const connections = [1, 10, 100, 1_000, 5_000];
const announcements = [1, 100, 1_000, 5_000, 20_000];
const rounds = [0, 1_000, 10_000, 100_000, 1_000_000];
const sessions = [1, 100, 1_000, 10_000];

/** What was measured, and the bounds that were set for it. */
interface Growth {
  readonly file: string;
  readonly curve: Curve;
  /** In percent, for each point. */
  readonly spreads: readonly number[];
  readonly notes: readonly string[];
  readonly aims: readonly Aim[];
}

/** @param repeats how often each amount is measured, in turn with the others; every figure is a median */
export async function benchGrowth(repeats: number): Promise<Report> {
  const root = await mkdtemp(join(tmpdir(), 'typebadge-growth-'));
  try {
    const growths = [
      await measureLoads(repeats, 'clients'),
      await measureLoads(repeats, 'connections'),
      await measureAnnouncements(root, repeats),
      await measureRounds(root, repeats),
      await measureSessions(root, repeats),
    ];
    await Promise.all(
      growths.map(({ file, curve }) => writeFile(packageFile('docs', 'images', file), drawCurve(curve))),
    );
    return { text: growths.map(toText).join('\n\n'), aims: growths.flatMap(({ aims }) => aims) };
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

function toText({ file, curve, spreads, notes }: Growth): string {
  const { amount, figure, points, title } = curve;
  return [
    `![${title}](docs/images/${file})`,
    toTable(
      [amount, figure, '± %'],
      points.map(({ amount: count, value }, at) => [
        toCount(count),
        value.toFixed(value < 100 ? 1 : 0),
        (spreads[at] ?? 0).toFixed(1),
      ]),
    ),
    ...notes,
  ].join('\n\n');
}

/** Measures each amount so many times, in turn with the others, so that what else the machine does meets all of them. */
async function inTurn(
  amounts: readonly number[],
  repeats: number,
  measure: (amount: number) => Promise<number>,
): Promise<Pick<Growth, 'spreads'> & Pick<Curve, 'points'>> {
  const values = amounts.map((): number[] => []);
  for (let repeat = 0; repeat <= repeats; repeat += 1) {
    for (const [at, amount] of amounts.entries()) {
      const value = await measure(amount);
      if (repeat > 0) values[at]?.push(value); // the first warms up
    }
  }
  return {
    points: amounts.map((amount, at) => ({ amount, value: median(values[at] ?? []) })),
    spreads: values.map(spread),
  };
}

/** Processor time of a request for the announcement, while the one amount grows and the other stays. */
async function measureLoads(repeats: number, kind: 'clients' | 'connections'): Promise<Growth> {
  const server = await serve('./peers/typebadge.ts');
  let errors = 0;
  const { points, spreads } = await inTurn(
    kind === 'clients' ? crowds : connections,
    repeats,
    async (amount) => {
      const { cost, errors: failed } = await askAnnouncement(
        server,
        kind === 'clients' ? { connections: 32, clients: amount } : { connections: amount },
      );
      errors += failed;
      return cost;
    },
  );
  await server.stop();
  return {
    file: `growth-${kind}.svg`,
    curve: {
      title:
        kind === 'clients'
          ? 'The announcement, asked for by more and more clients behind a proxy'
          : 'The announcement, over more and more connections at once',
      amount: kind,
      figure: 'processor time of a request, µs',
      points,
    },
    spreads,
    notes: [
      `${toCount(errors)} answers were not 200.`,
      ...(kind === 'clients' ? [await describeLimiter()] : []),
    ],
    aims: [],
  };
}

async function askAnnouncement(
  { url, pid }: Serving,
  who: { connections: number; clients?: number },
): Promise<{ cost: number; errors: number }> {
  const before = readProcessorTime(pid);
  const { count, errors } = await load({
    url: `${url}/content/announcement.json`,
    headers: { Origin: 'https://example.org' },
    seconds: 1,
    ...who,
  });
  return { cost: (readProcessorTime(pid) - before) / count, errors };
}

async function describeLimiter(): Promise<string> {
  const times: string[] = [];
  for (const crowd of crowds)
    times.push((await measureAlone('./peers/limiter-alone.ts', [String(crowd)])).toFixed(2));
  return `The limiter alone, for as many clients: ${times.join('; ')} µs.`;
}

async function measureAnnouncements(root: string, repeats: number): Promise<Growth> {
  const folderOf = (amount: number) => join(root, `announcements-${amount}`);
  for (const amount of announcements) await putAnnouncements(folderOf(amount), amount);
  const { points, spreads } = await inTurn(announcements, repeats, (amount) =>
    timeFirstAnswer(join(root, 'data'), { content: folderOf(amount) }),
  );
  return {
    file: 'growth-announcements.svg',
    curve: {
      title: 'A start with more and more announcements',
      amount: 'announcements',
      figure: 'ms',
      points,
    },
    spreads,
    notes: [],
    aims: [],
  };
}

/** A start folds the rounds into a snapshot once; what is measured is every start after that. */
async function measureRounds(root: string, repeats: number): Promise<Growth> {
  const folderOf = (amount: number) => join(root, `rounds-${amount}`);
  const weights: number[] = [];
  for (const amount of rounds) {
    await putRounds(folderOf(amount), amount);
    await weighServer(folderOf(amount));
    weights.push(await weighServer(folderOf(amount)));
  }
  const { points, spreads } = await inTurn(rounds, repeats, (amount) => timeFirstAnswer(folderOf(amount)));
  const most = rounds.at(-1) ?? 1;
  const perRound = (((weights.at(-1) ?? 0) - (weights[0] ?? 0)) * 2 ** 20) / most;
  const more = (amount: number) =>
    (points.find((point) => point.amount === amount)?.value ?? Number.NaN) - (points[0]?.value ?? 0);
  return {
    file: 'growth-rounds.svg',
    curve: { title: 'A start with more and more rounds', amount: 'rounds', figure: 'ms', points },
    spreads,
    notes: [
      `Resident after the history was asked for: ${weights.map((weight) => weight.toFixed(0)).join('; ')} MB. That is ${perRound.toFixed(1)} bytes for each of ${toCount(most)} rounds.`,
    ],
    aims: [
      { what: 'start with 10,000 rounds, more than with none', value: more(10_000), unit: 'ms', atMost: 250 },
    ],
  };
}

async function measureSessions(root: string, repeats: number): Promise<Growth> {
  const folderOf = (amount: number) => join(root, `sessions-${amount}`);
  for (const amount of sessions) await putSessions(folderOf(amount), amount);
  const { points, spreads } = await inTurn(sessions, repeats, (amount) => timeFirstAnswer(folderOf(amount)));
  const more = (points.at(-1)?.value ?? Number.NaN) - (points[0]?.value ?? 0);
  return {
    file: 'growth-sessions.svg',
    curve: {
      title: 'A start with more and more open sessions',
      amount: 'open sessions',
      figure: 'ms',
      points,
    },
    spreads,
    notes: ['Each twentieth of them is in a round.'],
    aims: [
      { what: 'start with 10,000 open sessions, more than with one', value: more, unit: 'ms', atMost: 800 },
    ],
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  console.log((await benchGrowth(Number(process.argv[2] ?? 5))).text);
}
