import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { lasting } from '../../support/test-server.ts';
import { startServeProcess } from '../../support/typebadge-process.ts';
import { createTypingClient } from '../../support/typing-client.ts';
import { sessionPlaces } from './requests.ts';

/** Resident memory in MB, and open files and sockets. */
export interface Usage {
  readonly memory: number;
  readonly files: number;
}

/** A built server in a process and folders of its own, watched from outside. */
export type TargetServer = Awaited<ReturnType<typeof startTargetServer>>;

const common = [
  ...['--verbose', '--max-sessions', '400'],
  ...['--allow-origin', 'https://good.example', '--allow-origin', 'https://*.wild.example'],
];
/** One for this machine alone with a log for people, one for a network with a log for programs. */
const flavours = [
  {
    name: 'loopback',
    args: ['--log', 'pretty'],
    allowedOrigins:
      /^(?:https:\/\/good\.example(?::443)?|https:\/\/[a-z0-9._-]+\.wild\.example(?::443)?|https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\]|\[0:0:0:0:0:0:0:1\])(?::\d+)?)$/i,
    isGoodLine: (line: string) => /^\d\d:\d\d:\d\d (?:info |warn ) /.test(line),
  },
  {
    name: 'network',
    args: ['--host', '0.0.0.0', '--allow-host', 'badge.example', '--trust-proxy', '127.0.0.0/8'],
    allowedOrigins: /^(?:https:\/\/good\.example(?::443)?|https:\/\/[a-z0-9._-]+\.wild\.example(?::443)?)$/i,
    isGoodLine: (line: string) => /^\{"time":"[^"]+","level":"(?:info|warn)","message":"/.test(line),
  },
] as const;

export function startTargetServers(): Promise<TargetServer[]> {
  return Promise.all(flavours.map(startTargetServer));
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const control = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

async function startTargetServer({ name, args, allowedOrigins, isGoodLine }: (typeof flavours)[number]) {
  const dir = await mkdtemp(join(tmpdir(), 'typebadge-fuzz-'));
  const content = join(dir, 'content');
  await mkdir(content);
  await writeFile(join(content, 'history.json'), JSON.stringify({ announcements: [lasting] }));
  // A heap that cannot hold what must not be held: a leak ends the process long before the run is over.
  const env = { NODE_OPTIONS: '--max-old-space-size=96' };
  const folders = ['--content', content, '--data', join(dir, 'data'), '--store-prefix', `fuzz-${name}`];
  const { child, port, finished } = await startServeProcess([...folders, ...common, ...args], { env });
  /** Log lines that were forged, or tell of a fault. */
  const badLines: string[] = [];
  const input = child.stderr as NonNullable<typeof child.stderr>;
  createInterface({ input, crlfDelay: 0 }).on('line', (line) => {
    if ((!isGoodLine(line) || control.test(line)) && badLines.length < 20) badLines.push(line);
  });
  const client = createTypingClient(port);
  let sessions: string[] = [];
  return {
    name,
    port,
    allowedOrigins,
    badLines,
    /** One id for each of the places that stand in the requests. */
    sessions: (): readonly string[] => sessions,
    /** Replaces what the requests have deleted, and removes what they have created. */
    async renewSessions(): Promise<void> {
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
    async usage(): Promise<Usage> {
      const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
      const memory = Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024);
      return { memory, files: (await readdir(`/proc/${child.pid}/fd`)).length };
    },
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    /** Ends it as a system would, and removes its folders. */
    async stop() {
      child.kill('SIGTERM');
      const result = await finished;
      await rm(dir, { recursive: true, force: true });
      return result;
    },
  };
}
