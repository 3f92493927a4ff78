import { type FieldName, fieldNames, fieldOf } from '../../../announcements/fields.ts';
import { currentAnnouncement } from '../../../announcements/schedule.ts';
import type { FieldInput } from '../../../announcements/values/field.ts';
import type { Content, ContentText } from './content.ts';
import { parseOriginsFile } from './content-store.ts';
import { parseHistory } from './history-file.ts';
import { type FileProblem, located, type Mistake } from './json-file.ts';

export interface ContentFinding extends FileProblem {
  readonly file: string;
}

/**
 * Problems prevent a server from serving this content; hints point to things that are allowed but perhaps not
 * intended.
 */
export interface ContentCheck {
  readonly problems: readonly ContentFinding[];
  readonly hints: readonly ContentFinding[];
  readonly announcements: number;
  readonly origins: number;
}

/** Checks announcements and allow-list as of `now` (epoch milliseconds). */
export async function checkContent(content: Content, now: number): Promise<ContentCheck> {
  const history = checkHistory(await content.read('history.json'), now);
  const origins = checkOrigins((await content.read('origins.json'))?.text);
  const found = (kind: 'problems' | 'hints') =>
    [history, origins].flatMap(({ file, [kind]: all = [] }) =>
      all.map((each) => ({ file: content.nameOf(file), ...each })),
    );
  return {
    problems: found('problems'),
    hints: found('hints'),
    announcements: history.count ?? 0,
    origins: origins.count ?? 0,
  };
}

interface FileCheck {
  readonly file: Parameters<Content['nameOf']>[0];
  readonly problems?: readonly FileProblem[];
  readonly hints?: readonly FileProblem[];
  readonly count?: number;
}

function checkHistory(found: ContentText | undefined, now: number): FileCheck {
  const file = 'history.json';
  if (found === undefined) {
    const message = 'the file is missing; the first typebadge announce publish creates it';
    return { file, problems: [{ message }] };
  }
  const result = parseHistory(found.text, found.log);
  if ('problems' in result) return result;
  const { announcements } = result.history;
  const mistakes: Mistake[] = announcements.flatMap((entry, at) =>
    Object.entries(entry).flatMap(([name, value]) =>
      hintsOf(name, value).map((message) => ({ steps: ['announcements', at, name], message })),
    ),
  );
  const hints = located(mistakes, found.text.replace(/^\uFEFF/, ''));
  if (currentAnnouncement(result.history, now) === undefined)
    hints.push({ message: 'no announcement is shown now: the badge shows only its logo' });
  return { file, hints, count: announcements.length };
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

function checkOrigins(text: string | undefined): FileCheck {
  const file = 'origins.json';
  if (text === undefined) {
    const message =
      'the file is missing; only pages on this computer may use the badge (typebadge origins add creates it)';
    return { file, hints: [{ message }] };
  }
  const result = parseOriginsFile(text);
  if ('problems' in result) return { file, ...result };
  return { file, count: new Set(result.patterns.map(({ entry }) => entry)).size };
}
