import { appendFile, cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageFile } from '../../../src/kit/package-files.ts';

const fixtures = packageFile('test', 'fixtures', 'v1');

/** An id of 32 hex digits that belongs to a number. */
const toId = (at: number) => at.toString(16).padStart(32, '0');

/** Folders as version 1 left them, with as many more rounds, announcements and sessions, in its own formats. */
export async function makeFolders(
  root: string,
  { rounds, announcements, sessions }: { rounds: number; announcements: number; sessions: number },
): Promise<{ data: string; content: string }> {
  const data = join(root, 'data');
  const content = join(root, 'content');
  await cp(fixtures, data, { recursive: true });
  await mkdir(content);
  await appendFile(join(data, 'rounds.jsonl'), await moreRounds(rounds));
  await appendFile(join(data, 'sessions', 'left', 'log-000001.jsonl'), await moreSessions(sessions));
  await writeFile(join(content, 'history.json'), toHistory(announcements));
  await writeFile(join(content, 'origins.json'), '{\n  "origins": ["https://example.org"]\n}\n');
  return { data, content };
}

async function moreRounds(count: number): Promise<string> {
  const text = await readFile(join(fixtures, 'rounds.jsonl'), 'utf8');
  const [line = ''] = text.split('\n').filter((each) => each !== '');
  const [, id = ''] = /"id":"([0-9a-f]{32})"/.exec(line) ?? [];
  return Array.from({ length: count }, (_, at) => `${line.replace(id, toId(at + 1))}\n`).join('');
}

async function moreSessions(count: number): Promise<string> {
  const text = await readFile(join(fixtures, 'sessions', 'left', 'log-000001.jsonl'), 'utf8');
  const lines = text.split('\n').filter((line) => line.includes('002ff4845be4a94fbc05f407edd90fc3'));
  // A round that is kept for several sessions would be one round.
  const first = lines.slice(0, 2);
  return Array.from({ length: count }, (_, at) =>
    first.map((line) => `${line.replaceAll('002ff4845be4a94fbc05f407edd90fc3', toId(at + 1))}\n`).join(''),
  ).join('');
}

function toHistory(count: number): string {
  const announcements = Array.from({ length: count }, (_, at) => ({
    id: `note-${at}`,
    message: `Announcement ${at}`,
    link: 'https://example.org/',
    published: '2026-01-05T09:00:00Z',
    expires: '2999-01-01T00:00:00Z',
  }));
  return `${JSON.stringify({ announcements }, null, 1)}\n`;
}
