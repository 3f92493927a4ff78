import { deriveSeed } from '../../../typing/choice/random-draw.ts';
import type { RoundText } from '../../../typing/modes/practice.ts';
import { roundText } from '../../../typing/modes/round-text.ts';
import { newRound, type Round } from '../../../typing/round.ts';
import type { Problem } from '../../../typing/rules/rules.ts';
import type { Caller, PlayerId } from '../../stores/player.ts';
import type { Session } from '../../stores/session.ts';
import type { SessionUpdate } from '../../stores/sessions.ts';
import type { TypingGameOptions } from './game-options.ts';
import type { OwnSessions } from './own-sessions.ts';
import { type GameAnswer, notStarted } from './own-sessions.ts';

/** A new round, and what its text was chosen for. */
export interface RoundStart extends Pick<RoundText, 'focus'> {
  readonly round: Round;
}

/** @param isRepeat whether the text of the last round comes again; refused before the first round */
export type StartRound = (caller: Caller, id: string, isRepeat?: boolean) => GameAnswer<RoundStart>;

/** Everything random about a new round, drawn before the session is changed, because that change may run twice. */
interface RoundDraw {
  readonly roundId: string;
  readonly chooseText: (session: Session, roundCount: number) => RoundText;
}

/** Starts a round; undefined if there is no such session. Rejects with `AllowanceUsedUpError`, and with errors of the stores. */
export function createRoundStart(options: TypingGameOptions, own: OwnSessions): StartRound {
  return async (caller, id, isRepeat = false) => {
    if ((await own.read(caller, id)) === undefined) return undefined;
    options.allowance.expectLeft(caller);
    // Of the sender: a session without a key can be used by others, who learn nothing about its owner.
    const draw = await drawRound(options, caller.player);
    return own.update(caller, id, (session) =>
      isRepeat ? withSameText(session, draw.roundId) : withNewRound(session, draw),
    );
  };
}

/** Everything about the next round that does not depend on the session. */
async function drawRound(options: TypingGameOptions, player: PlayerId): Promise<RoundDraw> {
  const { stores, library, newRoundId } = options;
  const history = await stores.rounds.history(player);
  const randomSeed = options.seed === undefined ? options.newSeed() : undefined;
  return {
    roundId: newRoundId(),
    chooseText: ({ practice, round }, roundCount) => {
      const seed = randomSeed ?? deriveSeed(options.seed as number, roundCount);
      const material = library.materialOf(practice, seed, history);
      return roundText(practice, round === null ? material : { ...material, before: round.words });
    },
  };
}

function withNewRound(session: Session, { roundId, chooseText }: RoundDraw): SessionUpdate<RoundStart> {
  const roundCount = session.roundCount + 1;
  const { words, lineEnds, indents, focus } = chooseText(session, roundCount);
  const round = newRound(roundId, words, session.practice, lineEnds, indents);
  return { session: { ...session, roundCount, round }, result: { round, ...(focus && { focus }) } };
}

function withSameText(session: Session, roundId: string): SessionUpdate<RoundStart | { problem: Problem }> {
  if (session.round === null) return { session, result: notStarted };
  const { words, practice, lineEnds, indents } = session.round;
  const round = newRound(roundId, words, practice, lineEnds, indents);
  return { session: { ...session, roundCount: session.roundCount + 1, round }, result: { round } };
}
