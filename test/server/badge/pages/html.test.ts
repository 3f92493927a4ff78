import fc from 'fast-check';
import { expect, test } from 'vitest';
import { html, safe } from '../../../../src/server/badge/pages/html.ts';

test('text is escaped, markup and lists of markup are not', () => {
  const item = (text: string) => html`<li title="${text}">${text}</li>`;
  expect(html`<ul>${['a', '<b> & "c"'].map(item)}</ul>${safe('<hr>')}${1}`.toString()).toBe(
    '<ul><li title="a">a</li><li title="&#60;b&#62; &#38; &#34;c&#34;">&#60;b&#62; &#38; &#34;c&#34;</li></ul><hr>1',
  );
});

test('no text can break out of its element or quotes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const inside = html`${text}`.toString();
      expect(inside).not.toMatch(/[<>"']/);
      const read = inside.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
      expect(read).toBe(text);
    }),
  );
});
