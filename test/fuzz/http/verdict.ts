import type { Exchange } from './exchange.ts';
import { plainMarker, sureRequests } from './requests.ts';

const owedStatuses = new Set(
  '100 200 201 204 302 304 400 401 403 404 405 408 409 412 413 415 417 429 431 501 503 505'.split(' '),
);

/** The answers above 500 that are no failure of the server, with their codes. */
const deliberate = new Map([
  [501, 'NOT_IMPLEMENTED'],
  [503, 'SESSION_LIMIT_REACHED'],
  [505, 'HTTP_VERSION_NOT_SUPPORTED'],
]);

/**
 * Judges all that one connection brought back.
 *
 * @param allowedOrigins which origins the server may name in an answer, written as a rule of its own
 */
export function judge(
  exchange: Exchange,
  allowedOrigins: RegExp,
): {
  readonly faults: readonly string[];
  readonly answers: readonly ParsedAnswer[];
} {
  const { sent, output, outcome } = exchange;
  if (exchange.ending === 'reset') return { faults: [], answers: [] };
  const faults: string[] = [];
  if (outcome === 'hung') faults.push(`the connection was still open ${exchange.milliseconds} ms later`);
  const sure = sureRequests(sent);
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
  const ours = output.replace(/^Access-Control-Allow-Origin:.*$/gim, '').toLowerCase();
  if (ours.includes(plainMarker.toLowerCase())) faults.push('an answer repeats what the request said');
  for (const answer of answers) faults.push(...judgeAnswer(answer, allowedOrigins));
  return { faults, answers };
}

function judgeAnswer({ status, headers, body }: ParsedAnswer, allowed: RegExp): string[] {
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

/** One answer, as the strictest reader of RFC 9112 takes it. */
interface ParsedAnswer {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

const statusLine = /^HTTP\/1\.1 ([1-5]\d\d) ([ -~]*)$/;
const headerLine = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+): ([!-~](?:[ -~]*[!-~])?)$/;

/**
 * Takes a connection's whole output apart; a sentence if any byte of it is not HTTP. If `mayBeHead`, an answer
 * with a length is one to HEAD if nothing or the next answer follows: whether a spoiled request was one is not
 * known.
 */
function parseAnswers(output: string, mayBeHead: boolean): readonly ParsedAnswer[] | string {
  if (output === '') return [];
  const end = output.indexOf('\r\n\r\n');
  if (end === -1) return `no end of the headers in ${JSON.stringify(output.slice(0, 200))}`;
  const [first = '', ...lines] = output.slice(0, end).split('\r\n');
  const status = Number(statusLine.exec(first)?.[1]);
  if (!(status >= 100)) return `no status line: ${JSON.stringify(first.slice(0, 200))}`;
  const headers: (readonly [string, string])[] = [];
  for (const line of lines) {
    const [, name, value] = headerLine.exec(line) ?? [];
    if (name === undefined || value === undefined) return `no header: ${JSON.stringify(line.slice(0, 200))}`;
    headers.push([name.toLowerCase(), value]);
  }
  const rest = output.slice(end + 4);
  const lengths = headers.filter(([name]) => name === 'content-length').map(([, value]) => value);
  const hasNoBody = status < 200 || status === 204 || status === 304;
  if (headers.some(([name]) => name === 'transfer-encoding')) return 'a transfer coding that nobody needs';
  if (hasNoBody ? lengths.length > 0 && status !== 304 : lengths.length !== 1)
    return `${lengths.length} lengths in an answer of status ${status}`;
  // No body of this server is empty or looks like an answer.
  const isToHead = mayBeHead && (rest === '' || rest.startsWith('HTTP/1.1 '));
  const length = hasNoBody || isToHead ? 0 : Number(lengths[0]);
  if (rest.length < length) return `the body ends after ${rest.length} of ${length} bytes`;
  const others = parseAnswers(rest.slice(length), mayBeHead);
  return typeof others === 'string' ? others : [{ status, headers, body: rest.slice(0, length) }, ...others];
}
