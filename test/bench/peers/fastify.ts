import cors from '@fastify/cors';
import rateLimit from '@fastify/rate-limit';
import fastify from 'fastify';

// The same service as a Fastify user would write it: plugins for CORS and limits, one route, the documented headers.
const [body = '', limit = '100000000'] = process.argv.slice(2);
const text = Buffer.from(body, 'base64').toString();

const app = fastify({ trustProxy: '127.0.0.1' });
await app.register(cors, {
  origin: ['https://example.org', /^https:\/\/([a-z0-9-]+\.)+example\.com$/],
  methods: ['GET', 'OPTIONS'],
  maxAge: 86_400,
});
await app.register(rateLimit, { max: Number(limit), timeWindow: '1 second', cache: 10_000 });
app.get('/content/announcement.json', (_, reply) => {
  reply
    .header('Cache-Control', 'public, max-age=900, must-revalidate')
    .header('Cross-Origin-Resource-Policy', 'cross-origin')
    .header('X-Content-Type-Options', 'nosniff')
    .type('application/json')
    .send(text);
});
process.stdout.write(`${await app.listen({ port: 0, host: '127.0.0.1' })}\n`);
