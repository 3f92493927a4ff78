import { ServerProblem } from '../../../tui/link/answers.ts';
import { createSessionApi } from '../../../tui/link/session.ts';
import type { LocalServer } from '../../../tui/play.ts';
import type { Options } from '../../../tui/record/options.ts';
import { newState, sessionSetup } from '../../../tui/state/state.ts';
import { UsageError } from '../../program/command-errors.ts';
import { toNotOfferedText } from './not-offered.ts';

/** Rejects with a `UsageError` that lists what there is, if this package does not offer what was chosen on the command line. */
export async function checkPractice({ call }: Pick<LocalServer, 'call'>, options: Options): Promise<void> {
  const api = createSessionApi(call);
  try {
    await api.deleteSession(await api.createSession(sessionSetup(newState(options))));
  } catch (problem) {
    if (!(problem instanceof ServerProblem) || problem.code !== 'INVALID_REQUEST') throw problem;
    const guess = await suggest(options);
    throw new UsageError(toNotOfferedText('this computer', problem.message, options, guess));
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
