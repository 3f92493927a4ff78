import { until } from '../../support/until.ts';

/** A session of WebDriver, the protocol of HTTP requests; each resolves with its answer's value. */
export interface DriverSession {
  send<Value = unknown>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<Value>;
  end(): Promise<void>;
}

/** Starts a browser through a driver at that address, which may still be starting itself. */
export async function newDriverSession(address: string): Promise<DriverSession> {
  await until(() =>
    send(address, 'GET', '/status').then(
      () => true,
      () => false,
    ),
  );
  const { sessionId } = await send<{ sessionId: string }>(address, 'POST', '/session', { capabilities: {} });
  const base = `${address}/session/${sessionId}`;
  return {
    send: (method, path, body) => send(base, method, path, body),
    end: async () => void (await send(base, 'DELETE', '')),
  };
}

async function send<Value>(base: string, method: string, path: string, body?: object): Promise<Value> {
  const reply = await fetch(base + path, { method, ...(body && { body: JSON.stringify(body) }) });
  const { value } = (await reply.json()) as { value: Value & { error?: string; message?: string } };
  if (!reply.ok) throw new Error(`${value.error}: ${value.message}`);
  return value;
}
