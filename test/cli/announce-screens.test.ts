import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { expireCommand } from '../../src/cli/commands/announce/changes.ts';
import {
  listAnnouncements,
  previewAnnouncement,
  readLog,
  showAnnouncement,
} from '../../src/cli/commands/announce/readings.ts';
import { formatRelative } from '../../src/cli/display/announcement-text.ts';
import { newCommandLine } from './command-line.ts';
import { onScreen, type Screen } from './command-screen.ts';

const now = Date.parse('2026-06-15T12:00:00Z');

const moved = {
  id: '2026-002',
  message: 'We have moved to a new house, and everybody is invited to come and see it',
  link: 'https://example.org/moved',
  published: '2026-06-01T08:00:00Z',
  expires: '2026-07-01T08:00:00Z',
};
const announcements = [
  {
    id: '2026-001',
    message: 'Happy new year',
    link: '',
    published: '2026-01-01T00:00:00Z',
    expires: '2026-01-08T00:00:00Z',
  },
  moved,
  {
    id: '2026-003',
    message: 'Summer break: 夏休み 🏖️',
    link: '',
    published: '2026-08-01T00:00:00Z',
    expires: '2026-08-15T00:00:00Z',
  },
  { ...moved, id: 'mistake', withdrawn: '2026-06-02T08:00:00Z' },
];
const changes = [
  {
    at: '2026-06-01T08:00:00Z',
    by: 'ada',
    action: 'publish',
    id: '2026-002',
    before: null,
    after: { ...moved, message: 'We moved' },
  },
  {
    at: '2026-06-01T08:05:00Z',
    by: 'Benedikt von Lang',
    action: 'edit',
    id: '2026-002',
    before: { ...moved, message: 'We moved' },
    after: moved,
  },
];

const log = changes.map((change) => `${JSON.stringify(change)}\n`).join('');
const line = newCommandLine({ 'history.json': { announcements }, 'changes.jsonl': log }, { forAll: true });

const plain = { NO_COLOR: '1' };
const zone = 'UTC';
const list = (columns: number | undefined, env: NodeJS.ProcessEnv = plain): Promise<Screen> =>
  onScreen({ ...(columns === undefined ? {} : { columns }), env, now }, (io) =>
    listAnnouncements([], { content: line.dir, zone }, io),
  );

test('list has active ones first, then scheduled, then past', async () => {
  const { out } = await list(80);
  const [header = '', ...rows] = out.split('\n\n')[0]?.split('\n') ?? [];
  expect(header.trim().split(/ {2,}/)).toEqual(['STATE', 'ID', 'MESSAGE', 'WHEN']);
  expect(rows.map((row) => row.slice(0, 21).trimEnd())).toEqual([
    '● active      2026-00',
    '  scheduled   2026-00',
    '  withdrawn   mistake',
    '  expired     2026-00',
  ]);
  for (const moment of ['until 2026-07-01 08:00', 'from 2026-08-01 00:00', 'until 2026-01-08 00:00'])
    expect(out).toContain(moment);
  expect(out).toMatch(/● is the current announcement\. Times are in UTC\.\n$/);
});

test('list says how to see what a limit or the default leaves out', async () => {
  const { stdout } = await line.run('announce list --limit 3');
  expect(stdout).toContain('1 more: --all shows them.');
  expect((await line.json('announce list --all')).value.announcements).toHaveLength(4);
  const { value } = await line.json('announce list --state past --limit 1');
  expect([value.total > 1, value.announcements.length]).toEqual([true, 1]);
});

test('log names who, when and what, the latest first, with the words before and after', async () => {
  const { out } = await onScreen({ columns: 80, env: plain, now }, (io) =>
    readLog([], { content: line.dir, zone }, io),
  );
  expect(out.replace(/\s+/g, ' ')).toContain(
    '2 2026-06-01 08:05 Benedikt von Lang edited 2026-002 message: “We moved” → “We have moved to a new house,',
  );
  expect(out).toMatch(/ 1 {2}2026-06-01 08:00 ada published 2026-002\n +“We moved”\n/);
});

