import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { findTooDeep } from '../../../../src/server/stores/content/json/json-depth.ts';
import { hashText } from '../../../../src/server/stores/content/text-hash.ts';

it('brackets may be open a hundred deep and not more, whatever is in texts, and the line of the first is named', () => {
  const nest = (levels: number) => `${'[{"a":'.repeat(levels / 2)}null${'}]'.repeat(levels / 2)}`;
  expect(findTooDeep(nest(100))).toBeUndefined();
  expect(findTooDeep(`[${nest(100)}]`)).toMatchObject({ line: 1 });
  expect(findTooDeep(`{\n"text": "\\"[[\\n",\n"deep": ${nest(100)}}`)).toMatchObject({ line: 3 });
  expect(findTooDeep(`[${`${nest(98)},`.repeat(3)}1]`)).toBeUndefined();
});

it('brackets inside texts are not counted', () => {
  const brackets = fc.array(fc.constantFrom('[', '{', ']', '}', '"', '\\', '\n', 'a'), { maxLength: 300 });
  fc.assert(
    fc.property(brackets, (some) => {
      const text = some.join('');
      expect(findTooDeep(JSON.stringify({ [text]: [text, { text }] }, undefined, 2))).toBeUndefined();
      const deep = `${JSON.stringify({ [text]: text })}\n${'['.repeat(101)}`;
      expect(findTooDeep(deep)).toMatchObject({ line: 2 });
    }),
  );
});

it('a long text is looked at to its end', () => {
  const long = `["${'x'.repeat(300_000)}"]`;
  expect(findTooDeep(long)).toBeUndefined();
  expect(findTooDeep(`${long}\n${'['.repeat(101)}`)).toMatchObject({ line: 2 });
});

it('the hash of a text is that of its UTF-8, however long it is and wherever its characters are cut', async () => {
  const expected = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 22);
  for (const text of ['', 'a', 'é', '𝒳'.repeat(600_000), `a${'𝒳'.repeat(600_000)}`, 'x'.repeat(512 * 1024)]) {
    expect(await hashText(text)).toBe(expected(text));
  }
});
