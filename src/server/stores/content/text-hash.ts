import { createHash } from 'node:crypto';
import { inSlices, type Steps } from '../../../kit/slices.ts';

/** UTF-16 units hashed in one go: some milliseconds' work. */
const portion = 512 * 1024;

/** Names a text in 22 letters of base64url; others have their turn while that of megabytes is made. */
export function hashText(text: string): Promise<string> {
  return inSlices(hashSteps(text));
}

function* hashSteps(text: string): Steps<string> {
  const hash = createHash('sha256');
  for (let at = 0; at < text.length; ) {
    const end = at + portion;
    // A character of two units is hashed as one, wherever it is.
    const next = /[\uD800-\uDBFF]/.test(text.charAt(end - 1)) ? end + 1 : end;
    hash.update(text.slice(at, next));
    at = next;
    yield;
  }
  return hash.digest('base64url').slice(0, 22);
}
