import { charactersOf, type LineEvent, reduceText } from './line-input.ts';

/** A field's name; which there are is up to the caller that opens the form. */
export type InputName = string;
export type FormValues = Readonly<Record<InputName, string>>;

/** A field that the form asks for. */
export interface FormField {
  readonly name: InputName;
  /** All that it can be; undefined: any text. */
  readonly choices?: readonly string[];
  /** Whether it is asked for only after "more". Default: false. */
  readonly isExtra?: boolean;
  /** What it is unless something is typed: shown as marked, and the first key takes its place. Default: nothing. */
  readonly preset?: string;
}

/** What is known of one field as it is now: a problem keeps the form from going on, a note only helps. */
export interface FieldReport {
  readonly problem?: string;
  readonly note?: string;
}
export type FormReport = Readonly<Record<InputName, FieldReport>>;

export interface FormState {
  /** Every field that there is, extra ones included, in order. */
  readonly fields: readonly FormField[];
  readonly values: FormValues;
  /** The field that keys go to, or `more`. */
  readonly focus: InputName;
  /** Where the cursor is in the field in focus: characters before it, as a person counts them. */
  readonly cursor: number;
  /** Whether all of the field in focus is marked, as its preset is when it comes into focus: what is typed replaces it. */
  readonly isMarked: boolean;
  /** Letters typed at the choices in focus since the last other key. */
  readonly typed: string;
  /** Whether the extra fields are shown; else there is one line for all of them. */
  readonly isOpen: boolean;
  /** Fields that were left once: before that, a missing value is not a problem yet. */
  readonly visited: ReadonlySet<InputName>;
  readonly stage: 'fields' | 'confirm' | 'accepted' | 'left';
}

export type FormEvent =
  | LineEvent
  | { readonly type: 'next' }
  | { readonly type: 'previous' }
  | { readonly type: 'back' }
  | { readonly type: 'yes' }
  | { readonly type: 'no' }
  | { readonly type: 'more' }
  | { readonly type: 'leave' }
  /** Enter goes on to the next field, and from the last to the question; not past a problem. */
  | { readonly type: 'enter'; readonly problemIn: InputName | undefined };

/** The line that stands for the extra fields while they are not shown. No field has a name with a blank. */
export const moreLine: InputName = 'more fields';

export function newFormState(fields: readonly FormField[], values: FormValues): FormState {
  const state = { fields, values, focus: '', cursor: 0, isMarked: false, typed: '', isOpen: false };
  const focused = focusOn({ ...state, visited: new Set(), stage: 'fields' }, fields[0]?.name ?? '');
  return { ...focused, visited: new Set() };
}

/** What is shown, in order, `more` included. */
export function shownNames({ fields, isOpen }: FormState): readonly InputName[] {
  const usual = fields.filter(({ isExtra = false }) => !isExtra);
  if (isOpen || usual.length === fields.length) return fields.map(({ name }) => name);
  return [...usual.map(({ name }) => name), moreLine];
}

/** Other fields, because what is written asks for others; the one in focus stays in focus. */
export function withFields(state: FormState, fields: readonly FormField[]): FormState {
  const isSame =
    fields.length === state.fields.length && fields.every(({ name }, at) => name === state.fields[at]?.name);
  return isSame ? state : { ...state, fields };
}

export function reduceForm(state: FormState, event: FormEvent): FormState {
  if (event.type === 'leave') return { ...state, stage: 'left' };
  if (state.stage === 'confirm') return reduceConfirm(state, event);
  if (state.stage !== 'fields') return state;
  switch (event.type) {
    case 'next':
      return step(state, 1);
    case 'previous':
      return step(state, -1);
    case 'back':
      return closed(state);
    case 'enter':
      return entered(state, event.problemIn);
    case 'yes':
    case 'no':
    case 'more':
      return state;
    default:
      return reduceField(state, event);
  }
}

