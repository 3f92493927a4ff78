import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { createRepresentation } from '../../../../src/server/http/replies/representation.ts';

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
