import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parseWebhookSecret } from '../../../src/server/settings/config-parsers.ts';
import { parseStoreUrl } from '../../../src/server/settings/store-url.ts';
import { callDesk, newEditors } from '../../support/editors.ts';
import { hasRedis, startRedis } from '../../support/redis/redis-process.ts';
import { startTestServer } from '../../support/test-server.ts';
import { type RunningProcess, runTypebadge, startServeProcess } from '../../support/typebadge-process.ts';
import { until } from '../../support/until.ts';
import { type Receiver, startReceiver, webhookSecret } from '../../support/webhook-receiver.ts';

let dir: string;
let receiver: Receiver;
const { tokens, text } = newEditors('anna');

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'typebadge-webhooks-'));
  receiver = await startReceiver();
  await mkdir(join(dir, 'content'));
  await writeFile(join(dir, 'content', 'history.json'), '{"announcements":[]}');
  await writeFile(join(dir, 'content', 'editors.json'), text);
});
afterEach(async () => {
  await receiver.close();
  await rm(dir, { recursive: true, force: true });
});

/** Several leases may have to run out first, one after the other. */
const eventuallyTaken = (count: number) => until(() => receiver.taken().length >= count, 150_000);

describe('a server that is killed', () => {
  const start = (): Promise<RunningProcess> =>
    startServeProcess(['--content', join(dir, 'content'), '--data', join(dir, 'data'), '--typing', 'off'], {
      env: { TYPEBADGE_WEBHOOK: receiver.url, TYPEBADGE_WEBHOOK_SECRET: webhookSecret },
    });
  const kill = async ({ child, finished }: RunningProcess) => {
    child.kill('SIGKILL');
    await finished;
  };
  const announce = (...args: string[]) =>
    runTypebadge(['announce', ...args], {
      env: { TYPEBADGE_CONTENT: join(dir, 'content'), TYPEBADGE_DATA: join(dir, 'data') },
    });

  test('repeatedly loses no message and gives no second id to any', async () => {
    let server = await start();
    const baseline = await announce('publish', 'first', '--id', 'first', '--alongside');
    expect(baseline.code).toBe(0);
    await eventuallyTaken(1);
    for (const [at, behaviour] of (['hang', 204] as const).entries()) {
      receiver.behave(behaviour);
      const before = receiver.received.length;
      await announce('publish', 'x', '--id', `n${at}`, '--alongside');
      await until(() => receiver.received.length > before);
      await kill(server);
      // What happens meanwhile is told later.
      await announce('publish', 'y', '--id', `down${at}`, '--alongside');
      server = await start();
    }
    receiver.behave(204);
    await eventuallyTaken(5);
    await kill(server);
    const expected = ['first', 'n0', 'n1', 'down0', 'down1'];
    expect(receiver.taken().sort()).toEqual(expected.map((id) => `announcement.started ${id}`).sort());
    const ids = new Map(receiver.received.map(({ id, announcement }) => [id, announcement]));
    expect(ids.size).toBe(expected.length);
    expect(receiver.forged).toEqual([]);
  });

  test('logs the host that it could not deliver to, without the rest of the address and the secret', async () => {
    receiver.behave(500);
    const address = `${receiver.url}?key=hidden-key`;
    const server = await startServeProcess(
      ['--content', join(dir, 'content'), '--data', join(dir, 'data'), '--verbose'],
      { env: { TYPEBADGE_WEBHOOK: address, TYPEBADGE_WEBHOOK_SECRET: webhookSecret } },
    );
    await until(async () => (await announce('publish', 'x', '--alongside')).code === 0);
    await announce('publish', 'y', '--alongside');
    await until(() => receiver.received.length > 0);
    await server.said(/was not delivered/);
    server.child.kill('SIGTERM');
    const { stdout, stderr } = await server.finished;
    expect(stdout + stderr).toContain('it answered 500');
    expect(stdout + stderr).not.toMatch(/hidden-key|whsec_|\/hook/);
  });
});

describe.skipIf(!hasRedis)('three servers with one store', () => {
  test('send each message once, and share the editors’ API with its repeated requests', async () => {
    const redis = await startRedis(join(dir, 'redis'));
    const options = {
      files: {},
      content: join(dir, 'content'),
      store: parseStoreUrl(redis.url),
      webhook: [receiver.url],
      webhookSecret: parseWebhookSecret(webhookSecret),
    };
    const servers = await Promise.all([0, 1, 2].map(() => startTestServer(options)));
    const post = (at: number, body: object, key: string) =>
      callDesk(servers[at % 3]?.port ?? 0, tokens.anna, 'POST', '/announcements', {
        body,
        headers: { 'Idempotency-Key': key },
      });
    // The first look of each takes what is active as known.
    await until(async () => (await redis.command('EXISTS', 'typebadge:record:text/webhooks')) === 1);
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, at) => post(at, { message: 'once', id: 'once', alongside: true }, 'key')),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(201));
    for (let at = 0; at < 3; at += 1)
      await post(at, { message: 'x', id: `n${at}`, alongside: true }, `k${at}`);
    await eventuallyTaken(4);
    expect(receiver.taken().sort()).toEqual(
      ['n0', 'n1', 'n2', 'once'].map((id) => `announcement.started ${id}`),
    );
    expect(receiver.received.length).toBe(4);
    await Promise.all(servers.map((server) => server.close()));
    await redis.kill();
  });
});
