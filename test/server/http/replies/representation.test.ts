import { randomBytes } from 'node:crypto';
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { Coding } from '../../../../src/server/http/accept-encoding.ts';
import { createRepresentation } from '../../../../src/server/http/representation.ts';
import { type Context, readRequestHead } from '../../../../src/server/http/request.ts';

const body = Buffer.from('An announcement that says the same thing again and again. '.repeat(20));

async function toBytes(brotli: Buffer | undefined): Promise<Buffer | undefined> {
  const cacheControl = 'no-cache';
  return (await createRepresentation({ body, type: 'text/plain', cacheControl, brotli })).bytes('br');
}

describe('a body that was compressed earlier', () => {
  test('is served as it was compressed', async () => {
    const brotli = brotliCompressSync(body);
    expect(await toBytes(brotli)).toBe(brotli);
  });

  test.each([
    ['of another body', brotliCompressSync(Buffer.from('Something else. '.repeat(20)))],
    ['of a body that begins like it', brotliCompressSync(Buffer.concat([body, body]))],
    ['cut off', brotliCompressSync(body).subarray(0, -3)],
    ['not compressed at all', body],
    ['empty', Buffer.alloc(0)],
  ])('is compressed again if it is %s', async (_, brotli) => {
    const served = await toBytes(brotli);
    expect(served?.equals(brotli)).toBe(false);
    expect(brotliDecompressSync(served ?? Buffer.alloc(0)).equals(body)).toBe(true);
  });
});

test.each([10, 60_000, 100_000, 1_000_000])(
  'a body of %i bytes comes whole in every coding',
  async (size) => {
    // Every other half can be compressed.
    const half = randomBytes(size / 2).toString('latin1');
    const written = Buffer.from((half + 'x'.repeat(size)).slice(0, size));
    const representation = await createRepresentation({
      body: written,
      type: 'text/plain',
      cacheControl: '',
    });
    const decoders = { br: brotliDecompressSync, gzip: gunzipSync, identity: (bytes: Buffer) => bytes };
    for (const [acceptEncoding, decode] of Object.entries(decoders)) {
      const context = { head: { ...readRequestHead([]), acceptEncoding } } as Context;
      const { body: sent = '', encoding } = representation.reply(context);
      const bytes = typeof sent === 'string' ? Buffer.from(sent, encoding) : sent;
      const coded = representation.bytes(acceptEncoding as Coding);
      expect((coded === undefined ? bytes : decode(bytes)).equals(written)).toBe(true);
    }
  },
);
