import type { Transport } from '../../../contract/transport.ts';
import { visibleText } from '../../../kit/visible-text.ts';
import { ServerProblem } from '../../../tui/link/answers.ts';
import { createSessionApi } from '../../../tui/link/session.ts';
import type { Options } from '../../../tui/record/options.ts';
import { newState, sessionSetup } from '../../../tui/state/state.ts';
import { UsageError } from '../../program/command-io.ts';

/**
 * Rejects with a `UsageError` that lists what there is, if what was chosen is not offered.
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
    throw new UsageError(notOfferedText(who, problem.message, options, guess));
  }
}

async function suggest({ mode, language, layout, ownLayout }: Options): Promise<string> {
  const { suggestion } = await import('../../typist/practice-names.ts');
  return suggestion({
    language,
    layout: layout === ownLayout?.id ? undefined : layout,
    code: mode.type === 'code' ? mode.language : undefined,
  });
}

type Practice = Pick<Options, 'mode' | 'language' | 'layout'>;

/**
 * Why there is no round, in the words of the command line: the API speaks of fields.
 *
 * @param who whose lists they are, such as `the server`
 * @param problem what the API says
 * @param guess what may have been meant, as a sentence after a space; empty where there is no guess
 */
function notOfferedText(who: string, problem: string, practice: Practice, guess: string): string {
  const [, field = '', count, list = ''] =
    /^(mode\.language|language|layout) must be (?:one of (\d+) ids, such as )?(.*)$/s.exec(problem) ?? [];
  const names = [...list.matchAll(/"([\w-]+)"/g)].map(([, name = '']) => name);
  if (names.length === 0) return `${who} does not offer this: ${problem.replace(/\.$/, '')}.${guess}`;
  const { missing, option } = missingName(field, practice);
  const some = count === undefined ? listed(names) : `${count} of them, such as ${listed(names)}`;
  return `${who} has no ${missing}.${guess} It has ${some} (${option} list shows all).`;
}

/** What is missing, and the option that asked for it. */
function missingName(
  field: string,
  { mode, language, layout }: Practice,
): { missing: string; option: string } {
  switch (field) {
    case 'mode.language': {
      const code = mode.type === 'code' ? mode.language : '';
      return { missing: `code in "${visibleText(code)}"`, option: '--code' };
    }
    case 'language':
      return { missing: `words in "${visibleText(language)}"`, option: '--language' };
    default:
      return { missing: `layout "${visibleText(layout)}"`, option: '--layout' };
  }
}

function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
