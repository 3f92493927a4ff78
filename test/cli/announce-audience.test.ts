import { expect, test } from 'vitest';
import { unlistedSites } from '../../src/announcements/listed-sites.ts';
import { editCommand, publishCommand, undoCommand } from '../../src/cli/commands/announce/changes.ts';
import { listAnnouncements, previewAnnouncement } from '../../src/cli/commands/announce/readings.ts';
import type { CommandIo } from '../../src/cli/program/command-io.ts';
import type { Report } from '../../src/cli/program/report.ts';
import { newCommandLine } from './command-line.ts';
import { onScreen } from './command-screen.ts';

const now = Date.parse('2026-06-15T12:00:00Z');
const docs = {
  id: 'docs',
  message: 'The docs are down',
  link: 'https://example.org/status',
  published: '2026-06-01T08:00:00Z',
  expires: '2026-07-01T08:00:00Z',
  severity: 'critical',
  dismissible: false,
  linkLabel: 'Status',
  translations: { de: { message: 'Die Doku ist gestört', linkLabel: 'Zum Stand' } },
  audience: { sites: ['https://shop.example.org'], paths: ['/docs/*'] },
};
const { published, expires } = docs;
const everyone = { id: 'news', message: 'News for all', link: '', published, expires };

const line = newCommandLine({
  'history.json': { announcements: [docs, { ...everyone, alongside: true }] },
  'origins.json': { origins: ['https://*.example.org'] },
});

const run = (columns: number, command: (io: CommandIo) => Promise<Report>) =>
  onScreen({ columns, env: { NO_COLOR: '1' }, now }, command);
const common = () => ({ content: line.dir, zone: 'UTC', by: 'ada' });

test('the drawing has what the badge has: the word of the severity, the words of the link, and only the buttons that are there', async () => {
  const { out } = await run(60, (io) => previewAnnouncement(['docs'], { content: line.dir }, io));
  expect(out).toBe(`\
╭────────────────────────────────────╮
│ ◆  Critical · The docs are down  − │
│    Status                          │
╰────────────────────────────────────╯

A click opens https://example.org/status
`);
  const german = await run(60, (io) =>
    previewAnnouncement(
      [],
      { content: line.dir, site: 'https://shop.example.org', path: '/docs/a', lang: 'de' },
      io,
    ),
  );
  expect(german.out).toContain(`\
│ ◆  Kritisch · Die Doku ist gestört  − │
│    Zum Stand                          │`);
});

test('list marks what is for some readers only', async () => {
  const { out: narrow } = await run(80, (io) => listAnnouncements([], common(), io));
  expect(narrow).toContain('◇ Critical · The docs are down');
  expect(narrow).toContain('◇ is for some readers only.');
  expect(narrow).not.toContain('◇ News');
});

test('a site that is not on the allow-list is named, with the command that adds it', async () => {
  const publish = (...site: string[]) =>
    run(400, (io) => publishCommand(['x'], { ...common(), ...{ site }, dryRun: true }, io));
  expect((await publish('https://shop.example.org')).err).toBe('');
  expect((await publish('http://localhost:3000')).err).toBe('');
  const { err, code } = await publish('https://other.example', 'https://shop.example.org');
  expect(code).toBe(0);
  expect(err).toContain('sites that are not on the allow-list');
  expect(err).toContain(`typebadge origins add https://other.example --content ${line.dir}`);
  const { err: several } = await publish('https://other.example', 'https://*.third.example');
  expect(several).toContain(
    "typebadge origins add https://other.example 'https://*.third.example' --content",
  );
  const edited = await run(200, (io) =>
    editCommand(['docs'], { ...common(), site: ['https://other.example'] } as object, io),
  );
  expect(edited.err).toContain('origins add https://other.example');
});

test.each([
  [['https://example.org'], ['https://*.example.org'], ['https://example.org']],
  [['https://*.example.org'], ['https://*.example.org'], []],
  [['https://*.docs.example.org'], ['https://*.example.org'], []],
  [['https://*.example.org'], ['https://www.example.org'], []],
  [['https://*.example.org'], ['https://*.docs.example.org'], []],
  [['https://*.example.org'], ['https://example.org'], ['https://*.example.org']],
  [['https://*.example.org:8443'], ['https://*.example.org'], ['https://*.example.org:8443']],
  [['http://a.example'], ['https://a.example'], ['http://a.example']],
])('of the sites %j, with %j on the list, %j see nothing', (sites, list, unlisted) => {
  expect(unlistedSites(sites, list)).toEqual(unlisted);
});

test('undo shows the restored announcement, and how to undo that', async () => {
  await run(80, (io) => editCommand(['docs'], { ...common(), message: 'All is well', severity: 'info' }, io));
  const { out } = await run(120, (io) => undoCommand([], common(), io));
  expect(out).toContain('│ ◆  Critical · The docs are down  − │');
  expect(out).toContain(`To undo it: typebadge announce undo 2 --content ${line.dir}`);
});
