import fastify from 'fastify';

// Routes of the same size as ours, with the defaults of Fastify: no limit, bodies of at most 1 MiB.
const app = fastify();
const list = Array.from({ length: 1_000 }, (_, at) => ({
  id: at.toString(16).padStart(32, '0'),
  created_at: '2026-01-01T00:00:00.000Z',
  last_used: '2026-01-01T00:00:00.000Z',
}));
const layouts = {
  layouts: Array.from({ length: 100 }, (_, at) => ({ id: String(at), rows: 'x'.repeat(800) })),
};
let sessions = 0;

app.get('/health', () => 'OK');
app.get('/api/sessions', () => ({ sessions: list }));
app.get('/api/layouts', () => layouts);
app.post('/api/sessions', async (_, reply) => {
  sessions += 1;
  return reply.code(201).send({ session_id: String(sessions) });
});
app.post('/api/sessions/:id/round', () => ({ words: [] }));
app.post<{ Body: { events: unknown[] } }>('/api/sessions/:id/input', ({ body }) => ({
  results: body.events.map(() => ({ is_correct: true, timer_started: false, char_index: 0 })),
}));
app.post<{ Body: { id: string } }>('/api/rounds', ({ body }) => ({ id: body.id }));
process.stdout.write(`${await app.listen({ port: 0, host: '127.0.0.1' })}\n`);
