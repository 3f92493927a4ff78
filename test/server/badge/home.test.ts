import { expect, test } from 'vitest';
import { send } from '../../support/http-client.ts';
import { startTestServer } from '../../support/test-server.ts';

test.each([
  ['127.0.0.1', '/demo', true],
  ['0.0.0.0', '/history', false],
])(
  'on %s, the bare address leads to %s, and the demo says whether its tag works elsewhere',
  async (host, place, isLocal) => {
    const options = {
      host,
      allowHost: ['badge.example.org'],
      ...(isLocal ? {} : { publicUrl: 'https://badge.example.org' }),
    };
    const server = await startTestServer(options);
    try {
      const { status, headers } = await send(server.port, { path: '/' });
      expect([status, headers.location]).toEqual([302, place]);
      const { body } = await send(server.port, { path: '/demo' });
      expect(body.toString().includes('works on this computer only')).toBe(isLocal);
    } finally {
      await server.close();
    }
  },
);
