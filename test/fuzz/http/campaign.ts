import { setTimeout as wait } from 'node:timers/promises';
import { send } from '../../support/http-client.ts';
import { exchange } from './exchange.ts';
import { createCase, type FuzzCase } from './fuzz-case.ts';
import { startTargetServers, type TargetServer, type Usage } from './target-server.ts';
import { judge } from './verdict.ts';

export interface CampaignOptions {
  readonly seed: number;
  readonly count: number;
  /** The first index. Default: 0. */
  readonly from?: number;
  /** Connections at once. Default: 400. */
  readonly parallel?: number;
  /** Whether some clients never say another word, and wait for the time limits of the server. Default: true. */
  readonly holds?: boolean;
  readonly onProgress?: (done: number) => void;
}

export interface Failure {
  readonly fuzzCase: FuzzCase | undefined;
  readonly what: string;
  /** The exact bytes that were sent, and what came back. */
  readonly sent: string;
  readonly received: string;
}

export interface CampaignReport {
  readonly failures: readonly Failure[];
  /** How often each status was seen. */
  readonly statuses: ReadonlyMap<number, number>;
  readonly outcomes: ReadonlyMap<string, number>;
  readonly seconds: number;
  /** Of each server after the first tenth, and after the last connection was closed. */
  readonly usage: readonly { readonly name: string; readonly warm: Usage; readonly end: Usage }[];
}

/** More is a leak, in MB: the heap of a server that has served for long settles well below. */
const mostGrowth = 80;
/** The files of the 1,000 records that were used last stay open; probes and cases that wait keep connections. */
const mostFiles = 1_100;
const mostFailures = 20;

/** Plays the cases of a seed against real servers, and looks at these from outside. */
export async function runCampaign({
  seed,
  count,
  from = 0,
  parallel = 400,
  holds = true,
  onProgress,
}: CampaignOptions): Promise<CampaignReport> {
  const start = performance.now();
  const servers = await startTargetServers();
  const failures: Failure[] = [];
  const statuses = new Map<number, number>();
  const outcomes = new Map<string, number>();
  const warm: Usage[] = [];
  const held: Promise<void>[] = [];
  const fail = (what: string, fuzzCase?: FuzzCase, sent = '', received = '') => {
    failures.push({ fuzzCase, what, sent, received });
  };
  const lookAfter = async () => {
    for (const server of servers) {
      if (server.hasEnded()) return fail(`the ${server.name} server has ended`);
      await server.renewSessions();
      const answer = await send(server.port, { path: '/health' });
      if (answer.status !== 200 || answer.body.toString() !== 'OK')
        fail(`the ${server.name} server answers a plain request ${answer.status}`);
    }
  };
  const play = async (fuzzCase: FuzzCase) => {
    const server = servers[fuzzCase.server] as TargetServer;
    const result = await exchange(fuzzCase, server.port, server.sessions());
    const { faults, answers } = judge(result, server.allowedOrigins);
    countIn(
      outcomes,
      result.outcome === 'closed' && answers.length === 0 ? `${result.ending}, unanswered` : result.outcome,
    );
    for (const { status } of answers) countIn(statuses, status);
    if (faults.length > 0) fail(faults.join('; '), fuzzCase, result.sent.toString('latin1'), result.output);
  };

  try {
    await lookAfter();
    for (let next = 0; next < count && failures.length < mostFailures; ) {
      const end = Math.min(
        count,
        next + 2_000,
        warm.length === 0 ? Math.max(next + 1, Math.ceil(count / 10)) : count,
      );
      await Promise.all(
        Array.from({ length: Math.min(parallel, end - next) }, async () => {
          while (next < end) {
            const made = createCase(seed, from + next++);
            const fuzzCase: FuzzCase =
              made.ending === 'hold' && !holds ? { ...made, ending: 'half-close' } : made;
            const played = play(fuzzCase);
            // These wait for the time limits of the server, while the others go on.
            if (fuzzCase.ending === 'hold') held.push(played);
            else await played;
          }
        }),
      );
      await lookAfter();
      onProgress?.(next);
      if (next >= count) await Promise.all(held);
      if (warm.length === 0) for (const server of servers) warm.push(await settledUsage(server));
    }
  } catch (error) {
    fail(`the run broke off: ${(error as Error).stack}`);
  }
  const usage = await Promise.all(
    servers.map(async (server, at) => ({
      name: server.name,
      warm: warm[at] ?? nothing,
      end: server.hasEnded() ? nothing : await settledUsage(server),
    })),
  );
  for (const [at, server] of servers.entries()) {
    const { warm: before, end: after } = usage[at] as (typeof usage)[number];
    if (after.files > mostFiles)
      fail(`${server.name}: ${before.files} files open after the first tenth, ${after.files} at the end`);
    if (after.memory > before.memory + mostGrowth)
      fail(`${server.name}: ${before.memory} MB after the first tenth, ${after.memory} MB at the end`);
    const { code, stderr } = await server.stop();
    if (code !== 0) fail(`the ${server.name} server ended with ${code}: ${stderr.slice(-1_000)}`);
    for (const line of server.badLines) fail(`${server.name} logged ${JSON.stringify(line.slice(0, 500))}`);
  }
  return { failures, statuses, outcomes, seconds: (performance.now() - start) / 1000, usage };
}

const nothing: Usage = { memory: 0, files: 0 };

/** Once the connections that are closing have closed: the files stop getting fewer. */
async function settledUsage(server: TargetServer): Promise<Usage> {
  let usage = await server.usage();
  for (let still = 0; still < 8; ) {
    await wait(250);
    const later = await server.usage();
    still = later.files < usage.files ? 0 : still + 1;
    usage = later;
  }
  return usage;
}

function countIn<T>(counts: Map<T, number>, key: T): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
