// The part of XKB's symbols language that defines what the keys of one group type: sections, includes, keys
// and names. A later statement overrides an earlier one; with `augment` it fills only what is still empty.

export interface Section {
  readonly name: string;
  /** Keysym without a modifier by position, such as `AD01`. */
  readonly keys: ReadonlyMap<string, string>;
}

interface Parsed {
  readonly body: string;
  readonly isDefault: boolean;
}

const aliases = new Map(
  Object.entries({ AD: 'QWERTYUIOP', AC: 'ASDFGHJKL', AB: 'ZXCVBNM' }).flatMap(([row, letters]) =>
    [...letters].map((letter, index) => [`Lat${letter}`, `${row}${String(index + 1).padStart(2, '0')}`]),
  ),
);

export interface SymbolsLibrary {
  /** The variants of a file, in its order. */
  readonly variants: (file: string) => string[];
  readonly section: (file: string, variant?: string) => Section;
}

/** @param read returns the text of a symbols file, such as `us` */
export function createSymbolsLibrary(read: (file: string) => string): SymbolsLibrary {
  const files = new Map<string, Map<string, Parsed>>();

  function sectionsOf(file: string): Map<string, Parsed> {
    const known = files.get(file);
    if (known !== undefined) return known;
    const parsed = parseFile(read(file));
    files.set(file, parsed);
    return parsed;
  }

  function section(file: string, variant?: string): Section {
    const sections = sectionsOf(file);
    const wanted = variant ?? [...sections].find(([, { isDefault }]) => isDefault)?.[0] ?? 'basic';
    const found = sections.get(wanted);
    if (found === undefined) throw new Error(`There is no section ${wanted} in the symbols file ${file}.`);
    return resolve(found.body);
  }

  function resolve(body: string): Section {
    const keys = new Map<string, string>();
    let name = '';
    const pattern =
      /(include|augment|override|replace)\s+"([^"]+)"|(?:(augment|override|replace)\s+)?key\s*<(\w+)>\s*\{([^}]*)\}|name\[[Gg]roup1\]\s*=\s*"([^"]*)"/g;
    for (const [, merge, included, keyMerge, key, symbols = '', title] of body.matchAll(pattern)) {
      if (included !== undefined) name = include(included, merge === 'augment', keys) || name;
      else if (key !== undefined)
        put(keys, aliases.get(key) ?? key, firstSymbol(symbols), keyMerge === 'augment');
      else name = title ?? name;
    }
    return { name, keys };
  }

  function include(statement: string, augments: boolean, keys: Map<string, string>): string {
    let name = '';
    for (const [, sign, file, variant, group] of statement.matchAll(
      /([+|]?)([\w-]+(?:\/[\w-]+)?)(?:\(([\w-]+)\))?(?::(\d))?/g,
    )) {
      if (group !== undefined && group !== '1') continue;
      const part = section(file as string, variant);
      for (const [key, symbol] of part.keys) put(keys, key, symbol, augments || sign === '|');
      name = part.name || name;
    }
    return name;
  }

  return { variants: (file) => [...sectionsOf(file).keys()], section };
}

function put(keys: Map<string, string>, key: string, symbol: string, augments: boolean): void {
  if (symbol === '' || (augments && keys.has(key))) return;
  keys.set(key, symbol);
}

/** The first symbol of the first group, or nothing if a statement leaves it unchanged. */
function firstSymbol(statement: string): string {
  const withoutTypes = statement.replace(
    /(?:type|virtualMods|overlay\d|repeat|actions)[^,=]*=\s*(?:"[^"]*"|\w+)/g,
    '',
  );
  const symbol = /\[\s*([\w]+)/.exec(withoutTypes.replace(/symbols\s*\[[^\]]*\]\s*=/g, ''))?.[1] ?? '';
  return symbol === 'NoSymbol' ? '' : symbol;
}

function parseFile(text: string): Map<string, Parsed> {
  const sections = new Map<string, Parsed>();
  const clean = text.replace(/\/\/.*|#.*/g, '');
  const heads = [...clean.matchAll(/([\w\s]*?)xkb_symbols\s+"([^"]+)"\s*\{/g)];
  heads.forEach((head, index) => {
    const from = (head.index ?? 0) + head[0].length;
    const body = clean.slice(from, heads[index + 1]?.index);
    sections.set(head[2] as string, { body, isDefault: /\bdefault\b/.test(head[1] as string) });
  });
  return sections;
}
