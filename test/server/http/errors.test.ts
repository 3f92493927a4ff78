import { describe, expect, test } from 'vitest';
import { createErrorForms, errorPage, errorReply, prefersHtml } from '../../../src/server/http/errors.ts';
import * as refusals from '../../../src/server/http/refusals.ts';
import { jsonReply } from '../../../src/server/http/reply.ts';

const forms = createErrorForms('/');
const facts = { status: 404, code: 'NOT_FOUND', message: 'Not found.', headers: ['X-More', '1'] };

describe('an error for programs', () => {
  test('is the documented JSON, and is not kept by caches', () => {
    expect(errorReply(facts)).toEqual({
      status: 404,
      headers: ['Content-Type', 'application/json', 'Cache-Control', 'no-store', 'X-More', '1'],
      body: '{"error":"Not found.","code":"NOT_FOUND"}',
    });
  });

  test('may say itself how long it is kept', () => {
    const headers = ['Cache-Control', 'max-age=60'];
    expect(errorReply({ ...facts, headers }).headers).toEqual([
      'Content-Type',
      'application/json',
      ...headers,
    ]);
    expect(errorPage({ ...facts, headers }, '/').headers).not.toContain('no-store');
  });
});

describe('an error for people', () => {
  const page = errorPage(facts, '/');

  test('is a page with its status, its sentence, its code and a way on', () => {
    expect(page.body).toMatch(/^<!doctype html><html lang="en"><meta charset="utf-8">/);
    expect(page.body).toContain('<title>404 Not Found</title>');
    expect(page.body).toContain('<h1>404 Not Found</h1><p>Not found.</p>');
    expect(page.body).toContain('<code>NOT_FOUND</code>');
    expect(page.body).toContain('<a href="/">Start page</a>');
    expect(page.body).toContain('name="viewport" content="width=device-width, initial-scale=1"');
    expect(page.body).toContain('name="color-scheme" content="light dark"><title>');
    expect(page.vary).toBe('Accept');
    expect(errorPage({ ...facts, status: 599 }, '/').body).toContain('<h1>599 Error</h1>');
  });

  test('may use nothing but its own style, and is not kept by caches', () => {
    const [typeName, type, policyName, policy, ...rest] = page.headers;
    expect([typeName, policyName]).toEqual(['Content-Type', 'Content-Security-Policy']);
    expect(type).toBe('text/html; charset=utf-8');
    expect(policy).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]{44}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
    );
    expect(rest).toEqual(['Cache-Control', 'no-store', 'X-More', '1']);
    expect(page.body).toMatch(/<style>main\{[^<]+\}<\/style>/);
  });
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

describe('a refusal', () => {
  const { notFound } = refusals;

  test('is prepared once in both forms, a page only on the paths of pages, for clients that prefer one', () => {
    const json = forms.ofRefusal(notFound, false, 'text/html');
    const page = forms.ofRefusal(notFound, true, 'text/html');
    expect([json, page]).toEqual([
      { ...errorReply(notFound), isPrepared: true },
      { ...errorPage(notFound, '/'), isPrepared: true },
    ]);
    expect(forms.ofRefusal(notFound, true, 'text/html')).toBe(page);
    expect(forms.ofRefusal(notFound, true, 'application/json')).toBe(json);
  });

  test('that a handler has chosen has the same forms', () => {
    expect(forms.ofError(facts, true, 'text/html')).toEqual(errorPage(facts, '/'));
    expect(forms.ofError(facts, true, undefined)).toEqual(errorReply(facts));
    expect(forms.ofError(facts, false, 'text/html')).toEqual(errorReply(facts));
  });

  test('has a documented form and a sentence, whichever it is', () => {
    const all = Object.values(refusals).filter((each) => typeof each === 'object' && 'code' in each);
    expect(all.length).toBeGreaterThan(9);
    for (const refusal of all) {
      const json = forms.ofRefusal(refusal, false, undefined);
      const body = JSON.parse(String(json.body));
      expect([json.status, body.code]).toEqual([refusal.status, refusal.code]);
      expect(json.headers).toEqual(['Content-Type', 'application/json', 'Cache-Control', 'no-store']);
      expect(body.error).toMatch(/^[A-Z].{5,}\.$/);
    }
  });

  test('of a method names those that are allowed, and is prepared once for each list of them', () => {
    const refused = refusals.methodNotAllowed('GET, HEAD');
    expect(forms.ofRefusal(refused, false, undefined)).toMatchObject({
      status: 405,
      headers: expect.arrayContaining(['Allow', 'GET, HEAD']),
      body: '{"error":"This address only accepts GET, HEAD.","code":"METHOD_NOT_ALLOWED"}',
    });
    expect(refusals.methodNotAllowed('GET, HEAD')).toBe(refused);
    expect(refusals.methodNotAllowed('POST').headers).toContain('POST');
  });
});

test('the answer about the server as a whole names every method', () => {
  expect(refusals.serverOptions).toEqual({
    status: 204,
    headers: ['Allow', 'GET, HEAD, POST, PATCH, DELETE, OPTIONS', 'Cache-Control', 'no-store'],
  });
});

test('a JSON answer is not kept by caches, and may have more headers', () => {
  const headers = ['Content-Type', 'application/json', 'Cache-Control', 'no-store'];
  expect(jsonReply(201, { a: 1 })).toEqual({ status: 201, headers, body: '{"a":1}' });
  expect(jsonReply(200, [], ['ETag', '"1"']).headers).toEqual([...headers, 'ETag', '"1"']);
});
