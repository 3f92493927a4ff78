import { existsSync, readFileSync } from 'node:fs';
import { packageFile } from '../../src/kit/package-files.ts';
import { createTypingClient } from '../support/typing-client.ts';
import type { NewcomerDesk } from './newcomer-desk.ts';

/** Does what a reader does with a command, and throws if anything else than what is written comes of it. */
export type Follow = (desk: NewcomerDesk, command: string) => Promise<void>;

export interface LeftOut {
  readonly leftOut: string;
}

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

/** A round of each kind is typed by test/terminal. */
const typedInTerminal: LeftOut = { leftOut: 'the tests in a terminal type a whole round of it' };

const triedWithStore: LeftOut = { leftOut: 'the tests of this command have a store of their own' };

const forOwnRepository: LeftOut = { leftOut: 'it is for a repository with announcements alone' };

/** What to do with every command of the documents. Ids and dates are those of the documents: see `toPresent`. */
const known: Readonly<Record<string, Follow | LeftOut>> = {
  'npm ci && npx typebadge serve -port 8787': serves,
  'npm ci && npm test': { leftOut: 'it is the suite that this test belongs to' },
  'npm ci': { leftOut: 'the README begins with it' },
  'npx vitest run test/content test/tui/look': {
    leftOut: 'it is a part of the suite that this test belongs to',
  },
  'npx vitest run test/contract': { leftOut: 'it is a part of the suite that this test belongs to' },
  'npx vitest run test/browser/engines': { leftOut: 'it is a part of the suite that this test belongs to' },
  'npx typebadge origins add https://example.org': prints('https://example.org may use the badge now'),
  'npx typebadge announce publish "We have moved" --link https://example.org/moved --expires +30d':
    prints('it is active'),
  'npx typebadge announce list': prints('We have moved'),
  'npx typebadge announce undo': prints('Undid change 1'),
  'npx typebadge announce publish': publishesByForm,
  'npx typebadge play': playsWithServer,
  "id=$(curl -s -X POST http://127.0.0.1:8787/api/sessions | node -p 'JSON.parse(fs.readFileSync(0)).session_id')":
    prints(''),
  'curl -s -X POST http://127.0.0.1:8787/api/sessions/$id/round': prints('"total_words":30'),
  'curl -s -X POST http://127.0.0.1:8787/api/sessions/$id/keystroke -H \'Content-Type: application/json\' -d \'{"char":"a","seek_time_ms":120,"seq":1}\'':
    prints('"char_index":0'),
  'curl -s http://127.0.0.1:8787/api/sessions/$id/state': prints('"current_input":"a"'),
  'node bin/typebadge.js serve --host 0.0.0.0 --public-url https://badge.example.org --allow-host badge.example.org --trust-proxy 10.0.0.0/8':
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
  'typebadge announce publish - < message.txt': prints('it is active', {
    before: ["printf '%s\\n' 'Say \"$5\" and mean it' > message.txt"],
  }),
  'typebadge announce publish -- "-5 % today"': prints('-5 % today'),
  'typebadge announce list': prints('superseded 2026-003'),
  'typebadge announce list --ending 7d': prints('announcements matches'),
  'typebadge announce list --csv > announcements.csv': prints(''),
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
  'typebadge login https://badge.example.org': { leftOut: 'it needs a server on the network' },
  'typebadge announce publish "Docs are down until Friday evening" --severity critical --translation de="Die Doku ist bis Freitagabend nicht erreichbar" --site https://shop.example.org --path "/docs/*" --expires "friday 18:00"':
    prints('/docs/* on https://shop.example.org'),
  'typebadge login': prints('not logged in anywhere'),
  'typebadge logout https://badge.example.org': prints('not logged in', { code: 1 }),
  'typebadge editors remove anna': prints('is revoked'),
  'npx typebadge announce publish "**We have moved** to [Bonn](https://example.org/moved)" --markdown --content content':
    forOwnRepository,
  'git add content .github && git commit -m "Announce that we have moved" && git push': forOwnRepository,
  'npx typebadge announce publish "…" --content content': forOwnRepository,
  'curl -fsS https://badge.example/content/banner.html > _includes/news.html': {
    leftOut: 'its server is an example',
  },
  'typebadge editors add NAME': { leftOut: 'it is named with a name to choose' },
  'export TYPEBADGE_WEBHOOK_SECRET="whsec_$(openssl rand -base64 32)"': {
    leftOut: 'it is for the command below it',
  },
  'typebadge serve --webhook https://hooks.example.org/typebadge': {
    leftOut: 'it needs a secret and a receiver',
  },
  'typebadge origins add': { leftOut: 'it is named without the site that it takes' },
  'npx typebadge': { leftOut: 'it is named without what it shall do' },
  'npm pack': { leftOut: 'the tests of the package pack and install it' },
  'npx --package ./typebadge-1.0.0.tgz typebadge': {
    leftOut: 'the tests of the package pack and install it',
  },
  'mkdir content': forOwnRepository,
  'typebadge announce publish "We have moved" --store redis://store.example.org:6379': {
    leftOut: 'its store is an example; test/cli/announce-store.test.ts tries a real one',
  },
  'TYPEBADGE_STORE_PASSWORD_FILE=/etc/typebadge-store typebadge serve --store redis://store.example.org:6379 --workers auto':
    { leftOut: 'its store is an example; the tests of serve try a real one' },
  'typebadge store import --store redis://127.0.0.1:6379': triedWithStore,
  'typebadge store check --store redis://127.0.0.1:6379': triedWithStore,
  'typebadge store export --store redis://127.0.0.1:6379': triedWithStore,
  'typebadge doctor': prints('Nothing is '),
  'typebadge serve --metrics 127.0.0.1:9464': { leftOut: 'the tests of the metrics run it on a free port' },
  'typebadge play': playsAlone,
  'typebadge play --server https://typing.example.org': {
    leftOut: 'its server is an example; the tests of play try one that strangers can reach',
  },
  'typebadge play --time 60': typedInTerminal,
  'typebadge play --words 50 --language de': typedInTerminal,
  'typebadge play --code python --layout colemak': typedInTerminal,
  'typebadge play --layout my-board.json --keyboard': typedInTerminal,
  'typebadge play chapter.txt': typedInTerminal,
  'typebadge play .': typedInTerminal,
  'typebadge play ~/src/app --file "*.go"': typedInTerminal,
  'typebadge play . --file src/parser.ts --comments': typedInTerminal,
  'typebadge stats --mode text-rust': prints(/No (?:finished )?rounds/),
  'typebadge play --theme my-colours.json': typedInTerminal,
  'fortune | typebadge play -': typedInTerminal,
  'typebadge play --stop-on letter': typedInTerminal,
  'typebadge play --pace last': typedInTerminal,
  'typebadge play --no-backspace --blind': typedInTerminal,
  'typebadge play --sudden-death --min-wpm 60': typedInTerminal,
  'typebadge play --show-key > key.txt': prints(''),
  'typebadge stats': prints('No finished rounds yet'),
  'typebadge stats --mode time-60 --language de': prints('No rounds match --mode time-60'),
  'typebadge stats --since yesterday --until yesterday': prints('No rounds on'),
  'typebadge stats --since 2026-01-01 --json': prints('No rounds since'),
  'typebadge import results.csv': prints('1 round from monkeytype imported', {
    before: [
      "printf 'wpm,acc,charStats,mode,mode2,testDuration,timestamp\\n70,97,178;3;1;0,time,30,30,1700000000500\\n' > results.csv",
    ],
  }),
  'typebadge stats --source monkeytype': prints('1 round on 1 day'),
  'typebadge stats --export > rounds.jsonl': prints(''),
  'typebadge stats --csv > rounds.csv': prints(''),
  'typebadge stats --card card.svg': prints(
    '1 round imported from other programs matches with --source all',
    { code: 1 },
  ),
  'typebadge play --profile work': typedInTerminal,
  'typebadge play --offline': typedInTerminal,
  'typebadge stats --profile work': prints('no profile is called "work"', { code: 1 }),
};

