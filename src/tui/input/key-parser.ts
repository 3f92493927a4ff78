import { StringDecoder } from 'node:string_decoder';
import type { Key } from './key.ts';
import { endPaste, type KeyStep, newKeyState, settleKey, stepKey } from './key-steps.ts';

/** Turns what a terminal sends into single keys. Chunks may be cut anywhere, also inside a character or a sequence. */
export interface KeyParser {
  /** The keys that `bytes`, read at `time` (ms, monotonic), complete. */
  push(bytes: Uint8Array, time: number): Key[];
  /** Call when nothing has followed for a moment: an Esc that waited for the rest of a sequence was the Esc key. */
  flush(): Key[];
  /** Whether bytes wait for their continuation. */
  readonly isWaiting: boolean;
}

/** A paste whose end never came (a broken connection) must not swallow the keys typed afterwards. */
const longestPasteGap = 1000;

/** Runs what `stepKey` decides, character by character. */
export function createKeyParser(): KeyParser {
  const decoder = new StringDecoder('utf8');
  let state = newKeyState;
  let lastPush = 0;

  return {
    push(bytes, time) {
      const isPasteLost = state.isPasting && time - lastPush > longestPasteGap;
      lastPush = time;
      const text = decoder.write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
      return [
        ...(isPasteLost ? apply(endPaste(state)) : []),
        ...[...text].flatMap((character) => apply(stepKey(state, character))),
      ];
    },
    flush: () => apply(settleKey(state)),
    get isWaiting() {
      return state.mode !== 'ground';
    },
  };

  function apply(step: KeyStep): Key[] {
    state = step.state;
    return [...(step.keys ?? [])];
  }
}
