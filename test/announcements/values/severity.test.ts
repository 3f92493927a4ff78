import { expect, test } from 'vitest';
import { importanceOf, severities, severityLabel } from '../../../src/announcements/values/severity.ts';

const languages = 'ar cs da de en es fr he it ja nl pl pt sv uk zh zh-Hant'.split(' ');

test('each severity but the ordinary one has words of its own in each language, also for its regions', () => {
  for (const language of languages) {
    const words = severities.slice(1).map((severity) => severityLabel(severity, language));
    expect(new Set(words).size, language).toBe(3);
    for (const word of words) expect(word).toMatch(/^\p{L}[\p{L} ]+$/u);
    expect(severities.slice(1).map((severity) => severityLabel(severity, `${language}-001`))).toEqual(words);
    expect([undefined, 'info' as const].map((severity) => severityLabel(severity, language))).toEqual([
      ...[undefined, undefined],
    ]);
  }
  const simplified = severityLabel('critical', 'zh-Hans-CN');
  expect(severityLabel('critical', 'zh-Hant-TW')).not.toBe(simplified);
});

test('without a language the words are English; in a language that has none there are none', () => {
  for (const severity of severities) {
    expect(severityLabel(severity)).toBe(severityLabel(severity, 'en'));
    for (const language of ['tlh', 'tlh-AQ', 'constructor', '__proto__', ''])
      expect(severityLabel(severity, language)).toBeUndefined();
  }
});

test('a warning comes before good news, and what is critical before a warning', () => {
  const [ordinary, good, warning, critical] = severities.map(importanceOf);
  expect([ordinary, good]).toEqual([importanceOf(undefined), ordinary]);
  expect(warning).toBeGreaterThan(good ?? 0);
  expect(critical).toBeGreaterThan(warning ?? 0);
});
