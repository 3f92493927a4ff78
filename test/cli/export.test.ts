import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { send } from '../support/http-client.ts';
import { lasting, startTestServer, type TestServer } from '../support/test-server.ts';
import { runHere } from '../support/typebadge-here.ts';

let dir: string;
let server: TestServer;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'typebadge-export-'));
  const old = {
    ...lasting,
    id: 'old',
    message: '“Old” & <gone>',
    published: '2025-01-01T00:00:00Z',
    expires: '2025-02-01T00:00:00Z',
  };
  server = await startTestServer({
    brand: 'acme',
    files: { 'history.json': { announcements: [old, lasting] } },
  });
});
afterEach(async () => {
  await server.close();
  await rm(dir, { recursive: true, force: true });
});

function exportTo(folder: string, ...more: string[]) {
  const args = ['announce', 'export', folder, '--content', server.contentDir, '--brand', 'acme', ...more];
  return runHere(args, { cwd: dir, env: { TYPEBADGE_DATA: join(dir, 'data') } });
}

const types: Readonly<Record<string, string>> = {
  js: 'application/javascript',
  css: 'text/css',
  svg: 'image/svg+xml',
  json: 'application/json',
  html: 'text/html; charset=utf-8',
  atom: 'application/atom+xml',
};

/** What a static host as plain as can be answers: a file by its path, or by its path and `.html`; a compressed neighbour where the client takes it; headers from `_headers`. */
async function staticAnswer(root: string, path: string, accepted: string) {
  const file = existsSync(join(root, path)) ? join(root, path) : join(root, `${path}.html`);
  const coding = (['br', 'gzip'] as const).find(
    (each) => accepted.includes(each) && existsSync(file + endings[each]),
  );
  const rules = toRules(await readFile(join(root, '_headers'), 'utf8')).get(path) ?? [];
  const headers: Record<string, string | undefined> = {
    'content-type': types[file.split('.').at(-1) ?? ''],
    ...(coding && { 'content-encoding': coding }),
    ...Object.fromEntries(rules.map(([name, value]) => [name.toLowerCase(), value])),
  };
  return { body: await readFile(coding === undefined ? file : file + endings[coding]), headers };
}

const endings = { br: '.br', gzip: '.gz' };

function toRules(text: string): Map<string, [string, string][]> {
  const rules = new Map<string, [string, string][]>();
  let current: [string, string][] = [];
  for (const line of text.split('\n')) {
    const [, name, value] = /^ {2}([\w-]+): (.*)$/.exec(line) ?? [];
    if (name !== undefined && value !== undefined) current.push([name, value]);
    else if (line !== '') {
      current = [];
      rules.set(line, current);
    }
  }
  return rules;
}

test('a static host with the exported folder answers every GET as the server does, byte for byte, in every coding', async () => {
  const exported = await exportTo('public', '--public-url', server.url, '--json');
  expect(exported.code).toBe(0);
  const paths = [
    '/js/acme-inject.min.js',
    '/css/acme-inject.min.css',
    '/images/acme-logo.svg',
    '/content/announcement.json',
    '/content/active.json',
    '/content/banner.html',
    '/content/history.json',
    '/content/shields.json',
    '/images/acme-announcement.svg',
    '/feed.atom',
    '/feed.json',
    '/demo',
    '/history',
    '/health',
  ];
  const set = [
    'content-type',
    'cache-control',
    'content-encoding',
    'content-security-policy',
    'cross-origin-resource-policy',
    'x-content-type-options',
    'referrer-policy',
  ];
  for (const path of paths) {
    for (const coding of ['identity', 'gzip', 'br', 'gzip, br']) {
      const ours = await askPatiently(server.port, { path, headers: { 'Accept-Encoding': coding } });
      const theirs = await staticAnswer(join(dir, 'public'), path, coding);
      expect(theirs.body.equals(ours.body), `${path} as ${coding}`).toBe(true);
      const pick = (headers: Readonly<Record<string, unknown>>) =>
        Object.fromEntries(set.map((name) => [name, headers[name]]));
      expect([path, coding, pick(theirs.headers)]).toEqual([path, coding, pick(ours.headers)]);
    }
  }

  // Everything public is there: each file is named in the report, and nothing else is in the folder.
  const { files } = JSON.parse(exported.stdout) as { files: { name: string }[] };
  const found = (await readdir(join(dir, 'public'), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(dir, 'public').length + 1));
  expect(found.sort()).toEqual([...files.map(({ name }) => name), '.typebadge-export.json'].sort());
});

/** The server limits, as documented, how much one client may ask at once; a static host does not. */
async function askPatiently(port: number, question: Parameters<typeof send>[1]) {
  for (;;) {
    const answer = await send(port, question);
    if (answer.status !== 429) return answer;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

test('an export goes into an empty folder or over an earlier export, and removes files that no longer exist', async () => {
  await mkdir(join(dir, 'public'));
  expect((await exportTo('public')).code).toBe(0);
  expect(await readdir(join(dir, 'public', 'content'))).toContain('announcement.json');
  await writeFile(join(dir, 'public', 'own.txt'), 'mine');
  await server.writeContent('history.json', { announcements: [] });
  expect((await exportTo('public')).code).toBe(0);
  expect(await readdir(join(dir, 'public', 'content'))).not.toContain('announcement.json');
  expect(await readFile(join(dir, 'public', 'own.txt'), 'utf8')).toBe('mine');
});

test('the files are readable by the one origin on the list, everybody, or nobody', async () => {
  const allowed = async (...more: string[]) => {
    const { stderr } = await exportTo('public', ...more);
    const headers = await readFile(join(dir, 'public', '_headers'), 'utf8');
    const origins = new Set(headers.match(/Access-Control-Allow-Origin: .*/g) ?? []);
    return [[...origins].join(), stderr.includes('--any-origin')];
  };
  expect(await allowed()).toEqual(['', true]);
  expect(await allowed('--any-origin')).toEqual(['Access-Control-Allow-Origin: *', false]);
  await server.writeContent('origins.json', { origins: ['https://example.org'] });
  expect(await allowed()).toEqual(['Access-Control-Allow-Origin: https://example.org', false]);
  await server.writeContent('origins.json', { origins: ['https://*.example.org'] });
  expect(await allowed()).toEqual(['', true]);
});
