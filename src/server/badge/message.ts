/** Counted in Unicode characters (code points), like `maxLength` in JSON Schema: the count is the same in every version of Unicode. */
export const longestMessage = 280;
/** Longer ones are allowed, but few visitors read them. */
export const comfortableMessage = 100;

const lineBreak = /[\n\r\u2028\u2029]/u;
const control = /\p{Cc}/u;
const loneSurrogate = /\p{Surrogate}/u;
const invisible = /^[\p{White_Space}\p{Default_Ignorable_Code_Point}]*$/u;
const directionOverride = /[\u202D\u202E]/u;

export function messageLength(message: string): number {
  return [...message].length;
}

/** Trims and checks a message; a problem says what was wrong and what would be right. */
export function parseMessage(text: string): { message: string; warnings: string[] } | { problem: string } {
  const message = text.trim();
  if (invisible.test(message)) return { problem: 'the message is empty; write 1 to 280 characters' };
  if (lineBreak.test(message)) return { problem: 'the message has a line break; write it on one line' };
  const found = control.exec(message) ?? loneSurrogate.exec(message);
  if (found !== null) {
    const what = `U+${found[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
    const kind = control.test(message) ? 'a control character' : 'half of a character';
    return {
      problem: `the message holds ${kind} (${what}) at position ${found.index + 1}; write plain text`,
    };
  }
  const length = messageLength(message);
  if (length > longestMessage) {
    return { problem: `the message has ${length} characters; at most ${longestMessage} are allowed` };
  }
  return { message, warnings: warningsAbout(message, length) };
}

function warningsAbout(message: string, length: number): string[] {
  const warnings: string[] = [];
  if (length > comfortableMessage) {
    warnings.push(
      `the message has ${length} characters; over ${comfortableMessage} few visitors read to the end`,
    );
  }
  if (directionOverride.test(message)) {
    warnings.push(
      'the message holds a direction override (U+202D or U+202E): it may show in another order than it is written',
    );
  }
  return warnings;
}
