import fastify from 'fastify';

// The keystroke route as a Fastify user would write it, with schemas for request and answer; it keeps nothing either.
const app = fastify();
const keystroke = {
  body: {
    type: 'object',
    properties: {
      char: { type: 'string', minLength: 1, maxLength: 32 },
      seek_time_ms: { type: 'integer', minimum: 0, maximum: 3_600_000 },
      seq: { type: 'integer', minimum: 1 },
    },
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
interface Keystroke {
  readonly char?: string;
  readonly seq?: number;
}
for (const name of ['keystroke', 'space']) {
  app.post<{ Body: Keystroke }>(
    `/api/sessions/:id/${name}`,
    { schema: keystroke },
    async (request, reply) => {
      const { char, seq = 1 } = request.body;
      reply.headers({
        'Cache-Control': 'no-store',
        'X-Content-Type-Options': 'nosniff',
        'API-Version': 'v1',
        Vary: 'Origin',
      });
      return { is_correct: char !== undefined, timer_started: seq === 1, char_index: seq - 1 };
    },
  );
}
process.stdout.write(`${await app.listen({ port: 0, host: '127.0.0.1' })}\n`);
