import { wrapped } from '../../kit/terminal-text.ts';
import type { Look } from '../look/look.ts';
import { startOf } from '../round/round-view.ts';
import type { State } from '../state/state.ts';
import { kindText, leftPlaceText } from '../state/text.ts';
import type { StampedKey } from '../terminal/keys.ts';
import { drawKeys, type Page, pageMargin } from '../view/page.ts';
import { type Reaction, reaction } from './reaction.ts';

const keys = [
  ['Enter', 'continue'],
  ['Tab', 'new round'],
  ['Esc', 'leave'],
] as const;

export function pressResume(state: State, { name }: StampedKey): Reaction {
  if (name === 'enter') return reaction(state, 'resume-round');
  if (name === 'escape') return reaction(state, 'leave');
  if (name !== 'tab') return reaction(state);
  return reaction({ ...state, screen: 'typing' }, 'discard-interrupted-round', 'new-round');
}

export function drawResume(look: Look, { interrupted: round, size }: State): Page {
  if (round === undefined) return { blocks: [], bottom: [] };
  const width = size.columns - pageMargin;
  const begun = new Date(startOf(round)).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
  const kind = kindText(round);
  const what = `A round${kind === '' ? '' : ` (${kind})`} from ${begun}`;
  const question = `${what} was cut off ${leftPlaceText(round)}. Nothing was lost.`;
  return {
    blocks: [[look.paint('strong', 'typebadge')], wrapped(question, width)],
    bottom: [drawKeys(look, keys, width)],
  };
}
