/** A table for people: Markdown, its columns aligned. */
export function toTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = header.map(
    (_, column) => Math.max(3, ...[header, ...rows].map((row) => row[column]?.length ?? 0)), // an empty column, too
  );
  const toLine = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join(' | ')} |`;
  const rule = `| ${widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`;
  return [toLine(header), rule, ...rows.map(toLine)].join('\n');
}
