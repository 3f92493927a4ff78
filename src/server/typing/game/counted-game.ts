import type { Awaitable } from '../../stores/ports.ts';
import type { TypingGame } from './typing-game.ts';

/** The same game, but it counts the keys that it accepts. */
export function countKeys(game: TypingGame, onKeys: (count: number) => void): TypingGame {
  return {
    ...game,
    input: (asking, id, input) => afterwards(game.input(asking, id, input), () => onKeys(1)),
    inputBatch: (asking, id, inputs) =>
      afterwards(game.inputBatch(asking, id, inputs), () => onKeys(inputs.length)),
  };
}

/** Synchronous results stay synchronous: no promise is added. */
function afterwards<T>(outcome: Awaitable<T>, onSuccess: () => void): Awaitable<T> {
  const look = (result: T) => {
    if (result !== undefined && !('problem' in (result as object))) onSuccess();
    return result;
  };
  return outcome instanceof Promise ? outcome.then(look) : look(outcome);
}
