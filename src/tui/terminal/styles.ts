/** What a style, as SGR parameters such as `7;38;5;32`, does to a cell. */
export interface StyleTraits {
  /** Whether a blank in it looks like any other blank: no background, underline or reverse video. */
  readonly isBareOnBlank: boolean;
  /** Whether it is a colour of the letter and nothing else, or nothing at all. */
  readonly isForeground: boolean;
}

const traits = new Map<string, StyleTraits>();

export function toTraits(style: string): StyleTraits {
  let known = traits.get(style);
  if (known === undefined) {
    const codes = style.replace(/([34])8;(?:5;\d+|2;\d+;\d+;\d+)/g, '$10').split(';');
    known = {
      isBareOnBlank: codes.every((code) => code === '' || Number(code) <= 2 || isForeground(code)),
      isForeground: codes.every((code) => code === '' || isForeground(code)),
    };
    traits.set(style, known);
  }
  return known;
}

function isForeground(code: string): boolean {
  const number = Number(code);
  return (number >= 30 && number < 40) || (number >= 90 && number < 100);
}

const switches = new Map<string, string>();

/** The shortest sequence that turns one style into another. */
export function toSwitch(from: string, to: string): string {
  if (from === to) return '';
  const key = `${from}>${to}`;
  let known = switches.get(key);
  if (known === undefined) {
    known = findSwitch(from, to);
    switches.set(key, known);
  }
  return known;
}

function findSwitch(from: string, to: string): string {
  if (to === '') return '\x1b[m';
  if (from === '') return `\x1b[${to}m`;
  if (to === toReversed(from)) return '\x1b[7m';
  if (from === toReversed(to)) return '\x1b[27m';
  const isRecoloured = toTraits(from).isForeground && toTraits(to).isForeground;
  return isRecoloured ? `\x1b[${to}m` : `\x1b[0;${to}m`;
}

/** A style of the letter's colour alone, in reverse video. */
export function toReversed(style: string): string {
  return style === '' ? '7' : `7;${style}`;
}
