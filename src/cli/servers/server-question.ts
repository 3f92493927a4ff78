import { get } from 'node:http';

const longestAnswer = 8 * 1024 * 1024;
const patience = 1_000;

/** What a server on this machine answers for a path, as JSON, a refusal too; undefined where nobody answers, or not with JSON. */
export function askServer(url: string, path: string): Promise<unknown> {
  return new Promise((resolve) => {
    const request = get(
      `${url}${path}`,
      { agent: false, signal: AbortSignal.timeout(patience) },
      (answer) => {
        const chunks: Buffer[] = [];
        let size = 0;
        answer.on('data', (chunk: Buffer) => {
          chunks.push(chunk);
          size += chunk.length;
          if (size > longestAnswer) request.destroy(new Error('too long'));
        });
        answer.on('error', () => resolve(undefined));
        answer.on('end', () => resolve(toJson(chunks)));
      },
    );
    request.on('error', () => resolve(undefined));
  });
}

function toJson(chunks: readonly Buffer[]): unknown {
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    return undefined;
  }
}
