import { existsSync, readFileSync } from 'node:fs';
import { packageFile } from '../../src/kit/package-files.ts';
import { createTypingClient } from '../support/typing-client.ts';
import type { NewcomerDesk } from './newcomer-desk.ts';

/** Does what a reader does with a command, and throws if anything else than what is written comes of it. */
export type Follow = (desk: NewcomerDesk, command: string) => Promise<void>;

/** The command ends with its code, and the screen then shows the text. */
function prints(text: string | RegExp, { code = 0, before = [] as readonly string[] } = {}): Follow {
  return async (desk, command) => {
    for (const preparation of before) await desk.finish(preparation);
    const screen = await desk.finish(command, code);
    // The terminal breaks a long line anywhere.
    if (typeof text === 'string' ? squeeze(screen).includes(squeeze(text)) : text.test(screen)) return;
    throw new Error(`${command}\nshould show ${text}:\n${screen}`);
  };
}

function squeeze(text: string): string {
  return text.replaceAll(/\s+/g, '');
}

const serves: Follow = async (desk, command) => {
  await desk.serve(command);
  const contents = [
    ['/demo', 'typebadge-inject.min.js'],
    ['/content/announcement.json', '"message"'],
    ['/js/typebadge-inject.min.js', 'typebadge'],
    ['/api/health', '"healthy"'],
  ] as const;
  for (const [path, content] of contents) {
    const answer = await fetch(`http://127.0.0.1:${desk.port}${path}`);
    const body = await answer.text();
    if (!answer.ok || !body.includes(content)) throw new Error(`${path}: ${answer.status} ${body}`);
  }
};

/** Begins a round and types half a word; the server must know of it. */
const playsWithServer: Follow = async (desk, command) => {
  await desk.start(command);
  await desk.window.see('word 1 of 30');
  const client = createTypingClient(desk.port);
  const [session] = await client.sessions();
  if (session === undefined) throw new Error('No session is open on the server.');
  const { words } = await client.state(session.id);
  const start = words[0]?.slice(0, 2) ?? '';
  await desk.window.type(start);
  for (const limit = Date.now() + 30_000; ; ) {
    const { current_input } = await client.state(session.id);
    if (current_input === start) break;
    if (Date.now() > limit) throw new Error(`Typed "${start}", and the server has "${current_input}".`);
  }
  await desk.window.press('C-c');
  await desk.ended();
};

const playsAlone: Follow = async (desk, command) => {
  await desk.stopServing();
  await desk.start(command);
  await desk.window.see('word 1 of 30');
  await desk.window.press('C-c');
  await desk.ended();
};

const publishesByForm: Follow = async (desk, command) => {
  await desk.start(command);
  await desk.window.see('Message');
  await desk.window.type('Typed into the form');
  await desk.window.see(/│ +Typed into the form/);
  await desk.window.press('C-c');
  await desk.window.see('Nothing was published');
  await desk.ended(1);
};

const exportsFiles: Follow = async (desk, command) => {
  await prints(/✔ \d+ files/)(desk, command);
  await prints('Cache-Control:')(desk, 'head -3 public/_headers');
};

