import { connect, type Socket } from 'node:net';
import type { World } from '../world.ts';

/** A bare connection, for what no client library would do. */
export function openSocket({ port }: Pick<World, 'port'>): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.off('error', reject);
      socket.on('error', () => {});
      resolve(socket);
    });
    socket.once('error', reject);
  });
}

/** Everything until the server closes the connection, or half a minute of silence. */
export function readAll(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const end = () => {
      socket.destroy();
      resolve(text);
    };
    if (socket.destroyed) return end();
    socket.setTimeout(30_000, end);
    socket.on('close', end);
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
    });
    socket.resume();
  });
}
