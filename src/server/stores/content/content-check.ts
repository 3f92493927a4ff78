import type { HistoryFile } from '../../../announcements/announcement.ts';
import { type FieldName, fieldNames, fieldOf } from '../../../announcements/fields.ts';
import { currentAnnouncement } from '../../../announcements/schedule.ts';
import type { FieldInput } from '../../../announcements/values/field.ts';
import type { Content, ContentText } from './content.ts';
import { parseOriginsFile } from './content-store.ts';
import { parseHistory } from './history-file.ts';
import { type FileProblem, located, type Mistake, withoutMark } from './json-file.ts';

export interface ContentFinding extends FileProblem {
  readonly file: string;
}

/**
 * Checks announcements and allow-list as of `now` (epoch milliseconds), and counts them. Problems prevent a
 * server from serving this content; hints point to things that are allowed but perhaps not intended.
 */
export async function checkContent(content: Content, now: number) {
  const found = { problems: [] as ContentFinding[], hints: [] as ContentFinding[] };
  const add = (kind: 'problems' | 'hints', name: FileName, findings: readonly FileProblem[]) =>
    found[kind].push(...findings.map((finding) => ({ file: content.nameOf(name), ...finding })));

  const texts = await content.read('history.json');
  const read = texts === undefined ? noAnnouncements : parseHistory(texts.text, texts.log);
  if ('problems' in read) add('problems', read.file, read.problems);
  else add('hints', 'history.json', hintsIn(read.history, (texts as ContentText).text, now));

  const allowed = (await content.read('origins.json'))?.text;
  const listed = allowed === undefined ? { patterns: [] } : parseOriginsFile(allowed);
  if (allowed === undefined) add('hints', 'origins.json', [{ message: noOrigins }]);
  if ('problems' in listed) add('problems', 'origins.json', listed.problems);
  return {
    ...found,
    announcements: 'history' in read ? read.history.announcements.length : 0,
    origins: 'problems' in listed ? 0 : new Set(listed.patterns.map(({ entry }) => entry)).size,
  };
}

type FileName = Parameters<Content['nameOf']>[0];

const noAnnouncements = {
  file: 'history.json' as const,
  problems: [{ message: 'the file is missing; the first typebadge announce publish creates it' }],
};
const noOrigins =
  'the file is missing; only pages on this computer may use the badge (typebadge origins add creates it)';

function hintsIn(history: HistoryFile, text: string, now: number): readonly FileProblem[] {
  const mistakes: Mistake[] = history.announcements.flatMap((entry, at) =>
    Object.entries(entry).flatMap(([name, value]) =>
      hintsOf(name, value).map((message) => ({ steps: ['announcements', at, name], message })),
    ),
  );
  const hints = located(mistakes, withoutMark(text));
  if (currentAnnouncement(history, now) !== undefined) return hints;
  return [...hints, { message: 'no announcement is shown now: the badge shows only its logo' }];
}

/** The warnings that a command would print for this value of a field. */
function hintsOf(name: string, value: FieldInput): readonly string[] {
  if (!isFieldName(name)) return [`"${name}" is not a known field; it is kept, but has no effect`];
  const result = fieldOf(name).parse(value);
  return ('warnings' in result && result.warnings) || [];
}

function isFieldName(name: string): name is FieldName {
  return (fieldNames as readonly string[]).includes(name);
}