/** What to do with a command; undefined where nobody has said it. */
export function findKnown(command: string): Follow | LeftOut | undefined {
  return known[command] ?? asProgramOfTheRepository(command) ?? asAdministration(command);
}

/** Commands of the table that no document holds any more. */
export function listForgotten(documented: readonly string[]): readonly string[] {
  return Object.keys(known).filter((command) => !documented.includes(command));
}

/** Programs for those who work on the code run for minutes, so it is only made sure that they are there. */
function asProgramOfTheRepository(command: string): LeftOut | undefined {
  const [, script] = /^npm run ([\w:-]+)(?: -- .*)?$/.exec(command) ?? [];
  const [, file] = /^npx tsx ([\w./-]+)$/.exec(command) ?? [];
  const { scripts } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8'));
  if (script !== undefined && script in scripts) return { leftOut: 'a program of minutes, and it is there' };
  if (file !== undefined && existsSync(packageFile(file)))
    return { leftOut: 'a measurement, and it is there' };
  return undefined;
}

/** What rules a whole machine is tried in test/deploy, with folders in place of the machine's. */
function asAdministration(command: string): LeftOut | undefined {
  if (!/(?:^|\| )sudo /.test(command)) return undefined;
  const files = [...command.matchAll(/node_modules\/typebadge\/(\S+)/g)].map(([, file = '']) => file);
  return files.every((file) => existsSync(packageFile(file)))
    ? { leftOut: 'it rules a whole machine; its files are there, and tried in test/deploy' }
    : undefined;
}

const dayMs = 86_400_000;

/** The documents' example ids are of one year and their dates of one day: this year's, and ten days from now. */
export function toPresent(text: string, now = new Date()): string {
  const soon = new Date(now.getTime() + 10 * dayMs).toISOString().slice(0, 10);
  return text
    .replaceAll(/\b20\d\d-\d\d-\d\d\b/g, soon)
    .replaceAll(/\b20\d\d-(\d{3})\b/g, `${now.getUTCFullYear()}-$1`);
}
