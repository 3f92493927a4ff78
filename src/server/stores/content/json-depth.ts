import type { FileProblem } from './json-lines.ts';

/** No file of ours has ten levels. Thousands could overflow the stack of code that walks a value recursively. */
export const deepestNesting = 100;

/** Finds brackets nested deeper than in any file of ours; undefined if there are none. One pass, without recursion. */
export function findTooDeep(text: string): FileProblem | undefined {
  let depth = 0;
  let line = 1;
  let isText = false;
  for (let at = 0; at < text.length; at += 1) {
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
