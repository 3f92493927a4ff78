import { randomInt } from 'node:crypto';
import * as v from 'valibot';
import { CreateSessionRequestSchema } from '../../../contract/request-types.ts';
import { toWireMode } from '../../../contract/session-setup.ts';
import { type Library, openLibrary } from '../../../server/typing/library/library.ts';
import { toPractice } from '../../../server/typing/requests/practice-request.ts';
import { type SessionSetup, toSessionRequest } from '../../../tui/link/session/session-setup.ts';
import type { OfflineRounds } from '../../../tui/link/source/offline-rounds.ts';
import { readRoundHistory } from '../../../tui/record/round-history.ts';
import type { RoundRecord } from '../../../tui/record/round-line.ts';
import { usualPractised } from '../../../tui/round/practised.ts';
import type { Practice } from '../../../typing/modes/practice.ts';
import { toRoundText } from '../../../typing/modes/round-text.ts';
import { toWordText } from '../../../typing/rules/word.ts';
import { type Chapter, type History, newChapter } from '../../../typing/statistics/history.ts';
import { type BigramTally, type KeyTally, newKeyTally } from '../../../typing/statistics/key-tally.ts';
import { asOf, type RecentTally, shareLeft } from '../../../typing/statistics/recent-tally.ts';

/**
 * Rounds of the lists that the package ships, chosen by the engine of the server from what the typist's own record tells
 * of letters and bigrams; words that went wrong are known to a server only.
 *
 * @param folder where the typist's record is
 */
export function createOfflineRounds(folder: string): OfflineRounds {
  const library = openLibrary();
  return {
    async next(setup) {
      const practice = toOfflinePractice(setup, library);
      const { mode, language, layout, rules } = practice;
      const { records } = await readRoundHistory(folder).catch(() => ({ records: [] }));
      const history = toHistory(records, practice);
      const text = toRoundText(practice, library.materialOf(practice, randomInt(2 ** 32), history));
      return {
        words: text.words.map(toWordText),
        rules,
        practised: {
          ...usualPractised,
          mode: toWireMode(mode),
          language,
          layout,
          lineEnds: [...(text.lineEnds ?? [])],
          indents: [...(text.indents ?? [])],
          focus: [...(text.focus ?? [])],
        },
      };
    },
    async readCatalog() {
      const languages = library.languages().map(({ id, name }) => ({ id, name }));
      return { languages, layouts: library.layouts() };
    },
  };
}

/** Throws the 400 of a server for what the package does not have. */
export function toOfflinePractice(setup: SessionSetup, library: Library = openLibrary()): Practice {
  return toPractice(v.parse(CreateSessionRequestSchema, toSessionRequest(setup)), library);
}

/** Older rounds weigh nothing any more: half as much every 20 rounds. */
const mostRounds = 200;

/** One chapter of the typist's latest rounds in this language on this layout; guided mode has one of its own. */
function toHistory(records: readonly RoundRecord[], { mode, language, layout }: Practice): History {
  const isGuided = mode.type === 'guided';
  const similar = records
    .filter((one) => one.counts && one.language === language && one.layout === layout)
    .filter((one) => !isGuided || one.mode === 'guided')
    .slice(-mostRounds);
  if (similar.length === 0) return { rounds: 0, chapters: {} };
  const kind = { mode: isGuided ? 'guided' : 'words-30', language, layout };
  const chapter: Chapter = { ...newChapter(kind), rounds: similar.length, keys: toKeys(similar) };
  return { rounds: similar.length, chapters: { [kind.mode]: chapter } };
}

function toKeys(records: readonly RoundRecord[]): KeyTally {
  const keys = newKeyTally();
  for (const [round, { letters, bigrams = {} }] of records.entries()) {
    for (const [letter, sums] of Object.entries(letters)) {
      keys.recent[letter] = addSums(keys.recent[letter], sums, round);
    }
    for (const [pair, times] of Object.entries(bigrams)) {
      keys.bigrams[pair] = addTimes(keys.bigrams[pair], times, round);
    }
  }
  return keys;
}

function addSums(
  before: RecentTally | undefined,
  { presented, correct, seekMs, seekCount }: RoundRecord['letters'][string],
  round: number,
): RecentTally {
  const faded = before === undefined ? undefined : asOf(before, round);
  return {
    presented: presented + (faded?.presented ?? 0),
    correct: correct + (faded?.correct ?? 0),
    ms: seekMs + (faded?.ms ?? 0),
    count: seekCount + (faded?.count ?? 0),
    at: round,
  };
}

function addTimes(
  before: BigramTally | undefined,
  { count, ms }: NonNullable<RoundRecord['bigrams']>[string],
  round: number,
): BigramTally {
  const share = before === undefined ? 0 : shareLeft(before.at, round);
  return {
    count: count + (before?.count ?? 0),
    ms: ms + (before?.ms ?? 0),
    recentCount: count + share * (before?.recentCount ?? 0),
    recentMs: ms + share * (before?.recentMs ?? 0),
    at: round,
  };
}
