import { modes, modeTypes } from '../../../src/typing/modes/mode.ts';
import type { Random } from '../random.ts';

/** Requests of the typing API that are right in every way. */
export interface TypingCall {
  readonly method: 'POST' | 'DELETE';
  readonly path: string;
  readonly body: string;
}

/** Players whom the requests claim to be. */
export const playerKeys = ['fuzz-player-of-22-chars', 'A'.repeat(22), `${'_-'.repeat(64)}`] as const;

/** The whole text of a header that stands for no player. */
export const brokenAuthorizations = [
  ...['Bearer', 'Bearer ', 'Bearer short', `Bearer ${'x'.repeat(129)}`, `Bearer ${'x'.repeat(4_000)}`],
  ...['Basic dXNlcjpwYXNzd29yZA==', 'bearer', 'Bearer a b', 'Bearer aaaaaaaaaaaaaaaaaaaaa\xe9', '\x7f'],
  ...[
    `Bearer ${playerKeys[0]}, Bearer ${playerKeys[1]}`,
    `Token ${playerKeys[0]}`,
    'Bearer\taaaaaaaaaaaaaaaaaaaaaaaa',
  ],
];

const requestedModes = [
  ...modeTypes.map((type) => JSON.stringify(modes[type].example)),
  '{"type":"words","count":200}',
  '{"type":"time","seconds":600}',
  '{"type":"text","text":"first line\\nsecond  line \\u00e9\\ud83d\\ude00 e\\u0301","title":"t"}',
  '{"type":"quote","length":"any"}',
];
const rules = [
  '{"early_space":"skip","stop_on":"none","backspace":"free"}',
  '{"stop_on":"letter","backspace":"none"}',
  '{"stop_on":"word","backspace":"word"}',
  '{}',
];
const languages = ['en', 'de', 'ru', 'fr'];
const layouts = ['qwerty', 'dvorak', 'bepo', 'neo'];
const timing = '"start_time_unix_ms":1700000000000,"end_time_unix_ms":1700000060000,"duration_ms":60000';

const fixed: readonly TypingCall[] = [
  { method: 'POST', path: '/sessions', body: '{"punctuation_mode":true}' },
  { method: 'POST', path: '/sessions', body: '' },
  { method: 'POST', path: '/S/round', body: '' },
  { method: 'POST', path: '/S/keystroke', body: '{"char":"e","seek_time_ms":120}' },
  { method: 'POST', path: '/S/keystroke', body: '{"char":"\\u00e9","seek_time_ms":0,"seq":1}' },
  { method: 'POST', path: '/S/backspace', body: '{}' },
  { method: 'POST', path: '/S/space', body: '{"seek_time_ms":90,"char":"\\n"}' },
  { method: 'POST', path: '/S/timing', body: `{${timing}}` },
  { method: 'POST', path: '/S/save', body: '' },
];

/** About one in three is a batch, a session with a mode, or a round that was typed elsewhere. */
export function pickTypingCall(random: Random): TypingCall {
  switch (random.below(12)) {
    case 0:
      return { method: 'POST', path: '/sessions', body: sessionSetup(random) };
    case 1:
      return { method: 'POST', path: '/S/input', body: batch(random) };
    case 2:
      return { method: 'POST', path: '/rounds', body: uploadedRound(random) };
    case 3:
      return random.once(20)
        ? { method: 'DELETE', path: '/player', body: '' }
        : { method: 'POST', path: '/rounds', body: uploadedRound(random) };
    default:
      return random.pick(fixed);
  }
}

function sessionSetup(random: Random): string {
  const parts = [
    `"mode":${random.pick(requestedModes)}`,
    `"rules":${random.pick(rules)}`,
    `"language":"${random.pick(languages)}"`,
    `"layout":"${random.pick(layouts)}"`,
  ];
  return `{${parts.filter(() => !random.once(3)).join(',')}}`;
}

/** Where tokens are counted by twenties, sizes on both sides of each step; numbered, repeated or with a gap. */
function batch(random: Random): string {
  const count = random.pick([1, 2, 19, 20, 21, 40, 41, 499, 500]);
  const first = random.pick([1, 1, 2, 500]);
  const isNumbered = random.once(2);
  const events = Array.from({ length: count }, (_, at) => {
    const seq = isNumbered ? `,"seq":${first + at}` : '';
    return random.once(6)
      ? `{"type":"${random.pick(['space', 'backspace'])}"${seq}}`
      : `{"type":"keystroke","char":"${random.pick(['a', 'e', '9', '\\u00fc'])}","seek_time_ms":${random.below(300)}${seq}}`;
  });
  return `{"events":[${events.join(',')}]}`;
}

/** Few ids, so that the same one comes again, by the same player and by others, with the same words and with others. */
function uploadedRound(random: Random): string {
  const words = Array.from({ length: random.pick([1, 2, 10, 30, 200]) }, () =>
    random.pick(['a', 'be', 'see']),
  );
  const keys = [...words.join(' '), ' '];
  const events = keys.map((char) =>
    char === ' '
      ? '{"type":"space","seek_time_ms":80}'
      : `{"type":"keystroke","char":"${char}","seek_time_ms":80}`,
  );
  const parts = [
    `"id":"00000000-0000-4000-8000-0000000000${10 + random.below(40)}"`,
    `"words":${JSON.stringify(words)}`,
    `"events":[${events.join(',')}]`,
    `"mode":${random.pick(['{"type":"text"}', '{"type":"words","count":30}', '{"type":"quote","length":"any"}'])}`,
    `"language":"${random.pick(languages)}"`,
    timing,
  ];
  return `{${parts.join(',')}}`;
}
