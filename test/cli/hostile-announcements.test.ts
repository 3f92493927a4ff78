import fc from 'fast-check';
import { expect, test } from 'vitest';
import { emptyHistory } from '../../src/announcements/announcement.ts';
import { type DraftTexts, readDraft, readEdit } from '../../src/announcements/changes/draft.ts';
import {
  type EditOutcome,
  type EditResult,
  edit,
  publish,
} from '../../src/announcements/changes/history-edit.ts';
import type { StoredAnnouncement } from '../../src/announcements/fields.ts';
import { checkPlainValues, type FieldProblem } from '../../src/announcements/plain-values.ts';
import { matchesAny } from '../../src/announcements/values/patterns.ts';
import { fileText, readEditedFile } from '../../src/cli/forms/edit-file.ts';

const now = Date.parse('2026-06-15T12:00:00Z');
const zone = 'Europe/Berlin';

/** Scripts, markup, direction marks, controls, halves of characters, prototypes, far too much, and bombs for regular expressions. */
const nasty = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  'javascript:alert(1)',
  'https://example.org/\u202egnp.exe',
  '\u202e\u2066\u200f right to left',
  '\u001b[2J\u0007\u009b31m',
  'two\nlines\r\nthree\u2028four',
  '\ud800 half',
  '\u200b\u200b',
  '__proto__',
  'constructor',
  '{{7*7}} `id` $(id) $& $1 ; rm -rf',
  '=HYPERLINK("https://evil.example")',
  'a'.repeat(100_000),
  '👨‍👩‍👧‍👦'.repeat(500),
  `/${'*a'.repeat(120)}*b`,
  `/${'a*'.repeat(200)}`,
  '/(a+)+$',
  'https://*.*.example',
  'https://user:pass@example.org',
  'de=x=y',
  '# no comment',
  'Message: of a field',
  '',
  ' ',
];
const fine = [
  'Hello',
  'https://example.org/a?b=%22',
  'https://*.example.org',
  '/docs/*',
  'de',
  'pt-BR',
  'critical',
  'warning',
  'Mehr: dies # das',
];

const text = fc.oneof(
  fc.constantFrom(...nasty),
  fc.constantFrom(...fine),
  fc.string({ unit: 'binary', maxLength: 60 }),
);
const words = fc.record({ message: text, link: text, linkLabel: text }, { requiredKeys: ['message'] });
const any = fc.oneof(
  text,
  fc.boolean(),
  fc.constant(null),
  fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<object>,
);
const values = fc.record(
  {
    message: text,
    link: text,
    severity: any,
    dismissible: any,
    alongside: any,
    linkLabel: any,
    translations: fc.oneof(fc.dictionary(text, fc.oneof(words, any), { maxKeys: 4 }), any),
    audience: fc.oneof(
      fc.record(
        { sites: fc.array(text, { maxLength: 4 }), paths: fc.array(text, { maxLength: 4 }) },
        { requiredKeys: [] },
      ),
      any,
    ),
  },
  { requiredKeys: ['message'] },
);
const five = { numRuns: 500 };

const stamp = { by: 'ada', at: now };

/** A new announcement with these values, or what is wrong with them. */
function published(given: object, expires = '+1m'): EditResult | { problems: readonly FieldProblem[] } {
  const read = readDraft({ id: 'a', expires, values: given }, { zone, now });
  if ('problems' in read) return read;
  const made = publish(emptyHistory, read.value, stamp);
  if ('problem' in made) throw new Error(made.problem);
  return made;
}

function edited(before: EditResult, texts: DraftTexts): EditOutcome {
  const read = readEdit(texts, before.entry, { zone, now });
  if ('problems' in read) throw new Error(JSON.stringify(read.problems));
  return edit(before.history, before.entry.id, read.value, stamp);
}

const control = /[\p{Cc}\p{Surrogate}\u2028\u2029]/u;

test('500 hostile announcements: accepted ones are plain text, web addresses and paths, and refusals say why', () => {
  let taken = 0;
  fc.assert(
    fc.property(values, (given) => {
      const made = published(given);
      if ('problems' in made) {
        for (const { problem } of made.problems)
          expect([problem === '', problem.length < 3_000]).toEqual([false, true]);
        return;
      }
      taken += 1;
      const {
        message,
        link,
        severity,
        dismissible,
        linkLabel = '',
        translations = {},
        audience = {},
      } = made.entry;
      for (const said of [{ message, link, linkLabel }, ...Object.values(translations)]) {
        expect([...said.message].length).toBeLessThanOrEqual(280);
        expect([...(said.linkLabel ?? '')].length).toBeLessThanOrEqual(40);
        expect(`${said.message}${said.linkLabel ?? ''}${said.link ?? ''}`).not.toMatch(control);
        expect(said.link ?? '').toMatch(/^(?:https?:\/\/[^\s"<>\\^`{|}]+)?$/i);
      }
      expect([undefined, 'success', 'warning', 'critical']).toContain(severity);
      expect([undefined, false]).toContain(dismissible);
      for (const language of Object.keys(translations))
        expect(language).toMatch(/^[a-z]{2,3}(?:-[A-Za-z\d]+)*$/);
      for (const site of audience.sites ?? []) expect(site).toMatch(/^https?:\/\/(?:\*\.)?[^*/\s]+$/);
      for (const path of audience.paths ?? []) {
        expect(path).toMatch(/^\/[!-~]*$/);
        matchesAny([path], `/${'a'.repeat(20_000)}`);
      }
      const again = edited(made, { values: { message: made.entry.message } });
      expect(again).toMatchObject({ number: undefined });
    }),
    five,
  );
  expect(taken).toBeGreaterThan(0);
});

test('law: an announcement survives the editor’s file unchanged, and can be edited into any other', () => {
  const accepted = fc.sample(values, { numRuns: 3_000, seed: 7 }).flatMap((given) => {
    const made = published(given);
    return 'problems' in made ? [] : [made];
  });
  expect(accepted.length).toBeGreaterThan(20);
  fc.assert(
    fc.property(fc.constantFrom(...accepted), fc.constantFrom(...accepted), (before, after) => {
      const seen = { ...before.entry, state: 'active' } as const;
      const read = (entry: StoredAnnouncement) =>
        readEditedFile(fileText({ ...entry, state: 'active' }, zone), seen, { zone, now });
      expect(read(before.entry)).toEqual({ changes: { values: { message: before.entry.message } } });
      const file = read(after.entry);
      if ('problems' in file) throw new Error(file.problems[0]?.message);
      expect(edited(before, file.changes)).toMatchObject({ entry: after.entry });
    }),
  );
});

test('500 hostile files of an editor: never a fault, and each problem has a sentence', () => {
  const seen = {
    ...{ id: 'a', message: 'x', link: '', state: 'active' as const },
    ...{ published: '2026-01-01T00:00:00Z', expires: '2027-01-01T00:00:00Z' },
  };
  const named = fc.dictionary(fc.oneof(fc.constantFrom('at', 'expires', 'markdown', '__proto__'), text), any);
  const files = fc.oneof(
    fc.tuple(values, named).map((some) => JSON.stringify(Object.assign({}, ...some), null, 1)),
    fc.array(text, { maxLength: 20 }).map((some) => some.join('\n')),
  );
  fc.assert(
    fc.property(files, (file) => {
      const read = readEditedFile(file, seen, { zone, now });
      if ('problems' in read) for (const { message } of read.problems) expect(message).not.toBe('');
      else expect(checkPlainValues(read.changes.values, seen).problems).toEqual([]);
    }),
    five,
  );
});
