import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { GameState, RoundList, SessionList } from '../../../src/contract/answer-types.ts';
import { createHttpTransport, type HttpTransport } from '../../../src/contract/http-transport.ts';
import type { ModeRequest } from '../../../src/contract/session-setup.ts';
import type { Transport } from '../../../src/contract/transport.ts';
import { openLocalTyping } from '../../../src/server/local-typing.ts';
import { parseTrustProxy } from '../../../src/server/settings/config-parsers.ts';
import { createDelivery, type PlayServer, type RoundsEvent } from '../../../src/tui/link/delivery.ts';
import { createRounds, type Rounds } from '../../../src/tui/link/rounds.ts';
import { createSessionApi } from '../../../src/tui/link/session.ts';
import {
  openRoundFile,
  readInterruptedRounds,
  readUnsentRounds,
  type UnsentRound,
} from '../../../src/tui/link/unsent-rounds.ts';
import { defaultOptions } from '../../../src/tui/record/options.ts';
import {
  endedByTime,
  isDone,
  newRoundView,
  type RoundView,
  restoredRound,
} from '../../../src/tui/round/round-view.ts';
import { newState, sessionSetup } from '../../../src/tui/state/state.ts';
import { modes, modeTypes } from '../../../src/typing/modes/mode.ts';
import { textPortion } from '../../../src/typing/modes/text.ts';
import { backspaceKey, defaultRules } from '../../../src/typing/rules/rules.ts';
import { wordText } from '../../../src/typing/rules/word.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';
import { until } from '../../support/until.ts';
import { defaultRoundSetup, drawRound, typeText } from '../round/round-picture.ts';
import { type BadLine, startBadLine } from './bad-line.ts';

let root: string;
let local: Transport;
let server: TestServer;
let line: BadLine;
let http: HttpTransport;
let direct: HttpTransport;
const folder = () => join(root, 'unsent');

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'typebadge-rounds-'));
  local = openLocalTyping({ dataDir: join(root, 'data'), key: undefined, onDamage: () => undefined }).call;
  server = await startTestServer();
  line = await startBadLine(server.port);
  http = openHttp(line.url);
  direct = openHttp(server.url);
});

afterEach(async () => {
  http.close();
  direct.close();
  await line.close();
  await server.close();
  rmSync(root, { recursive: true, force: true });
});

const openHttp = (url: string) =>
  createHttpTransport(new URL(url), { token: undefined, timeout: 4000, pauses: [0] });

async function idsAt(call: Transport): Promise<string[]> {
  const { body } = await call({ method: 'GET', path: '/api/rounds' });
  return (body as RoundList).rounds.map(({ id }) => id).sort();
}

const idsHere = () => idsAt(local);
const idsThere = () => idsAt(direct.call);
const play = (): PlayServer => ({
  api: createSessionApi(http.call),
  name: line.url,
  isLocal: true,
  isOffline: false,
  away: '',
});

/** A typist with rounds, and everything that happened to them. */
function sitDown(
  to: PlayServer | undefined = play(),
  isChosen = false,
): { rounds: Rounds; events: RoundsEvent[] } {
  const events: RoundsEvent[] = [];
  const rounds = createRounds({
    folder: folder(),
    local: createSessionApi(local),
    server: to,
    isChosen,
    onEvent: (event) => events.push(event),
  });
  return { rounds, events };
}

const setup = (more = {}) => ({
  ...sessionSetup(newState({ ...defaultOptions, mode: { type: 'words', count: 10 } })),
  ...more,
});

async function newRound({ rounds, events }: ReturnType<typeof sitDown>, more = {}): Promise<RoundView> {
  await rounds.begin(setup(more));
  const begun = events.findLast((event) => event.type === 'round');
  if (begun === undefined) throw new Error(JSON.stringify(events));
  return begun.round;
}

/** Types it up to so many words, a word at a time. */
function typeWords(rounds: Rounds, round: RoundView, count = round.words.length): RoundView {
  let typed = round;
  for (const word of round.words.slice(round.progress.wordIndex, count).map(wordText)) {
    typed = typeText(typed, `${word} `, typed.active + 100);
    rounds.persist(typed);
  }
  return typed;
}

