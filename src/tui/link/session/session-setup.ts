import type * as v from 'valibot';
import type { OwnLayout } from '../../../contract/own-layout.ts';
import type { CreateSessionRequest } from '../../../contract/request-types.ts';
import type { ModeRequestSchema } from '../../../contract/session-setup.ts';
import type { Rules as EngineRules } from '../../../typing/rules/rules.ts';
import type { RoundLimits } from '../../round/limits.ts';

export type ModeRequest = v.InferInput<typeof ModeRequestSchema>;

/** What a session is to practise; the server decides what is left out. */
export interface SessionSetup {
  readonly punctuation: boolean;
  /** Whether a space before the end of a word is a mistake, instead of its end. */
  readonly isStrict: boolean;
  /** Default: a wrong letter stops nothing, and Backspace deletes. */
  readonly stopOn?: EngineRules['stopOn'];
  readonly backspace?: EngineRules['backspace'];
  /** What ends the round early. The server does not learn of it. */
  readonly limits?: RoundLimits;
  readonly mode?: ModeRequest | undefined;
  readonly language?: string | undefined;
  readonly layout?: string | undefined;
  /** The layout itself, where it is the typist's own: sent in place of its id. */
  readonly ownLayout?: OwnLayout | undefined;
}

/** The usual is left out, for a server without extensions. */
export function toSessionRequest(setup: SessionSetup): CreateSessionRequest {
  const { punctuation, mode, language = 'en' } = setup;
  const layout = setup.ownLayout ?? setup.layout ?? 'qwerty';
  const rules = toRules(setup);
  const isUsual = mode === undefined || (mode.type === 'words' && mode.count === 30);
  return {
    punctuation_mode: punctuation,
    ...(Object.keys(rules).length === 0 ? {} : { rules }),
    ...(isUsual ? {} : { mode }),
    ...(language === 'en' ? {} : { language }),
    ...(layout === 'qwerty' ? {} : { layout }),
  };
}

function toRules({
  isStrict,
  stopOn = 'none',
  backspace = 'free',
}: SessionSetup): NonNullable<CreateSessionRequest['rules']> {
  return {
    ...(isStrict ? {} : { early_space: 'skip' }),
    ...(stopOn === 'none' ? {} : { stop_on: stopOn }),
    ...(backspace === 'free' ? {} : { backspace }),
  };
}
