import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib';
import { type Coding, selectCoding } from './accept-encoding.ts';
import { type Reply, textOfBytes } from './reply.ts';
import type { Context } from './request.ts';

export interface RepresentationOptions {
  readonly body: string | Buffer;
  readonly type: string;
  readonly cacheControl: string;
  /** Default: 200. */
  readonly status?: number;
  /** Flat list of further headers for the full answer. */
  readonly headers?: readonly string[];
  /** The body in Brotli, if it was compressed earlier. */
  readonly brotli?: Buffer | undefined;
}

export type Representation = Awaited<ReturnType<typeof createRepresentation>>;

/** A body in all of its codings, with its headers, compressed in advance, so that no request has to. */
export async function createRepresentation(options: RepresentationOptions) {
  const { type, cacheControl, status = 200, headers = [], brotli } = options;
  const identity = Buffer.isBuffer(options.body) ? options.body : Buffer.from(options.body);
  const hash = createHash('sha256').update(identity).digest('base64url').slice(0, 22);
  // The hash of megabytes takes milliseconds, and so does starting to compress them.
  await nextTurn();
  const coded = await codedBodies(identity, brotli);
  const vary = coded.length > 0 ? { vary: 'Accept-Encoding' } : {};
  const answersIn = (coding: Coding, body: Buffer) => {
    // A strong tag identifies bytes, so each coding needs its own (RFC 9110, section 8.8.3.3).
    const [suffix, encoding] =
      coding === 'identity' ? ['', []] : [`-${coding}`, ['Content-Encoding', coding]];
    const etag = `"${hash}${suffix}"`;
    const cacheHeaders = ['Cache-Control', cacheControl, 'ETag', etag];
    const all = ['Content-Type', type, ...encoding, ...cacheHeaders, ...headers];
    const full: Reply = { status, headers: all, ...writable(body), ...vary };
    // Only what a 304 must repeat (RFC 9110, section 15.4.5).
    return { etag, full, notModified: { status: 304, headers: cacheHeaders, ...vary } };
  };
  const bodies = [...coded, ['identity', identity] as const];
  const answers = new Map(bodies.map(([coding, body]) => [coding, answersIn(coding, body)]));
  const codings = [...answers.keys()];
  return {
    /** The full answer, or a 304 if the client already has it. */
    reply({ head: { acceptEncoding, ifNoneMatch } }: Context): Reply {
      const coding = selectCoding(acceptEncoding, codings);
      const { etag, full, notModified } = answers.get(coding) as ReturnType<typeof answersIn>;
      return status === 200 && isNoneMatchHit(ifNoneMatch, etag) ? notModified : full;
    },
  };
}

/**
 * Maximum size in bytes of a body kept as a string: see `Reply`. A copy of megabytes would double the memory
 * they need, and making room for it would cause a long pause for garbage collection.
 */
const maxAsString = 64 * 1024;

function writable(body: Buffer): Pick<Reply, 'body' | 'encoding'> {
  return body.length > maxAsString ? { body } : textOfBytes(body);
}

/**
 * Bodies up to this size are compressed synchronously, in well under a millisecond. The detour through the
 * thread pool takes several times as long, and a start with a dozen of them would wait for it.
 */
const maxAtOnce = 16 * 1024;

/** From 0 to 11, which is a hundred times slower for 5 % fewer bytes. */
const brotliQuality = 9;

/** The body in the codings that make it smaller. */
async function codedBodies(body: Buffer, brotli: Buffer | undefined) {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: brotliQuality,
    // A window larger than the body is useless, and setting up the default one takes far longer.
    [constants.BROTLI_PARAM_LGWIN]: windowBits(body.length),
  };
  const options = { level: constants.Z_BEST_COMPRESSION };
  const [br, gz] =
    body.length <= maxAtOnce
      ? [brotli ?? brotliCompressSync(body, { params }), gzipSync(body, options)]
      : await Promise.all([
          brotli ?? promisify(brotliCompress)(body, { params }),
          promisify(gzip)(body, options),
        ]);
  const coded: readonly (readonly [Coding, Buffer])[] = [
    ['br', br],
    ['gzip', gz],
  ];
  return coded.filter(([, bytes]) => bytes.length < body.length);
}

function windowBits(length: number): number {
  const { BROTLI_MIN_WINDOW_BITS, BROTLI_DEFAULT_WINDOW } = constants;
  return Math.min(Math.max(Math.ceil(Math.log2(length + 16)), BROTLI_MIN_WINDOW_BITS), BROTLI_DEFAULT_WINDOW);
}

const entityTag = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g;

/**
 * Whether `If-None-Match` names this strong entity tag, or any (`*`). The comparison is weak (RFC 9110,
 * section 13.1.2): a cache that has weakened the tag still gets its 304. A malformed header matches nothing.
 */
export function isNoneMatchHit(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return (
    header === etag || parseEntityTags(header).some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag)
  );
}

/** Whether `If-Match` names this strong entity tag, or any. A weak tag matches nothing. */
export function isMatchHit(header: string, etag: string): boolean {
  return parseEntityTags(header).some((tag) => tag === '*' || tag === etag);
}

function parseEntityTags(header: string): readonly string[] {
  const trimmed = header.trim();
  if (trimmed === '*') return ['*'];
  // If anything but tags, commas and white space remains, this is not a list of entity tags.
  return /[^\s,]/.test(trimmed.replace(entityTag, '')) ? [] : (trimmed.match(entityTag) ?? []);
}
