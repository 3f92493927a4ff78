import type { Parsed } from './field.ts';

/** In code points, like `maxLength` in JSON Schema: that count is the same in every version of Unicode. */
export const maxMessage = 280;
/** In code points. Longer messages are allowed, with a warning: few visitors read them. */
const comfortableMessage = 100;

const lineBreak = /[\n\r\u2028\u2029]/u;
const forbidden = /[\p{Cc}\p{Surrogate}]/u;
const invisible = /^[\p{White_Space}\p{Default_Ignorable_Code_Point}]*$/u;
const directionOverride = /[\u202D\u202E]/u;

export function messageLength(message: string): number {
  return [...message].length;
}

export function parseMessage(text: string): Parsed<string> {
  const result = parseLine(text, { name: 'message', max: maxMessage });
  return 'problem' in result ? result : { ...result, warnings: messageWarnings(result.value) };
}

/** Trims and checks one line of plain text of at least one visible character. */
export function parseLine(
  text: string,
  { name, max }: { readonly name: string; readonly max: number },
): Parsed<string> {
  const line = text.trim();
  if (invisible.test(line)) return { problem: `the ${name} is empty; write 1 to ${max} characters` };
  if (lineBreak.test(line)) return { problem: `the ${name} has a line break; write it on one line` };
  const found = forbidden.exec(line);
  if (found !== null) {
    const what = `U+${found[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
    const problem = `the ${name} contains a control character (${what}) at position ${found.index + 1}`;
    return { problem: `${problem}; write plain text` };
  }
  const length = messageLength(line);
  if (length > max) return { problem: `the ${name} has ${length} characters; at most ${max} are allowed` };
  return { value: line };
}

/** @param name such as `message for de` */
export function messageWarnings(message: string, name = 'message'): string[] {
  const warnings: string[] = [];
  const length = messageLength(message);
  if (length > comfortableMessage)
    warnings.push(`the ${name} has ${length} characters; few visitors read past ${comfortableMessage}`);
  if (directionOverride.test(message))
    warnings.push(
      `the ${name} contains a direction override (U+202D or U+202E), so it may be displayed in a different order`,
    );
  return warnings;
}
