import { expect, test } from 'vitest';
import { editorTokenPattern, playerKeyPattern } from '../../src/contract/credentials.ts';

const alphabet = 'ABCXYZabcxyz0189_-';
const token = `tbe_${alphabet.repeat(3).slice(0, 43)}`;
const key = 'a'.repeat(30);

test.for([
  ['a player key', playerKeyPattern, [alphabet.repeat(2), 'a'.repeat(22), 'a'.repeat(128)], key],
  ['an editor token', editorTokenPattern, [token], token],
] as const)('%s has its length in base64url, and nothing around it', ([, pattern, right, good]) => {
  for (const text of right) expect(text).toMatch(pattern);
  const wrong = ['', ` ${good}`, `${good}=`, `${good}\n`, `${good}/${good}`, 'a'.repeat(21), 'a'.repeat(129)];
  for (const text of wrong) expect(text).not.toMatch(pattern);
});
