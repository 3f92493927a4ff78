import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { parseWebhookSecret, parseWebhookTarget } from '../../../src/server/settings/config-parsers.ts';
import { signatureHeaders } from '../../../src/server/webhooks/send-webhook.ts';

test('law: the reference library accepts what we sign, and nothing that was tampered with', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 24, maxLength: 64 }),
      fc.string({ unit: 'binary' }),
      fc.string({ minLength: 1 }),
      (key, text, more) => {
        const written = `whsec_${Buffer.from(key).toString('base64')}`;
        const parsed = parseWebhookSecret(written);
        const body = JSON.stringify({ text });
        const timestamp = Math.floor(Date.now() / 1000);
        const headers = signatureHeaders({ id: 'msg_1', timestamp, body }, parsed);
        const webhook = new Webhook(written);
        expect(webhook.verify(body, headers)).toEqual({ text });
        expect(() => webhook.verify(body + more, headers)).toThrow();
      },
    ),
  );
});

test.each(['', 'whsec_', 'secret', 'whsec_c2hvcnQ=', `whsec_${'A'.repeat(120)}`, 'whsec_*'])(
  'the secret %j is refused, and not repeated',
  (text) => {
    expect(() => parseWebhookSecret(text)).toThrow(
      /^it must be whsec_ and 24 to 64 bytes in base64; make one/,
    );
  },
);

test.each([
  'http://example.org/hook',
  'http://127.0.0.1.example.org/',
  'http://localhost.example.org/',
  'http://2130706433.example/',
  'ftp://localhost/',
  'https://user:pass@example.org/',
  'file:///etc/passwd',
  'hook',
])('%s is not accepted as a receiver, and not repeated', (address) => {
  expect(() => parseWebhookTarget(address)).toThrow(/^(?!.*pass@).*webhook/i);
});

test.each([
  'https://example.org/hook?key=1',
  'http://localhost:8080/',
  'http://127.0.0.1/',
  'http://[::1]:9/',
])('%s is; what is stored and logged does not reveal its path', (address) => {
  const { key, name } = parseWebhookTarget(address);
  expect(key).toMatch(/^[\w-]{22}$/);
  expect(name).toBe(new URL(address).origin);
});
