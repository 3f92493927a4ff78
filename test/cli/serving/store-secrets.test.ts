import { expect, test } from 'vitest';
import { UsageError } from '../../../src/cli/program/command-io.ts';
import { withSecrets } from '../../../src/cli/serving/secrets.ts';
import { parseStoreUrl, type RedisAddress } from '../../../src/server/settings/store-url.ts';

// What works with real certificates is in test/server/stores/records/store-tls.test.ts.

const addressOf = (url: string) => parseStoreUrl(url) as RedisAddress;
const withTls = addressOf('rediss://127.0.0.1');

test.each([
  [
    'a file that is not there',
    { TYPEBADGE_STORE_CA_FILE: '/nowhere/ca.pem' },
    /CA_FILE cannot be read \(ENOENT\)/,
  ],
  ['a folder', { TYPEBADGE_STORE_CA_FILE: '/' }, /CA_FILE cannot be read \(EISDIR\)/],
  [
    'a file that holds no certificate',
    { TYPEBADGE_STORE_CA_FILE: '/dev/null' },
    /holds no certificate in PEM/,
  ],
  ['a certificate without its key', { TYPEBADGE_STORE_CERT_FILE: '/x' }, /go together: set both, or none/],
  ['a key without its certificate', { TYPEBADGE_STORE_KEY_FILE: '/x' }, /go together: set both, or none/],
])('%s is wrong usage, with the name of the variable', (_, env, sentence) => {
  expect(() => withSecrets(withTls, env)).toThrow(UsageError);
  expect(() => withSecrets(withTls, env)).toThrow(sentence);
});

test.each(['redis://127.0.0.1', 'unix:///run/redis.sock', 'redis+cluster://a,b'])(
  'a certificate for %s is never ignored: the connection would not be encrypted as intended',
  (url) => {
    const env = { TYPEBADGE_STORE_CA_FILE: '/etc/ca.pem' };
    expect(() => withSecrets(addressOf(url), env)).toThrow(/write rediss:\/\/ instead of redis:\/\//);
  },
);

test('unset and empty variables change nothing; without a store nothing is read', () => {
  expect(withSecrets(withTls, { TYPEBADGE_STORE_CA_FILE: '' })).toEqual(withTls);
  expect(withSecrets(undefined, { TYPEBADGE_STORE_CA_FILE: '/nowhere' })).toBeUndefined();
});
