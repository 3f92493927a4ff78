import { english } from '../../typing/letters/language.ts';
import { qwerty } from '../../typing/letters/layout.ts';
import { defaultPractice, type Practice } from '../../typing/modes/practice.ts';
import { newRound, type Round, reduceRoundBatch } from '../../typing/round.ts';
import { newInput, type RoundInput } from '../../typing/round-input.ts';
import { spaceKey } from '../../typing/rules/rules.ts';
import type { FinishedRound } from '../../typing/statistics/finished-round.ts';
import { historicalStatistics } from '../../typing/statistics/historical-statistics.ts';
import { chaptersOf, foldRounds, newHistory } from '../../typing/statistics/history.ts';
import { finishedStatistics } from '../../typing/statistics/score-statistics.ts';
import { sessionStatistics, timeRound } from '../../typing/timing.ts';
import * as answers from '../answer-types.ts';
import * as requests from '../request-types.ts';
import { wireHistory, wireRound, wireRoundStart, wireSession, wireState } from '../typing-answers.ts';
import { type Api, apiErrors, type Operation } from './operation.ts';

// The examples are real: the engine types a short round when the document is made.

const sessionId = '9f8b6c1d2e3f40516273849506a7b8c9';
const words = ['they', 'said', 'that', 'number', 'sound', 'water', 'little', 'people', 'again', 'right'];
const practice: Practice = { ...defaultPractice, mode: { type: 'words', count: words.length } };
const roundId = '5b0bbe4f-2f0c-4a92-8f0e-6d1f1a6e8e57';
const start = Date.UTC(2026, 0, 15, 9, 30);
const end = start + 12_000;
const duration = 12_000;

const keys = words.flatMap((word) => [...word, spaceKey]);
const inputs = keys.map((key, at) => newInput(key, 170 + 15 * (at % 7), at + 1));

const fresh = newRound(roundId, words, practice);
const half = typed(fresh, inputs.slice(0, 12));
const { round: complete, finished } = timed(typed(half, inputs.slice(12)));

function typed(round: Round, some: readonly RoundInput[]): Round {
  const reduction = reduceRoundBatch(round, some);
  if ('problem' in reduction) throw new Error(reduction.problem.message);
  return reduction.round;
}

function timed(round: Round): { readonly round: Round; readonly finished: FinishedRound } {
  const result = timeRound(round, { start, end, duration }, newHistory());
  if ('problem' in result || result.finished === undefined) throw new Error('The example is not finished.');
  return { round: result.round, finished: result.finished };
}

const startedAt = new Date(start).toISOString();
const completedAt = new Date(end).toISOString();
const timing = { start_time_unix_ms: start, end_time_unix_ms: end, duration_ms: duration };
const events = words.flatMap((word) => [
  ...[...word].map((char) => ({ type: 'keystroke', char, seek_time_ms: 180 })),
  { type: 'space', seek_time_ms: 180 },
]);
const history = historicalStatistics(chaptersOf(foldRounds(newHistory(), [finished])), () => qwerty);
const summary = wireRound(roundId, completedAt, finished, finishedStatistics(finished), 'my-editor');

const numbered =
  'With `seq` (1, 2, 3 … in a round) a request can be sent again safely: a repeated number changes nothing and gets the first answer again, a gap is refused.';

