import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { InputEvent } from '../../src/contract/request-types.ts';

/** Stands between the client and the server: notes what passes, and can be as far away as a real network. */
export interface RecordingProxy {
  readonly url: string;
  /** The words of the latest round. */
  readonly words: readonly string[];
  /** The inputs of the latest round, each once, in the order of their numbers. */
  readonly inputs: readonly InputEvent[];
  close(): void;
}

/** @param delay ms that every request takes longer */
export async function startRecordingProxy(target: string, delay: number): Promise<RecordingProxy> {
  let words: readonly string[] = [];
  let inputs: InputEvent[] = [];
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => setTimeout(() => pass(Buffer.concat(chunks)), delay));

    function pass(body: Buffer): void {
      const { method, url = '' } = incoming;
      if (url.endsWith('/input')) note(JSON.parse(body.toString()).events);
      const onward = request(target + url, {
        method,
        headers: { ...incoming.headers, host: new URL(target).host },
      });
      onward.on('response', (answer) => {
        const parts: Buffer[] = [];
        answer.on('data', (part: Buffer) => parts.push(part));
        answer.on('end', () => {
          const text = Buffer.concat(parts);
          if (url.endsWith('/round')) {
            words = JSON.parse(text.toString()).words;
            inputs = [];
          }
          outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
          outgoing.end(text);
        });
      });
      onward.end(body);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get words() {
      return words;
    },
    get inputs() {
      return inputs;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };

  function note(events: readonly InputEvent[]): void {
    for (const event of events) if (event.seq === inputs.length + 1) inputs.push(event);
  }
}
