import { WebSocket } from 'undici';

interface Reply {
  readonly type: 'success' | 'error' | 'event';
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: string;
  readonly message?: string;
}

/** A session of WebDriver BiDi: commands and their results, by their ids. Events are not asked for. */
export interface BidiConnection {
  send<Result = unknown>(method: string, params?: object): Promise<Result>;
  close(): void;
}

export async function connectBidi(url: string): Promise<BidiConnection> {
  const socket = new WebSocket(url);
  const waiting = new Map<number, PromiseWithReject>();
  await new Promise<void>((resolve, reject) => {
    socket.onopen = () => resolve();
    socket.onerror = () => reject(new Error(`no WebDriver BiDi at ${url}`));
  });
  socket.onmessage = ({ data }) => {
    const { type, id = 0, result, error, message } = JSON.parse(String(data)) as Reply;
    if (type === 'success') waiting.get(id)?.resolve(result);
    else waiting.get(id)?.reject(new Error(`${error}: ${message}`));
    waiting.delete(id);
  };
  socket.onclose = () => {
    for (const { reject } of waiting.values()) reject(new Error('the browser closed the connection'));
  };
  let lastId = 0;
  return {
    send: <Result>(method: string, params: object = {}) =>
      new Promise<Result>((resolve, reject) => {
        lastId += 1;
        waiting.set(lastId, { resolve: (value) => resolve(value as Result), reject });
        socket.send(JSON.stringify({ id: lastId, method, params }));
      }),
    close: () => socket.close(),
  };
}

interface PromiseWithReject {
  resolve(value: unknown): void;
  reject(problem: Error): void;
}