const operations: readonly Operation[] = [
  {
    route: 'POST /sessions',
    id: 'createSession',
    summary: 'Create a session',
    description:
      'The body may be empty: then a round has 30 words in English. A value that is not known is refused with those that are.',
    request: requests.CreateSessionRequestSchema,
    status: 201,
    answer: answers.SessionCreatedSchema,
    errors: ['SESSION_LIMIT_REACHED'],
    example: {
      request: { mode: { type: 'words', count: 10 }, language: 'en', layout: 'qwerty' },
      answer: { session_id: sessionId },
    },
  },
  {
    route: 'GET /languages',
    id: 'listLanguages',
    summary: 'List the languages that a session may practise',
    answer: answers.LanguageListSchema,
    example: {
      answer: {
        languages: [{ id: 'en', name: 'English', alphabet: english.alphabet, words: 6000, quotes: 100 }],
      },
    },
  },
  {
    route: 'GET /layouts',
    id: 'listLayouts',
    summary: 'List the keyboard layouts',
    description: 'Fingers, rows and hands of the statistics follow the layout of the session.',
    answer: answers.LayoutListSchema,
    example: { answer: { layouts: [qwerty] } },
  },
  {
    route: 'GET /sessions',
    id: 'listSessions',
    summary: 'List your open sessions, oldest first',
    description:
      'Without `limit`: all of them, and at most 1,000 on a server that is open to the network. `next` is there when more follow.',
    query: requests.PageQuerySchema,
    answer: answers.SessionListSchema,
    example: { answer: { sessions: [{ id: sessionId, created_at: startedAt, last_used: completedAt }] } },
  },
  {
    route: 'POST /rounds',
    id: 'addRound',
    summary: 'Add a whole round that was typed elsewhere',
    description:
      'The server replays it by its rules. Sent again with the same id it changes nothing and is answered with 200.',
    request: requests.RoundUploadSchema,
    status: 201,
    answer: answers.RoundUploadResultSchema,
    example: {
      request: { id: roundId, words, events, ...timing, mode: { type: 'words', count: words.length } },
      answer: { id: roundId },
    },
  },
  {
    route: 'GET /rounds',
    id: 'listRounds',
    summary: 'List your finished rounds, newest first',
    description:
      'Without `limit`: 100 of them. An answer may hold fewer than requested although more follow: `next` shows that.',
    query: requests.PageQuerySchema,
    answer: answers.RoundListSchema,
    example: { answer: { rounds: [summary] } },
  },
  {
    route: 'DELETE /player',
    id: 'deletePlayer',
    summary: 'Delete your sessions and rounds for good',
    status: 204,
  },
  {
    route: 'DELETE /sessions/{session_id}',
    id: 'deleteSession',
    summary: 'Remove a session and its resources',
    description: 'Finished rounds stay in the history.',
    status: 204,
  },
  {
    route: 'POST /sessions/{session_id}/round',
    id: 'startRound',
    summary: 'Start a round of what the session practises',
    description:
      'Words, timed tests, drills and guided rounds follow what this player missed, was slow on or has met least, in this language on this layout. A round that is still running is abandoned and leaves no trace in the statistics.',
    request: requests.RoundRequestSchema,
    answer: answers.RoundSchema,
    errors: ['ROUND_NOT_STARTED'],
    example: { request: {}, answer: wireRoundStart({ round: fresh }) },
  },
  {
    route: 'POST /sessions/{session_id}/keystroke',
    id: 'typeCharacter',
    summary: 'Type a character',
    description: numbered,
    request: requests.KeystrokeRequestSchema,
    answer: answers.KeystrokeResultSchema,
    errors: ['ROUND_NOT_STARTED', 'ROUND_CHANGED'],
    example: {
      request: { char: 't', seek_time_ms: 180, seq: 1 },
      answer: { is_correct: true, timer_started: true, char_index: 0 },
    },
  },
  {
    route: 'POST /sessions/{session_id}/backspace',
    id: 'typeBackspace',
    summary: 'Remove the last character of the current word',
    description: `It never goes back to an earlier word. The body may be empty. ${numbered}`,
    request: requests.BackspaceRequestSchema,
    answer: answers.BackspaceResultSchema,
    errors: ['ROUND_NOT_STARTED', 'ROUND_CHANGED'],
    example: { request: { seq: 2 }, answer: { success: true, new_length: 0 } },
  },
  {
    route: 'POST /sessions/{session_id}/space',
    id: 'typeSpace',
    summary: 'Go to the next word',
    description: `In the middle of a word it is a wrong keystroke. The body may be empty. ${numbered}`,
    request: requests.SpaceRequestSchema,
    answer: answers.SpaceResultSchema,
    errors: ['ROUND_NOT_STARTED', 'ROUND_CHANGED'],
    example: {
      request: { seek_time_ms: 180, seq: 5 },
      answer: { advanced: true, round_complete: false, treated_as_error: false },
    },
  },
  {
    route: 'POST /sessions/{session_id}/input',
    id: 'typeBatch',
    summary: 'Type several keys at once',
    description:
      'Every further 20 events cost as much as a request. The results come in the order of the events, each as the endpoint for that input would answer. When one event is refused, none is applied.',
    request: requests.InputRequestSchema,
    answer: answers.InputResponseSchema,
    errors: ['ROUND_NOT_STARTED', 'ROUND_CHANGED'],
    example: {
      request: {
        events: [
          { type: 'keystroke', char: 't', seek_time_ms: 180, seq: 1 },
          { type: 'backspace', seq: 2 },
        ],
      },
      answer: {
        results: [
          { is_correct: true, timer_started: true, char_index: 0 },
          { success: true, new_length: 0 },
        ],
      },
    },
  },
  {
    route: 'POST /sessions/{session_id}/timing',
    id: 'finishRound',
    summary: 'Submit the timing of a complete round',
    description: 'The round now counts in the statistics. Sent again with the same values it counts once.',
    request: requests.TimingRequestSchema,
    errors: ['ROUND_NOT_STARTED'],
    answer: answers.SuccessSchema,
    example: { request: timing, answer: { success: true } },
  },
  {
    route: 'GET /sessions/{session_id}/state',
    id: 'readState',
    summary: 'Read the state of the round',
    answer: answers.GameStateSchema,
    errors: ['ROUND_NOT_STARTED'],
    example: { answer: wireState(half) },
  },
  {
    route: 'GET /sessions/{session_id}/stats/session',
    id: 'readSessionStatistics',
    summary: 'Read the statistics of the latest round',
    description:
      'Before its timing has arrived, the time is the sum of the seek times since the timer started, and nothing is a best yet.',
    answer: answers.SessionStatisticsSchema,
    errors: ['ROUND_NOT_STARTED'],
    example: { answer: wireSession(sessionStatistics(complete)) },
  },
  {
    route: 'GET /sessions/{session_id}/stats/historical',
    id: 'readHistoricalStatistics',
    summary: 'Read the statistics of all your finished rounds',
    query: requests.HistoryQuerySchema,
    description:
      'Fingers: 0 to 3 left little, ring, middle and index finger, 6 to 9 right index, middle, ring and little finger. Rows: 0 top, 1 home, 2 bottom. Times are in seconds, seek times and `rhythm_stddev` in milliseconds, rates in percent.',
    answer: answers.HistoricalStatisticsSchema,
    example: { answer: wireHistory(history) },
  },
  {
    route: 'POST /sessions/{session_id}/save',
    id: 'saveRounds',
    summary: 'Write the finished rounds of the session to disk',
    answer: answers.SuccessSchema,
    example: { answer: { success: true } },
  },
  {
    route: 'GET /health',
    id: 'readHealth',
    summary: "Check the server's health",
    isPublic: true,
    answer: answers.HealthSchema,
    example: { answer: { status: 'healthy', active_sessions: 1 } },
  },
  {
    route: 'GET /openapi.json',
    id: 'readContract',
    summary: 'Read this document',
    isPublic: true,
    answer: 'any object',
    example: { answer: { openapi: '3.1.0' } },
  },
];

const common = ['API-Version', 'Vary', 'RateLimit', 'RateLimit-Policy'] as const;

/** The typing-practice session API, below the address of the document. */
export const typingApi: Api = {
  tag: 'typing',
  operations,
  errors: apiErrors,
  headers: common,
  errorHeaders: common,
};
