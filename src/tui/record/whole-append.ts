import { fstatSync, ftruncateSync, writeSync } from 'node:fs';

/** Appends all of the text or, on a full disk, nothing of it: half a line would hide what follows. */
export function appendWhole(file: number, text: string): void {
  const { size } = fstatSync(file);
  const bytes = Buffer.from(text);
  let written = 0;
  try {
    while (written < bytes.length) written += writeSync(file, bytes, written);
  } catch (error) {
    const isLast = fstatSync(file).size === size + written; // another client may have appended meanwhile
    if (isLast) ftruncateSync(file, size);
    throw error;
  }
}
