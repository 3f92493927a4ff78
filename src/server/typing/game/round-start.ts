import { deriveSeed } from '../../../typing/choice/random.ts';
import type { RoundText } from '../../../typing/modes/material.ts';
import { toRoundText } from '../../../typing/modes/round-text.ts';
import { toTextSize } from '../../../typing/modes/words.ts';
import { newRound, type Round } from '../../../typing/round.ts';
import type { Asking, PlayerId } from '../../stores/player.ts';
import { SessionMemoryError, type SessionUpdate } from '../../stores/ports.ts';
import type { Session } from '../../stores/session.ts';
import type { TypingGameOptions } from './game-options.ts';
import type { OwnSessions } from './own-sessions.ts';
import type { SaveSession } from './session-saving.ts';

/** A new round, and what is said of its text only now. */
export interface RoundStart extends Pick<RoundText, 'indents' | 'focus'> {
  readonly round: Round;
}

export type StartRound = (asking: Asking, id: string) => Promise<RoundStart | undefined>;

/** What a round begins with: drawn before the change of the session, which may run twice. */
interface RoundDraw {
  readonly roundId: string;
  readonly chooseText: (session: Session, roundCount: number) => RoundText;
}

/** What a session may hold of finished rounds, and of characters in their lines, before they are saved without being asked. */
const maxUnsavedRounds = 50;
const maxUnsavedLength = 100_000;

/**
 * Starts a round; undefined where there is no such session. Finished rounds that wait in the session are saved first where they
 * are many, or where the new one finds no room beside them. Rejects with `AllowanceUsedUpError` and as the stores do.
 */
export function createRoundStart(
  options: TypingGameOptions,
  own: OwnSessions,
  save: SaveSession,
): StartRound {
  return async (asking, id) => {
    const before = await own.read(asking, id);
    if (before === undefined) return undefined;
    options.allowance.expectLeft(asking);
    const isFull = holdsManyRounds(before);
    if (isFull) await save(asking, id);
    const draw = await drawRound(options, before.player);
    const start = async () => {
      // Before the words are drawn, which costs more than all else: a client without room could ask for them again and again.
      const room = options.stores.sessions.expectRoom(id, toTextSize(before.practice.mode));
      // What is known at once stays true until the words are drawn.
      if (room instanceof Promise) await room;
      return own.update(asking, id, (session) => withNewRound(session, draw));
    };
    let round: RoundStart | undefined;
    try {
      round = await start();
    } catch (error) {
      if (!(error instanceof SessionMemoryError) || isFull || before.unsaved.length === 0) throw error;
      await save(asking, id);
      round = await start();
    }
    await options.stores.sessions.flush();
    return round;
  };
}

function holdsManyRounds({ unsaved }: Session): boolean {
  const length = unsaved.reduce((sum, { line }) => sum + line.length, 0);
  return unsaved.length >= maxUnsavedRounds || length >= maxUnsavedLength;
}

/** Everything about the next round that is not the session's. */
async function drawRound(options: TypingGameOptions, player: PlayerId): Promise<RoundDraw> {
  const { stores, library, newId } = options;
  const history = await stores.rounds.history(player);
  const randomSeed = options.seed === undefined ? options.newSeed() : undefined;
  return {
    roundId: newId(),
    chooseText: ({ practice, round }, roundCount) => {
      const seed = randomSeed ?? deriveSeed(options.seed as number, roundCount);
      const material = library.materialOf(practice, seed, history);
      return toRoundText(practice, round === null ? material : { ...material, before: round.words });
    },
  };
}

function withNewRound(session: Session, { roundId, chooseText }: RoundDraw): SessionUpdate<RoundStart> {
  const roundCount = session.roundCount + 1;
  const { words, lineEnds, ...rest } = chooseText(session, roundCount);
  const round = newRound(roundId, words, session.practice, lineEnds);
  return { session: { ...session, roundCount, round }, result: { round, ...rest } };
}