async function playRound(table: ReturnType<typeof sitDown>, more = {}): Promise<RoundView> {
  const done = typeWords(table.rounds, await newRound(table, more));
  expect(isDone(done)).toBe(true);
  await table.rounds.finish(done);
  return done;
}

const restoreRound = ({ head, inputs }: UnsentRound) => restoredRound(head, inputs);

const waiting = () => readUnsentRounds(folder()).map(({ head }) => head.id);

describe('a finished round', () => {
  test('of a custom text goes to a server of this computer, and to no other', async () => {
    const near = await playRound(sitDown(), { isCustomText: true });
    await playRound(sitDown({ ...play(), isLocal: false }), { isCustomText: true });
    expect(await idsThere()).toEqual([near.id]);
    expect(await idsHere()).toHaveLength(2);
    expect(waiting()).toEqual([]);
  });

  test('of a custom text that waits goes to no server that was merely found, although it has that address', async () => {
    const { id } = await playRound(sitDown({ ...play(), isOffline: true }), { isCustomText: true });
    await sitDown({ ...play(), isLocal: false }).rounds.flush();
    expect([await idsThere(), waiting()]).toEqual([[], [id]]);
    await sitDown().rounds.flush();
    expect([await idsThere(), waiting()]).toEqual([[id], []]);
  });

  test('can be followed on its server while it is typed, and is finished there, too', async () => {
    const table = sitDown();
    const round = await newRound(table);
    const stateThere = async () => {
      const { call } = direct;
      const { body } = await call({ method: 'GET', path: '/api/sessions' });
      const [session] = (body as SessionList).sessions;
      return (await call({ method: 'GET', path: `/api/sessions/${session?.id}/state` })).body as GameState;
    };
    const begun = typeWords(table.rounds, round, 3);
    await until(async () => (await stateThere()).current_word_idx === 3);
    const done = typeWords(table.rounds, begun);
    await table.rounds.finish(done);
    expect(table.events.at(-1)).toMatchObject({ type: 'saved', unsaved: '' });
    expect((await stateThere()).last_seq).toBe(done.inputCount);
    expect(await idsThere()).toEqual([round.id]);
  });

  test('of the longest text that stays whole is saved, here and there, although each letter was missed once', async () => {
    const mode = { type: 'text', text: textPortion('words '.repeat(666), 0).text } as const;
    const asked = setup({ mode });
    for (const api of [createSessionApi(local), createSessionApi(direct.call)]) {
      const { start } = await api.newRound(asked);
      expect(start.words).toHaveLength(666);
      const letters = [...start.words.map((word) => `${wordText(word)} `).join('')];
      const keys = letters.flatMap((key) => (key === ' ' ? [key] : ['#', backspaceKey, key]));
      const inputs = keys.map((key) => ({ key, ms: 1234, at: 0, unix: 0 }));
      await api.addRound(start, inputs, { start: 1, end: 1e7, duration: 1e7 });
    }
    expect([await idsHere(), await idsThere()]).toMatchObject([{ length: 1 }, { length: 1 }]);
  });

  test('of more keys than a server takes stays here, and no later one waits for it', async () => {
    const table = sitDown();
    const mode = { type: 'text', text: 'words '.repeat(500) } as const;
    const missed = Array.from({ length: 500 }, () => `${'x<'.repeat(16)}words `).join('');
    const long = typeText(await newRound(table, { mode }), missed);
    table.rounds.persist(long);
    await table.rounds.finish(long);
    const { id } = await playRound(table);
    await until(async () => (await idsThere()).length === 1);
    expect([await idsThere(), await idsHere(), waiting()]).toEqual([[id], [long.id, id].sort(), []]);
  });

  /** A later start, which delivers what waits. */
  async function deliverTo(url: string, there: PlayServer) {
    const events: RoundsEvent[] = [];
    const delivery = createDelivery({
      folder: folder(),
      local: createSessionApi(local),
      server: { ...there, api: createSessionApi(openHttp(url).call) },
      isChosen: false,
      onEvent: (event) => events.push(event),
    });
    await delivery.save();
    await delivery.send(true);
    return { delivery, events };
  }

  test('is delivered as far as a server allows that asks to wait, and that is not away', async () => {
    const limited = await startTestServer({
      trustProxy: parseTrustProxy('127.0.0.1'),
      apiLimit: { rate: 0.01, burst: 30 },
    });
    const there = { ...play(), name: limited.url };
    line.setDown(true);
    for (let count = 0; count < 2; count += 1) await playRound(sitDown(there));
    const { delivery, events } = await deliverTo(limited.url, there);
    const notice = '1 earlier round delivered to the server. 1 earlier round not delivered yet.';
    expect([delivery.away, events, waiting().length]).toEqual(['', [{ type: 'notice', notice }], 1]);
    await limited.close();
  });

  test('is delivered although something before the server refuses an earlier one', async () => {
    const server = await startTestServer();
    const proxy = createServer(async (request, response) => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part);
      const body = Buffer.concat(parts);
      const { method = 'GET', url = '/' } = request;
      const headers = { 'Content-Type': 'application/json' };
      const answer =
        body.length > 20_000
          ? new Response('<h1>413 Request Entity Too Large</h1>', { status: 413 })
          : await fetch(`${server.url}${url}`, { method, headers, ...(body.length > 0 && { body }) });
      response.writeHead(answer.status, { 'Content-Type': answer.headers.get('Content-Type') ?? '' });
      response.end(await answer.text());
    });
    await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening));
    const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const there = { ...play(), name: url };
    line.setDown(true);
    const table = sitDown(there);
    const text = 'words '.repeat(300);
    const long = typeText(await newRound(table, { mode: { type: 'text', text } }), text);
    table.rounds.persist(long);
    await table.rounds.finish(long);
    await playRound(sitDown(there));
    const { delivery, events } = await deliverTo(url, there);
    const notice = '1 earlier round delivered to the server. 1 earlier round not delivered yet.';
    expect([delivery.away, events, waiting().length]).toEqual(['', [{ type: 'notice', notice }], 1]);
    await delivery.send(true);
    expect([delivery.away, waiting().length]).toEqual(['', 1]);
    proxy.close();
    await server.close();
  });

  test('of own words is counted apart, here and there', async () => {
    const list = [...'abcdefghij'].map((letter) => letter.repeat(4));
    await playRound(sitDown(), { mode: { type: 'words', count: 10, list } });
    for (const call of [local, direct.call]) {
      const { body } = await call({ method: 'GET', path: '/api/rounds' });
      expect(body).toMatchObject({ rounds: [{ mode: 'words-10-list' }] });
    }
  });

  test('is delivered when the server comes back, by the same run or by a later one', async () => {
    const table = sitDown();
    const round = await newRound(table);
    line.setDown(true);
    const done = typeWords(table.rounds, round);
    await table.rounds.finish(done);
    expect(table.events).toContainEqual({ type: 'loaded', change: { away: expect.stringMatching(/./) } });
    expect([await idsHere(), waiting()]).toEqual([[done.id], [done.id]]);
    const second = await playRound(table); // words come from here
    line.setDown(false);
    await newRound(table);
    await until(async () => (await idsThere()).length === 2);
    expect(await idsThere()).toEqual([done.id, second.id].sort());
    await until(() => table.events.some((event) => event.type === 'notice' && /is back/.test(event.notice)));
  });

  test('waits for the server that began it, whichever other answers', async () => {
    const table = sitDown();
    const round = await newRound(table);
    line.setDown(true);
    const done = typeWords(table.rounds, round);
    await table.rounds.finish(done);
    const other = createSessionApi(openHttp(server.url).call);
    const later = sitDown({ ...play(), api: other, name: 'http://elsewhere/' });
    await later.rounds.flush();
    expect([waiting(), await idsThere()]).toEqual([[done.id], []]);
    expect(later.events).toEqual([{ type: 'notice', notice: '1 earlier round not delivered yet.' }]);
  });

  test('is neither lost nor doubled by any line, however often its answers are lost', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            dropAnswer: fc.integer({ min: 0, max: 4 }),
            breakRequest: fc.integer({ min: 0, max: 4 }),
          }),
          { minLength: 1, maxLength: 4 },
        ),
        async (faults) => {
          const before = new Set(await idsHere());
          const typed: string[] = [];
          for (const fault of faults) {
            line.setFaults(fault);
            const table = sitDown();
            typed.push((await playRound(table)).id);
            await table.rounds.close(false, 100);
          }
          line.setFaults({ dropAnswer: 0, breakRequest: 0 });
          await sitDown().rounds.flush();
          expect(waiting()).toEqual([]);
          expect((await idsHere()).filter((id) => !before.has(id))).toEqual(typed.sort());
          expect(await idsThere()).toEqual(await idsHere());
        },
      ),
      { numRuns: 8 },
    );
  }, 60_000);

  test.each([
    ['a login page', 200, '<h1>Please log in</h1>'],
    ['the password question of a proxy', 401, ''],
    ['a proxy that accepts everything and has no content', 204, ''],
  ])('survives %s in the place of its server', async (_, status, body) => {
    const page = createServer((_request, response) => response.writeHead(status).end(body));
    await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve));
    const table = sitDown();
    const round = await newRound(table);
    line.setPort((page.address() as AddressInfo).port);
    const done = typeWords(table.rounds, round);
    await table.rounds.finish(done);
    expect(waiting()).toEqual([done.id]);
    line.setPort(server.port);
    page.close();
    await sitDown().rounds.flush();
    expect([await idsThere(), waiting()]).toEqual([[done.id], []]);
  });

  test('is not lost to a server that gives the next one the same id', async () => {
    const api = createSessionApi(http.call);
    const { session, start } = await api.newRound(setup());
    const newRound: typeof api.newRound = async () => ({ session, start });
    const table = sitDown({ ...play(), api: { ...api, newRound } });
    const first = await playRound(table);
    const second = await playRound(table);
    expect([first.id, await idsHere()]).toEqual([start.id, [first.id, second.id].sort()]);
  });

  test('is delivered once, even by two programs at the same time', async () => {
    const table = sitDown({ ...play(), isOffline: true });
    const ids = [(await playRound(table)).id, (await playRound(table)).id].sort();
    await Promise.all([sitDown().rounds.flush(), sitDown().rounds.flush(), sitDown().rounds.flush()]);
    expect([await idsHere(), await idsThere(), waiting()]).toEqual([ids, ids, []]);
  });

  test('is saved although something removed its file while it was typed', async () => {
    const table = sitDown({ ...play(), isOffline: true });
    const begun = typeWords(table.rounds, await newRound(table), 4);
    rmSync(folder(), { recursive: true });
    const done = typeWords(table.rounds, begun);
    await table.rounds.finish(done);
    expect(table.events.at(-1)).toMatchObject({ type: 'saved', id: done.id, unsaved: '' });
    expect(await idsHere()).toEqual([done.id]);
  });

  test('that this computer cannot save stays undelivered, and says so', async () => {
    const broken: Transport = async () => ({
      status: 500,
      body: { error: 'The disk is full.', code: 'STORE_UNAVAILABLE' },
      headers: {},
    });
    const api = { ...createSessionApi(local), addRound: createSessionApi(broken).addRound };
    const events: RoundsEvent[] = [];
    const onEvent = (event: RoundsEvent) => void events.push(event);
    const rounds = createRounds({
      folder: folder(),
      local: api,
      server: undefined,
      isChosen: false,
      onEvent,
    });
    const { id } = await playRound({ rounds, events });
    expect(events.at(-1)).toMatchObject({ type: 'saved', unsaved: 'The disk is full' });
    expect(waiting()).toEqual([id]);
    const delivery = createDelivery({
      folder: folder(),
      local: api,
      server: undefined,
      isChosen: false,
      onEvent,
    });
    await expect(delivery.requireNew({ id })).rejects.toThrow('it began an earlier round again');
    // The next start saves it, and the round begun meanwhile knows of it.
    const later = sitDown({ ...play(), isOffline: true });
    await Promise.all([later.rounds.begin(setup()), later.rounds.flush()]);
    const event = { type: 'loaded', change: { history: expect.objectContaining({ total_sessions: 1 }) } };
    await expect.poll(() => later.events.at(-1)).toEqual(event);
    later.rounds.discard();
    expect([await idsHere(), waiting()]).toEqual([[id], []]);
  });
});

