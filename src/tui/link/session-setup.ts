import type * as v from 'valibot';
import type { ModeRequestSchema } from '../../contract/session-setup.ts';
import type { CreateSessionRequest } from '../../contract/wire-types.ts';

export type ModeRequest = v.InferInput<typeof ModeRequestSchema>;

/** What a session is to practise; what is left out is as the server likes it. */
export interface SessionSetup {
  readonly punctuation: boolean;
  /** Whether a space before the end of a word is a mistake, instead of its end. */
  readonly isStrict: boolean;
  readonly mode?: ModeRequest | undefined;
  readonly language?: string | undefined;
  readonly layout?: string | undefined;
}

/** The usual is left out, for a server that knows only the documents. */
export function toSessionRequest(setup: SessionSetup): CreateSessionRequest {
  const { punctuation, isStrict, mode, language = 'en', layout = 'qwerty' } = setup;
  const isUsual = mode === undefined || (mode.type === 'words' && mode.count === 30);
  return {
    punctuation_mode: punctuation,
    ...(isStrict ? {} : { rules: { early_space: 'skip' } }),
    ...(isUsual ? {} : { mode }),
    ...(language === 'en' ? {} : { language }),
    ...(layout === 'qwerty' ? {} : { layout }),
  };
}
