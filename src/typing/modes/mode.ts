/**
 * One parameter of a mode. Names are those of the wire: clients, stores and the engine share modes as JSON.
 *
 * `number`: whole · `choice`: one of the values · `flag`: true or missing · `name`: known to the server ·
 * `tag`: lower-case letters · `label`: any text · `content`: a text to type · `words`: words to type ·
 * `parts`: letters, or pairs of letters
 */
export type Parameter = {
  /** A sentence for people. */
  readonly what: string;
  /** The value of a request without it. A parameter without a default stays missing, unless `isNeeded`. */
  readonly default?: number | string;
  readonly isNeeded?: true;
  /** Whether rounds are counted separately by it, under a name such as `words-30` or `words-30-numbers`. */
  readonly isInName?: true;
} & (
  | { readonly kind: 'number'; readonly min: number; readonly max: number }
  | { readonly kind: 'choice'; readonly values: readonly [string, ...string[]] }
  | { readonly kind: 'name'; readonly sentence: string }
  | { readonly kind: 'flag' | 'tag' }
  | { readonly kind: 'label' | 'content'; readonly max: number }
  | {
      readonly kind: 'words' | 'parts';
      readonly min: number;
      readonly max: number;
      readonly maxLength: number;
    }
);

interface ModeDescription {
  readonly parameters: Readonly<Record<string, Parameter>>;
  /** The usual request. */
  readonly example: object;
  /** Whether its words form a text, which is shown in its lines. */
  readonly isText?: true;
  /** Whether its words are the same in every language. The API accepts any; `play` counts it as English. */
  readonly isEnglish?: true;
  /** How `play` offers a mode that is chosen without a value: its flag's help, its entry in the palette. */
  readonly offer?: { readonly help: string; readonly label: string; readonly aliases: string };
}

/** Characters of a text of one round. */
export const maxText = 10_000;

/** Every mode, in the order shown to people: schemas, names and tests are derived from this list. */
export const modes = {
  words: {
    parameters: {
      count: { kind: 'number', min: 10, max: 200, default: 30, isInName: true, what: 'Words of the round.' },
      numbers: {
        kind: 'flag',
        isInName: true,
        what: 'About every fifth word is a number of 1 to 4 digits; such rounds are counted separately.',
      },
      list: {
        kind: 'words',
        min: 10,
        max: 2_000,
        maxLength: 32,
        isInName: true,
        what: 'Words to draw from, all different; such rounds are counted separately.',
      },
    },
    example: { type: 'words', count: 30 },
  },
  time: {
    parameters: {
      seconds: { kind: 'number', min: 5, max: 600, default: 60, isInName: true, what: 'Length of the test.' },
    },
    example: { type: 'time', seconds: 60 },
  },
  text: {
    parameters: {
      text: { kind: 'content', max: maxText, isNeeded: true, what: 'The text to type.' },
      title: { kind: 'label', max: 200, what: 'Title of the text.' },
      code: {
        kind: 'tag',
        isInName: true,
        what: 'The programming language of a text that is code: such rounds are counted separately.',
      },
    },
    example: { type: 'text', text: 'To be, or not to be.', title: 'Hamlet' },
    isText: true,
  },
  quote: {
    parameters: {
      length: {
        kind: 'choice',
        values: ['any', 'short', 'medium', 'long'],
        default: 'any',
        what: 'Below 100 characters, below 300, or more.',
      },
    },
    example: { type: 'quote', length: 'short' },
    isText: true,
  },
  code: {
    parameters: {
      language: {
        kind: 'name',
        sentence: 'the name of a programming language, such as "typescript"',
        default: 'typescript',
        isInName: true,
        what: 'A programming language.',
      },
    },
    example: { type: 'code', language: 'typescript' },
    isText: true,
    isEnglish: true,
  },
  drill: {
    parameters: {
      on: {
        kind: 'choice',
        values: ['letters', 'bigrams', 'words'],
        default: 'letters',
        what: 'What this player misses or is slow on.',
      },
      text: {
        kind: 'content',
        max: maxText,
        what: 'The words to drill, in place of those that the history of this player suggests.',
      },
      targets: {
        kind: 'parts',
        min: 1,
        max: 10,
        maxLength: 2,
        what: 'The letters or bigrams to drill, in place of those that the history of this player suggests.',
      },
    },
    example: { type: 'drill', on: 'bigrams' },
  },
  guided: {
    parameters: {
      target_wpm: {
        kind: 'number',
        min: 10,
        max: 200,
        what: 'Speed at which a letter counts as learned; 35 if left out.',
      },
    },
    example: { type: 'guided', target_wpm: 35 },
    offer: {
      help: 'letters are added one by one as you master them',
      label: 'letter by letter',
      aliases: 'lessons learn keybr',
    },
  },
} as const satisfies Readonly<Record<string, ModeDescription>>;

