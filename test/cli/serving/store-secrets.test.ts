import { expect, test } from 'vitest';
import { UsageError } from '../../../src/cli/program/command-io.ts';
import { withSecrets } from '../../../src/cli/serving/serve-options.ts';
import { parseStoreUrl } from '../../../src/server/settings/store-url.ts';

const address = parseStoreUrl('rediss://127.0.0.1');

test.each([
  ['a file that is not there', '/nowhere/password', /_PASSWORD_FILE cannot be read \(ENOENT\)/],
  ['a folder', '/', /_PASSWORD_FILE cannot be read \(EISDIR\)/],
])('%s is wrong usage, with the name of the variable', (_, file, sentence) => {
  const read = () => withSecrets(address, { TYPEBADGE_STORE_PASSWORD_FILE: file });
  expect(read).toThrow(UsageError);
  expect(read).toThrow(sentence);
});

test('an empty variable changes nothing', () => {
  expect(withSecrets(address, { TYPEBADGE_STORE_PASSWORD_FILE: '' })).toEqual(address);
});
