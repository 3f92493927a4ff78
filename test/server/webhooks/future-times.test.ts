import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { emptyHistory, type HistoryFile } from '../../../src/announcements/announcement.ts';
import { publish } from '../../../src/announcements/changes/history-edit.ts';
import { createLog } from '../../../src/server/settings/log.ts';
import { createOutbox } from '../../../src/server/stores/outbox.ts';
import { createFileRecords } from '../../../src/server/stores/records/file-records.ts';
import { createFutureTimes, withoutFuture } from '../../../src/server/webhooks/future-times.ts';
import {
  addEvents,
  backOff,
  newOutbox,
  type OutboxState,
  type WebhookDelivery,
} from '../../../src/server/webhooks/outbox-state.ts';
import { parseWebhookSecret, parseWebhookTarget } from '../../../src/server/webhooks/send-webhook.ts';
import { startWebhooks, type Webhooks } from '../../../src/server/webhooks/webhook-runner.ts';
import { until } from '../../support/until.ts';
import { type Receiver, startReceiver, webhookSecret } from '../../support/webhook-receiver.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const now = Date.UTC(2026, 0, 1);
const present = { now, leaseFor: 30_000 };
const blank = newOutbox('scope', { history: emptyHistory, targets: ['t'], now });

function published(history: HistoryFile, id: string, from: number, expires: number, at: number): HistoryFile {
  const announcement = { message: 'x', id, alongside: true, published: from, expires };
  const outcome = publish(history, announcement, { by: 'ada', at });
  if ('problem' in outcome) throw new Error(outcome.problem);
  return outcome.history;
}

function withDelivery(delivery: Partial<WebhookDelivery>): OutboxState {
  const whole = { id: 'm', target: 't', body: '{}', attempts: 0, due: now, leasedUntil: 0, lease: '' };
  return { ...blank, deliveries: [{ ...whole, ...delivery }] };
}

describe('a time that cannot have been set now', () => {
  test('is due at once: a retry later than the longest wait after so many attempts', () => {
    for (const attempts of [0, 1, 10, 30]) {
      const usual = withDelivery({ attempts, due: now + backOff(attempts) });
      expect(withoutFuture(usual, present)).toBe(usual);
      const late = withDelivery({ attempts, due: now + backOff(attempts) + 6 * minute });
      expect(withoutFuture(late, present).deliveries).toMatchObject([{ attempts, due: now }]);
    }
  });

  test('ends a lease that is longer than any', () => {
    const usual = withDelivery({ leasedUntil: now + 30_000, lease: 'l' });
    expect(withoutFuture(usual, present)).toBe(usual);
    const long = withDelivery({ leasedUntil: now + day, lease: 'l' });
    expect(withoutFuture(long, present).deliveries).toMatchObject([{ leasedUntil: 0, lease: '', due: now }]);
  });

  test('is left alone within the difference that clocks of servers may have', () => {
    const ahead = newOutbox('scope', { history: emptyHistory, targets: ['t'], now: now + 4 * minute });
    expect(withoutFuture(ahead, present)).toBe(ahead);
    const retried = withDelivery({ attempts: 1, due: now + 4 * minute });
    expect(withoutFuture(retried, present)).toBe(retried);
  });

  test('does not hide what began meanwhile, and what was reported too early starts again under another id', () => {
    const scheduled = published(emptyHistory, 'later', now + day / 2, now + 9 * day, now);
    const short = published(scheduled, 'short', now + minute, now + 20 * minute, now + minute);
    const look = (state: OutboxState, at: number, history = scheduled) =>
      addEvents(state, { history, targets: ['t'], now: at });
    const ahead = look(blank, now + day);
    const back = withoutFuture(ahead, { ...present, now: now + minute });
    expect(withoutFuture(ahead, { ...present, now: now + 2 * minute }).scope).toBe(back.scope);
    const caughtUp = look(look(back, now + 2 * minute, short), now + day, short);
    const told = caughtUp.deliveries.map(({ body }) => {
      const { type, data } = JSON.parse(body);
      return `${type.replace('announcement.', '')} ${data.id}`;
    });
    expect(told).toEqual(['started later', 'ended later', 'started short', 'ended short', 'started later']);
    expect(new Set(caughtUp.deliveries.map(({ id }) => id)).size).toBe(5);
  });

  test('is logged once an hour, and servers whose clocks differ widely undo each other’s moment no more often', () => {
    const lines: string[] = [];
    let ticks = 0;
    const log = createLog({ format: 'json', write: (line) => void lines.push(line) });
    const future = createFutureTimes(log, () => ticks);
    const ahead = newOutbox('scope', { history: emptyHistory, targets: ['t'], now: now + day });
    for (const [at, corrected, logged] of [
      [0, true, 1],
      [500, false, 1],
      [61 * minute, true, 2],
    ] as const) {
      ticks = at;
      const moment = { ...present, now: now + at };
      expect(future.correct(ahead, moment) !== ahead).toBe(corrected);
      future.saved(ahead, moment);
      expect(lines).toHaveLength(logged);
    }
    expect(lines[0]).toMatch(/a clock was or is wrong/);
  });
});

describe('a server whose clock was a day ahead', () => {
  let dir: string;
  let receiver: Receiver;
  const running: Webhooks[] = [];
  const parsed = parseWebhookSecret(webhookSecret);

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'typebadge-webhooks-'));
    receiver = await startReceiver();
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((webhooks) => webhooks.close()));
    await receiver.close();
    await rm(dir, { recursive: true, force: true });
  });

  /** Webhooks by a clock that can be set, with announcements that can be published. */
  async function start(offset: number) {
    const lines: string[] = [];
    const place = { offset, history: emptyHistory };
    const clock = () => Date.now() + place.offset;
    const outbox = createOutbox(createFileRecords({ dir }), 'webhooks');
    running.push(
      startWebhooks({
        targets: [parseWebhookTarget(receiver.url)],
        secret: 'secret' in parsed ? parsed.secret : Buffer.alloc(0),
        outbox,
        history: () => place.history,
        clock,
        log: createLog({ format: 'json', write: (line) => void lines.push(line) }),
      }),
    );
    await until(async () => (await outbox.read()) !== undefined);
    return {
      lines,
      setClock: (next: number) => {
        place.offset = next;
      },
      publish: (id: string, span = day) => {
        const at = clock();
        place.history = published(place.history, id, at, at + span, at);
      },
    };
  }
  const takes = (id: string) => until(() => receiver.taken().includes(`announcement.started ${id}`));

  test('sends what failed meanwhile, and everything published since, once the clock is right', async () => {
    const server = await start(day);
    receiver.behave(500);
    server.publish('ahead', 9 * day);
    await until(() => server.lines.some((line) => line.includes('was not delivered')));
    server.setClock(0);
    receiver.behave(204);
    server.publish('after', minute);
    await takes('ahead');
    await takes('after');
    expect(server.lines.filter((line) => line.includes('a clock was or is wrong'))).toHaveLength(1);
  });
});