/** What to do with every command of the documents. Ids and dates are those of the documents: see `toPresent`. */
const known: Readonly<Record<string, Follow>> = {
  'npm ci && npx typebadge serve -port 8787': serves,
  'npx typebadge origins add https://example.org': prints('https://example.org may use the badge now'),
  'npx typebadge announce publish "We have moved" --link https://example.org/moved --expires +30d':
    prints('it is active'),
  'npx typebadge announce list': prints('We have moved'),
  'npx typebadge announce undo': prints('Undid change 1'),
  'npx typebadge announce publish': publishesByForm,
  'npx typebadge play': playsWithServer,
  "curl -sw '\\n' -X POST $api/sessions/$id/round": prints('"words":["ok"]'),
  'curl -sw \'\\n\' $api/sessions/$id/keystroke -H "$json" -d \'{"char":"o","seq":1}\'': prints(
    '{"is_correct":true,"timer_started":true,"char_index":0}',
  ),
  'node bin/typebadge.js serve --host 0.0.0.0 --public-url https://badge.example.org --allow-host badge.example.org --trust-proxy 10.0.0.2':
    serves,
  'npx typebadge serve --help': prints('Usage: typebadge serve'),

  'typebadge serve -port 8787': serves,
  'api=http://127.0.0.1:8787/api': prints(''),
  "json='Content-Type: application/json'": prints(''),
  'id=$(curl -s $api/sessions -H "$json" -d \'{"mode":{"type":"text","text":"ok"}}\' | node -p \'JSON.parse(fs.readFileSync(0)).session_id\')':
    prints(''),
  'curl -s -X POST $api/sessions/$id/round': prints('"line_ends":[0]'),
  'curl -s $api/sessions/$id/input -H "$json" -d \'{"events":[{"type":"keystroke","char":"o"},{"type":"keystroke","char":"k","seek_time_ms":140},{"type":"space"}]}\'':
    prints('"round_complete":true'),
  'curl -s $api/sessions/$id/timing -H "$json" -d \'{"start_time_unix_ms":1700000000000,"end_time_unix_ms":1700000000900,"duration_ms":900}\'':
    prints('{"success":true}'),
  'curl -s $api/sessions/$id/state': prints('"round_id"'),
  'curl -s $api/sessions/$id/stats/session': prints('"counts":true'),
  'curl -s $api/sessions -H "$json" -d \'{"mode":{"type":"time","seconds":60},"language":"de","layout":"qwertz","rules":{"stop_on":"letter"}}\'':
    prints('"session_id"'),
  'curl -s $api/sessions -H "$json" -d \'{"rules":["skip"]}\'': prints('INVALID_REQUEST'),
  'curl -s "$api/sessions/$id/stats/historical?mode=all&language=en"': prints('"total_sessions":1'),
  'curl -s $api/rounds -H "$json" -d \'{"id":"0b1c7d52-5a3e-4c6f-9d21-7e8f90a1b2c3","words":["ok"],"mode":{"type":"text"},"events":[{"type":"keystroke","char":"o"},{"type":"keystroke","char":"k","seek_time_ms":150},{"type":"space"}],"start_time_unix_ms":1700000000000,"end_time_unix_ms":1700000000950,"duration_ms":950}\'':
    prints('7e8f90a1b2c3"}'),
  'curl -s "$api/rounds?limit=100"': prints('"0b1c7d52-5a3e-4c6f-9d21-7e8f90a1b2c3"'),
  'node -e 0': prints(''),
  'key=$(node -p \'require("node:crypto").randomBytes(24).toString("base64url")\')': prints(''),
  'curl -s $api/rounds -H "Authorization: Bearer $key"': prints('{"rounds":[]}'),
  'curl -s -X DELETE $api/player -H "Authorization: Bearer $key" -w \'%{http_code}\'': prints('204'),

  'typebadge announce publish "We have moved" --link https://example.org/moved': prints('it is active'),
  'typebadge announce publish': publishesByForm,
  'typebadge completion --help': prints('Usage: typebadge completion'),
  'typebadge announce publish - < message.txt': prints('it is active', {
    before: ["printf '%s\\n' 'Say \"$5\" and mean it' > message.txt"],
  }),
  'typebadge announce publish -- "-5 % today"': prints('-5 % today'),
  'typebadge announce list': prints('superseded 2026-003'),
  'typebadge announce list --state past': prints('STATE'),
  'typebadge announce show 2026-002': prints('published 2026-002'),
  'typebadge announce preview': prints('-5 % today'),
  'typebadge announce preview --site https://www.example.org --path /docs/start --lang de':
    prints('allow-list'),
  'typebadge announce preview --at "tomorrow 18:00"': prints('What readers see at'),
  'typebadge announce stats': prints('Nothing was counted'),
  'typebadge announce log': prints('published 2026-004'),
  'typebadge announce edit 2026-002 --message "We have moved to Bonn" --expires +2w': prints('(in 14 days)'),
  'typebadge announce edit 2026-002 --no-link': prints('none'),
  'typebadge announce edit 2026-002 --editor': prints('Nothing to change', {
    before: ['export EDITOR=true'],
  }),
  'typebadge announce edit 2026-002 --translation de="Wir sind umgezogen"':
    prints('de: “Wir sind umgezogen”'),
  'typebadge announce edit 2026-002 --translation de=': prints('Changed 2026-002'),
  "typebadge announce edit 2026-002 --path '/docs/*'": prints('/docs/* on every site'),
  'typebadge announce expire 2026-002': prints('Ended 2026-002'),
  'typebadge announce expire 2026-002 --at "2026-12-01 12:00"': prints(/Ends +\d{4}-\d\d-\d\d 12:00/, {
    before: ['typebadge announce undo'],
  }),
  'typebadge announce withdraw 2026-003': prints('Withdrew 2026-003'),
  'typebadge announce undo': prints(/Undid change \d/),
  'typebadge announce undo 7': prints('Undid change 7'),
  'typebadge origins add https://example.org': prints('https://example.org may use the badge now'),
  "typebadge origins add 'https://*.example.org'": prints('https://*.example.org may use the badge now'),
  'typebadge origins test https://www.example.org/news': prints('by the entry https://*.example.org'),
  'typebadge origins remove https://example.org': prints('may no longer use the badge'),
  'typebadge origins list': prints('https://*.example.org'),
  'typebadge announce validate': prints('is valid'),
  'typebadge announce export ./public --public-url https://badge.example.org --any-origin': exportsFiles,
  'typebadge editors add anna --expires 90d': prints(/tbe_[\w-]{43}/),
  'typebadge announce publish "Docs are down until tomorrow evening" --severity critical --translation de="Die Doku ist bis morgen Abend nicht erreichbar" --site https://shop.example.org --path "/docs/*" --expires "tomorrow 18:00"':
    prints('/docs/* on https://shop.example.org'),
  'typebadge login': prints('not logged in anywhere'),
  'typebadge logout https://badge.example.org': prints('not logged in', { code: 1 }),
  'typebadge editors remove anna': prints('is revoked'),
  'typebadge doctor': prints('Nothing is '),
  'typebadge play': playsAlone,
  'typebadge stats --mode text-rust': prints(/No (?:finished )?rounds/),
  'typebadge play --show-key > key.txt': prints(''),
  'typebadge stats': prints('No finished rounds yet'),
  'typebadge stats --mode time-60 --language de': prints('No rounds match'),
  'typebadge stats --since yesterday --until yesterday': prints('No rounds match'),
  'typebadge stats --since 2026-01-01 --json': prints('No rounds match'),
  'typebadge import results.csv': prints('1 round from monkeytype imported', {
    before: [
      "printf 'wpm,acc,charStats,mode,mode2,testDuration,timestamp\\n70,97,178;3;1;0,time,30,30,1700000000500\\n' > results.csv",
    ],
  }),
  'typebadge stats --source monkeytype': prints('1 round on 1 day'),
  'typebadge stats --export > rounds.jsonl': prints(''),
  'typebadge stats --csv > rounds.csv': prints(''),
  'typebadge stats --card card.svg': prints('no rounds of yours yet', { code: 1 }),
  'typebadge stats --profile work': prints('No profile is called "work"', { code: 1 }),
};

