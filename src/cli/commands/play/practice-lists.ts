import { readLanguages } from '../../../server/stores/languages.ts';
import { openLibrary, readLayouts } from '../../../server/typing/library.ts';
import { englishName } from '../../../typing/letters/language.ts';
import { codeAliases, isListRequest, type PracticeFlags } from './practice-flags.ts';

/** The requested lists, such as with `--language list`. */
export function practiceLists({ language, layout, code }: PracticeFlags): string {
  const lists = [
    ...(isListRequest(language) ? [languageLines()] : []),
    ...(isListRequest(layout) ? [tableLines(readLayouts().map(({ id, name }) => [id, name]))] : []),
    ...(isListRequest(code?.language) ? [codeLines()] : []),
  ];
  return lists.map((lines) => `${lines.join('\n')}\n`).join('\n');
}

function languageLines(): string[] {
  return tableLines([...readLanguages().values()].map(({ id, name }) => [id, englishName(id), name]));
}

function codeLines(): string[] {
  const aliasesOf = (id: string) => Object.keys(codeAliases).filter((alias) => codeAliases[alias] === id);
  return tableLines(
    openLibrary()
      .codeLanguages()
      .map((id) => [id, aliasesOf(id).join(', ')]),
  );
}

/** Columns with two blanks between them. */
function tableLines(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
