import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDesk, readHistory } from '../../../src/cli/desk/desk.ts';
import { createLocalPort } from '../../../src/cli/desk/local-desk.ts';
import { openServer } from '../../../src/cli/desk/server-desk.ts';
import { createDeskApi } from '../../../src/server/desk/desk-api.ts';
import { parseStoreUrl } from '../../../src/server/settings/store-url.ts';
import type { Content } from '../../../src/server/stores/content/content.ts';
import { createContentStore } from '../../../src/server/stores/content/content-store.ts';
import { createFolderContent } from '../../../src/server/stores/content/folder-content.ts';
import { createRecordContent } from '../../../src/server/stores/content/record-content.ts';
import { createRedisRecords } from '../../../src/server/stores/records/redis-records.ts';
import { openConnection } from '../../../src/server/stores/records/store-connection.ts';
import { callDesk, newEditors } from '../../support/editors.ts';
import { newLongHistory } from '../../support/long-history.ts';
import { eventually, hasRedis, type RedisProcess, startRedis } from '../../support/redis/redis-process.ts';
import { startTestServer } from '../../support/test-server.ts';
import { describeDesk } from './desk-contract.ts';

function onDocuments(content: Content, editor: string) {
  const api = createDeskApi({
    store: createContentStore(content),
    readPulse: async () => [],
    clock: Date.now,
  });
  return createDesk(createLocalPort(api, editor));
}

describeDesk('folder', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'typebadge-desk-'));
  const open = (editor: string) => onDocuments(createFolderContent(dir), editor);
  return {
    anna: open('anna'),
    ben: open('ben'),
    close: () => rm(dir, { recursive: true, force: true }),
  };
});

describe.skipIf(!hasRedis)('with a real store', () => {
  let dir: string;
  let redis: RedisProcess;
  let count = 0;
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'typebadge-desk-'));
    redis = await startRedis(join(dir, 'redis'));
  });
  afterAll(async () => {
    await redis.kill();
    await rm(dir, { recursive: true, force: true });
  });

  describeDesk('store', async () => {
    const prefix = `desk-${count++}`;
    const connections = await Promise.all(
      ['anna', 'ben'].map(() => openConnection(parseStoreUrl(redis.url))),
    );
    await eventually(() => connections.every((connection) => connection.problem() === undefined));
    const [anna, ben] = connections.map((connection, at) =>
      onDocuments(
        createRecordContent(createRedisRecords(connection, { prefix }), 'the store'),
        at === 0 ? 'anna' : 'ben',
      ),
    );
    if (anna === undefined || ben === undefined) throw new Error('no desks');
    return {
      anna,
      ben,
      close: async () => {
        await Promise.all(connections.map((connection) => connection.close()));
      },
    };
  });
});

const { tokens, text } = newEditors('anna', 'ben');
const openServerDesk = ({ url }: { readonly url: string }) => openServer(url, tokens.anna);
const startDeskServer = () =>
  startTestServer({ files: { 'history.json': { announcements: [] }, 'editors.json': text } });

describeDesk('server', async () => {
  const server = await startDeskServer();
  const open = (token: string) => openServer(server.url, token);
  return { anna: open(tokens.anna), ben: open(tokens.ben), close: server.close };
});

test('a server whose pages are cut short because they are long is read completely', async () => {
  const server = await startDeskServer();
  const written = newLongHistory(150);
  await server.writeContent('history.json', written);
  const history = await readHistory(openServerDesk(server));
  expect(history).toEqual(written);
  await server.close();
});

test('a list with more pages than a server gives at once is read to its end', async () => {
  const server = await startDeskServer();
  await server.writeContent('history.json', newLongHistory(400, { isTranslated: false }));
  const statuses: number[] = [];
  while (!statuses.includes(429))
    statuses.push((await callDesk(server.port, tokens.anna, 'GET', '/announcements?limit=1')).status);
  const history = await readHistory(openServerDesk(server));
  expect(history.announcements).toHaveLength(400);
  await server.close();
});
