import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { OwnText } from '../../../tui/record/options.ts';
import { longestText, problemOfText } from '../../../typing/modes/text.ts';
import { UsageError } from '../../program/command-errors.ts';

/** Reads the text to type from a file, or from standard input where it is named `-`. */
export async function readOwnText(file: string): Promise<OwnText> {
  const name = file === '-' ? 'standard input' : `"${file}"`;
  const text = (file === '-' ? await readStandardInput() : await readTextFile(file)).replace(/^\ufeff/, '');
  const problem = problemOfText(text) ?? problemOfScript(text);
  if (problem !== undefined) throw new UsageError(`the text from ${name} ${problem}.`);
  return { text, title: file === '-' ? 'text' : basename(file).slice(0, longestTitle) };
}

/** A longer one has no room in any title row. */
const longestTitle = 60;

async function readTextFile(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new Error(`the text "${file}" cannot be read: ${(error as Error).message}.`);
  }
}

/** Stops soon after the longest text: what follows would be refused anyway. */
async function readStandardInput(): Promise<string> {
  if (process.stdin.isTTY) {
    throw new UsageError('"-" reads the text from a pipe, as in: fortune | typebadge play -');
  }
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of process.stdin) {
    parts.push(part as Buffer);
    size += (part as Buffer).length;
    if (size > longestText * mostBytesPerUnit) break;
  }
  return Buffer.concat(parts).toString('utf8');
}

/** UTF-8 takes at most three bytes for a UTF-16 unit. */
const mostBytesPerUnit = 3;

/** Terminals differ in how they order such text, and the caret would be in the wrong place. */
const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

function problemOfScript(text: string): string | undefined {
  return rightToLeft.test(text)
    ? 'is written from right to left, which play cannot show in a terminal'
    : undefined;
}
