import { expect, test } from 'vitest';
import { localPlayer, mayUse, playerOfKey, playerPattern } from '../../../src/server/stores/player.ts';
import { createMemoryRecords } from '../../../src/server/stores/records/memory-records.ts';
import { StoreUnavailableError } from '../../../src/server/stores/records/records.ts';
import { createRounds } from '../../../src/server/stores/rounds.ts';
import { defaultSetup, newSession } from '../../../src/server/stores/session.ts';
import { createSessions } from '../../../src/server/stores/sessions.ts';
import { parseRoundLine, roundLine } from '../../../src/server/stores/stored-round.ts';
import { labelEntries } from '../../../src/typing/labels.ts';
import { defaultPractice } from '../../../src/typing/modes/practice.ts';
import { newRound } from '../../../src/typing/round.ts';
import { newHistory } from '../../../src/typing/statistics/history.ts';
import { newStoredRound, toRoundId } from './stored-rounds.ts';

type Fields = Record<string, unknown>;

/** The same fields, with another value for one of them; undefined: without it. */
const changed = (fields: Fields, name: string, value: unknown) =>
  JSON.stringify({ ...fields, [name]: value });

const wrongName = ['', 'a b', 'x'.repeat(65), 7, null];
const wrongFlags = [true, {}, { wpm: true, accuracy: true }, { wpm: 1, accuracy: true, time: true }];
const wrongTiming = [
  ...[7, null, {}, { start: 1, end: 2 }, { start: -1, end: 2, duration: 1 }],
  { start: 1, end: Date.UTC(10_000, 0), duration: 1 },
];
const wrongRules = [7, null, {}, { early_space: 'error', stop_on: 'none', backspace: 'other' }];

test('a line with a value of another kind is no round, nor is one without what every round has', () => {
  const { mode: _, ...practice } = defaultPractice;
  const round = {
    ...newStoredRound(toRoundId(1)),
    ...labelEntries(() => 'a label'),
    ...{ rules: practice.rules, mode: 'words-30', language: 'en', layout: 'qwerty' },
    newBests: { wpm: true, accuracy: false, time: true },
  };
  const fields = JSON.parse(roundLine(round)) as Fields;
  expect(parseRoundLine(JSON.stringify(fields))).toEqual(round);
  expect(fields.keys).toHaveLength(round.keys.length);
  const [first, ...rest] = fields.seekTimes as number[];
  const wrong: Fields = {
    v: [2],
    id: ['', 7, undefined, '1'.repeat(32), `${toRoundId(1)}\u001b`],
    words: ['', 7, undefined],
    keys: ['a', 7, undefined],
    seekTimes: [rest, [-1, ...rest], [1.5, ...rest], ['1', ...rest], [first, 1, ...rest], 'x', undefined],
    timing: [...wrongTiming, undefined],
    punctuation: ['yes', 1, undefined],
    completedAt: ['now', 7, undefined],
    newBests: wrongFlags,
    rules: wrongRules,
    ...{ mode: wrongName, language: wrongName, layout: wrongName },
    ...labelEntries(({ maxLength }) => ['x'.repeat(maxLength + 1), 7, null]),
  };
  expect(Object.keys(fields).sort()).toEqual(Object.keys(wrong).sort());
  for (const [name, values] of Object.entries(wrong)) {
    for (const value of values as unknown[])
      expect(parseRoundLine(changed(fields, name, value)), `${name}: ${value}`).toBeUndefined();
  }
  for (const name of [
    'v',
    'newBests',
    'rules',
    'mode',
    'language',
    'layout',
    ...Object.keys(labelEntries(() => 0)),
  ])
    expect(parseRoundLine(changed(fields, name, undefined)), name).toEqual({ ...round, [name]: undefined });
  for (const line of ['', 'null', '[]', '{']) expect(parseRoundLine(line)).toBeUndefined();
});

test('a snapshot of rounds that is damaged or of another version is not used: it may lack some', async () => {
  const records = createMemoryRecords(() => 1_000);
  const open = () => createRounds(records, { quota: 1e9, retention: undefined, clock: () => 1_000 });
  const rounds = open();
  for (let number = 1; number <= 25; number += 1)
    await rounds.add(localPlayer, newStoredRound(toRoundId(number)));
  const snapshot = 'folded/local';
  const { last } = await records.read(snapshot, []);
  const [text = ''] = await records.lines(snapshot, last, last);
  const fields = JSON.parse(text) as Fields & { ids: string };
  const lacking = { ...fields, history: newHistory(), ids: ' '.repeat(11) + fields.ids.slice(11) };
  const others = [2, undefined].map((version) => changed(lacking, 'v', version));
  for (const other of [...others, '{bad', '', 'null', '7', '[]', '{}']) {
    await records.commit(snapshot, { push: [other] });
    const reader = open();
    expect(await reader.history(localPlayer)).toEqual(await rounds.history(localPlayer));
    expect((await reader.find(localPlayer, toRoundId(1)))?.id).toBe(toRoundId(1));
    expect(await reader.add(localPlayer, newStoredRound(toRoundId(1)))).toBe('known');
  }
});

