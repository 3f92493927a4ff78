import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BadgeLimits, newServeConfig, type ServeConfig } from '../../src/server/settings/config.ts';
import { type RunningServer, startServer } from '../../src/server/start.ts';

export interface TestServer extends RunningServer {
  /** The folder of this server's content, for tests that change it. */
  readonly contentDir: string;
  writeContent(name: string, content: unknown): Promise<void>;
  /** Stops the server and removes its folders. */
  close(): Promise<void>;
}

export interface TestServerOptions extends Partial<ServeConfig> {
  /** Files of the content folder, as JSON values or as text; the changes in a history become its log. */
  readonly files?: Readonly<Record<string, unknown>>;
}

/** An announcement that is current for as long as these tests will be run. */
export const lasting = {
  id: '2026-001',
  message: 'The autumn release is here',
  link: 'https://example.org/release',
  published: '2026-01-05T09:00:00Z',
  expires: '2999-01-01T00:00:00Z',
};

const plenty = { rate: 100_000, burst: 100_000 };
/** No client of a test reaches them. */
export const highLimits = Object.fromEntries(
  Object.keys(newServeConfig().badgeLimits).map((group) => [group, plenty]),
) as Record<keyof BadgeLimits, typeof plenty>;

/** A real server on a free port, with real files in a folder of its own. Silent unless a log format is given. */
export async function startTestServer({ files, ...config }: TestServerOptions = {}): Promise<TestServer> {
  const dir = await mkdtemp(join(tmpdir(), 'typebadge-test-'));
  const contentDir = join(dir, 'content');
  const writeContent = async (name: string, content: unknown) => {
    await mkdir(contentDir, { recursive: true });
    const { changes, ...rest } = Object(content) as { readonly changes?: readonly object[] };
    if (name === 'history.json' && changes !== undefined) {
      const log = changes.map((change) => `${JSON.stringify(change)}\n`).join('');
      await writeFile(join(contentDir, 'changes.jsonl'), log);
      return writeContent(name, rest);
    }
    await writeFile(join(contentDir, name), typeof content === 'string' ? content : JSON.stringify(content));
  };
  const content = { 'history.json': { announcements: [lasting] }, 'origins.json': { origins: [] }, ...files };
  for (const [name, value] of Object.entries(content)) await writeContent(name, value);
  const server = await startServer(
    newServeConfig({ port: 0, content: contentDir, data: join(dir, 'data'), log: 'off', ...config }),
  );
  return {
    ...server,
    contentDir,
    writeContent,
    async close() {
      await server.close().finally(() => rm(dir, { recursive: true, force: true }));
    },
  };
}
