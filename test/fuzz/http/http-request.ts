/** A request in parts, each of which may be nonsense. */
export interface HttpRequest {
  readonly method: string;
  readonly target: string;
  readonly version: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** As sent: chunked already, where that is what the headers say. */
  readonly body: string;
}

/** Every character is one byte. */
export function toBytes({ method, target, version, headers, body }: HttpRequest): Buffer {
  const lines = [`${method} ${target}${version === '' ? '' : ` ${version}`}`];
  for (const [name, value] of headers) lines.push(`${name}: ${value}`);
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`, 'latin1');
}

const oneRequest =
  /^(?:GET|HEAD|POST|DELETE|OPTIONS) \/[!-~]* HTTP\/1\.1\r\n(?:[A-Za-z][A-Za-z-]*: [!-~]?[ -~]*\r\n)+\r\n/;
const unclear = /\r\n(?:transfer-encoding|expect|upgrade|connection|te|trailer):/i;

export interface SureRequests {
  readonly count: number;
  /** Whether nothing stands behind them. */
  readonly isAll: boolean;
}

/**
 * How many whole requests these bytes begin with beyond any doubt, judged by rules of its own that are far stricter than
 * those of HTTP. The server must answer every one of them without being told that nothing more comes.
 */
export function findSureRequests(bytes: Buffer): SureRequests {
  let rest = bytes.toString('latin1');
  let count = 0;
  while (true) {
    const head = oneRequest.exec(rest)?.[0];
    if (head === undefined || head.length > 8_000 || unclear.test(head)) return { count, isAll: rest === '' };
    const lengths = [...head.matchAll(/\r\ncontent-length:([^\r]*)/gi)].map(
      ([, value]) => value?.trim() ?? '',
    );
    const [length = '0'] = lengths;
    if (lengths.length > 1 || !/^\d{1,6}$/.test(length)) return { count, isAll: false };
    const end = head.length + Number(length);
    if (end > rest.length) return { count, isAll: false };
    count += 1;
    rest = rest.slice(end);
  }
}
