import type { App } from '../app/app-state.ts';
import { toCountText } from '../drawing/figures.ts';
import type { Look } from '../screen/look.ts';

/** The one sentence that matters most right now; empty when everything is as it should be. */
export function drawTypingStatus(look: Look, app: App): string {
  const { run, delivery } = app;
  if (app.isLeaving) return look.paint('warning', 'Esc again leaves this round. Any other key goes on.');
  if (run === undefined) return '';
  if (delivery.lost !== '')
    return look.paint('warning', `This round counts in your own record only: ${delivery.lost}.`);
  if (delivery.away !== '') return look.paint('warning', toAway(app));
  if (run.isPaused) return look.paint('warning', 'Paused: the clock stands until you type.');
  return app.notice === '' ? '' : look.paint('warning', app.notice);
}

/** What stands in place of the words until they come. */
export function toWaitingText({ signs }: Look, app: App): string {
  const reason = app.waiting || app.delivery.away;
  if (reason === '') return `Getting words${signs.ellipsis}`;
  return `No words yet, for they come from the server: ${reason}. Trying again${signs.ellipsis}`;
}

function toAway({ delivery }: App): string {
  const waiting = delivery.total - delivery.confirmed;
  const verb = waiting === 1 ? 'waits' : 'wait';
  return `Server away: ${toCountText(waiting, 'key')} ${verb} for it. Type on, nothing is lost.`;
}
