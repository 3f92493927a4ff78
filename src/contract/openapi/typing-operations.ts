import type { SchemaName } from './named-schemas.ts';

/** One endpoint of the typing API as the OpenAPI document describes it. */
export interface TypingOperation {
  readonly method: 'get' | 'post' | 'delete';
  /** Below `/api`; `{session_id}` is its one parameter. */
  readonly path: string;
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  readonly request?: SchemaName;
  /** Whether `limit` and `after` page through its list. */
  readonly isList?: boolean;
  /** Whether the answer is the same for everyone, with or without a key. */
  readonly isOpen?: boolean;
  readonly status: 200 | 201 | 204;
  /** Missing: the answer has no body. */
  readonly response?: SchemaName | 'any object';
  /** Errors of this endpoint beyond those that all of its kind share. */
  readonly errors?: readonly (400 | 409 | 500 | 503)[];
  /** Optional query parameters: name and description. */
  readonly query?: Readonly<Record<string, string>>;
}

const numbered =
  'With `seq` (1, 2, 3 … in a round) a request can be sent again safely: a repeated number changes nothing and gets the first answer again, a gap is refused.';

export const typingOperations: readonly TypingOperation[] = [
  {
    method: 'post',
    path: '/sessions',
    id: 'createSession',
    summary: 'Create a session',
    description:
      'The body may be empty: then a round has 30 words in English. A value that is not known is refused with those that are. Every 1,000 characters of a text of your own cost as much as a request.',
    request: 'CreateSessionRequest',
    status: 201,
    response: 'SessionCreated',
    errors: [503],
  },
  {
    method: 'get',
    path: '/languages',
    id: 'listLanguages',
    summary: 'List the languages that a session may practise',
    status: 200,
    response: 'LanguageList',
  },
  {
    method: 'get',
    path: '/layouts',
    id: 'listLayouts',
    summary: 'List the keyboard layouts',
    description: 'Fingers, rows and hands of the statistics follow the layout of the session.',
    status: 200,
    response: 'LayoutList',
  },
  {
    method: 'get',
    path: '/sessions',
    id: 'listSessions',
    summary: 'List your open sessions, oldest first',
    description:
      'Without `limit`: all of them, and at most 1,000 on a server that strangers can reach. `next` is there when more follow.',
    isList: true,
    errors: [400],
    status: 200,
    response: 'SessionList',
  },
  {
    method: 'post',
    path: '/rounds',
    id: 'addRound',
    summary: 'Add a whole round that was typed elsewhere',
    description:
      'The server types it again by its own rules. Sent again with the same id it changes nothing and is answered with 200. Every 16 KiB, every 20 events and every 2,000 characters of words cost as much as a request, but never more than a client that was quiet may send at once; for the characters the next request may have to wait.',
    request: 'RoundUpload',
    status: 201,
    response: 'RoundKept',
    errors: [500],
  },
  {
    method: 'get',
    path: '/rounds',
    id: 'listRounds',
    summary: 'List your finished rounds, newest first',
    description:
      'Rounds of open sessions that are not saved yet come first, then the others from the one saved last. Without `limit`: 100 of them. Every 50 rounds asked for cost as much as a request, and so do every 2,000 keys and characters of those that come, afterwards: the next request may have to wait. An answer may hold fewer than asked for although more follow: `next` says so.',
    isList: true,
    status: 200,
    response: 'RoundList',
    errors: [400],
  },
  {
    method: 'delete',
    path: '/player',
    id: 'forgetPlayer',
    summary: 'Delete your sessions and rounds for good',
    status: 204,
    errors: [500],
  },
  {
    method: 'delete',
    path: '/sessions/{session_id}',
    id: 'deleteSession',
    summary: 'Remove a session and its resources',
    description: 'Finished rounds stay in the history: those not yet on disk are saved first.',
    status: 204,
    errors: [500],
  },
  {
    method: 'post',
    path: '/sessions/{session_id}/round',
    id: 'startRound',
    summary: 'Start a round of what the session practises',
    description:
      'Words, timed tests, drills and guided rounds follow what this player missed, was slow on or has met least, in this language on this layout. A round that is still running is abandoned and leaves no trace in the statistics. Every 1,000 characters of a text of your own, and every 200 words of a timed test, cost as much as a request.',
    status: 200,
    response: 'Round',
    errors: [500],
  },
  {
    method: 'post',
    path: '/sessions/{session_id}/keystroke',
    id: 'typeCharacter',
    summary: 'Type a character',
    description: numbered,
    request: 'KeystrokeRequest',
    status: 200,
    response: 'KeystrokeResult',
    errors: [409],
  },
  {
    method: 'post',
    path: '/sessions/{session_id}/backspace',
    id: 'typeBackspace',
    summary: 'Remove the last character of the current word',
    description: `It never goes back to an earlier word. The body may be empty. ${numbered}`,
    request: 'BackspaceRequest',
    status: 200,
    response: 'BackspaceResult',
    errors: [409],
  },
  {
    method: 'post',
    path: '/sessions/{session_id}/space',
    id: 'typeSpace',
    summary: 'Go to the next word',
    description: `In the middle of a word it is a wrong keystroke. The body may be empty. ${numbered}`,
    request: 'SpaceRequest',
    status: 200,
    response: 'SpaceResult',
    errors: [409],
  },
  {
    method: 'post',
    path: '/sessions/{session_id}/input',
    id: 'typeBatch',
    summary: 'Type several keys at once',
    description:
      'The results come in the order of the events, each as its own endpoint would answer. When one event is refused, none is applied.',
    request: 'InputRequest',
    status: 200,
    response: 'InputResponse',
    errors: [409],
  },
  {
    method: 'post',
    path: '/sessions/{session_id}/timing',
    id: 'finishRound',
    summary: 'Submit the timing of a complete round',
    description: 'The round now counts in the statistics. Sent again with the same values it counts once.',
    request: 'TimingRequest',
    status: 200,
    response: 'Success',
  },
  {
    method: 'get',
    path: '/sessions/{session_id}/state',
    id: 'readState',
    summary: 'Read the state of the round',
    status: 200,
    response: 'GameState',
    errors: [400],
  },
  {
    method: 'get',
    path: '/sessions/{session_id}/stats/session',
    id: 'readSessionStatistics',
    summary: 'Read the statistics of the latest round',
    description:
      'Before its timing has arrived, the time is the sum of the seek times since the timer started, and nothing is a best yet.',
    status: 200,
    response: 'SessionStatistics',
    errors: [400],
  },
  {
    method: 'get',
    path: '/sessions/{session_id}/stats/historical',
    id: 'readHistoricalStatistics',
    summary: 'Read the statistics of all your finished rounds',
    query: {
      mode: 'words-N, time-N, text, quote, code-LANGUAGE, drill, guided or all; default: the mode of the session.',
      language: 'Only rounds in this language; default: every language.',
      layout: 'Only rounds on this layout; default: every layout.',
    },
    description:
      'Fingers: 0 to 3 left little, ring, middle and index finger, 6 to 9 right index, middle, ring and little finger. Rows: 0 top, 1 home, 2 bottom. Times are in seconds, seek times and `rhythm_stddev` in milliseconds, rates in percent. Every 1,000 letters, pairs, errors and words in the history that is read cost as much as a request, here and where a drill is chosen by it.',
    status: 200,
    response: 'HistoricalStatistics',
  },
  {
    method: 'post',
    path: '/sessions/{session_id}/save',
    id: 'saveRounds',
    summary: 'Write the finished rounds of the session to disk',
    status: 200,
    response: 'Success',
    errors: [500],
  },
  {
    method: 'get',
    path: '/health',
    id: 'readHealth',
    summary: "Check the server's health",
    isOpen: true,
    status: 200,
    response: 'Health',
  },
  {
    method: 'get',
    path: '/openapi.json',
    id: 'readContract',
    summary: 'Read this document',
    isOpen: true,
    status: 200,
    response: 'any object',
  },
];
