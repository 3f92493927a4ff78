import { expect, test } from 'vitest';
import { errorPage, errorReply, HttpError, prefersHtml } from '../../../src/server/http/errors.ts';
import * as refusals from '../../../src/server/http/refusals.ts';

test('the page of an error may use nothing but its own style, and is not kept by caches', () => {
  const page = errorPage(new HttpError('NOT_FOUND', 'Not found.', ['X-More', '1']), '/');
  const [typeName, type, policyName, policy, ...rest] = page.headers;
  expect([typeName, policyName]).toEqual(['Content-Type', 'Content-Security-Policy']);
  expect(type).toBe('text/html; charset=utf-8');
  expect(policy).toMatch(
    /^default-src 'none'; style-src 'sha256-[\w+/=]{44}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
  );
  expect(rest).toEqual(['Cache-Control', 'no-store', 'X-More', '1']);
  expect(page.body).toMatch(
    /^<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=[^>]+"><title>404 Not Found<\/title>/,
  );
  expect(page.body).toMatch(/<style>main\{[^<]+\}:root\{color-scheme:light dark;[^<]+\}a\{[^<]+\}<\/style>/);
});

test.each([
  [undefined, false],
  ['', false],
  ['*/*', false],
  ['application/json', false],
  ['text/html', true],
  ['text/html, application/json', true],
  ['text/html;q=0.9, application/json', false],
  ['text/html;q=0.5, application/json;q=0.5', true],
  ['text/html;q=0', false],
])('with Accept %s, a page is preferred: %s', (accept, expected) => {
  expect(prefersHtml(accept)).toBe(expected);
});

test('a refusal has a documented form and a sentence, whichever it is', () => {
  const all = Object.values(refusals).filter((each) => each instanceof HttpError);
  expect(all.length).toBeGreaterThan(9);
  for (const refusal of all) {
    const json = errorReply(refusal);
    const body = JSON.parse(String(json.body));
    expect([json.status, body.code]).toEqual([refusal.status, refusal.code]);
    const always = ['Content-Type', 'application/json', 'Cache-Control', 'no-store'];
    expect(json.headers).toEqual([...always, ...refusal.headers]);
    expect(body.error).toMatch(/^[A-Z].{5,}\.$/);
  }
});