export type ModeType = keyof typeof modes;
export const modeTypes = Object.keys(modes) as [ModeType, ...ModeType[]];

type OfferedType = {
  [T in ModeType]: (typeof modes)[T] extends { offer: object } ? T : never;
}[ModeType];
/** The other modes: `play` asks for their flags and entries one by one. */
export type ValuedType = Exclude<ModeType, OfferedType>;
export const offeredTypes = modeTypes.filter((type): type is OfferedType => 'offer' in modes[type]);

export function describeMode(type: ModeType): ModeDescription {
  return modes[type];
}

export function parametersOf(type: ModeType): [name: string, Parameter][] {
  return Object.entries(modes[type].parameters);
}

/** Whether a parameter is what is typed: answers leave it out, because the round has its words. */
export function isContent({ kind }: Parameter): boolean {
  return kind === 'content' || kind === 'words';
}

type ValueOf<P> = P extends { kind: 'number' }
  ? number
  : P extends { kind: 'choice'; values: readonly (infer Value)[] }
    ? Value
    : P extends { kind: 'flag' }
      ? boolean
      : P extends { kind: 'words' | 'parts' }
        ? readonly string[]
        : string;
type Given<Ps> = {
  [N in keyof Ps]: Ps[N] extends { default: unknown } | { isNeeded: true } ? N : never;
}[keyof Ps];
type ValuesOf<Ps> = { readonly [N in Given<Ps>]: ValueOf<Ps[N]> } & {
  readonly [N in Exclude<keyof Ps, Given<Ps>>]?: ValueOf<Ps[N]>;
};

/** What a session practises. Plain JSON. */
export type Mode = {
  [T in ModeType]: { readonly type: T } & ValuesOf<(typeof modes)[T]['parameters']>;
}[ModeType];

export type ModeOf<T extends ModeType> = Extract<Mode, { type: T }>;
export type DrillMode = ModeOf<'drill'>;

export const defaultMode = {
  type: 'words',
  count: modes.words.parameters.count.default,
} as const satisfies Mode;

/** The name under which rounds of a mode are counted, such as `words-30-numbers` or `code-typescript`. */
export function modeName(mode: Mode): string {
  const values: Values = mode;
  const parts = nameParameters(mode.type).map(([name, { kind }]) => {
    const value = values[name];
    return isShownByName(kind) && value !== undefined && value !== false ? name : value;
  });
  return [mode.type, ...parts.filter((part) => part !== undefined && part !== false)].join('-');
}

/** Matches the names under which rounds are counted, see `modeName`. */
export const modeNamePattern = new RegExp(`^(?:${[...modeTypes.map(namePatternOf), 'all'].join('|')})$`);
/** Those names in a sentence, without parts that are rarely there. */
export const modeNames = [...modeTypes.map(nameOf), 'all'];

/** Whether a name has the parameter itself, not its value. */
function isShownByName(kind: Parameter['kind']): boolean {
  return kind === 'flag' || kind === 'words';
}

function nameParameters(type: ModeType): [name: string, Parameter][] {
  return parametersOf(type).filter(([, { isInName }]) => isInName === true);
}

function namePatternOf(type: ModeType): string {
  const parts = nameParameters(type).map(([name, { kind }]) => {
    if (kind === 'number') return '-\\d{1,3}';
    if (isShownByName(kind)) return `(?:-${name})?`;
    return kind === 'tag' ? '(?:-[a-z]{1,20})?' : '-[a-z]{1,20}';
  });
  return type + parts.join('');
}

function nameOf(type: ModeType): string {
  const needed = nameParameters(type).filter(([, { kind }]) => kind !== 'tag' && !isShownByName(kind));
  return [type, ...needed.map(([name, { kind }]) => (kind === 'number' ? 'N' : name.toUpperCase()))].join(
    '-',
  );
}

type Values = Readonly<Record<string, unknown>>;

/** Whether a value is a mode, such as one that was stored. */
export function isMode(value: unknown): value is Mode {
  const { type } = Object(value) as Values;
  return typeof type === 'string' && Object.hasOwn(modes, type);
}
