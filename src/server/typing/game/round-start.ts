import { randomUUID } from 'node:crypto';
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

/** A new round, and facts about its text that are only available at its start. */
export interface RoundStart extends Pick<RoundText, 'indents' | 'focus'> {
  readonly round: Round;
}

export type StartRound = (asking: Asking, id: string) => Promise<RoundStart | undefined>;

/** Everything random about a new round, drawn before the session is changed, because that change may run twice. */
interface RoundDraw {
  readonly roundId: string;
  readonly chooseText: (session: Session, roundCount: number) => RoundText;
}

/** Finished rounds in a session, and characters of their lines, beyond which they are saved automatically. */
const maxUnsavedRounds = 50;
const maxUnsavedLength = 100_000;

/**
 * Starts a round; undefined if there is no such session. Unsaved finished rounds of the session are saved first if there are many
 * of them, or if there would be no room for the new one. Rejects with `AllowanceUsedUpError`, and with errors of the stores.
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
    // Of the sender: a session without a key can be used by others, who learn nothing about its owner.
    const draw = await drawRound(options, asking.player);
    const start = async () => {
      // Before the words are drawn, which is the expensive part: a client without room could request them again and again.
      const room = options.stores.sessions.expectRoom(id, toTextSize(before.practice.mode));
      // A synchronous answer remains true until the words are drawn.
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

/** Everything about the next round that does not depend on the session. */
async function drawRound(options: TypingGameOptions, player: PlayerId): Promise<RoundDraw> {
  const { stores, library } = options;
  const history = await stores.rounds.history(player);
  const randomSeed = options.seed === undefined ? options.newSeed() : undefined;
  return {
    roundId: randomUUID(),
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
