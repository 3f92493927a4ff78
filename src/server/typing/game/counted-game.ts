import type { TypingGame } from './typing-game.ts';

/** The same game, but it counts the keys that it accepts. */
export function countKeys(game: TypingGame, onKeys: (count: number) => void): TypingGame {
  const counted = async <T>(outcome: Promise<T>, count: number): Promise<T> => {
    const result = await outcome;
    if (result !== undefined && !('problem' in (result as object))) onKeys(count);
    return result;
  };
  return {
    ...game,
    input: (caller, id, input) => counted(game.input(caller, id, input), 1),
    inputBatch: (caller, id, inputs) => counted(game.inputBatch(caller, id, inputs), inputs.length),
  };
}
