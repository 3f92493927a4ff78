import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createFileOutbox } from '../../../../../src/server/stores/files/outbox/file-outbox.ts';
import { describeOutbox } from '../../outbox-contract.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'typebadge-outbox-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

describeOutbox('the outbox of a data folder', async () =>
  createFileOutbox({ dataDir: dir, content: '/srv/content' }),
);

test('servers with other announcements have an outbox of their own in the same folder', async () => {
  const [one, other] = ['/srv/one', '/srv/other'].map((content) =>
    createFileOutbox({ dataDir: dir, content }),
  );
  await one?.update(() => ({ text: 'one', result: undefined }));
  expect(await other?.read()).toBeUndefined();
});

test('a damaged text is in a file that the message can name', async () => {
  const outbox = createFileOutbox({ dataDir: dir, content: '/srv/content' });
  await outbox.update(() => ({ text: '{ damaged', result: undefined }));
  expect(await readFile(await outbox.setAside('{ damaged'), 'utf8')).toBe('{ damaged');
});

test('an outbox that cannot be read is an error, and not an empty one', async () => {
  const outbox = createFileOutbox({ dataDir: dir, content: '/srv/content' });
  await outbox.update(() => ({ text: 'one', result: undefined }));
  const [name = ''] = (await readdir(join(dir, 'webhooks'))).filter((each) => each.endsWith('.json'));
  await rm(join(dir, 'webhooks', name));
  await mkdir(join(dir, 'webhooks', name));
  await expect(outbox.read()).rejects.toThrow();
  let isAsked = false;
  const update = outbox.update(() => {
    isAsked = true;
    return { text: 'two', result: undefined };
  });
  await expect(update).rejects.toThrow();
  expect(isAsked).toBe(false);
});
