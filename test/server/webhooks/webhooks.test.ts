import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parseWebhookSecret } from '../../../src/server/settings/config-parsers.ts';
import { createFileRecords, recordsFolder } from '../../../src/server/stores/records/file-records.ts';
import { createSharedText, outboxName, type SharedText } from '../../../src/server/stores/shared-text.ts';
import { callDesk, newEditors } from '../../support/editors.ts';
import { startTestServer, type TestServer, type TestServerOptions } from '../../support/test-server.ts';
import { until } from '../../support/until.ts';
import { type Receiver, startReceiver, webhookSecret } from '../../support/webhook-receiver.ts';

const { tokens, text } = newEditors('anna');
const secret = parseWebhookSecret(webhookSecret);

let dir: string;
let receiver: Receiver;
const running: TestServer[] = [];
const receivers: Receiver[] = [];

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'typebadge-webhooks-'));
  receiver = await startReceiver();
  receivers.push(receiver);
  await mkdir(join(dir, 'content'));
  await writeFile(join(dir, 'content', 'history.json'), '{"announcements":[]}');
  await writeFile(join(dir, 'content', 'editors.json'), text);
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.close()));
  await Promise.all(receivers.splice(0).map((one) => one.close()));
  await rm(dir, { recursive: true, force: true });
});

/** A server on the same folders each time. */
async function start(options: TestServerOptions = {}): Promise<TestServer> {
  const server = await startTestServer({
    files: {},
    content: join(dir, 'content'),
    data: join(dir, 'data'),
    webhook: [receiver.url],
    webhookSecret: secret,
    ...options,
  });
  running.push(server);
  return server;
}

async function stop(server: TestServer): Promise<void> {
  running.splice(running.indexOf(server), 1);
  await server.close();
}

const publish = (server: TestServer, body: object) =>
  callDesk(server.port, tokens.anna, 'POST', '/announcements', { body });
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();
const takes = (...messages: string[]) =>
  until(() => messages.every((message) => receiver.taken().includes(message)));
/** Until this server has seen what was active at its start. */
const baseline = () => until(async () => (await outboxText()) !== undefined);
const outboxText = () => withOutbox((outbox) => outbox.read());

/** Does something with an outbox of the servers, as one more process. */
async function withOutbox<T>(work: (outbox: SharedText) => Promise<T>): Promise<T> {
  const records = createFileRecords({ dir: recordsFolder(join(dir, 'data')) });
  try {
    return await work(createSharedText(records, outboxName(join(dir, 'content'))));
  } finally {
    await records.close();
  }
}

test('start, change and end of an announcement arrive in order, signed, as JSON', async () => {
  const server = await start();
  await baseline();
  await publish(server, { message: 'We have moved', id: 'moved', severity: 'warning' });
  await takes('announcement.started moved');
  await callDesk(server.port, tokens.anna, 'PATCH', '/announcements/moved', { body: { message: 'To Bonn' } });
  await takes('announcement.changed moved');
  await callDesk(server.port, tokens.anna, 'POST', '/announcements/moved/expire');
  await takes('announcement.ended moved');
  expect(receiver.taken()).toEqual([
    'announcement.started moved',
    'announcement.changed moved',
    'announcement.ended moved',
  ]);
  expect(receiver.forged).toEqual([]);
  const [first] = receiver.received;
  expect(JSON.parse(first?.body ?? '')).toEqual({
    type: 'announcement.started',
    timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
    data: {
      id: 'moved',
      message: 'We have moved',
      link: '',
      severity: 'warning',
      published: expect.any(String),
      expires: expect.any(String),
    },
  });
  expect(first?.headers['content-type']).toBe('application/json');
  expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(3);
});

test('announcements active before the first webhook are not reported', async () => {
  const first = await start({ webhook: [] });
  await publish(first, { message: 'old', id: 'old' });
  await stop(first);
  const server = await start();
  await baseline();
  await publish(server, { message: 'new', id: 'new', alongside: true });
  await takes('announcement.started new');
  expect(receiver.taken()).toEqual(['announcement.started new']);
});