test('show and preview draw what a visitor sees, and say where a click leads', async () => {
  const show = await onScreen({ columns: 80, env: plain, now }, (io) =>
    showAnnouncement(['2026-002'], { content: line.dir, zone: 'Europe/Berlin' }, io),
  );
  expect(show.out).toMatch(
    /^2026-002 is active\.\n\n {2}Message {6}We have moved .* come\n {15}and see it\n/,
  );
  expect(show.out).toContain('End          2026-07-01 10:00 (in 16 days)\n  Times        in Europe/Berlin\n');
  const preview = await onScreen({ columns: 50, env: plain, now }, (io) =>
    previewAnnouncement([], { content: line.dir }, io),
  );
  expect(preview.out).toBe(`\
╭──────────────────────────────────────────────╮
│ ◆  We have moved to a new house, and     − × │
│    everybody is invited to come and see      │
│    it                                        │
╰──────────────────────────────────────────────╯

A click opens https://example.org/moved
`);
  const lines = preview.out.split('\n');
  const box = lines.filter((line) => /^[╭│╰]/.test(line));
  expect(new Set(box.map((line) => stringWidth(line))).size).toBe(1);
});

test('the effect of a change on the badge is described in words', async () => {
  const run = (io: Parameters<typeof expireCommand>[2]) =>
    expireCommand(['2026-002'], { content: line.dir, zone, by: 'ada', dryRun: true }, io);
  const { out } = await onScreen({ columns: 80, env: plain, now }, run);
  expect(out).toContain('Dry run: nothing was changed. 2026-002 would be like this; it has ended');
  expect(out).toContain('No announcement for everyone would be current.');
});

describe('colours', () => {
  test('are used on a terminal, and never in a pipe, with NO_COLOR or on a dumb terminal', async () => {
    const coloured = (screen: Screen) => screen.out.includes('\u001B[');
    expect(coloured(await list(80, {}))).toBe(true);
    expect(coloured(await list(undefined, {}))).toBe(false);
    expect(coloured(await list(80, { NO_COLOR: '1' }))).toBe(false);
    expect(coloured(await list(80, { TERM: 'dumb' }))).toBe(false);
  });

  test('carry no meaning: without them the text is the same', async () => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one
    const bare = (text: string) => text.replace(/\u001B\[\d+m/g, '');
    expect(bare((await list(80, {})).out)).toBe((await list(80)).out);
  });
});

test('no line is wider than the terminal, from 30 columns on', async () => {
  const commands = [
    (io: never) => listAnnouncements([], { content: line.dir, zone }, io),
    (io: never) => readLog([], { content: line.dir, zone }, io),
    (io: never) => showAnnouncement([], { content: line.dir, zone }, io),
    (io: never) => previewAnnouncement([], { content: line.dir }, io),
    (io: never) => expireCommand(['2026-002'], { content: line.dir, zone, by: 'ada', dryRun: true }, io),
    (io: never) => showAnnouncement(['nope'], { content: line.dir, zone }, io),
  ];
  for (const columns of [30, 40, 66, 70, 80, 119, 120, 200]) {
    for (const command of commands) {
      const { out, err } = await onScreen({ columns, env: {}, now }, (io) => command(io as never));
      const widest = Math.max(...(out + err).split('\n').map((line) => stringWidth(line)));
      expect([columns, command.toString(), widest <= columns]).toEqual([columns, command.toString(), true]);
    }
  }
});

test.each([
  [0, 'just now'],
  [5, 'just now'], // the clock of the server may be ahead
  [44, 'in a moment'],
  [-44, 'just now'],
  [90, 'in 2 minutes'],
  [-3600, '60 minutes ago'],
  [3 * 3600, 'in 3 hours'],
  [30 * 86400, 'in 30 days'],
  [-400 * 86400, '13 months ago'],
  [3650 * 86400, 'in 10 years'],
])('%i seconds from now is "%s"', (seconds, text) => {
  expect(formatRelative(now + seconds * 1000, now)).toBe(text);
});