describe('a round that is not finished', () => {
  const head = {
    id: '00000000-0000-4000-8000-000000000000',
    server: '',
    isCustomText: false,
    punctuation: false,
    words: ['the', 'quick', 'fox'],
    rules: defaultRules,
    roundSetup: defaultRoundSetup,
    pid: 2 ** 30,
    processStart: '',
    created: 1,
  };

  function editFiles(what: RegExp | string, by: string): void {
    for (const { path } of readUnsentRounds(folder()))
      writeFileSync(path, readFileSync(path, 'utf8').replace(what, by));
  }

  /** From now on, the rounds of this process look like those of one that has ended. */
  const endProcess = () => {
    editFiles(`"pid":${process.pid}`, '"pid":1073741824');
    renameTo(1073741824);
  };
  const renameTo = (pid: number) => {
    for (const { path } of readUnsentRounds(folder()))
      renameSync(path, path.replace(/\d+\.jsonl$/, `${pid}.jsonl`));
  };

  test('continues with every key that reached the disk, wherever its file was cut', () => {
    const keys = fc.array(fc.constantFrom(...'thequickfox   <#'), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(keys, fc.double({ min: 0, max: 1, noNaN: true }), (typed, share) => {
        const file = openRoundFile(folder(), head);
        let round = newRoundView(head);
        const pictures = new Set([drawRound(round)]);
        for (const [at, key] of typed.entries()) {
          round = typeText(round, key, at * 100);
          if (isDone(round)) break;
          file.write(round);
          pictures.add(drawRound(round));
        }
        file.close();
        const path = join(folder(), readdirSync(folder())[0] ?? '');
        const bytes = readFileSync(path);
        writeFileSync(path, bytes.subarray(0, Math.floor(bytes.length * share)));
        const [left] = readInterruptedRounds(folder());
        // Ctrl+W deletes several letters: a cut between them leaves some.
        if (left !== undefined && !typed.includes('#'))
          expect(pictures).toContain(drawRound(restoreRound(left)));
        if (left !== undefined) {
          const again = openRoundFile(folder(), left.head, left.inputs);
          again.close();
          expect(readInterruptedRounds(folder())).toEqual([left]);
        }
        rmSync(folder(), { recursive: true });
      }),
      { numRuns: 200 },
    );
  });

  test('belongs to the program that types it while that runs, and is delivered by no other', async () => {
    const table = sitDown();
    const { id } = typeWords(table.rounds, await newRound(table), 3);
    expect(readInterruptedRounds(folder())).toEqual([]);
    await sitDown().rounds.flush();
    expect([waiting(), await idsHere(), await idsThere()]).toEqual([[id], [], []]);
  });

  test('is left, although another process now has the pid of the one that typed it', async () => {
    const table = sitDown();
    const { id } = typeWords(table.rounds, await newRound(table), 3);
    editFiles(/"processStart":"\d+"/, '"processStart":"1"');
    expect(readInterruptedRounds(folder()).map(({ head }) => head.id)).toEqual(
      process.platform === 'linux' ? [id] : [],
    );
  });

  test('is left alone while another program takes it over', async () => {
    const table = sitDown();
    const { id } = typeWords(table.rounds, await newRound(table), 3);
    await table.rounds.close(true, 100);
    endProcess();
    expect(readInterruptedRounds(folder()).map(({ head }) => head.id)).toEqual([id]);
    // Renamed, but its head is still that of the one that ended.
    renameTo(process.ppid);
    expect(readInterruptedRounds(folder())).toEqual([]);
  });

  test('is continued by one of two programs; the other one begins a new round', async () => {
    const table = sitDown();
    const { id } = typeWords(table.rounds, await newRound(table), 3);
    await table.rounds.close(true, 100);
    endProcess();
    const rounds = [await newRound(sitDown()), await newRound(sitDown())];
    expect(rounds.map((round) => [round.id === id, round.progress.wordIndex])).toEqual([
      [true, 3],
      [false, 0],
    ]);
  });

  test('is not offered again once it is saved, although its file could not be continued', async () => {
    const table = sitDown();
    const { id } = typeWords(table.rounds, await newRound(table), 3);
    await table.rounds.close(true, 100);
    endProcess();
    // Nothing can be written where the file would be made.
    const inTheWay = join(folder(), `${id}.${process.pid}.jsonl.new`);
    mkdirSync(inTheWay);
    const later = sitDown({ ...play(), isOffline: true });
    const round = await newRound(later);
    expect([round.id, round.progress.wordIndex]).toEqual([id, 3]);
    await later.rounds.finish(typeWords(later.rounds, round));
    rmSync(inTheWay, { recursive: true });
    expect(await idsHere()).toEqual([id]);
    endProcess();
    expect(readInterruptedRounds(folder())).toEqual([]);
  });

  test('leaves nothing when it was killed while its file was made', async () => {
    mkdirSync(folder(), { recursive: true });
    for (const pid of [process.pid, 2 ** 30]) writeFileSync(join(folder(), `a.${pid}.jsonl.new`), 'words');
    expect(readInterruptedRounds(folder())).toEqual([]);
    expect(readdirSync(folder())).toEqual([`a.${process.pid}.jsonl.new`]);
  });

  const ofEachMode: readonly ModeRequest[] = [
    ...modeTypes.map((type) => modes[type].example as ModeRequest),
    { type: 'drill', on: 'letters' },
    { type: 'drill', on: 'words' },
    { type: 'drill', on: 'bigrams', targets: ['th', 'he'] },
    { type: 'guided' },
    { type: 'words', count: 10, list: [...'abcdefghij'].map((letter) => letter.repeat(4)) },
  ];

  test.each(ofEachMode)('is finished by a later run, and delivered once: $type $on', async (mode) => {
    const table = sitDown();
    const begun = typeWords(table.rounds, await newRound(table, { mode }), 3);
    await table.rounds.close(true, 100);
    endProcess();
    const later = sitDown(play(), true); // the same is asked for
    const round = await newRound(later, { mode });
    expect(later.events).toMatchObject([{ notice: /^Begun .*\. Tab: a new one\.$/ }]);
    expect(round).toMatchObject({ words: begun.words, roundSetup: begun.roundSetup });
    const rest = round.words.slice(3).map((word) => `${wordText(word)} `);
    const typed = typeText(round, rest.join(''), 60_000);
    const done = mode.type === 'time' ? endedByTime(typed) : typed;
    later.rounds.persist(done);
    await later.rounds.finish(done);
    expect([await idsHere(), await idsThere(), waiting()]).toEqual([[begun.id], [begun.id], []]);
  });

  test('waits while something else is asked for, until a start asks for nothing', async () => {
    const mode: ModeRequest = { type: 'text', title: 'text', text: 'to be or not to be' };
    const table = sitDown();
    const begun = typeWords(table.rounds, await newRound(table, { mode }), 3);
    await table.rounds.close(true, 100);
    endProcess();
    const asked = [
      {},
      { mode, language: 'de' },
      { mode, layout: 'dvorak' },
      { mode: { ...mode, text: 'to be or not to type' } },
    ];
    for (const other of asked) {
      const between = sitDown(play(), true);
      expect((await newRound(between, other)).progress.wordIndex).toBe(0);
      await between.rounds.close(true, 100);
    }
    expect((await newRound(sitDown())).id).toBe(begun.id);
  });
});
