import type { Look } from '../look/look.ts';
import { isLastWordTyped } from '../round/round.ts';
import type { App } from '../state/app-state.ts';
import { toColumns } from '../terminal/columns.ts';
import { toCountText } from '../text/figures/figures.ts';
import { toGoalText } from '../text/goal-text.ts';
import { toMissingPaceText, toPaceText } from '../text/pace-text.ts';
import { toFittingSentences } from '../text/text-layout.ts';

/** The one sentence that matters most right now; empty when everything is as it should be. */
export function drawTypingStatus({ paint, signs }: Look, app: App, width: number): string {
  if (app.asks !== undefined) return paint('warning', toQuestion(app.asks, width));
  const end = toEndText(app);
  const status = toStatusText(app) || (end === '' ? toPaceText(app) : '');
  const idle = app.round?.inputs.length === 0 ? toIdleText(app) : '';
  // Nothing else is left to do: whatever is wrong comes after it.
  const text = [end, status, idle].filter((part) => part !== '').join(' ');
  return paint(status === '' ? 'faint' : 'warning', toFittingSentences(text, signs.ellipsis, width));
}

/** What ends the round where its last word is wrong; empty before its last letter, and where the mistake has to be corrected first. */
function toEndText({ round, options: { advance } }: App): string {
  if (round === undefined) return '';
  const isHeld = round.rules.stopOn === 'word' && round.progress.wrong > 0;
  if (!isLastWordTyped(round) || isHeld) return '';
  const takesEnter = advance !== 'space' || round.practised.lineEnds.includes(round.wordIndex);
  const keys = advance === 'enter' ? 'Enter' : takesEnter ? 'Space or Enter' : 'Space';
  return `${keys} ends the round.`;
}

/** What is worth knowing before the first key, and disturbs nobody. */
function toIdleText(app: App): string {
  return [toMissingPaceText(app), toGoalText(app.goal)].filter((part) => part !== '').join(' ');
}

function toStatusText(app: App): string {
  const { round, delivery } = app;
  if (round === undefined) return '';
  if (delivery.lost !== '') return `This round counts in your own record only: ${delivery.lost}.`;
  if (delivery.away !== '') return toAway(app);
  if (app.notice !== '') return app.notice; // about the latest key: the next one takes it away
  return round.isPaused ? 'Timer paused; type to resume.' : '';
}

/** In as many words as there is room for. */
const questions = {
  leave: [
    'Esc again discards this round; Ctrl+C keeps it for later.',
    'Esc discards this round, Ctrl+C keeps.',
  ],
  restart: ['Tab again restarts with other words. Any other key continues.', 'Tab again restarts.'],
} as const;

function toQuestion(asked: keyof typeof questions, width: number): string {
  const [long, short] = questions[asked];
  return toColumns(long) <= width ? long : short;
}

/** What is shown in place of the words until they come. */
export function toWaitingText({ signs }: Look, app: App): string {
  const reason = app.waiting || app.delivery.away;
  if (reason === '') return `Getting words${signs.ellipsis}`;
  return `Waiting for words from the server: ${reason}. Trying again${signs.ellipsis}`;
}

function toAway({ delivery }: App): string {
  const waiting = delivery.total - delivery.confirmed;
  return `Server away: ${toCountText(waiting, 'key')} waiting. Keep typing, nothing is lost.`;
}