test('a session with a value of another kind cannot be read, and one of a later version not yet', async () => {
  const records = createMemoryRecords(() => 1_000);
  const open = () => createSessions(records, { limit: 9, limitPerClient: 9, ttl: 1_000, clock: () => 1_000 });
  const id = 'a'.repeat(32);
  const [hash, other] = [`address-${'1'.repeat(64)}`, 'address-1'];
  const opener = { player: hash, address: hash, block: hash };
  const session = {
    ...newSession(id, { ...defaultSetup, ...labelEntries(() => 'a label') }, 1_000, opener),
    round: newRound('r', ['ab', 'c'], undefined, [1], [2]),
  };
  await open().create(session);
  const { values } = await records.read(`session/${id}`, ['session']);
  const fields = JSON.parse(values?.[0] ?? '') as Fields & { round: Fields; practice: Fields };
  const write = (text: string) => records.commit(`session/${id}`, { put: { session: text } });
  const wrong: Fields = {
    id: [other, `${id}0`, 7, undefined],
    player: [other, 'anyone', `${hash}0`, `x${hash}`, undefined],
    address: [other, 'x', `${hash}0`, `x${hash}`, undefined],
    block: [other, '', null],
    createdAt: [-1, 1.5, 8_640_000_000_000_001, 'now', undefined],
    roundCount: [-1, 1.5, '1', undefined],
    practice: [null, undefined, ...wrongRules.map((rules) => ({ ...fields.practice, rules }))],
    round: [7, undefined, ...wrongTiming.map((timing) => ({ ...fields.round, timing }))],
    ...labelEntries(({ maxLength }) => ['x'.repeat(maxLength + 1), 7, null]),
  };
  expect([...Object.keys(wrong), 'v'].sort()).toEqual(Object.keys(fields).sort());
  for (const [name, part] of Object.entries(wrong)) {
    for (const value of part as unknown[]) {
      await write(changed(fields, name, value));
      const reading = open().read(id);
      await expect(reading, `${name}: ${value}`).rejects.toThrow();
      await expect(reading).rejects.not.toBeInstanceOf(StoreUnavailableError);
    }
  }
  await records.commit(`session/${id}`, { put: { session: JSON.stringify(fields), inputs: '\u0001?' } });
  await expect(open().read(id)).rejects.toThrow(/^The inputs of session a{8}… cannot be read/);
  await records.commit(`session/${id}`, { put: { inputs: '' }, remove: ['session'] });
  await expect(open().read(id)).rejects.not.toBeInstanceOf(StoreUnavailableError);
  await write(changed(fields, 'v', 2));
  await expect(open().read(id)).rejects.toBeInstanceOf(StoreUnavailableError);
  await write(JSON.stringify(fields));
  expect(await open().read(id)).toEqual(session);
});

test('a session that cannot be read goes with its player, but not while the store is away', async () => {
  const records = createMemoryRecords(() => 1_000);
  const open = () => createSessions(records, { limit: 9, limitPerClient: 9, ttl: 1_000, clock: () => 1_000 });
  const [broken, sound, later] = ['a', 'b', 'c'].map((digit) => digit.repeat(32)) as [string, string, string];
  const write = (id: string, session: string) => records.commit(`session/${id}`, { put: { session } });
  const player = `address-${'1'.repeat(64)}`;
  const opener = { player, address: player };
  for (const id of [broken, sound, later]) await open().create(newSession(id, defaultSetup, 1_000, opener));
  await write(broken, '{bad');
  await write(later, '{"v":2}');
  const sessions = open();
  await expect(sessions.deleteAll(player)).rejects.toBeInstanceOf(StoreUnavailableError);
  await expect(sessions.deleteAll(player)).rejects.toThrow('a session of a later version');
  await write(later, '{"v":1}');
  await sessions.deleteAll(player);
  for await (const id of records.ids('')) expect.unreachable(id);
});

test('a session is open to its owner and, if it has no key, to anyone on its side who knows its id', () => {
  const [anna, bert] = ['anna', 'bert'].map(playerOfKey) as [string, string];
  const [here, there] = ['1', '2'].map((digit) => `address-${digit.repeat(64)}`) as [string, string];
  const may = (player: string, address: string, owner: string) => mayUse({ player, address }, owner);
  for (const player of [anna, here]) expect(may(player, here, player)).toBe(true);
  expect([may(anna, here, bert), may(here, here, bert)]).toEqual([false, false]);
  for (const owner of [there, localPlayer])
    expect([may(anna, here, owner), may(here, here, owner)]).toEqual([true, true]);
  expect([may(localPlayer, '', localPlayer), may(localPlayer, '', anna), may(anna, '', localPlayer)]).toEqual(
    [true, false, false],
  );
  for (const player of [anna, bert, here, localPlayer]) expect(player).toMatch(playerPattern);
  expect(anna).not.toBe(bert);
});
