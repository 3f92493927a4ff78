import { parseId } from '../../announcements/announcement-id.ts';
import type { Read } from '../../announcements/changes/draft.ts';
import type { FieldProblem } from '../../announcements/plain-values.ts';
import { safeText } from '../../kit/terminal-text.ts';
import { toShellWord } from '../output/shell-word.ts';
import { UsageError } from '../program/command-errors.ts';

/** The option that sets a field, by the name of the field in the API; undefined: the sentence names it. */
function optionOf(field: string): string | undefined {
  const [name = '', language, part = 'message'] = field.split('.', 3);
  if (name === 'translations') {
    const option = pairOptions[part] ?? '--translation';
    return language === undefined ? option : `${option} ${language}`;
  }
  if (name === 'audience')
    return language === undefined ? undefined : language === 'sites' ? '--site' : '--path';
  return ['at', 'expires', 'site', 'path', 'lang'].includes(name) ? `--${name}` : undefined;
}

/** Options of a language and a text, by the parts of a translation. */
const pairOptions: Readonly<Record<string, string>> = {
  message: '--translation',
  link: '--translated-link',
  linkLabel: '--translated-link-label',
};

/** What is wrong with a field, for somebody who typed options: `--path: "docs" is not a path; write it like …`. */
export function optionSentence({ field, problem, fix }: FieldProblem): string {
  const option = optionOf(field);
  const sentence = fix === undefined ? problem : `${problem}; ${fix}`;
  return safeText(option === undefined ? sentence : `${option}: ${sentence}`);
}

/** Wrong usage if there are problems; all of them are named at once. */
export function refuseProblems(problems: readonly FieldProblem[]): void {
  const sentences = problems.map(optionSentence);
  if (sentences.length === 1) throw new UsageError(sentences.join());
  if (sentences.length > 1) throw new UsageError(`several things are wrong:\n  ${sentences.join('\n  ')}`);
}

/** What was read of options; wrong usage if there are problems. */
export function required<T>(read: Read<T>): T {
  if ('value' in read) return read.value;
  refuseProblems(read.problems);
  throw new Error('nothing was read, and nothing is wrong');
}

/**
 * Says at once how options are written that look like two of them: before their parts are misread as something else.
 *
 * @param words what was given beside options: the text of an option may be among them
 */
export function refuseMisspelt(options: object, words: readonly string[] = []): void {
  const given = options as Readonly<Record<string, unknown>>;
  const named = { translation: 'message', translatedLink: 'link', translatedLinkLabel: 'linkLabel' };
  for (const [name, part] of Object.entries(named)) {
    const option = pairOptions[part];
    const bare = textsOf(given[name]).find((text) => !text.includes('='));
    if (bare === undefined) continue;
    const [, language = 'de'] = /^\s*([a-z]{2,3}(?:-\w+)*)(?![^:\s])/i.exec(bare) ?? [];
    const text = bare.trim() === language ? textAmong(words) : undefined;
    const spelling = `${option} ${language}=${text === undefined ? '"…"' : toShellWord(text)}`;
    throw new UsageError(
      `${option} takes a language, an equals sign and the text as one: ${spelling}; ${JSON.stringify(bare.slice(0, 40))} has no equals sign`,
    );
  }
  for (const site of textsOf(given.site)) refusePath(site);
}

/** The one word of a command line that can be no id; undefined if there are several. */
function textAmong(words: readonly string[]): string | undefined {
  const [text, ...more] = words.filter((word) => 'problem' in parseId(word));
  return more.length === 0 ? text : undefined;
}

/** The address of pages is a site and a path. */
function refusePath(site: string): void {
  const [, origin = '', path = ''] = /^(https?:\/\/[^/?#]+)(\/[^?#]+)$/i.exec(site.trim()) ?? [];
  if (path === '') return;
  throw new UsageError(
    `--site takes a site without a path; for pages of it, give both: --site ${toShellWord(origin)} --path ${toShellWord(path)}`,
  );
}

function textsOf(given: unknown): string[] {
  return Array.isArray(given) ? given.map(String) : [];
}
