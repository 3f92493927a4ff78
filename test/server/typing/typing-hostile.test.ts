import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Answer, send } from '../../support/http-client.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';
import { createTypingClient, flawless, playRound, type TypingClient } from '../../support/typing-client.ts';

let server: TestServer;
let client: TypingClient;
let id: string;
beforeAll(async () => {
  server = await startTestServer();
  client = createTypingClient(server.port);
  id = await client.createSession();
  await playRound(client, id);
  const { words } = await client.startRound(id);
  await client.input(id, flawless(words).slice(0, 77));
});
afterAll(() => server.close());

interface HostileBody {
  readonly body: Buffer;
  readonly headers?: Record<string, string>;
}

const json = (value: unknown): HostileBody => ({ body: Buffer.from(JSON.stringify(value)) });
const text = (value: string): HostileBody => ({ body: Buffer.from(value) });

/** Bodies that no endpoint may take. */
const neverRight: fc.Arbitrary<HostileBody> = fc.oneof(
  fc.uint8Array({ minLength: 1, maxLength: 400 }).map((bytes) => ({ body: Buffer.from([0xff, ...bytes]) })),
  fc
    .jsonValue()
    .filter((value) => typeof value !== 'object' || value === null || Array.isArray(value))
    .map(json),
  fc.json().map((some) => text(`${some}}`)),
  fc.json({ maxDepth: 3 }).map((some) => text(`{"char": ${some}`)),
  fc.string({ minLength: 1 }).map((some) => text(`{"a":1}${some.trim()}x`)),
  fc
    .constantFrom('nul', '{', '{"char":}', "{'char':'a'}", '{char:"a"}', '{"char":"a",}', '{"seq":01}')
    .map(text),
  fc
    .constantFrom('{"seek_time_ms":NaN}', '{"seq":Infinity}', '\ufeff{', '{"char":"a"}\0', '//\n{}')
    .map(text),
  fc.constantFrom('{"a":"\u0001"}', '{"a":"\\x"}', '{"a":"\\ud8', '[{}]', '"{}"').map(text),
  fc.integer({ min: 1, max: 5 }).map((size) => text(`{"char":"${'a'.repeat(size * 70_000)}"}`)),
  fc.integer({ min: 1, max: 7 }).map((depth) => text('['.repeat(depth * 9_000))),
  fc.integer({ min: 1, max: 7 }).map((depth) => text('{"a":'.repeat(depth * 9_000))),
  fc
    .constantFrom(
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      '',
      'a/b',
    )
    .map((type) => ({ ...json({ char: 'a' }), headers: { 'Content-Type': type } })),
  fc.constant({ ...json({ char: 'a' }), headers: { 'Content-Type': 'application/json; charset=utf-16' } }),
  fc.constant({ body: gzipSync('{"char":"a"}'), headers: { 'Content-Encoding': 'gzip' } }),
  fc.constant({ body: Buffer.from('{"char":"a"}', 'utf16le') }),
);

const badSeek = fc.oneof(
  fc.constantFrom(null, '7', true, [], {}, 0.5, -1, 3_600_001, 1e99, -1e99, Number.MIN_VALUE),
  fc.integer({ max: -1 }),
  fc.double({ min: 0.1, noNaN: true }).filter((value) => !Number.isInteger(value) || value > 3_600_000),
);
const badSeq = fc.oneof(
  fc.constantFrom(null, '1', false, [1], {}, 0, -1, 1.5, 1e99),
  fc.integer({ min: 100 }),
);
const badChar = fc.oneof(
  fc.jsonValue().filter((value) => typeof value !== 'string'),
  fc.constantFrom(
    '',
    ' ',
    '\t',
    '\n',
    '\0',
    '\b',
    '\u007f',
    '\u00a0',
    '\u2028',
    '\ud800',
    '\u200b',
    'ab',
    '👍👍',
  ),
  fc.string({ minLength: 2, unit: fc.constantFrom(...'abcXYZ019') }),
  fc.string({ minLength: 1, unit: fc.constantFrom(' ', '\r', '\u3000', '\u0007') }),
);
const badEvent = fc.oneof(
  fc.jsonValue().filter((value) => typeof value !== 'object' || value === null || !('type' in value)),
  fc.record({ type: fc.constant('keystroke'), char: badChar }),
  fc.record({ type: fc.constantFrom('keystroke', 'space'), char: fc.constant('a'), seek_time_ms: badSeek }),
  fc.record({
    type: fc.constantFrom('keystroke', 'space', 'backspace'),
    char: fc.constant('a'),
    seq: badSeq,
  }),
  fc.record({
    type: fc.jsonValue().filter((value) => !['keystroke', 'space', 'backspace'].includes(value as string)),
  }),
);
const goodEvent = fc.constant({ type: 'keystroke', char: 'a', seek_time_ms: 5 });
const instants = ['start_time_unix_ms', 'end_time_unix_ms', 'duration_ms'] as const;

