import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { editorTokenPattern } from '../../../contract/editor-token.ts';
import type { Editor } from './editors-document.ts';

/** 256 random bits: nothing that is worth guessing, so that a plain hash is enough to keep it secret. */
export function newEditorToken(): string {
  return `tbe_${randomBytes(32).toString('base64url')}`;
}

/** SHA-256 in hexadecimal: all that is ever stored of a token. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/**
 * The editor whose token this is, and still is at `now` (epoch milliseconds). Every hash is compared in constant time, also
 * after a match, so that the time of an answer reveals nothing.
 */
export function findEditor(editors: readonly Editor[], token: string, now: number): Editor | undefined {
  const given = Buffer.from(hashToken(token), 'hex');
  let found: Editor | undefined;
  for (const editor of editors) {
    if (timingSafeEqual(given, Buffer.from(editor.tokenHash, 'hex'))) found = editor;
  }
  if (found === undefined || !editorTokenPattern.test(token)) return undefined;
  return hasExpired(found, now) ? undefined : found;
}

export function hasExpired({ expires }: Pick<Editor, 'expires'>, now: number): boolean {
  return expires !== undefined && Date.parse(expires) <= now;
}
