import * as answers from '../answer-types.ts';
import * as requests from '../request-types.ts';
import { type Api, apiErrors, type Operations } from './operation.ts';

const numbered =
  'With `seq` (1, 2, 3 … in a round) a request can be sent again safely: a repeated number changes nothing and gets the first answer again, a gap is refused.';

const operations: Operations = {
  createSession: {
    route: 'POST /sessions',
    summary: 'Create a session',
    description:
      'The body may be empty: then a round has 30 words in English. A value that is not known is refused with those that are.',
    request: requests.CreateSessionRequestSchema,
    status: 201,
    answer: answers.SessionCreatedSchema,
    errors: ['SESSION_LIMIT_REACHED'],
  },
  listLanguages: {
    route: 'GET /languages',
    summary: 'List the languages that a session may practise',
    answer: answers.LanguageListSchema,
  },
  listLayouts: {
    route: 'GET /layouts',
    summary: 'List the keyboard layouts',
    description: 'Fingers, rows and hands of the statistics follow the layout of the session.',
    answer: answers.LayoutListSchema,
  },
  listSessions: {
    route: 'GET /sessions',
    summary: 'List your open sessions, oldest first',
    description:
      'Without `limit`: all of them, and at most 1,000 on a server that is open to the network. `next` is there when more follow.',
    query: requests.PageQuerySchema,
    answer: answers.SessionListSchema,
  },
  addRound: {
    route: 'POST /rounds',
    summary: 'Add a whole round that was typed elsewhere',
    description:
      'The server replays it by its rules. Sent again with the same id it changes nothing and is answered with 200.',
    request: requests.RoundUploadSchema,
    status: 201,
    answer: answers.RoundUploadResultSchema,
  },
  listRounds: {
    route: 'GET /rounds',
    summary: 'List your finished rounds, newest first',
    description:
      'Without `limit`: 100 of them. An answer may hold fewer than requested although more follow: `next` shows that.',
    query: requests.PageQuerySchema,
    answer: answers.RoundListSchema,
  },
  deletePlayer: {
    route: 'DELETE /player',
    summary: 'Delete your sessions and rounds for good',
    status: 204,
  },
  deleteSession: {
    route: 'DELETE /sessions/{session_id}',
    summary: 'Remove a session and its resources',
    description: 'Finished rounds stay in the history.',
    status: 204,
  },
  startRound: {
    route: 'POST /sessions/{session_id}/round',
    summary: 'Start a round of what the session practises',
    description:
      'Words, timed tests, drills and guided rounds follow what this player missed, was slow on or has met least, in this language on this layout. A round that is still running is abandoned and leaves no trace in the statistics.',
    request: requests.RoundRequestSchema,
    answer: answers.RoundSchema,
    errors: ['ROUND_NOT_STARTED'],
  },
  typeCharacter: {
    route: 'POST /sessions/{session_id}/keystroke',
    summary: 'Type a character',
    description: numbered,
    request: requests.KeystrokeRequestSchema,
    answer: answers.KeystrokeResultSchema,
    errors: ['ROUND_NOT_STARTED', 'ROUND_CHANGED'],
  },
  typeBackspace: {
    route: 'POST /sessions/{session_id}/backspace',
    summary: 'Remove the last character of the current word',
    description: `It never goes back to an earlier word. The body may be empty. ${numbered}`,
    request: requests.BackspaceRequestSchema,
    answer: answers.BackspaceResultSchema,
    errors: ['ROUND_NOT_STARTED', 'ROUND_CHANGED'],
  },
  typeSpace: {
    route: 'POST /sessions/{session_id}/space',
    summary: 'Go to the next word',
    description: `In the middle of a word it is a wrong keystroke. The body may be empty. ${numbered}`,
    request: requests.SpaceRequestSchema,
    answer: answers.SpaceResultSchema,
    errors: ['ROUND_NOT_STARTED', 'ROUND_CHANGED'],
  },
  typeBatch: {
    route: 'POST /sessions/{session_id}/input',
    summary: 'Type several keys at once',
    description:
      'Every further 20 events cost as much as a request. The results come in the order of the events, each as the endpoint for that input would answer. When one event is refused, none is applied.',
    request: requests.InputRequestSchema,
    answer: answers.InputResponseSchema,
    errors: ['ROUND_NOT_STARTED', 'ROUND_CHANGED'],
  },
  finishRound: {
    route: 'POST /sessions/{session_id}/timing',
    summary: 'Submit the timing of a complete round',
    description: 'The round now counts in the statistics. Sent again with the same values it counts once.',
    request: requests.TimingRequestSchema,
    errors: ['ROUND_NOT_STARTED'],
    answer: answers.SuccessSchema,
  },
  readState: {
    route: 'GET /sessions/{session_id}/state',
    summary: 'Read the state of the round',
    answer: answers.GameStateSchema,
    errors: ['ROUND_NOT_STARTED'],
  },
  readSessionStatistics: {
    route: 'GET /sessions/{session_id}/stats/session',
    summary: 'Read the statistics of the latest round',
    description:
      'Before its timing has arrived, the time is the sum of the seek times since the timer started, and nothing is a best yet.',
    answer: answers.SessionStatisticsSchema,
    errors: ['ROUND_NOT_STARTED'],
  },
  readHistoricalStatistics: {
    route: 'GET /sessions/{session_id}/stats/historical',
    summary: 'Read the statistics of all your finished rounds',
    query: requests.HistoryQuerySchema,
    description:
      'Fingers: 0 to 3 left little, ring, middle and index finger, 6 to 9 right index, middle, ring and little finger. Rows: 0 top, 1 home, 2 bottom. Times are in seconds, seek times and `rhythm_stddev` in milliseconds, rates in percent.',
    answer: answers.HistoricalStatisticsSchema,
  },
  saveRounds: {
    route: 'POST /sessions/{session_id}/save',
    summary: 'Write the finished rounds of the session to disk',
    answer: answers.SuccessSchema,
  },
  readHealth: {
    route: 'GET /health',
    summary: "Check the server's health",
    isPublic: true,
    answer: answers.HealthSchema,
  },
  readContract: {
    route: 'GET /openapi.json',
    summary: 'Read this document',
    isPublic: true,
    answer: 'any object',
  },
};

const common = ['API-Version', 'Vary', 'RateLimit', 'RateLimit-Policy'] as const;

export const typingApi: Api = {
  tag: 'typing',
  operations,
  errors: apiErrors,
  headers: common,
  errorHeaders: common,
};
