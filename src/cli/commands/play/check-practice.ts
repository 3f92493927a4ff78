import * as v from 'valibot';
import { HttpError } from '../../../server/http/requests/http-error.ts';
import { ServerProblem } from '../../../tui/link/session/server-problem.ts';
import { createSessionClient } from '../../../tui/link/session/session-client.ts';
import type { SessionSetup } from '../../../tui/link/session/session-setup.ts';
import type { FoundServer } from '../../../tui/play-config.ts';
import { type Options, toChosenOwnLayout } from '../../../tui/record/options.ts';
import { UsageError } from '../../program/command-errors.ts';
import { toNotOfferedText } from './not-offered.ts';

/**
 * Whether what was chosen on the command line is offered: by the server, whose answer lists what there is, or, where none
 * is to be asked, by this package. A server that is busy or away is asked again when the round begins.
 *
 * @returns whether it is known to be offered
 */
export async function checkPractice(server: FoundServer, options: Options): Promise<boolean> {
  const problem = await findProblem(server, toSetup(options));
  if (problem === undefined) return true;
  if (server.isAway || problem === '') return false;
  await server.close();
  throw await toRefusal(server.isOffline ? 'this computer' : 'the server', problem, options);
}

/** The same before any server is looked for: refuses what this package does not offer. */
export async function checkPracticeHere(options: Options): Promise<void> {
  const problem = await findProblemHere(toSetup(options));
  if (problem !== undefined) throw await toRefusal('this computer', problem, options);
}

async function toRefusal(who: string, problem: string, options: Options): Promise<UsageError> {
  return new UsageError(toNotOfferedText(who, problem, options, await suggest(options)));
}

function toSetup(options: Options): SessionSetup {
  const { mode, language, layout, punctuation, strict } = options;
  const ownLayout = toChosenOwnLayout(options);
  return { mode, language, layout, ownLayout, punctuation, isStrict: strict };
}

/** Why it is not offered; empty where that cannot be known now. */
function findProblem(server: FoundServer, setup: SessionSetup): Promise<string | undefined> {
  return server.isOffline || server.isAway ? findProblemHere(setup) : findProblemThere(server, setup);
}

async function findProblemHere(setup: SessionSetup): Promise<string | undefined> {
  const { toOfflinePractice } = await import('./offline-rounds.ts');
  try {
    toOfflinePractice(setup);
    return undefined;
  } catch (problem) {
    if (problem instanceof HttpError || v.isValiError(problem)) return problem.message;
    throw problem;
  }
}

async function findProblemThere({ url, key }: FoundServer, setup: SessionSetup): Promise<string | undefined> {
  const client = createSessionClient(url, { key });
  try {
    await client.deleteSession(await client.createSession(setup));
    return undefined;
  } catch (problem) {
    return problem instanceof ServerProblem && problem.code === 'INVALID_REQUEST' ? problem.message : '';
  } finally {
    await client.close();
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
