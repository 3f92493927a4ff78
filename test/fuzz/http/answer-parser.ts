/** One answer, as the strictest reader of RFC 9112 takes it. */
export interface ParsedAnswer {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

const statusLine = /^HTTP\/1\.1 ([1-5]\d\d) ([ -~]*)$/;
const headerLine = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+): ([!-~](?:[ -~]*[!-~])?)$/;

/**
 * Takes a connection's whole output apart. A complaint in words where any byte of it is not HTTP. Whether the request was a
 * HEAD is not known of spoiled ones: where `mayBeHead`, an answer with a length is one to HEAD if nothing or the next answer follows.
 */
export function parseAnswers(output: string, mayBeHead: boolean): readonly ParsedAnswer[] | string {
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
