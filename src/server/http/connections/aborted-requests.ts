import type { Socket } from 'node:net';

const usualFrames = Error.stackTraceLimit;

/**
 * When a connection closes, node:http makes an error for each of its requests that is not answered yet, and reads its stack.
 * Nobody sees these errors, and with thousands of pipelined requests the stacks took more time than everything else. So there are none
 * while the listeners of node:http run, which have been added before `onClosed`.
 */
export function onCloseWithoutStacks(socket: Socket, onClosed: () => void): void {
  socket.prependListener('close', leaveOutStacks);
  socket.on('close', () => {
    Error.stackTraceLimit = usualFrames;
    onClosed();
  });
}

function leaveOutStacks(): void {
  Error.stackTraceLimit = 0;
}
