import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import fastify, { type FastifyReply } from 'fastify';
import { newRound, type Round, reduceRound } from '../../../src/typing/round.ts';
import { formatInput, newInput, type RoundInput } from '../../../src/typing/round-input.ts';
import { wordsOf } from '../../../src/typing/rules/word.ts';

// The typing API as a Fastify user would write it: the same engine, schemas for request and answer, everything in memory,
// no limit, bodies of at most 1 MiB. An uploaded round is replayed, as ours is, and kept. With a folder as its argument it
// appends each key to a file there.
const [folder] = process.argv.slice(2);
const rounds = new Map<string, Round | undefined>();
const uploaded = new Map<string, Round>();
const words = Array(5).fill('about house green water light world').join(' ').split(' ');
const layouts = Array.from({ length: 100 }, (_, at) => ({ id: String(at), rows: 'x'.repeat(800) }));

const seek_time_ms = { type: 'integer', minimum: 0, maximum: 3_600_000 };
const seq = { type: 'integer', minimum: 1 };
const char = { type: 'string', minLength: 1, maxLength: 32 };
const boolean = { type: 'boolean' };
const integer = { type: 'integer' };

function schemaOf(required: readonly string[], properties: object, answer: object) {
  return {
    body: { type: 'object', required, properties: { ...properties, seek_time_ms, seq } },
    response: { 200: { type: 'object', properties: answer } },
  };
}
const schemas = {
  keystroke: schemaOf(
    ['char'],
    { char },
    { is_correct: boolean, timer_started: boolean, char_index: integer },
  ),
  space: schemaOf([], {}, { advanced: boolean, round_complete: boolean, treated_as_error: boolean }),
};

const type = { type: 'string', enum: ['keystroke', 'backspace', 'space'] };
const events = {
  ...{ type: 'array', minItems: 1 },
  items: { type: 'object', required: ['type'], properties: { type, char, seek_time_ms, seq } },
};
const bodyOf = (properties: object) => ({
  schema: { body: { type: 'object', required: Object.keys(properties), properties } },
});
const word = { type: 'string', pattern: '^\\S+$' };
const upload = {
  ...{ id: { type: 'string', format: 'uuid' }, words: { type: 'array', items: word }, events },
  ...{ start_time_unix_ms: integer, end_time_unix_ms: integer, duration_ms: integer },
};

interface Key {
  readonly char?: string;
  readonly seek_time_ms?: number;
  readonly seq?: number;
}

function take(id: string, input: RoundInput) {
  const round = rounds.get(id);
  if (round === undefined) return { problem: 'no round' };
  const taken = reduceRound(round, input);
  if ('problem' in taken) return taken;
  rounds.set(id, taken.round);
  if (folder !== undefined) appendFileSync(join(folder, id), formatInput(input));
  return taken.result;
}

function send(reply: FastifyReply, answer: object) {
  return 'problem' in answer ? reply.code(400).send(answer) : answer;
}

const inputOf = ({ char = ' ', seek_time_ms, seq }: Key) => newInput(char, seek_time_ms, seq);

const app = fastify();
app.addHook('onRequest', async (_, reply) => {
  reply.headers({
    ...{ 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff', 'API-Version': 'v1' },
    Vary: 'Origin',
  });
});
for (const [name, schema] of Object.entries(schemas)) {
  app.post<{ Params: { id: string }; Body: Key }>(
    `/api/sessions/:id/${name}`,
    { schema },
    async ({ params, body }, reply) => send(reply, take(params.id, inputOf(body))),
  );
}
app.post<{ Params: { id: string }; Body: { events: Key[] } }>(
  '/api/sessions/:id/input',
  bodyOf({ events }),
  async ({ params, body }) => ({ results: body.events.map((event) => take(params.id, inputOf(event))) }),
);
app.get('/health', () => 'OK');
app.get('/api/sessions', () => ({
  sessions: [...rounds.keys()].slice(0, 1_000).map((id) => ({
    ...{ id, created_at: '2026-01-01T00:00:00.000Z', last_used: '2026-01-01T00:00:00.000Z' },
  })),
}));
app.post('/api/sessions', async (_, reply) => {
  const id = randomUUID().replaceAll('-', '');
  rounds.set(id, undefined);
  return reply.code(201).send({ session_id: id });
});
app.post<{ Params: { id: string } }>('/api/sessions/:id/round', async ({ params }) => {
  rounds.set(params.id, newRound(randomUUID(), words));
  return { words };
});
app.get('/api/layouts', () => ({ layouts }));
app.post<{ Body: { id: string; words: string[]; events: Key[] } }>(
  '/api/rounds',
  bodyOf(upload),
  async ({ body: { id, words, events } }, reply) => {
    if (uploaded.has(id)) return { id };
    let round = newRound(id, wordsOf(words));
    for (const event of events) {
      const typed = reduceRound(round, inputOf(event));
      if ('problem' in typed) return send(reply, typed);
      round = typed.round;
    }
    uploaded.set(id, round);
    return { id };
  },
);
process.stdout.write(`${await app.listen({ port: 0, host: '127.0.0.1' })}\n`);
