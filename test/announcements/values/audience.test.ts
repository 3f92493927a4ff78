import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { audienceKey, describeAudience, parseAudience } from '../../../src/announcements/values/audience.ts';

function accepted(given: unknown) {
  const result = parseAudience(given);
  if ('problem' in result) throw new Error(result.problem);
  return result.value;
}

function refused(given: unknown): string {
  const result = parseAudience(given);
  if ('problem' in result) return result.problem;
  throw new Error(`accepted ${JSON.stringify(result.value)}`);
}

test('sites are spelt as on the allow-list, paths as in URLs, each once', () => {
  expect(
    accepted({
      sites: [' HTTPS://Example.org:443', 'https://example.org', 'https://*.Example.org'],
      paths: ['/docs/***', '/docs/*', '/über uns', '/a/../b', '/'],
    }),
  ).toEqual({
    sites: ['https://example.org', 'https://*.example.org'],
    paths: ['/docs/*', '/%C3%BCber%20uns', '/b', '/'],
  });
});

test('an audience without sites and paths means everyone, and is not stored', () => {
  for (const everyone of [{}, { sites: [] }, { sites: [], paths: [] }])
    expect(accepted(everyone)).toBeUndefined();
});

describe('an invalid audience is refused with a sentence that says why', () => {
  test.each([
    [[], 'not an object'],
    [{ groups: ['x'] }, 'has no part "groups"; it has sites, paths'],
    [JSON.parse('{"__proto__":{"sites":[]}}'), 'audience has no part "__proto__"'],
    [{ constructor: 1 }, 'has no part "constructor"'],
    [{ sites: 'https://example.org' }, 'the sites are not a list'],
    [{ sites: [1] }, 'not a text'],
    [{ sites: ['example.org'] }, 'is not an origin'],
    [{ sites: [`https://${'a'.repeat(300)}.org`] }, 'at most 300'],
    [{ paths: ['docs'] }, 'from the first /'],
    [{ paths: ['/docs?x=1'] }, 'which a path cannot contain'],
    [{ paths: ['/a\\b'] }, 'which a path cannot contain'],
    [{ paths: ['/a\u0000b'] }, 'which a path cannot contain'],
    [{ paths: ['/\ud800'] }, 'which a path cannot contain'],
    [{ paths: [`/${'a'.repeat(256)}`] }, 'at most 256'],
    [{ paths: [`/${'ü'.repeat(100)}`] }, 'percent-encoded'],
    [{ paths: Array.from({ length: 21 }, (_, at) => `/${at}`) }, 'at most 20'],
    [{ sites: Array.from({ length: 1e5 }, () => 'https://example.org') }, 'at most 20'],
    [{ paths: Array.from({ length: 20 }, (_, at) => `/${at}${'a'.repeat(240)}`) }, 'more than 4096 bytes'],
  ])('%#: $1', (given, reason) => {
    expect(refused(given)).toContain(reason);
  });
});

test('an accepted audience is accepted again unchanged, has no direction marks, and respects the limits', () => {
  const path = fc.string({ unit: 'binary', maxLength: 300 }).map((text) => `/${text}`);
  const site = fc.oneof(
    fc.constantFrom('https://*.example.org', 'https://[::1]:8080'),
    fc.webUrl(),
    fc.string(),
  );
  fc.assert(
    fc.property(fc.record({ sites: fc.array(site), paths: fc.array(path) }), (given) => {
      const result = parseAudience(given);
      if ('problem' in result || result.value === undefined) return;
      expect(accepted(result.value)).toEqual(result.value);
      expect(JSON.stringify(result.value)).toMatch(/^[ -~]*$/);
      expect(JSON.stringify(result.value).length).toBeLessThanOrEqual(4096);
    }),
    { numRuns: 200 },
  );
});

test('two audiences of the same sites and paths are the same in any order', () => {
  expect(audienceKey({ sites: ['a', 'b'], paths: ['/x', '/y'] })).toBe(
    audienceKey({ paths: ['/y', '/x'], sites: ['b', 'a'] }),
  );
  expect(audienceKey({ sites: ['a'] })).not.toBe(audienceKey({ paths: ['a'] }));
  expect(audienceKey({})).toBe(audienceKey(undefined));
});

test('an audience is described by all of its sites and paths, or by a word where it has all that there are', () => {
  const [sites, paths] = [
    ['https://a.example', 'https://*.b.example'],
    ['/a/*', '/b'],
  ];
  for (const audience of [{ sites }, { paths }, { sites, paths }]) {
    const said = describeAudience(audience);
    for (const list of Object.values(audience)) expect(said).toContain(list.join(', '));
    expect(said.includes('every site')).toBe(!('sites' in audience));
    expect(said.startsWith('pages of ')).toBe(!('paths' in audience));
  }
});
