import { type ParsedAnswer, parseAnswers } from './answer-parser.ts';
import type { Exchange } from './exchange.ts';
import { findSureRequests } from './http-request.ts';
import { plainMarker } from './request-corpus.ts';

/** Which origins a server may name in an answer, written as a rule of its own. */
export type OriginRule = RegExp;

const owedStatuses = new Set(
  '100 200 201 204 302 304 400 401 403 404 405 408 409 412 413 415 417 429 431 501 503 505'.split(' '),
);

/** The answers above 500 that are no failure of the server, with their codes. */
const deliberate = new Map([
  [501, 'NOT_IMPLEMENTED'],
  [503, 'SESSION_LIMIT_REACHED'],
  [505, 'HTTP_VERSION_NOT_SUPPORTED'],
]);

export interface Verdict {
  /** What should not have been, in words. */
  readonly faults: readonly string[];
  readonly answers: readonly ParsedAnswer[];
}

/** Judges all that one connection brought back. */
export function judge(exchange: Exchange, allowedOrigins: OriginRule): Verdict {
  const { sent, output, outcome } = exchange;
  if (exchange.ending === 'reset') return { faults: [], answers: [] };
  const faults: string[] = [];
  if (outcome === 'hung') faults.push(`the connection was still open ${exchange.milliseconds} ms later`);
  const sure = findSureRequests(sent);
  const answers = parseAnswers(output, sent.includes('HEAD'));
  if (typeof answers === 'string') {
    // A connection that the server gives up on while the client still sends loses what was on its way.
    return { faults: outcome === 'cut' ? faults : [...faults, answers], answers: [] };
  }
  const isClosing = answers.some(({ headers }) =>
    headers.some(([name, value]) => name === 'connection' && value === 'close'),
  );
  // What follows a request may be such that the connection is closed before the answer is out; nothing following may not.
  if (sure.isAll && answers.length < sure.count && !isClosing && outcome !== 'cut')
    faults.push(`${answers.length} answers to ${sure.count} requests`);
  if (
    output
      .replace(/^Access-Control-Allow-Origin:.*$/gim, '')
      .toLowerCase()
      .includes(plainMarker.toLowerCase())
  )
    faults.push('an answer repeats what the request said');
  for (const answer of answers) faults.push(...judgeAnswer(answer, allowedOrigins));
  return { faults, answers };
}

function judgeAnswer({ status, headers, body }: ParsedAnswer, allowed: OriginRule): string[] {
  const faults: string[] = [];
  const value = (name: string) => headers.find(([known]) => known === name)?.[1];
  if (!owedStatuses.has(String(status))) faults.push(`status ${status}`);
  if (status === 100) return faults;
  if (value('x-content-type-options') !== 'nosniff') faults.push(`status ${status} without nosniff`);
  const names = headers.map(([name]) => name);
  if (new Set(names).size < names.length) faults.push(`a header twice: ${names.join(', ')}`);
  if (names.some((name) => /set-cookie|x-split|credentials/.test(name)))
    faults.push('a header that nobody sends');
  const origin = value('access-control-allow-origin');
  if (origin !== undefined && !allowed.test(origin)) faults.push(`CORS for ${origin}`);
  if (origin === undefined && names.some((name) => name.startsWith('access-control')))
    faults.push('CORS headers without an origin');
  if (status >= 400 && body !== '') faults.push(...judgeError(status, value('content-type'), body));
  if (status === 401 && value('www-authenticate') !== 'Bearer') faults.push('401 that does not say how');
  const refusedCode = deliberate.get(status);
  if (refusedCode !== undefined && body !== '' && !body.includes(refusedCode))
    faults.push(`${status} for another reason`);
  return faults;
}

function judgeError(status: number, type: string | undefined, body: string): string[] {
  if (type === 'text/html; charset=utf-8') return [];
  if (type !== 'application/json') return [`an error of type ${type}`];
  try {
    const { error, code, ...rest } = JSON.parse(body) as Record<string, unknown>;
    const isRight = typeof error === 'string' && error.length < 300 && /^[A-Z_]+$/.test(String(code));
    return isRight && Object.keys(rest).length === 0
      ? []
      : [`an error of another shape: ${body.slice(0, 200)}`];
  } catch {
    return [`status ${status} with a body that is no JSON: ${JSON.stringify(body.slice(0, 200))}`];
  }
}
