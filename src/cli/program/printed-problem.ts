/** Prints what is wrong. A terminal would break a long line inside a word; a file keeps it whole. */
export async function printProblem(text: string): Promise<void> {
  const { stderr } = process;
  if (!stderr.isTTY) {
    stderr.write(text);
    return;
  }
  const { toFittingLines } = await import('../output/text-width.ts'); // only where something is wrong
  stderr.write(toFittingLines(text, stderr.columns || 80));
}
