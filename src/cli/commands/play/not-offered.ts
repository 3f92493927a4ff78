import { toVisible } from '../../../kit/visible-text.ts';
import type { Options } from '../../../tui/record/options.ts';

type Practice = Pick<Options, 'mode' | 'language' | 'layout'>;

/**
 * Why there is no round, in the words of the command line: the API speaks of fields.
 *
 * @param who whose lists they are, such as `the server`
 * @param problem what the API says
 * @param guess what may have been meant, as a sentence after a space; empty where there is no guess
 */
export function toNotOfferedText(who: string, problem: string, practice: Practice, guess: string): string {
  const [, field = '', count, list = ''] =
    /^(mode\.language|language|layout) must be (?:one of (\d+) ids, such as )?(.*)$/s.exec(problem) ?? [];
  const names = [...list.matchAll(/"([\w-]+)"/g)].map(([, name = '']) => name);
  if (names.length === 0) return `${who} does not offer this: ${problem.replace(/\.$/, '')}.${guess}`;
  const { missing, option } = toMissing(field, practice);
  const some = count === undefined ? toList(names) : `${count} of them, such as ${toList(names)}`;
  return `${who} has no ${missing}.${guess} It has ${some} (${option} list shows all).`;
}

/** What is missing, and the option that asked for it. */
function toMissing(field: string, { mode, language, layout }: Practice): { missing: string; option: string } {
  switch (field) {
    case 'mode.language': {
      const code = mode.type === 'code' ? mode.language : '';
      return { missing: `code in "${toVisible(code)}"`, option: '--code' };
    }
    case 'language':
      return { missing: `words in "${toVisible(language)}"`, option: '--language' };
    default:
      return { missing: `layout "${toVisible(layout)}"`, option: '--layout' };
  }
}

function toList(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
