import { expect, test } from 'vitest';
import { readPackageVersion } from '../../../src/kit/package-files.ts';
import { send } from '../../support/http-client.ts';
import { lasting, startTestServer } from '../../support/test-server.ts';

test('a server is ready while its content is valid, says why it is not, and is healthy all along', async () => {
  const server = await startTestServer();
  const ask = async () => {
    const { status, headers, body } = await send(server.port, { path: '/health/ready' });
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'cache-control': 'no-store' });
    return { status, body: JSON.parse(body.toString()) };
  };
  const until = async (wanted: number) => {
    while ((await ask()).status !== wanted);
    return (await ask()).body;
  };
  expect(await ask()).toEqual({ status: 200, body: { status: 'ready', version: readPackageVersion() } });

  await server.writeContent('history.json', '{"announcements":[\n{"id":"a"}]}');
  await server.writeContent('origins.json', '{"origins":["nonsense"]}');
  await until(503);
  while ((await ask()).body.reasons.length < 2);
  expect((await ask()).body).toEqual({
    status: 'unready',
    reasons: [
      expect.stringMatching(/^origins\.json:1: origins\[0\]: .*not an origin/),
      expect.stringMatching(/^history\.json:2: announcements\[0\]/),
    ],
  });
  const health = await send(server.port, { path: '/health' });
  expect([health.status, health.headers['content-type'], health.body.toString()]).toEqual([
    200,
    'text/plain',
    'OK',
  ]);

  await server.writeContent('origins.json', { origins: [] });
  await server.writeContent('history.json', { announcements: [lasting] });
  expect(await until(200)).toMatchObject({ status: 'ready' });
  expect((await send(server.port, { path: '/health/ready/' })).status).toBe(404);
  expect((await send(server.port, { method: 'POST', path: '/health/ready' })).status).toBe(405);
  await server.close();
});