function reduceConfirm(state: FormState, { type }: FormEvent): FormState {
  if (type === 'yes') return { ...state, stage: 'accepted' };
  if (type === 'more') return opened({ ...state, stage: 'fields' });
  return type === 'no' || type === 'back' ? { ...state, stage: 'fields' } : state;
}

function entered(state: FormState, problemIn: InputName | undefined): FormState {
  const names = shownNames(state);
  if (state.focus !== names.at(-1)) return step(state, 1);
  const visited = new Set(state.fields.map(({ name }) => name));
  if (problemIn === undefined) return { ...state, stage: 'confirm', visited };
  const isHidden = !names.includes(problemIn);
  return { ...focusOn({ ...state, isOpen: state.isOpen || isHidden }, problemIn), visited };
}

/** Round at both ends. */
function step(state: FormState, by: 1 | -1): FormState {
  const names = shownNames(state);
  const at = names.indexOf(state.focus) + by;
  return focusOn(state, names.at(at % names.length) ?? '');
}

function focusOn(state: FormState, focus: InputName): FormState {
  const visited = new Set([...state.visited, state.focus]);
  const value = state.values[focus] ?? '';
  const { preset } = state.fields.find(({ name }) => name === focus) ?? {};
  const isMarked = value !== '' && value === preset;
  return { ...state, focus, visited, isMarked, typed: '', cursor: charactersOf(value).length };
}

function opened(state: FormState): FormState {
  const first = state.fields.find(({ isExtra }) => isExtra)?.name ?? state.focus;
  return focusOn({ ...state, isOpen: true }, first);
}

function closed(state: FormState): FormState {
  const isExtra = state.fields.some((field) => field.isExtra);
  return state.isOpen && isExtra ? focusOn({ ...state, isOpen: false }, moreLine) : state;
}

function reduceField(state: FormState, event: LineEvent): FormState {
  const field = state.fields.find(({ name }) => name === state.focus);
  if (state.focus === moreLine || field?.choices !== undefined) return reduceByLetter(state, event);
  const isReplaced = state.isMarked && (event.type === 'insert' || event.type.startsWith('erase'));
  const line = { text: state.values[state.focus] ?? '', cursor: state.cursor };
  const { text, cursor } = reduceText(isReplaced ? { text: '', cursor: 0 } : line, event);
  const next = withValue(state, text, cursor);
  return next.isMarked ? { ...next, isMarked: false } : next;
}

/** Where no text is written, letters that arrive together are as many keys. */
function reduceByLetter(state: FormState, event: LineEvent): FormState {
  if (event.type !== 'insert' || charactersOf(event.text).length < 2) return reducePick(state, event);
  return charactersOf(event.text).reduce((now, text) => reduceField(now, { type: 'insert', text }), state);
}

function reducePick(state: FormState, event: LineEvent): FormState {
  const isForward = event.type === 'right' || (event.type === 'insert' && event.text === ' ');
  if (state.focus === moreLine) return isForward ? opened(state) : state;
  const { choices = [] } = state.fields.find(({ name }) => name === state.focus) ?? {};
  const value = state.values[state.focus] ?? '';
  const by = isForward ? 1 : event.type === 'left' ? -1 : 0;
  if (by !== 0)
    return withValue(state, choices.at((choices.indexOf(value) + by) % choices.length) ?? value, 0);
  return event.type === 'insert' ? spell(state, choices, event.text) : state;
}

/** The choice that begins with the letters typed so far, else with the last of them. */
function spell(state: FormState, choices: readonly string[], letter: string): FormState {
  for (const typed of [state.typed + letter.toLowerCase(), letter.toLowerCase()]) {
    const found = choices.find((choice) => choice.startsWith(typed));
    if (found !== undefined) return { ...withValue(state, found, 0), typed };
  }
  return state;
}

function withValue(state: FormState, value: string, cursor: number): FormState {
  if (value === (state.values[state.focus] ?? '') && cursor === state.cursor) return state;
  return { ...state, values: { ...state.values, [state.focus]: value }, cursor, typed: '' };
}
