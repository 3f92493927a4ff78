import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  parseWebhookSecret,
  parseWebhookTarget,
  sendWebhook,
} from '../../../src/server/webhooks/send-webhook.ts';
import { until } from '../../support/until.ts';
import { type Receiver, startReceiver, webhookSecret } from '../../support/webhook-receiver.ts';

let receiver: Receiver;
const parsed = parseWebhookSecret(webhookSecret);
const secret = 'secret' in parsed ? parsed.secret : Buffer.alloc(0);
const body = JSON.stringify({ type: 'announcement.started', data: { id: 'a' } });

beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.close());

const send = () =>
  sendWebhook(
    parseWebhookTarget(receiver.url),
    { id: 'm', body },
    { secret, now: Date.now(), signal: new AbortController().signal },
  );

test.each(['HTTP/1.1 100 Continue\r\n\r\n', 'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n'])(
  'a receiver that repeats %j without end is left after a few',
  async (line) => {
    let isClosed = false;
    receiver.behave(({ socket }: ServerResponse) => {
      const pump = () => {
        while (socket?.writable && socket.write(line.repeat(1_000)));
      };
      socket?.on('error', () => undefined);
      socket?.on('drain', pump);
      socket?.on('close', () => {
        isClosed = true;
      });
      pump();
    });
    expect(await send()).toEqual({
      problem: 'it sent more than 8 informational answers before the final one',
    });
    await until(() => isClosed);
  },
);

test('a few informational answers before the final one are fine', async () => {
  receiver.behave((response) => {
    for (let count = 0; count < 4; count += 1) {
      response.writeProcessing();
      response.writeEarlyHints({ link: '</x>' });
    }
    response.writeHead(204).end();
  });
  expect(await send()).toEqual({ status: 204 });
});
