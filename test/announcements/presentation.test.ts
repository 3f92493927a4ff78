import fc from 'fast-check';
import { expect, test } from 'vitest';
import { presentation, withDrawnParts } from '../../src/announcements/presentation.ts';
import { plainText } from '../../src/announcements/values/markdown.ts';
import { severities, severityLabel } from '../../src/announcements/values/severity.ts';

/** Words as they are stored, and what is special in them. */
const words = fc
  .constantFrom(
    ...[['Words', ''] as const, ['*Words* of us', 'marks'] as const, ['`Words`', 'marks'] as const],
    ...[
      ['Words', 'markdown'] as const,
      ['See [us](https://in.example/x) **now**', 'marks and a link'] as const,
    ],
  )
  .map(([text, special]) => ({
    special,
    stored: { message: plainText(text), ...(special === '' ? {} : { markdown: text }) },
  }));
const link = fc.constantFrom('', 'https://www.out.example/page');
const label = fc.constantFrom({}, { linkLabel: 'Read' });

test('law: the badge is told the parts of all words or of none; they make up the message, and its link has words', () => {
  fc.assert(
    fc.property(words, fc.option(words), link, label, fc.constantFrom(...severities), (...given) => {
      const [own, other, address, itsLabel, severity] = given;
      const announcement = {
        ...{ id: 'a', published: '2026-01-01T00:00:00Z', expires: '2026-02-01T00:00:00Z', link: address },
        ...{ ...own.stored, ...itsLabel, severity },
        ...(other === null ? {} : { translations: { de: other.stored } }),
      };
      const drawn = withDrawnParts(announcement);
      expect(drawn).toMatchObject(announcement);
      const hasMarks = [own, other].some((each) => each?.special.startsWith('marks'));
      for (const [each, tag, language] of [
        [own, drawn, 'en'],
        ...(other === null ? [] : [[other, drawn.translations?.de, 'de'] as const]),
      ] as const) {
        const parts = tag?.parts?.map(({ text }) => text).join('');
        expect(parts).toBe(hasMarks ? each.stored.message : undefined);
        expect(tag?.severityLabel).toBe(severityLabel(severity, language));
        const hasHost = each.special.endsWith('link') && address !== '';
        const shown = 'linkLabel' in itsLabel ? 'Read' : hasHost ? 'www.out.example' : undefined;
        expect(presentation(announcement, language === 'de' ? 'de' : undefined).linkLabel).toBe(shown);
        if (hasMarks) expect(tag?.linkLabel).toBe(shown);
      }
    }),
  );
});
