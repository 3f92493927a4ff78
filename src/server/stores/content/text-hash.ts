import { createHash } from 'node:crypto';
import { inSlices, type Steps } from '../../../kit/slices.ts';

/** UTF-16 units hashed in one go, which takes a few milliseconds. */
const portion = 512 * 1024;

/** Hash of a text, 22 characters of base64url; computed in slices, because texts may have megabytes. */
export function hashText(text: string): Promise<string> {
  return inSlices(hashSteps(text));
}

function* hashSteps(text: string): Steps<string> {
  const hash = createHash('sha256');
  for (let at = 0; at < text.length; ) {
    const end = at + portion;
    // Never split a surrogate pair.
    const next = /[\uD800-\uDBFF]/.test(text.charAt(end - 1)) ? end + 1 : end;
    hash.update(text.slice(at, next));
    at = next;
    yield;
  }
  return hash.digest('base64url').slice(0, 22);
}
