import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { editorTokenPattern } from '../../../contract/editor-token.ts';
import type { Editor } from './editors-document.ts';

/** 256 random bits, which cannot be guessed, so that a plain hash is enough to store it safely. */
export function newEditorToken(): string {
  return `tbe_${randomBytes(32).toString('base64url')}`;
}

/** SHA-256 in hexadecimal, the only form in which a token is stored. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/**
 * The editor with this token, expired or not. All hashes are compared in constant time, even after a match, so that the time of an
 * answer reveals nothing.
 */
export function findEditor(editors: readonly Editor[], token: string): Editor | undefined {
  const given = Buffer.from(hashToken(token), 'hex');
  let found: Editor | undefined;
  for (const editor of editors) {
    if (timingSafeEqual(given, Buffer.from(editor.tokenHash, 'hex'))) found = editor;
  }
  return editorTokenPattern.test(token) ? found : undefined;
}

/** @param now epoch milliseconds */
export function hasExpired({ expires }: Pick<Editor, 'expires'>, now: number): boolean {
  return expires !== undefined && Date.parse(expires) <= now;
}
