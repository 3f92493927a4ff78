import { type FieldName, type FieldValue, fieldNames, fieldOf, type StoredAnnouncement } from './fields.ts';
import type { Checked, FieldInput } from './values/field.ts';
import { mergePatch } from './values/object-parts.ts';

/** Fields whose changes depend on the clock or on other fields. All others are plain: an editor may change them at any time. */
const ruledNames = ['id', 'published', 'expires', 'expired', 'withdrawn'] as const;
export type PlainName = Exclude<FieldName, (typeof ruledNames)[number]>;
export const plainNames = fieldNames.filter(
  (name): name is PlainName => !ruledNames.some((ruled) => ruled === name),
);

/**
 * Values of plain fields as an editor gives them. Null removes a field, and so does false unless the field is a flag; undefined
 * leaves it alone. For a nested field: a patch with the parts that change.
 */
export type PlainValues = { readonly [N in PlainName]?: FieldInput | undefined };

/** What is wrong with a field, and what would be right. */
export interface FieldProblem {
  /** Its name as in the API, with the place within it: `message`, `at`, `translations.de.link`. */
  readonly field: string;
  readonly problem: string;
  readonly fix: string | undefined;
}

/** The rules write the problem, a semicolon, and what would be right. */
export function newFieldProblem(
  name: string,
  { problem: sentence, at }: { readonly problem: string; readonly at?: string },
): FieldProblem {
  const [problem = '', ...fixes] = sentence.split('; ');
  return {
    field: at === undefined ? name : `${name}.${at}`,
    problem,
    fix: fixes.length === 0 ? undefined : fixes.join('; '),
  };
}

/** The plain fields that the options of a command, or the values of a form, set. */
export function plainOf(options: object): PlainValues {
  const given = options as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    plainNames.map((name) => [name, fieldOf(name).read?.(given) ?? readOwn(name, given)]),
  );
}

function readOwn(name: PlainName, given: Readonly<Record<string, unknown>>): unknown {
  return fieldOf(name).read === undefined ? given[name] : undefined;
}

/**
 * Checks the given plain fields: what each becomes (undefined: left out), and everything that is wrong with them.
 *
 * @param before the announcement that patches of nested fields apply to
 */
export function checkPlainValues(given: PlainValues, before: Partial<StoredAnnouncement> = {}) {
  const values: Partial<Record<PlainName, FieldValue | undefined>> = {};
  const warnings: string[] = [];
  const problems: FieldProblem[] = [];
  for (const name of plainNames) {
    const value = given[name];
    if (value === undefined) continue;
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
  const { kind, presence, parse } = fieldOf(name);
  if (value === null || (value === false && kind !== 'flag'))
    return { value: presence === 'empty' ? '' : undefined };
  return parse(kind === 'nested' ? (mergePatch(before[name], value) as object) : value);
}
