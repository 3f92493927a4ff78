import type { Transport } from '../../../contract/transport.ts';
import { ServerProblem } from '../../../tui/link/answers.ts';
import { createSessionApi } from '../../../tui/link/session.ts';
import type { Options } from '../../../tui/record/options.ts';
import { newState, sessionSetup } from '../../../tui/state/state.ts';
import { UsageError } from '../../program/command-errors.ts';
import { toNotOfferedText } from './not-offered.ts';

/**
 * Rejects with a `UsageError` that lists what there is, if what was chosen on the command line is not offered.
 *
 * @param who whose lists they are, such as `the server`
 * @returns whether it is known to be offered: a server may be busy
 */
export async function checkPractice(call: Transport, who: string, options: Options): Promise<boolean> {
  const api = createSessionApi(call);
  try {
    await api.deleteSession(await api.createSession(sessionSetup(newState(options))));
    return true;
  } catch (problem) {
    if (!(problem instanceof ServerProblem) || problem.code !== 'INVALID_REQUEST') return false;
    const guess = await suggest(options);
    throw new UsageError(toNotOfferedText(who, problem.message, options, guess));
  }
}

async function suggest({ mode, language, layout, ownLayout }: Options): Promise<string> {
  const { toSuggestion } = await import('../../typist/practice-names.ts');
  return toSuggestion({
    language,
    layout: layout === ownLayout?.id ? undefined : layout,
    code: mode.type === 'code' ? mode.language : undefined,
  });
}
