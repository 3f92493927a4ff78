import { parseId } from '../../announcements/announcement-id.ts';
import { toShellWord } from '../output/shell-word.ts';
import { UsageError } from '../program/command-errors.ts';

/** Options of a language and a text, as a program has them and as they are typed. */
const pairs = {
  translation: '--translation',
  translatedLink: '--translated-link',
  translatedLinkLabel: '--translated-link-label',
} as const;

/**
 * Says at once how options are written that look like two of them: before their parts are misread as something else.
 *
 * @param words what was given beside options: the text of an option may be among them
 */
export function refuseMisspelt(options: object, words: readonly string[] = []): void {
  const given = options as Readonly<Record<string, unknown>>;
  for (const [name, option] of Object.entries(pairs)) {
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

/** The one word of a command line that can be no id; undefined where there are several. */
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