describe('nothing is lost, and nothing has two ids', () => {
  test('while the server is down', async () => {
    const first = await start();
    await baseline();
    await publish(first, { message: 'a', id: 'a', expires: inSeconds(2) });
    await takes('announcement.started a');
    await stop(first);
    const silent = await start({ webhook: [] });
    await publish(silent, { message: 'b', id: 'b', alongside: true });
    await stop(silent);
    await until(() => Date.now() > Date.parse(JSON.parse(receiver.received[0]?.body ?? '').data.expires));
    await start();
    await takes('announcement.ended a', 'announcement.started b');
    expect(receiver.taken().sort()).toEqual([
      'announcement.ended a',
      'announcement.started a',
      'announcement.started b',
    ]);
  });

  test('while the receiver fails, disconnects, redirects or is away; every attempt has the same id', async () => {
    const elsewhere = await startReceiver();
    receivers.push(elsewhere);
    const server = await start();
    await baseline();
    receiver.behave(500);
    await publish(server, { message: 'a', id: 'a' });
    await until(() => receiver.received.length >= 1);
    receiver.behave((response) => response.socket?.destroy());
    await until(() => receiver.received.length >= 2);
    receiver.behave((response) => response.writeHead(307, { Location: elsewhere.url }).end());
    await until(() => receiver.received.length >= 3);
    receiver.behave(204);
    await takes('announcement.started a');
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(1);
    expect(elsewhere.received).toEqual([]);
    const [first, , third] = receiver.received;
    expect(Number(third?.headers['webhook-timestamp'])).toBeGreaterThan(
      Number(first?.headers['webhook-timestamp']),
    );
  });
});

test('a receiver that hangs does not delay others, and gets the message when it is back', async () => {
  const other = await startReceiver();
  receivers.push(other);
  const server = await start({ webhook: [receiver.url, other.url] });
  await baseline();
  receiver.behave('hang');
  await publish(server, { message: 'a', id: 'a' });
  await publish(server, { message: 'b', id: 'b', alongside: true });
  await until(() => other.taken().length === 2);
  expect(other.taken().sort()).toEqual(['announcement.started a', 'announcement.started b']);
  // One message at a time: a receiver in trouble is not buried.
  expect(receiver.received.length).toBe(1);
  receiver.behave(204);
  await until(() => receiver.taken().length === 2);
});

test('a server that ends does not wait for a receiver that hangs', async () => {
  const server = await start();
  await baseline();
  receiver.behave('hang');
  await publish(server, { message: 'a', id: 'a' });
  await until(() => receiver.received.length === 1);
  await stop(server);
  expect(JSON.parse((await outboxText()) ?? '').deliveries).toMatchObject([{ lease: '' }]);
  receiver.behave(204);
  await start();
  await takes('announcement.started a');
  // Its lease was given back: no need to wait until it has run out.
  expect(receiver.received.length).toBe(2);
});

test('only its owner can read the outbox, which contains neither the address nor the secret', async () => {
  const server = await start({ webhook: [`${receiver.url}?key=do-not-store`] });
  await baseline();
  receiver.behave(500);
  await publish(server, { message: 'a', id: 'a' });
  await until(() => receiver.received.length >= 1);
  expect(await outboxText()).toContain('deliveries');
  const entries = await readdir(join(dir, 'data'), { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((each) => each.isFile())) {
    const path = join(entry.parentPath, entry.name);
    expect(await readFile(path, 'utf8')).not.toMatch(/do-not-store|127\.0\.0\.1|whsec_/);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  }
});

test('a damaged outbox is replaced by a new one, and the server continues', async () => {
  const first = await start();
  await baseline();
  await stop(first);
  const damaged = '{"version":1,"deliv';
  await withOutbox((outbox) => outbox.update(() => ({ text: damaged, result: undefined })));
  const server = await start();
  await until(async () => (await outboxText())?.includes('"seen"') ?? false);
  await publish(server, { message: 'a', id: 'a' });
  await takes('announcement.started a');
});
