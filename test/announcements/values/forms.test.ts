import { describe, expect, test } from 'vitest';
import { audienceForm } from '../../../src/announcements/values/audience-form.ts';
import {
  type FieldForm,
  type FormLines,
  newInput,
  newTextForm,
} from '../../../src/announcements/values/form-input.ts';
import { translationsForm } from '../../../src/announcements/values/words-form.ts';

const line = { name: 'note', label: 'Note', hint: 'anything' };

const problemIn = <T>(form: FieldForm<T>, name: string, text: string, lines: FormLines = {}) =>
  form
    .inputs(lines)
    .find((input) => input.name === name)
    ?.problemIn(text);

describe('a line of text', () => {
  const form = newTextForm(line, 'usual');

  test('has its preset when the field is left out, and is left out when it is blank', () => {
    expect(form.write(undefined)).toEqual({ note: 'usual' });
    expect(form.write('x')).toEqual({ note: 'x' });
    expect(newTextForm(line).write(undefined)).toEqual({ note: '' });
    expect(['  x y ', ' ', ''].map((note) => form.read({ note }))).toEqual(['x y', null, null]);
    expect(form.read({})).toBeNull();
  });

  test('with choices takes one of them, or nothing', () => {
    const input = newInput({ ...line, choices: ['red', 'green'] });
    expect(input.choices).toEqual(['red', 'green']);
    expect(['red', ' green ', '', ' '].map(input.problemIn)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(input.problemIn('blue')).toBe('"blue" is not one of red, green');
    expect(input.problemIn('x'.repeat(50))).toBe(`"${'x'.repeat(40)}" is not one of red, green`);
  });
});

describe('the form of an audience', () => {
  const sites = ['https://example.org', 'https://*.example.org'];
  const paths = ['/docs/*', '/pricing'];

  test.each([{ sites, paths }, { sites }, { paths }])('reads what it writes: %j', (audience) => {
    expect(audienceForm.read(audienceForm.write(audience))).toEqual(audience);
  });

  test('says what is wrong with a line, without the name of the list', () => {
    expect(problemIn(audienceForm, 'site', 'https://example.org, https://*.example.org')).toBeUndefined();
    expect(problemIn(audienceForm, 'path', '/docs/*')).toBeUndefined();
    expect(problemIn(audienceForm, 'site', 'example.org')).toMatch(/^"example.org" is not an origin/);
    expect(problemIn(audienceForm, 'path', '/a docs')).toMatch(/^"docs" /);
    expect(problemIn(audienceForm, 'path', '/x '.repeat(21))).toBe(
      'there are 21 paths; at most 20 are allowed',
    );
  });
});

describe('the form of translations', () => {
  const translations = {
    de: { message: 'Hallo', link: 'https://example.org/de', linkLabel: 'Lesen' },
    'pt-BR': { message: 'Olá' },
  };

  test('reads what it writes', () => {
    expect(translationsForm.write(translations)).toEqual({
      languages: 'de pt-BR',
      'message.de': 'Hallo',
      'link.de': 'https://example.org/de',
      'linkLabel.de': 'Lesen',
      'message.pt-BR': 'Olá',
      'link.pt-BR': '',
      'linkLabel.pt-BR': '',
    });
    expect(translationsForm.read(translationsForm.write(translations))).toEqual(translations);
    expect(translationsForm.read(translationsForm.write(undefined))).toBeNull();
    expect(translationsForm.read({})).toBeNull();
  });

  test('says what is wrong with each of its lines', () => {
    const languages = 'de';
    const problem = (name: string, text: string) => problemIn(translationsForm, name, text, { languages });
    expect(problem('languages', 'de, pt-BR')).toBeUndefined();
    expect(problem('languages', 'de german')).toContain('"german" is not a language');
    const codes = Array.from({ length: 21 }, (_, at) => `a${String.fromCharCode(97 + at)}`);
    expect(problem('languages', codes.slice(1).join(' '))).toBeUndefined();
    expect(problem('languages', codes.join(' '))).toBe('21 languages are too many; at most 20 are allowed');
    expect(problem('message.de', 'Hallo')).toBeUndefined();
    expect(problem('message.de', '')).toContain('the message is empty');
    expect(problem('link.de', '')).toBeUndefined();
    expect(problem('link.de', 'example.org')).toContain('the link is not a complete URL');
    expect(problem('linkLabel.de', 'Lesen')).toBeUndefined();
    expect(problem('linkLabel.de', 'x'.repeat(41))).toContain('the link label has 41 characters');
  });
});
