import { type ConnectionOptions, connect } from 'node:tls';
import type { StoreNode } from '../../../settings/store-url.ts';
import { NoTlsError } from './tls-problem.ts';

/** Milliseconds for a handshake: it follows a failed one, and a command waits three seconds for both. */
const patience = 700;

/** Resolves to the error of a TLS handshake with this server; undefined if it succeeds. */
export function probeTls({ host, port }: StoreNode, options: ConnectionOptions): Promise<Error | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ ...options, host, port });
    let isConnected = false;
    let isSecure = false;
    const end = (error?: Error) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(error);
    };
    // Redis without TLS takes the ClientHello for the beginning of a command, and waits for the rest.
    const timer = setTimeout(() => end(isConnected && !isSecure ? new NoTlsError() : undefined), patience);
    socket.once('connect', () => {
      isConnected = true;
    });
    socket.once('secureConnect', () => {
      isSecure = true;
      // With TLS 1.3 the server requests a client certificate only after the handshake; if it does not, it answers.
      socket.write('PING\r\n');
    });
    socket.once('error', end);
    socket.once('data', () => end());
    socket.once('close', () => end());
  });
}
