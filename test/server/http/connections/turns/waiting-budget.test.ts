import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { newConnection } from '../../../../../src/server/http/connections/turns/connection.ts';
import {
  createWaitingBudget,
  weigh,
} from '../../../../../src/server/http/connections/turns/waiting-budget.ts';

const megabyte = 1024 * 1024;
const of = (owner?: string) => newConnection(new Socket(), owner);

test('one owner may fill half of the room, on all its connections together, and another the rest', () => {
  const budget = createWaitingBudget();
  const first = of('a');
  expect(budget.take(first, 7 * megabyte)).toBe(true);
  expect(budget.take(of('a'), megabyte)).toBe(true);
  expect(budget.take(of('a'), 1)).toBe(false);
  expect(budget.take(of('b'), 8 * megabyte - 1)).toBe(true);
  expect(budget.take(of('c'), 1)).toBe(false);
});

test('what is given back can be taken again, and what was refused counts until then', () => {
  const budget = createWaitingBudget();
  const [one, other] = [of('a'), of('a')];
  expect(budget.take(one, 8 * megabyte)).toBe(true);
  expect(budget.take(other, megabyte)).toBe(false);
  budget.giveBack(one, megabyte);
  expect(budget.take(one, 1)).toBe(false);
  budget.giveBack(one, 1);
  budget.giveBack(other, megabyte);
  expect(budget.take(other, megabyte)).toBe(true);
});

test('connections without an owner share all of the room', () => {
  const budget = createWaitingBudget();
  for (let count = 0; count < 16; count += 1) expect(budget.take(of(), megabyte)).toBe(true);
  expect(budget.take(of(), 1)).toBe(false);
});

function requestWith(...rawHeaders: string[]): IncomingMessage {
  return Object.assign(new IncomingMessage(new Socket()), { rawHeaders, url: '/' });
}

test('a waiting request weighs as much of its body as is kept unread, whatever the case of its headers', () => {
  const { readableHighWaterMark: kept } = requestWith();
  const bodyOf = (name: string, value: string) =>
    weigh(requestWith(name, value)) - weigh(requestWith('x'.repeat(name.length), 'x'.repeat(value.length)));
  expect(bodyOf('Content-Length', '10')).toBe(10);
  expect(bodyOf('content-length', '10000000')).toBe(kept);
  expect(bodyOf('TRANSFER-ENCODING', 'chunked')).toBe(kept);
  for (const name of ['content-length-x', 'x-content-length', 'transfer-encoding-x', 'x-transfer-encoding'])
    expect(bodyOf(name, '10')).toBe(0);
  expect(weigh(requestWith())).toBeGreaterThan(1_000);
});
