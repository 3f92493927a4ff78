import {
  type Editor,
  editorsText,
  hashToken,
  newEditorToken,
} from '../../src/server/desk/editors/editors-document.ts';
import { type Answer, type Question, send } from './http-client.ts';

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

export interface DeskAnswer extends Answer {
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  readonly json: any;
  /** The revision, as If-Match takes it. */
  readonly etag: string;
}

/** Sends one request of an editor to a server on this machine. */
export async function callDesk(
  port: number,
  token: string | undefined,
  method: string,
  path: string,
  { body, ...question }: Omit<Question, 'path' | 'method' | 'body'> & { readonly body?: unknown } = {},
): Promise<DeskAnswer> {
  const sent = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  const answer = await send(port, {
    method,
    path: `/api${path}`,
    headers: {
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...(sent === undefined
        ? {}
        : { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(sent)) }),
      ...question.headers,
    },
    ...(sent === undefined ? {} : { body: sent }),
  });
  const text = answer.body.toString();
  return { ...answer, json: text === '' ? undefined : JSON.parse(text), etag: String(answer.headers.etag) };
}
