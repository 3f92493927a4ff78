import { type Context, requestIdOf } from '../../http/requests/context.ts';
import { HttpError } from '../../http/requests/http-error.ts';
import { boundLines } from '../../settings/bounded-log.ts';
import type { Log } from '../../settings/log.ts';
import type { Content } from '../../stores/content/content.ts';
import { StoreUnavailableError } from '../../stores/records/records.ts';
import { findEditor, hasExpired } from '../editors/editor-token.ts';
import { type Editor, parseEditors } from '../editors/editors-document.ts';
import {
  contentBroken,
  editorsUnreadable,
  foreignPage,
  storeAway,
  tlsRequired,
  tokenExpired,
  tooManyWrongTokens,
  unauthenticated,
} from '../refusals/desk-refusals.ts';
import { isForeignPage } from './own-origin.ts';
import type { TransportCheck } from './secure-transport.ts';
import { createWrongTokens } from './wrong-tokens.ts';

export interface AdmissionOptions {
  readonly content: Content;
  readonly isSafe: TransportCheck;
  /** Scheme and host of the public URL of this server, if the operator has set one. */
  readonly publicOrigin: string | undefined;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** A clock that never jumps, in milliseconds. */
  readonly steady: () => number;
  readonly log: Log;
}

/** Resolves to the editor who sends a request. Rejects with 401, 403 or 429 if it is not one, and with 503 if the list of editors is lost. */
export type Admission = (context: Context) => Promise<Editor>;

export function createAdmission(options: AdmissionOptions): Admission {
  const { content, isSafe, publicOrigin, clock, steady, log } = options;
  const wrongTokens = createWrongTokens();

  /** A store without announcements has lost its data, and that makes no token wrong. */
  const requireContent = async () => {
    if (content.kind === 'folder') return;
    const [version] = await content.versions(['history.json']);
    if (version === undefined) throw new Error('the store has lost it');
  };

  /** Read on each request, so that removing a token takes effect at once. */
  const readEditors = async (context: Context): Promise<readonly Editor[]> => {
    try {
      const text = (await content.read('editors.json'))?.text;
      if (text === undefined) await requireContent();
      const result = parseEditors(text);
      if ('editors' in result) return result.editors;
      throw new Error(result.problem);
    } catch (error) {
      if (error instanceof StoreUnavailableError) throw storeAway();
      const reason = error instanceof HttpError ? error : (error as Error).message;
      log.error(`${content.nameOf('editors.json')} cannot be used, so nobody may edit: ${reason}`, {
        request: requestIdOf(context),
      });
      throw content.kind === 'store' ? editorsUnreadable() : contentBroken();
    }
  };

  const logRefusal = boundLines(log.warn);
  const checkGuesses = ({ client }: Context) => {
    const wait = wrongTokens.waitOf(client, steady());
    if (wait > 0) throw tooManyWrongTokens(wait);
  };

  return async (context) => {
    if (isForeignPage(context, publicOrigin)) throw foreignPage();
    if (!isSafe(context)) throw tlsRequired();
    const { authorization } = context.headers;
    if (authorization === undefined) throw unauthenticated();
    // Checked first: a client that goes on guessing must not make the server read all editors each time.
    checkGuesses(context);
    const editors = await readEditors(context);
    // From here on everything is synchronous: even of many simultaneous guesses, the sixth is refused.
    checkGuesses(context);
    const editor = findEditor(editors, toToken(authorization));
    if (editor !== undefined && !hasExpired(editor, clock())) return editor;
    // An expired one counts as well: sending it again and again costs as much as guessing.
    wrongTokens.note(context.client, steady());
    // Without the address, like everything in the log: the proxy's log has it, with the 401.
    const what = editor === undefined ? 'a wrong token was sent' : `the token of ${editor.name} has expired`;
    logRefusal(what, { request: requestIdOf(context) });
    throw editor === undefined ? unauthenticated() : tokenExpired();
  };
}

function toToken(authorization: string): string {
  return /^Bearer +([^ ]+)$/i.exec(authorization)?.[1] ?? '';
}
