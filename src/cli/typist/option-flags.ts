import { InvalidArgumentError, Option } from 'commander';
import { type OptionRow, optionRows } from '../../tui/record/option-table.ts';

/** The flags of the options: those that are on or off have a `--no-` form, too. */
export function optionFlags(): Option[] {
  return optionRows.flatMap((row) => {
    const flag = flagOf(row);
    if (row.argument === undefined) return [new Option(flag, row.help), noFlag(row).hideHelp()];
    const isNamed = row.values.every((value) => typeof value === 'string');
    const help = isNamed ? `${row.help} (${row.takes})` : row.help;
    const option = new Option(`${flag} ${row.argument}`, help).argParser((text) => parseValue(row, text));
    return row.key === 'backspace' ? [option, noFlag(row).preset('none')] : [option];
  });
}

/** Such as `--sudden-death`. */
function flagOf({ key }: Pick<OptionRow, 'key'>): string {
  return `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function noFlag(row: OptionRow): Option {
  return new Option(flagOf(row).replace('--', '--no-'), `${row.label}: off`);
}

/** Whether `--theme` was given a file, and not a name. */
export function isThemeFile(given: string): boolean {
  return /\.json$|[/\\]/i.test(given);
}

function parseValue({ key, parse, takes }: OptionRow, text: string): string | number | boolean {
  const value = key === 'theme' && isThemeFile(text) ? text : parse(text); // the file is read later
  if (value === undefined) throw new InvalidArgumentError(`It takes ${takes}.`);
  return value;
}

/** The values that a shell may offer, by flag; those with many numbers have the named ones only. */
export function optionValues(): [string, readonly string[]][] {
  return optionRows
    .filter(({ argument }) => argument !== undefined)
    .map((row) => [flagOf(row), row.values.filter((value) => typeof value === 'string')] as const)
    .filter(([, values]) => values.length > 0)
    .map(([flag, values]) => [flag, values]);
}
