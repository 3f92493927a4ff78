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
    if (isStopped(connection)) socket.pause();
  });
}

/** Removes one reason to stop. Does nothing if it was not given. */
export function resumeReading(connection: Connection, stop: Stop): void {
  const { socket, stops } = connection;
  if (!stops[stop]) return;
  stops[stop] = false;
  if (!isStopped(connection)) socket.resume();
}

function isStopped({ stops }: Connection): boolean {
  return stops.full || stops.turn || stops.pieces || stops.end;
}
