import type { Practice } from '../../../typing/modes/practice.ts';
import { newRound, type Round, replayInputs } from '../../../typing/round.ts';
import { parseInputText } from '../../../typing/round-input.ts';
import { toWords } from '../../../typing/rules/word.ts';
import type { StoredSession } from '../ports.ts';
import {
  measuredBytes,
  measureText,
  practiceBytes,
  type RoundMeasures,
  unsavedRoundBytes,
} from '../session-size.ts';
import type { SessionEvent } from './session-event.ts';

type Header = Extract<SessionEvent, { session: unknown }>['session'];
type RoundHeader = Omit<NonNullable<Header['round']>, 'inputs'>;

interface DraftRound extends RoundMeasures {
  /** Undefined if texts are not kept. */
  readonly fields: RoundHeader | undefined;
  readonly text: string;
}

/** A session read from a log, before its inputs are replayed. */
export interface SessionDraft {
  /** Undefined if texts are not kept. */
  readonly header: Omit<Header, 'round'> | undefined;
  /** Bytes of the session's own text and layout, if any. */
  readonly practice: number;
  used: number;
  round: DraftRound | null;
  /** Line and bytes of each unsaved round, by id. */
  readonly unsaved: Map<string, { readonly line: string; readonly bytes: number }>;
}

export type SessionDrafts = Map<string, SessionDraft>;

export interface DraftOptions {
  /** Whether to keep texts, or only their measures. */
  readonly keepsText: boolean;
}

/** Applies an event to the sessions read so far. Returns false, and changes nothing, if it does not fit them. */
export function applyEvent(drafts: SessionDrafts, event: SessionEvent, options: DraftOptions): boolean {
  if ('gone' in event) {
    drafts.delete(event.gone);
    return true;
  }
  if ('session' in event) {
    drafts.set(event.session.id, toDraft(event, drafts.get(event.session.id), options));
    return true;
  }
  const draft = drafts.get(event.id);
  return draft !== undefined && applyToDraft(draft, event, options);
}

function toDraft(
  { session: { round, ...fixed }, used }: Extract<SessionEvent, { session: unknown }>,
  before: SessionDraft | undefined,
  { keepsText }: DraftOptions,
): SessionDraft {
  const header = keepsText ? fixed : undefined;
  const draft = {
    header,
    practice: practiceBytes(fixed.practice),
    used,
    unsaved: before?.unsaved ?? new Map(),
  };
  if (round === null) return { ...draft, round: null };
  const { inputs, ...fields } = round;
  return {
    ...draft,
    round: {
      ...measureText(toWords(round.words)),
      fields: keepsText ? fields : undefined,
      inputs: inputs.length,
      text: keepsText ? inputs : '',
      isRunning: round.timing === undefined,
    },
  };
}

function applyToDraft(
  draft: SessionDraft,
  event: Exclude<SessionEvent, { session: unknown } | { gone: unknown }>,
  { keepsText }: DraftOptions,
): boolean {
  const { round, unsaved } = draft;
  if ('unsaved' in event) {
    const { id, line } = event.unsaved;
    unsaved.set(id, { line: keepsText ? line : '', bytes: unsavedRoundBytes(event.unsaved) });
  } else if ('kept' in event) {
    for (const id of event.kept) unsaved.delete(id);
  } else if ('timing' in event) {
    if (round === null) return false;
    const { timing, newBests } = event;
    const fields = round.fields && { ...round.fields, timing, ...(newBests && { newBests }) };
    draft.round = { ...round, fields, isRunning: false };
    draft.used = event.used;
  } else {
    if ((round?.inputs ?? 0) !== event.from || (round === null && event.inputs !== '')) return false;
    if (round !== null && event.inputs !== '') {
      const text = keepsText ? round.text + event.inputs : '';
      draft.round = { ...round, inputs: round.inputs + event.inputs.length, text };
    }
    draft.used = event.used;
  }
  return true;
}

export function draftBytes({ practice, round, unsaved }: SessionDraft): number {
  let rest = practice;
  for (const { bytes } of unsaved.values()) rest += 8 + bytes;
  return measuredBytes(round, rest);
}

/** The session of a draft with its texts. `isWhole` is false if the rules cannot have accepted all of its inputs. */
export function toStoredSession(draft: SessionDraft): { stored: StoredSession; isWhole: boolean } {
  const { header, used, round, unsaved } = draft;
  if (header === undefined) throw new Error('only the measures of this session are known');
  const replayed = round?.fields && replay(round.fields, header.practice, round.text);
  const session = {
    ...header,
    round: replayed?.round ?? null,
    unsaved: [...unsaved].map(([id, { line }]) => ({ id, line })),
  };
  return { stored: { session, lastUsed: used }, isWhole: replayed?.isWhole ?? true };
}

/** Replays a round, up to the first input that the rules cannot have accepted. */
function replay(
  { id, words, lineEnds, timing, newBests }: RoundHeader,
  practice: Practice,
  text: string,
): { round: Round; isWhole: boolean } {
  const fresh = newRound(id, toWords(words), practice, lineEnds);
  const { round, isWhole } = replayInputs(fresh, parseInputText(text) ?? []);
  if (!isWhole) return { round, isWhole };
  return { round: { ...round, ...(timing && { timing }), ...(newBests && { newBests }) }, isWhole };
}
