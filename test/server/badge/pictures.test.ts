import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { send } from '../../support/http-client.ts';
import { lasting, startTestServer, type TestServerOptions } from '../../support/test-server.ts';

const picture = '/images/typebadge-announcement.svg';
const shield = '/content/shields.json';
const strict = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox";
const svg = (inside = '') => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1">${inside}</svg>`;
const onePixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'typebadge-logo-'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

async function ask(path: string, options: TestServerOptions = {}) {
  const server = await startTestServer(options);
  try {
    const { status, headers, body } = await send(server.port, { path });
    return { status, headers, text: body.toString() };
  } finally {
    await server.close();
  }
}

async function logoFile(content: string | Buffer): Promise<string> {
  const path = join(dir, `logo-${Math.random()}`);
  await writeFile(path, content);
  return path;
}

const announcing = (changes: object) => ({
  files: { 'history.json': { announcements: [{ ...lasting, ...changes }] } },
});
const nothing = { files: { 'history.json': { announcements: [] } } };

test('a custom logo replaces that of the brand on badge and picture, and cannot run anything', async () => {
  const hostile = svg('<script>alert(1)</script><rect onload="alert(1)" width="1" height="1"/>');
  const logo = await logoFile(hostile);
  const { status, headers, text } = await ask('/images/typebadge-logo.svg', { logo });
  expect(status).toBe(200);
  expect(text).toBe(hostile);
  expect(headers['content-type']).toBe('image/svg+xml');
  expect(headers['content-security-policy']).toBe(strict);
  expect(headers['x-content-type-options']).toBe('nosniff');
  const drawn = await ask(picture, { logo });
  expect(drawn.text).toContain(Buffer.from(hostile).toString('base64'));
  expect(drawn.text).not.toContain('<script');
});

test('a PNG is a logo too, inside an SVG of its size', async () => {
  const { text, headers } = await ask('/images/typebadge-logo.svg', { logo: await logoFile(onePixel) });
  expect(headers['content-type']).toBe('image/svg+xml');
  expect(text).toContain('viewBox="0 0 1 1"');
  expect(text).toContain(onePixel.toString('base64'));
});

test.each([
  ['a missing file', undefined, /cannot be used: there is no such file$/],
  ['more than 32 KiB', svg('x'.repeat(32 * 1024)), /larger than 32768 bytes/],
  ['a page', '<!doctype html><html><svg></svg>', /neither an SVG nor a PNG/],
  ['a JPEG', Buffer.from('ffd8ffe000104a464946', 'hex'), /neither an SVG nor a PNG/],
  ['an SVG that browsers do not show', '<svg viewBox="0 0 1 1"></svg>', /xmlns/],
  ['half a PNG', onePixel.subarray(0, 20), /neither an SVG nor a PNG/],
  ['comments without end', `${'<!--'.repeat(8000)}<svg`, /neither an SVG nor a PNG/],
])('%s is refused at the start, with its reason', async (_what, content, reason) => {
  const logo = content === undefined ? join(dir, 'nowhere.svg') : await logoFile(content);
  await expect(startTestServer({ logo })).rejects.toThrow(reason);
});

test('the logo of another brand is its first letter', async () => {
  const { text } = await ask('/images/acme-logo.svg', { brand: 'acme' });
  expect(text).toMatch(/<title>acme<\/title>.*>A<\/text>/);
  expect((await ask('/images/typebadge-logo.svg')).text).not.toContain('<text');
});

test('the picture is the current announcement in either theme, kept for five minutes', async () => {
  const options = announcing({ severity: 'critical', message: 'Rotate <your> keys & tokens' });
  const light = await ask(picture, options);
  expect(light.status).toBe(200);
  expect(light.headers['content-type']).toBe('image/svg+xml');
  expect(light.headers['cache-control']).toBe('public, max-age=300');
  expect(light.headers['content-security-policy']).toBe(strict);
  expect(light.text).toContain('Critical: Rotate &#60;your&#62; keys &#38; tokens');
  const dark = await ask(`${picture}?theme=dark`, options);
  expect(dark.text).not.toBe(light.text);
  expect((await ask(`${picture}?theme=other`, options)).text).toBe(light.text);
});

test('with nothing to announce, the picture is the logo, and the shield says so', async () => {
  const empty = await ask(picture, nothing);
  expect(empty.status).toBe(200);
  expect(empty.text).toContain('width="48"');
  const { text, headers } = await ask(shield, nothing);
  expect(headers['cache-control']).toBe('public, max-age=300');
  expect(JSON.parse(text)).toEqual({
    schemaVersion: 1,
    label: 'typebadge',
    message: 'no announcement',
    color: 'lightgrey',
    cacheSeconds: 300,
  });
});

test('long words and messages stay inside the picture', async () => {
  for (const message of [
    'W'.repeat(280),
    'Donaudampfschifffahrt '.repeat(12),
    '漢'.repeat(280),
    'صدر الإصدار '.repeat(20),
  ]) {
    const { text } = await ask(picture, announcing({ message: message.trim().slice(0, 280) }));
    const height = Number(/height="(\d+)" viewBox/.exec(text)?.[1]);
    const rows = [...text.matchAll(/<text [^>]*y="(\d+)"/g)].map(([, y]) => Number(y));
    expect(Math.max(...rows)).toBeLessThan(height - 8);
    expect(rows.length).toBeGreaterThan(1);
  }
});
