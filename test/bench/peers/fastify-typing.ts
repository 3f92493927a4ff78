import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fastify from 'fastify';
import { wireResult, wireRoundStart } from '../../../src/contract/typing-answers.ts';
import { createLog } from '../../../src/server/settings/log.ts';
import { openFileStores } from '../../../src/server/stores/open-stores.ts';
import { localCaller } from '../../../src/server/stores/player.ts';
import { createGame } from '../../../src/server/typing/typing-routes.ts';
import { defaultPractice } from '../../../src/typing/modes/practice.ts';
import { newInput } from '../../../src/typing/round-input.ts';

// The same routes before the same game, as a Fastify user would write them: schemas for request and answer.
const clock = Date.now;
const stores = await openFileStores({
  contentDir: tmpdir(),
  dataDir: await mkdtemp(join(tmpdir(), 'typebadge-bench-')),
  sessionTtl: 86_400_000,
  maxSessions: 100_000,
  roundQuota: 2 ** 30,
  clock,
  log: createLog({ format: 'off' }),
});
const game = createGame({ stores, seed: undefined, clock });
const app = fastify();
const seek_time_ms = { type: 'integer', minimum: 0, maximum: 3_600_000 };
const seq = { type: 'integer', minimum: 1 };
const keystroke = {
  body: {
    type: 'object',
    required: ['char'],
    properties: { char: { type: 'string', minLength: 1, maxLength: 32 }, seek_time_ms, seq },
  },
  response: {
    200: {
      type: 'object',
      properties: {
        is_correct: { type: 'boolean' },
        timer_started: { type: 'boolean' },
        char_index: { type: 'integer' },
      },
    },
  },
};
const space = {
  body: { type: 'object', properties: { seek_time_ms, seq } },
  response: {
    200: {
      type: 'object',
      properties: {
        advanced: { type: 'boolean' },
        round_complete: { type: 'boolean' },
        treated_as_error: { type: 'boolean' },
      },
    },
  },
};
interface Key {
  readonly char?: string;
  readonly seek_time_ms?: number;
  readonly seq?: number;
}
interface Session {
  readonly id: string;
}

app.addHook('onRequest', async (_, reply) => {
  reply.headers({
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'API-Version': 'v1',
    Vary: 'Origin',
  });
});
for (const [name, schema] of Object.entries({ keystroke, space })) {
  app.post<{ Params: Session; Body: Key }>(
    `/api/sessions/:id/${name}`,
    { schema },
    async (request, reply) => {
      const { char = ' ', seek_time_ms: ms, seq: number } = request.body;
      const outcome = await game.input(localCaller, request.params.id, newInput(char, ms, number));
      if (outcome === undefined || 'problem' in outcome) return reply.code(400).send(outcome);
      return wireResult(outcome);
    },
  );
}
app.post('/api/sessions', async (_, reply) => {
  const created = await game.createSession(localCaller, {
    practice: defaultPractice,
    clientName: undefined,
  });
  if ('refused' in created) return reply.code(503).send(created);
  reply.code(201);
  return { session_id: created.id };
});
app.post<{ Params: Session }>('/api/sessions/:id/round', async ({ params }, reply) => {
  const start = await game.startRound(localCaller, params.id);
  return start === undefined ? reply.code(404).send() : wireRoundStart(start);
});
process.stdout.write(`${await app.listen({ port: 0, host: '127.0.0.1' })}\n`);
process.on('SIGTERM', () => void stores.close().then(() => process.exit()));