const { scripts } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8'));
const isThere = (path: string) => existsSync(packageFile(path));

/** Why nobody follows these here. A name in them is that of a script, or of a file, which must be there. */
const leftOut: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/^npm run (?<script>[\w:-]+)(?: -- .*)?$/, 'a program of minutes, and it is there'],
  [/^npx tsx (?<file>[\w./-]+)$/, 'a measurement, and it is there'],
  [/^(?:npm ci && npm test|npx vitest run (?<file>test\/\S+).*)$/, 'the suite that this test belongs to'],
  [/^npm ci$/, 'the README begins with it'],
  [/sudo .*node_modules\/typebadge\/(?<file>\S+)/, 'test/deploy does it in folders'],
  [/sudo /, 'rules a whole machine'],
  [/^(?:npm pack|npx --package \S+ typebadge|npx typebadge)$/, 'the tests of the package do it'],
  [/^(?:fortune \| )?typebadge play (?!--show-key)/, 'the tests in a terminal type a whole round of it'],
  [
    /^(?:mkdir content|echo changes.jsonl .*|git add .*|npx typebadge announce .*--content content)$/,
    'they need a separate repository',
  ],
  [/ --store redis:|^typebadge store /, 'the tests of this command have a store of their own'],
  [/ --webhook | --metrics |WEBHOOK_SECRET/, 'the tests of webhooks and metrics have receivers of their own'],
  [/badge\.example\/|login https:/, 'its server is an example'],
  [/^(?:npx )?typebadge (?:editors add NAME|origins add)$/, 'without the name or site that it takes'],
];

/** What to do with a command, or why nobody follows it; undefined where nobody has said it. */
export function findKnown(command: string): Follow | string | undefined {
  if (known[command] !== undefined) return known[command];
  const [pattern, reason] = leftOut.find(([each]) => each.test(command)) ?? [];
  const { script, file } = pattern?.exec(command)?.groups ?? {};
  const isMissing = (script !== undefined && !(script in scripts)) || (file !== undefined && !isThere(file));
  return isMissing ? undefined : reason;
}

/** Commands of the table that no document holds any more. */
export function listForgotten(documented: readonly string[]): readonly string[] {
  return Object.keys(known).filter((command) => !documented.includes(command));
}

const dayMs = 86_400_000;

/** The documents' example ids are of one year and their dates of one day: this year's, and ten days from now. */
export function toPresent(text: string, now = new Date()): string {
  const soon = new Date(now.getTime() + 10 * dayMs).toISOString().slice(0, 10);
  return text
    .replaceAll(/\b20\d\d-\d\d-\d\d\b/g, soon)
    .replaceAll(/\b20\d\d-(\d{3})\b/g, `${now.getUTCFullYear()}-$1`);
}
