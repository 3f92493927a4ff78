import { toShellWord } from '../output/shell-word.ts';
import { UsageError } from '../program/command-errors.ts';

/** Options of a language and a text, as a program has them and as they are typed. */
const pairs = {
  translation: '--translation',
  translatedLink: '--translated-link',
  translatedLinkLabel: '--translated-link-label',
} as const;

/** Says at once how options are written that look like two of them: before their parts are misread as something else. */
export function refuseMisspelt(options: object): void {
  const given = options as Readonly<Record<string, unknown>>;
  for (const [name, option] of Object.entries(pairs)) {
    const bare = textsOf(given[name]).find((text) => !text.includes('='));
    if (bare === undefined) continue;
    const [, language = 'de'] = /^\s*([a-z]{2,3}(?:-\w+)*)(?![^:\s])/i.exec(bare) ?? [];
    throw new UsageError(
      `${option} takes a language, an equals sign and the text as one: ${option} ${language}="…"; ${JSON.stringify(bare.slice(0, 40))} has no equals sign`,
    );
  }
  for (const site of textsOf(given.site)) refusePath(site);
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
