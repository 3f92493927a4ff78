import { expect, test } from 'vitest';
import { editorTokenPattern, playerKeyPattern } from '../../src/contract/credentials.ts';

const alphabet = 'ABCXYZabcxyz0189_-';

test('a player key has 22 to 128 characters of base64url, and nothing around them', () => {
  for (const key of [alphabet.repeat(2), 'a'.repeat(22), 'a'.repeat(128)])
    expect(key).toMatch(playerKeyPattern);
  const shape = 'a'.repeat(30);
  for (const other of [
    '',
    'a'.repeat(21),
    'a'.repeat(129),
    ` ${shape}`,
    `${shape}=`,
    `${shape}\n`,
    `${shape}/${shape}`,
  ])
    expect(other).not.toMatch(playerKeyPattern);
});

test('an editor token has its prefix and 43 characters of base64url, and nothing around them', () => {
  const token = `tbe_${(alphabet + alphabet + alphabet).slice(0, 43)}`;
  expect(token).toMatch(editorTokenPattern);
  for (const other of [
    token.slice(4),
    token.slice(0, -1),
    `${token}a`,
    ` ${token}`,
    `x${token}`,
    `${token}\n`,
    token.toUpperCase(),
  ])
    expect(other).not.toMatch(editorTokenPattern);
  expect(`tbe_${'+'.repeat(43)}`).not.toMatch(editorTokenPattern);
});
