import { allAtOnce, type Steps } from '../../../../kit/slices.ts';
import type { FileProblem } from './json-lines.ts';

/** No file of ours has ten levels. Thousands could overflow the stack of code that walks a value recursively. */
export const deepestNesting = 100;

/** UTF-16 units looked at in one go, which takes less than a millisecond. */
const portion = 64 * 1024;

/** Finds brackets nested deeper than in any file of ours; undefined if there are none. One pass, without recursion. */
export function findTooDeep(text: string): FileProblem | undefined {
  return allAtOnce(tooDeepSteps(text));
}

/** The same in steps. */
export function* tooDeepSteps(text: string): Steps<FileProblem | undefined> {
  let depth = 0;
  let line = 1;
  let isText = false;
  let pause = portion;
  for (let at = 0; at < text.length; at += 1) {
    if (at >= pause) {
      pause += portion;
      yield;
    }
    const character = text[at];
    if (character === '\n') line += 1;
    else if (isText) {
      if (character === '\\') at += 1;
      else if (character === '"') isText = false;
    } else if (character === '"') isText = true;
    else if (character === '[' || character === '{') {
      depth += 1;
      if (depth > deepestNesting)
        return { line, message: `more than ${deepestNesting} brackets are open inside each other here` };
    } else if (character === ']' || character === '}') depth -= 1;
  }
  return undefined;
}
