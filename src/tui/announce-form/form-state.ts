/** A field's name; which there are is up to whoever opens the form. */
export type InputName = string;
export type FormValues = Readonly<Record<InputName, string>>;

/** What is known of one field as it stands: a problem keeps the form from going on, a note only helps. */
export interface FieldReport {
  readonly problem?: string;
  readonly note?: string;
}
export type FormReport = Readonly<Record<InputName, FieldReport>>;

export interface FormState {
  /** The fields that are asked for, in order. */
  readonly fields: readonly InputName[];
  readonly values: FormValues;
  readonly focus: number;
  /** Where the cursor stands in the field in focus: characters before it, as a person counts them. */
  readonly cursor: number;
  /** Fields that were left once: before that, what is still missing is no problem yet. */
  readonly visited: ReadonlySet<InputName>;
  readonly stage: 'fields' | 'confirm' | 'accepted' | 'left';
}

export type FormEvent =
  | { readonly type: 'insert'; readonly text: string }
  | { readonly type: 'erase' | 'erase-word' | 'clear' | 'left' | 'right' | 'home' | 'end' }
  | { readonly type: 'next' | 'previous' | 'back' | 'yes' | 'no' | 'leave' }
  /** Enter goes on to the next field, and from the last to the question; not past a problem. */
  | { readonly type: 'enter'; readonly problemIn: InputName | undefined };

export function newFormState(fields: readonly InputName[], values: FormValues): FormState {
  const focus = 0;
  const cursor = charactersOf(values[fields[focus] ?? ''] ?? '').length;
  return { fields, values, focus, cursor, visited: new Set(), stage: 'fields' };
}

export function focusedField({ fields, focus }: FormState): InputName {
  return fields[focus] ?? '';
}

export function reduceForm(state: FormState, event: FormEvent): FormState {
  if (event.type === 'leave') return { ...state, stage: 'left' };
  if (state.stage === 'confirm') return reduceConfirm(state, event);
  if (state.stage !== 'fields') return state;
  const last = state.fields.length - 1;
  switch (event.type) {
    case 'next':
      return moveFocus(state, state.focus === last ? 0 : state.focus + 1);
    case 'previous':
      return moveFocus(state, state.focus === 0 ? last : state.focus - 1);
    case 'enter':
      if (state.focus < last) return moveFocus(state, state.focus + 1);
      if (event.problemIn === undefined)
        return { ...state, stage: 'confirm', visited: new Set(state.fields) };
      return { ...moveFocus(state, state.fields.indexOf(event.problemIn)), visited: new Set(state.fields) };
    default:
      return reduceText(state, event);
  }
}

function reduceConfirm(state: FormState, { type }: FormEvent): FormState {
  if (type === 'yes') return { ...state, stage: 'accepted' };
  return type === 'no' || type === 'back' ? { ...state, stage: 'fields' } : state;
}

function moveFocus(state: FormState, focus: number): FormState {
  const visited = new Set([...state.visited, focusedField(state)]);
  const field = state.fields[focus] ?? '';
  return { ...state, focus, visited, cursor: charactersOf(state.values[field] ?? '').length };
}

function reduceText(state: FormState, event: FormEvent): FormState {
  const characters = charactersOf(state.values[focusedField(state)] ?? '');
  const before = characters.slice(0, state.cursor);
  const after = characters.slice(state.cursor);
  switch (event.type) {
    case 'insert':
      return withText(state, before.join('') + event.text, after.join(''));
    case 'erase':
      return withText(state, before.slice(0, -1).join(''), after.join(''));
    case 'erase-word':
      return withText(state, before.join('').replace(/\S*\s*$/u, ''), after.join(''));
    case 'clear':
      return withText(state, '', '');
    case 'left':
      return { ...state, cursor: Math.max(0, state.cursor - 1) };
    case 'right':
      return { ...state, cursor: Math.min(characters.length, state.cursor + 1) };
    case 'home':
      return { ...state, cursor: 0 };
    case 'end':
      return { ...state, cursor: characters.length };
    default:
      return state;
  }
}

function withText(state: FormState, before: string, after: string): FormState {
  const values = { ...state.values, [focusedField(state)]: before + after };
  return { ...state, values, cursor: charactersOf(before).length };
}

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Characters as a person counts them: one press of Backspace takes one away. */
export function charactersOf(text: string): string[] {
  return [...segmenter.segment(text)].map(({ segment }) => segment);
}
