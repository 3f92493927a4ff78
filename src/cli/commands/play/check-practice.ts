import { ServerProblem } from '../../../tui/link/server-problem.ts';
import { createSessionClient } from '../../../tui/link/session-client.ts';
import type { FoundServer } from '../../../tui/play.ts';
import type { Options } from '../../../tui/record/options.ts';
import { UsageError } from '../../program/command-errors.ts';

/**
 * Whether the server offers what was chosen on the command line: only it knows, and its answer lists what there is. A
 * server that is busy or away is asked again when the round begins.
 */
export async function checkPractice(server: FoundServer, options: Options): Promise<void> {
  const { mode, language, layout, punctuation, strict } = options;
  const client = createSessionClient(server.url, { key: server.key });
  try {
    const session = await client.createSession({ mode, language, layout, punctuation, isStrict: strict });
    await client.deleteSession(session);
  } catch (problem) {
    if (problem instanceof ServerProblem && problem.code === 'INVALID_REQUEST') {
      await server.close();
      throw new UsageError(`the server does not offer this: ${problem.message}`);
    }
  } finally {
    await client.close();
  }
}
