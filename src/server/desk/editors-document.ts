import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import * as v from 'valibot';
import { parseEditorName } from '../../announcements/changes/change-log.ts';
import { parseInstant } from '../../announcements/times/instant.ts';
import { editorTokenPattern } from '../../contract/credentials.ts';
import { type Content, ContentError } from '../stores/content/content.ts';
import type { ContentFinding } from '../stores/content/content-check.ts';
import { mistakeOf, parseJsonFile, problemAt } from '../stores/content/json-file.ts';

export const maxEditors = 1_000;

const instant = v.pipe(
  v.string(),
  v.check((text) => parseInstant(text) !== undefined, 'is not a time such as 2026-12-31T18:00:00Z'),
);

const editorSchema = v.object({
  name: v.pipe(
    v.string(),
    v.check((text) => 'name' in parseEditorName(text), 'is not the name of an editor'),
  ),
  added: instant,
  /** Missing: the token never expires. */
  expires: v.exactOptional(instant),
  /** SHA-256 of the token, in hexadecimal. The token itself is stored nowhere. */
  tokenHash: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, 'is not a SHA-256 in hexadecimal')),
});
export type Editor = Readonly<v.InferOutput<typeof editorSchema>>;

const editorsSchema = v.object({
  version: v.literal(1, 'this version of typebadge reads version 1 only'),
  editors: v.pipe(v.array(editorSchema), v.maxLength(maxEditors, `has more than ${maxEditors} editors`)),
});

/** Parses `editors.json`; undefined means that there is no such file, so nobody may edit remotely. */
export function parseEditors(
  text: string | undefined,
): { readonly editors: readonly Editor[] } | { readonly problem: string } {
  if (text === undefined) return { editors: [] };
  const file = parseJsonFile(text);
  if ('problems' in file) return { problem: 'it is not valid JSON' };
  const { success, output, issues } = v.safeParse(editorsSchema, file.value);
  if (success) return { editors: output.editors };
  const { path = 'the file', message } = problemAt(0, mistakeOf(issues[0]));
  return { problem: `${path}: ${message}` };
}

export function editorsText(editors: readonly Editor[]): string {
  return `${JSON.stringify({ version: 1, editors }, null, 2)}\n`;
}

/** Names are unique regardless of case and Unicode form: the log must be unambiguous. */
export function isSameName(one: string, other: string): boolean {
  const plain = (name: string) => name.trim().normalize('NFKC').toLowerCase();
  return plain(one) === plain(other);
}

/** Checks the editors of the content. Permission errors are expected: only the owner may read them. */
export async function checkEditors(
  content: Content,
): Promise<{ readonly [N in 'problems' | 'hints']: readonly ContentFinding[] }> {
  const file = content.nameOf('editors.json');
  try {
    const result = parseEditors((await content.read('editors.json'))?.text);
    if (!('problem' in result)) return { problems: [], hints: [] };
    const message = `${result.problem}; until this is fixed, nobody may edit from another computer`;
    return { problems: [{ file, message }], hints: [] };
  } catch (error) {
    if (!(error instanceof ContentError)) throw error;
    return { problems: [], hints: [{ file, message: `it was not checked: ${error.message}` }] };
  }
}

/** 256 random bits, which cannot be guessed, so that a plain hash is enough to store it safely. */
export function newEditorToken(): string {
  return `tbe_${randomBytes(32).toString('base64url')}`;
}

/** SHA-256 in hexadecimal, the only form in which a token is stored. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/**
 * The editor with this token, expired or not. All hashes are compared in constant time, even after a match,
 * so that the time of an answer reveals nothing.
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
