/** Dead keys stand for the sign that they put on a letter, typed with a space after them. */
const deadKeys: Readonly<Record<string, string>> = {
  dead_grave: '`',
  dead_acute: '´',
  dead_circumflex: '^',
  dead_tilde: '~',
  dead_diaeresis: '¨',
  dead_caron: 'ˇ',
  dead_cedilla: '¸',
  dead_ogonek: '˛',
  dead_breve: '˘',
  dead_abovedot: '˙',
  dead_abovering: '˚',
  dead_doubleacute: '˝',
  dead_macron: '¯',
};

/** Reads keysymdef.h: the names of keysyms with the character that the comment beside each gives. */
export function readKeysyms(header: string): (name: string) => string {
  const lines = header.matchAll(/^#define XK_(\w+)\s+0x[0-9a-f]+\s+\/\*[ (]*U\+([0-9A-F]{4,6})/gm);
  const characters = new Map([...lines].map(([, name, hex]) => [name, fromHex(hex as string)]));
  return (name) => {
    const unicode = /^(?:U([0-9A-Fa-f]{3,6})|0x10([0-9A-Fa-f]{5,6}))$/.exec(name);
    const character =
      unicode === null
        ? (characters.get(name) ?? deadKeys[name] ?? (/^\d$/.test(name) ? name : ''))
        : fromHex((unicode[1] ?? unicode[2]) as string);
    return /^[\p{L}\p{N}\p{P}\p{S}]$/u.test(character) ? character.normalize('NFC') : '';
  };
}

function fromHex(hex: string): string {
  return String.fromCodePoint(Number.parseInt(hex, 16));
}
