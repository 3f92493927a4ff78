import { type FieldName, type FieldValue, fieldNames, fieldOf, type StoredAnnouncement } from './fields.ts';
import type { Checked, FieldInput } from './values/field.ts';
import { parseWords, withOneSpelling } from './values/markdown.ts';
import { isJsonObject, mergePatch } from './values/object-parts.ts';

/**
 * Fields whose rules depend on the clock or other fields; all others are plain, and can always be changed.
 */
const ruledNames = ['id', 'published', 'expires', 'expired', 'withdrawn'] as const;
export type PlainName = Exclude<FieldName, (typeof ruledNames)[number]>;
export const plainNames = fieldNames.filter(
  (name): name is PlainName => !ruledNames.some((ruled) => ruled === name),
);

/**
 * Values of plain fields as an editor writes them. Null removes a field, and so does false unless the field
 * is a flag; undefined leaves it alone. For a nested field: a patch with the parts that change.
 */
export type PlainValues = { readonly [N in PlainName]?: FieldInput | undefined };

export interface FieldProblem {
  /** Its name as in the API, with the place within it: `message`, `at`, `translations.de.link`. */
  readonly field: string;
  readonly problem: string;
  readonly fix: string | undefined;
}

export type Read<T> = { readonly value: T } | { readonly problems: readonly FieldProblem[] };

/**
 * The rules write the problem, a semicolon, and what would be right. The last one counts: a problem may quote
 * what somebody wrote.
 */
export function newFieldProblem(
  name: string,
  { problem: sentence, at }: { readonly problem: string; readonly at?: string },
): FieldProblem {
  const end = sentence.lastIndexOf('; ');
  return {
    field: at === undefined ? name : `${name}.${at}`,
    problem: end < 0 ? sentence : sentence.slice(0, end),
    fix: end < 0 ? undefined : sentence.slice(end + 2),
  };
}

/** The plain fields that the options of a command, or the values of a form, set. */
export function plainOf(options: object): PlainValues {
  const given = options as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    plainNames.map((name) => {
      const { read } = fieldOf(name);
      return [name, read === undefined ? given[name] : read(given)];
    }),
  );
}

/**
 * Checks plain fields. Returns what each becomes (undefined: left out), with warnings and everything that is
 * wrong.
 *
 * @param before the announcement that patches of nested fields apply to
 */
export function checkPlainValues(given: PlainValues, before: Partial<StoredAnnouncement> = {}) {
  const values: Partial<Record<PlainName, FieldValue | undefined>> = {};
  const warnings: string[] = [];
  const problems: FieldProblem[] = [];
  const { message = given.markdown === null ? before.message : undefined, markdown } = withOneSpelling(given);
  if (message !== undefined || markdown !== undefined) {
    const words = parseWords({ message, markdown });
    if ('problem' in words) problems.push(newFieldProblem(words.at ?? 'message', { problem: words.problem }));
    else {
      Object.assign(values, { markdown: undefined, ...words.value });
      warnings.push(...(words.warnings ?? []));
    }
  }
  for (const name of plainNames) {
    const value = given[name];
    if (value === undefined || name === 'message' || name === 'markdown') continue;
    const result = checkPlainValue(name, value, before);
    if ('problem' in result) problems.push(newFieldProblem(name, result));
    else {
      values[name] = result.value;
      warnings.push(...(result.warnings ?? []));
    }
  }
  return { values, warnings, problems };
}

function checkPlainValue(
  name: PlainName,
  value: FieldInput,
  before: Partial<StoredAnnouncement>,
): Checked<FieldValue> {
  const { kind, presence, parse, patch = (given: object) => given } = fieldOf(name);
  if (value === null || (value === false && kind !== 'flag'))
    return { value: presence === 'empty' ? '' : undefined };
  const isPatch = kind === 'nested' && isJsonObject(value);
  return parse(isPatch ? (mergePatch(before[name], patch(value)) as object) : value);
}
