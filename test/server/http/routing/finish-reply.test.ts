import { describe, expect, test } from 'vitest';
import { createCors, createOriginList } from '../../../../src/server/http/cors.ts';
import { finishReply } from '../../../../src/server/http/pipeline.ts';
import type { Reply } from '../../../../src/server/http/reply.ts';
import type { RouteGroup } from '../../../../src/server/http/router.ts';

const cors = createCors({
  origins: () => createOriginList({ patterns: [] }),
  methods: '',
  headers: '',
  maxAge: 1,
});
const group: RouteGroup = { routes: [], headers: ['X-Group', 'yes'] };
const open: RouteGroup = { routes: [], cors };
const nosniff = ['X-Content-Type-Options', 'nosniff'];

describe('a finished reply', () => {
  test('has its own headers, those of its group and of the limiter, and its length in bytes', () => {
    const reply: Reply = { status: 200, headers: ['A', '1'], body: 'é' };
    expect(finishReply(reply, group, undefined, ['RateLimit', 'x'])).toEqual({
      status: 200,
      headers: ['A', '1', ...nosniff, 'X-Group', 'yes', 'RateLimit', 'x', 'Content-Length', '2'],
      body: 'é',
      encoding: undefined,
    });
    expect(finishReply({ ...reply, encoding: 'latin1' }, undefined, undefined, [])).toMatchObject({
      headers: ['A', '1', ...nosniff, 'Content-Length', '1'],
      encoding: 'latin1',
    });
    expect(
      finishReply({ status: 200, headers: [], body: Buffer.from('é') }, open, undefined, []).headers,
    ).toContain('2');
  });

  test('of a group without headers of its own has those of every answer', () => {
    expect(finishReply({ status: 204, headers: [] }, { routes: [] }, undefined, []).headers).toEqual(nosniff);
  });

  test('without a body has the length 0, and with a status that has none no length at all', () => {
    expect(finishReply({ status: 200, headers: [] }, undefined, undefined, [])).toMatchObject({
      headers: [...nosniff, 'Content-Length', '0'],
      body: '',
    });
    for (const status of [204, 304])
      expect(finishReply({ status, headers: [], body: 'x' }, undefined, undefined, [])).toEqual({
        status,
        headers: nosniff,
        body: undefined,
      });
  });

  test('depends on the origin in a group that other origins may read, whether one asks or not', () => {
    const headers = (reply: Reply, of: RouteGroup | undefined, allowed?: string) =>
      finishReply(reply, of, allowed, []).headers.slice(nosniff.length, -2);
    const plain: Reply = { status: 200, headers: [] };
    const varied: Reply = { ...plain, vary: 'Accept' };
    expect(headers(plain, undefined)).toEqual([]);
    expect(headers(varied, undefined)).toEqual(['Vary', 'Accept']);
    expect(headers(plain, open)).toEqual(['Vary', 'Origin']);
    expect(headers(varied, open)).toEqual(['Vary', 'Origin, Accept']);
    expect(headers(plain, open, 'https://a.example')).toEqual([
      ...['Access-Control-Allow-Origin', 'https://a.example'],
      ...['Vary', 'Origin'],
    ]);
  });
});

test('a prepared reply is finished once for the same group, origin and limit, and again for any other', () => {
  const reply: Reply = { status: 200, headers: [], body: 'x', isPrepared: true };
  const limit = ['RateLimit', 'x'];
  const first = finishReply(reply, open, 'https://a.example', limit);
  expect(finishReply(reply, open, 'https://a.example', limit)).toBe(first);
  expect(finishReply(reply, open, 'https://b.example', limit).headers).toContain('https://b.example');
  expect(finishReply(reply, open, 'https://b.example', []).headers).not.toContain('RateLimit');
  const unlimited: readonly string[] = [];
  expect(finishReply(reply, open, 'https://b.example', unlimited).headers).not.toContain('X-Group');
  expect(finishReply(reply, group, 'https://b.example', unlimited).headers).toContain('X-Group');
  const { isPrepared: _, ...usual } = reply;
  expect(finishReply(usual, open, undefined, limit)).not.toBe(finishReply(usual, open, undefined, limit));
});
