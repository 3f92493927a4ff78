import { setTimeout as wait } from 'node:timers/promises';
import { send } from '../../support/http-client.ts';
import { createCase, type FuzzCase } from './cases.ts';
import { exchange } from './exchange.ts';
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

export interface CampaignReport {
  /** Sentences, each with what is needed to play it again. */
  readonly failures: readonly string[];
  /** How often each status was seen. */
  readonly statuses: ReadonlyMap<number, number>;
  readonly seconds: number;
  /** Of each server after the first tenth, and after the last connection was closed. */
  readonly usage: readonly { readonly name: string; readonly warm: Usage; readonly end: Usage }[];
}

/** More is a leak, in MB: the heap of a server that has served for long settles well below. */
const maxGrowth = 80;
/** The files of the 1,000 records that were used last stay open; probes and cases that wait keep connections. */
const maxFiles = 1_100;
const maxFailures = 20;

/** Plays the cases of a seed against real servers, and looks at these from outside. */
export async function runCampaign(options: CampaignOptions): Promise<CampaignReport> {
  const { seed, count, from = 0, parallel = 400, holds = true, onProgress } = options;
  const start = performance.now();
  const servers = await startTargetServers();
  const failures: string[] = [];
  const statuses = new Map<number, number>();
  const held: Promise<void>[] = [];
  const play = async (fuzzCase: FuzzCase) => {
    const { index, ending } = fuzzCase;
    const server = servers[fuzzCase.server] as TargetServer;
    const result = await exchange(fuzzCase, server.port, server.sessions());
    const { faults, answers } = judge(result, server.allowedOrigins);
    for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1);
    if (faults.length === 0) return;
    const sent = JSON.stringify(result.sent.toString('latin1').slice(0, 3_000));
    const received = JSON.stringify(result.output.slice(0, 1_500));
    failures.push(
      `${faults.join('; ')}\n  --replay ${seed}:${index} (${server.name}, ${ending})\n  sent: ${sent}\n  received: ${received}`,
    );
  };
  const playUntil = async (first: number, end: number) => {
    let next = first;
    const playOnes = async () => {
      while (next < end) {
        const made = createCase(seed, from + next++);
        const fuzzCase: FuzzCase = made.ending === 'hold' && !holds ? { ...made, ending: 'reset' } : made;
        const played = play(fuzzCase);
        // These wait for the time limits of the server, while the others go on.
        if (fuzzCase.ending === 'hold') held.push(played);
        else await played;
      }
    };
    await Promise.all(Array.from({ length: Math.min(parallel, end - first) }, playOnes));
    for (const server of servers) failures.push(...(await problemsOf(server)));
    onProgress?.(end);
  };

  for (const server of servers) failures.push(...(await problemsOf(server)));
  const tenth = Math.ceil(count / 10);
  await playUntil(0, tenth);
  const warm = await Promise.all(servers.map(settledUsage));
  for (let next = tenth; next < count && failures.length < maxFailures; next += 2_000)
    await playUntil(next, Math.min(count, next + 2_000));
  await Promise.all(held);
  const usage: { name: string; warm: Usage; end: Usage }[] = [];
  for (const [at, server] of servers.entries()) {
    const { name } = server;
    const before = warm[at] as Usage;
    const after = await settledUsage(server);
    usage.push({ name, warm: before, end: after });
    if (after.files > maxFiles || after.memory > before.memory + maxGrowth)
      failures.push(`the ${name} server grew from ${describeUsage(before)} to ${describeUsage(after)}`);
    const { code, stderr } = await server.stop();
    if (code !== 0) failures.push(`the ${name} server ended with ${code}: ${stderr.slice(-1_000)}`);
    for (const line of server.badLines) failures.push(`${name} logged ${JSON.stringify(line.slice(0, 500))}`);
  }
  return { failures, statuses, seconds: (performance.now() - start) / 1000, usage };
}

export function describeUsage({ memory, files }: Usage): string {
  return `${memory} MB and ${files} files`;
}

/** Whether it still runs and answers; the sessions that are gone are opened again. */
async function problemsOf(server: TargetServer): Promise<string[]> {
  if (server.hasEnded()) return [`the ${server.name} server has ended`];
  await server.renewSessions();
  const { status, body } = await send(server.port, { path: '/health' });
  if (status === 200 && body.toString() === 'OK') return [];
  return [`the ${server.name} server answers a plain request ${status}`];
}

/** Once the connections that are closing have closed: the files stop getting fewer. */
async function settledUsage(server: TargetServer): Promise<Usage> {
  if (server.hasEnded()) return { memory: 0, files: 0 };
  let usage = await server.usage();
  for (let still = 0; still < 8; ) {
    await wait(250);
    const later = await server.usage();
    still = later.files < usage.files ? 0 : still + 1;
    usage = later;
  }
  return usage;
}