/** For each endpoint, objects that it alone may not take. */
const wrongObjects: Record<string, fc.Arbitrary<unknown>> = {
  keystroke: fc.oneof(
    fc.record({ char: badChar }),
    fc.record({ char: fc.constant('a'), seek_time_ms: badSeek }),
    fc.record({ char: fc.constant('a'), seq: badSeq }),
    fc.dictionary(fc.constantFrom('Char', 'chars', '__proto__', 'constructor', 'toString'), fc.jsonValue()),
  ),
  backspace: fc.record({ seq: badSeq }),
  space: fc.oneof(fc.record({ seek_time_ms: badSeek }), fc.record({ seq: badSeq })),
  input: fc.oneof(
    fc.record({ events: fc.jsonValue().filter((value) => !Array.isArray(value) || value.length === 0) }),
    fc
      .tuple(fc.array(goodEvent), badEvent, fc.array(goodEvent))
      .map(([before, bad, after]) => ({ events: [...before, bad, ...after] })),
    fc
      .integer({ min: 501, max: 900 })
      .map((length) => ({ events: Array(length).fill({ type: 'backspace' }) })),
  ),
  timing: fc
    .record({ field: fc.constantFrom(...instants), value: fc.oneof(badSeek, fc.constant(undefined)) })
    .map(({ field, value }) => ({
      start_time_unix_ms: 1,
      end_time_unix_ms: 2,
      duration_ms: 1,
      [field]: value === 3_600_001 ? -3 : value,
    })),
};

const attacks = fc.oneof(
  ...Object.entries(wrongObjects).map(([name, objects]) =>
    objects.map((value) => ({ name, sent: json(value) })),
  ),
  fc.record({
    name: fc.constantFrom('keystroke', 'backspace', 'space', 'input', 'timing', 'round', 'save', ''),
    sent: neverRight,
  }),
);

it('250 generated hostile bodies over all endpoints: no 5xx, no hang, and the session stays as it was', async () => {
  const [state, statistics, history] = [
    await client.state(id),
    await client.sessionStatistics(id),
    await client.history(id),
  ];
  const sessions = (await client.sessions()).length;
  const seen = new Map<number, number>();
  await fc.assert(
    fc.asyncProperty(attacks, async ({ name, sent }) => {
      const before = await client.state(id);
      const path = name === '' ? '/api/sessions' : `/api/sessions/${id}/${name}`;
      const answer = await sendBody('POST', path, sent).catch((error: NodeJS.ErrnoException) => {
        // The server need not wait for the rest of a body that is too large: the answer may be lost in the reset.
        if (sent.body.length > 16 * 1024 && /^(ECONNRESET|EPIPE)$/.test(error.code ?? '')) return undefined;
        throw error;
      });
      expect(await client.state(id)).toEqual(before);
      if (answer === undefined) return;
      seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1);
      expect([400, 413, 415], `${name} ${sent.body.subarray(0, 300).toString('latin1')}`).toContain(
        answer.status,
      );
      const { error, code } = JSON.parse(answer.body.toString());
      expect(code).toMatch(/^(INVALID_REQUEST|REQUEST_TOO_LARGE|UNSUPPORTED_MEDIA_TYPE)$/);
      expect(error.length).toBeLessThan(300);
    }),
    { numRuns: 250 },
  );
  expect([...seen.keys()].sort()).toEqual([400, 413, 415]);
  expect(await client.state(id)).toEqual(state);
  expect(await client.sessionStatistics(id)).toEqual(statistics);
  expect(await client.history(id)).toEqual(history);
  expect(await client.sessions()).toHaveLength(sessions);
});

it('no answer repeats the request', async () => {
  const marker = 'q9Zx7';
  const bodies = [
    { char: marker },
    { char: 'a', seek_time_ms: marker },
    { char: 'a', seq: { [marker]: marker } },
    { events: [{ type: marker }] },
    { events: [{ type: 'keystroke', char: marker, [marker]: 1 }] },
    { start_time_unix_ms: marker, punctuation_mode: marker },
  ];
  for (const name of ['keystroke', 'space', 'input', 'timing', marker]) {
    for (const body of bodies) {
      const answer = await sendBody('POST', `/api/sessions/${id}/${name}?${marker}`, json(body));
      if (answer.status >= 300)
        expect(answer.body.toString() + JSON.stringify(answer.headers)).not.toContain(marker);
    }
  }
});

function sendBody(method: string, path: string, { body, headers }: HostileBody): Promise<Answer> {
  // The length is said for GET too, where a client would otherwise send the body as if it were the next request.
  const type = { 'Content-Type': 'application/json', 'Content-Length': String(body.length) };
  // A connection of its own: after a refusal the server may close it while the rest of the body is on the way.
  return send(server.port, { method, path, headers: { ...type, Connection: 'close', ...headers }, body });
}
