import type { Connection, Stop } from './connection.ts';

/** Stops reading from a connection until every reason to stop is gone. */
export function stopReading(connection: Connection, stop: Stop): void {
  const { socket, stops } = connection;
  stops[stop] = true;
  socket.pause();
  if (connection.isWatched) return;
  connection.isWatched = true;
  // node:http resumes a socket after each complete request, so the pause must be repeated every time.
  socket.on('resume', () => {
    if (!isStopped(connection)) return;
    socket.pause();
    // A socket that was paused while its resumption was under way does not say so again, but node:http has begun to read.
    socket.emit('pause');
  });
}

/** Removes one reason to stop. Does nothing if it was not given. A body that nobody reads yet resumes the connection when it is read. */
export function resumeReading(connection: Connection, stop: Stop): void {
  const { socket, stops } = connection;
  if (!stops[stop]) return;
  stops[stop] = false;
  if (!isStopped(connection) && !isBodyFull(connection)) socket.resume();
}

function isStopped({ stops }: Connection): boolean {
  return stops.full || stops.turn || stops.rest || stops.end;
}

/** Whether node:http holds as much as it may of a body that is still arriving. */
function isBodyFull({ waiting, latest }: Connection): boolean {
  const request = waiting.at(-1)?.request ?? latest?.req;
  return (
    request !== undefined && !request.complete && request.readableLength >= request.readableHighWaterMark
  );
}
