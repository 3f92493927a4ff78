import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { lasting } from '../../support/test-server.ts';
import { type Finished, startServeProcess } from '../../support/typebadge-process.ts';
import { createTypingClient } from '../../support/typing-client.ts';
import { sessionPlaces } from './request-corpus.ts';
import type { OriginRule } from './verdict.ts';

export interface Usage {
  /** Resident memory, MB. */
  readonly memory: number;
  /** Open files and sockets. */
  readonly files: number;
}

/** A built server in a process and folders of its own, watched from outside. */
export interface TargetServer {
  readonly name: string;
  readonly allowedOrigins: OriginRule;
  readonly port: number;
  /** One id for each of the places that stand in the requests. */
  sessions(): readonly string[];
  /** Replaces what the requests have deleted, and removes what they have created. */
  renewSessions(): Promise<void>;
  /** Log lines that were forged, or tell of a fault. */
  readonly badLines: readonly string[];
  usage(): Promise<Usage>;
  hasEnded(): boolean;
  /** Ends it as a system would, and removes its folders. */
  stop(): Promise<Finished>;
}

const origins = ['--allow-origin', 'https://good.example', '--allow-origin', 'https://*.wild.example'];
const common = ['--verbose', '--max-sessions', '400', ...origins];
const flavours = [
  {
    name: 'loopback',
    args: ['--log', 'pretty'],
    origins:
      /^(?:https:\/\/good\.example(?::443)?|https:\/\/[a-z0-9._-]+\.wild\.example(?::443)?|https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\]|\[0:0:0:0:0:0:0:1\])(?::\d+)?)$/i,
  },
  {
    name: 'network',
    args: ['--host', '0.0.0.0', '--allow-host', 'badge.example', '--trust-proxy', '127.0.0.0/8'],
    origins: /^(?:https:\/\/good\.example(?::443)?|https:\/\/[a-z0-9._-]+\.wild\.example(?::443)?)$/i,
  },
] as const;

/** The servers that the cases are for: one for this machine alone with a log for people, one for a network with a log for programs. */
export function startTargetServers(): Promise<TargetServer[]> {
  return Promise.all(flavours.map(startTargetServer));
}

async function startTargetServer({ name, args, origins }: (typeof flavours)[number]): Promise<TargetServer> {
  const dir = await mkdtemp(join(tmpdir(), 'typebadge-fuzz-'));
  const content = join(dir, 'content');
  await mkdir(content);
  await writeFile(join(content, 'history.json'), JSON.stringify({ announcements: [lasting] }));
  // A heap that cannot hold what must not be held: a leak ends the process long before the run is over.
  const env = { NODE_OPTIONS: '--max-old-space-size=96' };
  const { child, port, finished } = await startServeProcess(
    ['--content', content, '--data', join(dir, 'data'), ...common, ...args],
    { env },
  );
  const badLines: string[] = [];
  const isGood = name === 'network' ? isJsonLine : isPrettyLine;
  createInterface({ input: child.stderr as NonNullable<typeof child.stderr>, crlfDelay: 0 }).on(
    'line',
    (line) => {
      if (!isGood(line) && badLines.length < 20) badLines.push(line);
    },
  );
  const client = createTypingClient(port);
  let sessions: string[] = [];
  return {
    name,
    port,
    allowedOrigins: origins,
    badLines,
    sessions: () => sessions,
    async renewSessions() {
      const open = await client.sessions();
      const left = sessions.filter((id) => open.some((session) => session.id === id));
      const strangers = open.filter(({ id }) => !left.includes(id));
      if (strangers.length > 200)
        for (const { id } of strangers) await client.call('DELETE', `/sessions/${id}`);
      for (let at = left.length; at < sessionPlaces.length; at += 1) {
        const { status, body } = await client.call<{ session_id: string }>('POST', '/sessions');
        if (status !== 201) break;
        left.push(body.session_id);
        await client.call('POST', `/sessions/${body.session_id}/round`);
      }
      sessions = left;
    },
    async usage() {
      const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
      const memory = Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024);
      return { memory, files: (await readdir(`/proc/${child.pid}/fd`)).length };
    },
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    async stop() {
      child.kill('SIGTERM');
      const result = await finished;
      await rm(dir, { recursive: true, force: true });
      return result;
    },
  };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const control = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

function isPrettyLine(line: string): boolean {
  return /^\d\d:\d\d:\d\d (?:info |warn ) /.test(line) && !control.test(line);
}

function isJsonLine(line: string): boolean {
  try {
    const { time, level, message } = JSON.parse(line) as Record<string, unknown>;
    return (
      typeof time === 'string' && level !== 'error' && typeof message === 'string' && !control.test(line)
    );
  } catch {
    return false;
  }
}
