import { expect } from 'vitest';
import {
  type Editor,
  editorsText,
  hashToken,
  newEditorToken,
} from '../../src/server/desk/editors-document.ts';
import { bearer, type JsonAnswer, sendJson } from './http-client.ts';

/** Tokens by the names of their editors, and the `editors.json` that knows them. */
export function newEditors<Name extends string>(...names: readonly Name[]) {
  const tokens = Object.fromEntries(names.map((name) => [name, newEditorToken()])) as Record<Name, string>;
  const editors: Editor[] = names.map((name) => ({
    name,
    added: '2026-01-01T00:00:00Z',
    tokenHash: hashToken(tokens[name]),
  }));
  return { tokens, editors, text: editorsText(editors) };
}

export interface DeskAnswer extends JsonAnswer {
  /** The revision, as If-Match takes it. */
  readonly etag: string;
}

/** Sends one request of an editor to a server on this machine. Whatever it refuses, it says in a sentence. */
export async function callDesk(
  port: number,
  token: string | undefined,
  method: string,
  path: string,
  { body, headers = {} }: { readonly body?: unknown; readonly headers?: Record<string, string> } = {},
): Promise<DeskAnswer> {
  const answer = await sendJson(port, method, `/api${path}`, body, { ...bearer(token), ...headers });
  if (answer.status >= 400)
    expect(answer.json).toMatchObject({
      error: expect.stringMatching(/^\S.{9,}[.!?]$/s),
      code: expect.any(String),
    });
  return { ...answer, etag: String(answer.headers.etag) };
}
