import { type Connection, isHeldBack, isIdle } from './turns/connection.ts';

/**
 * Requests that node:http calls too slow although nothing was read from their connections for a while: they may have come in time.
 * Such a connection gets another chance once it is read again.
 */
export interface LateRequests {
  /** Whether the verdict on this connection is put off; if no request has come after all, it is given later. */
  putOff(connection: Connection): boolean;
  /** A request of this connection has come, or it is closed. */
  forget(connection: Connection): void;
  /** Call it regularly: gives the verdict on connections that have been read since the call before, and brought no request. */
  inspect(): void;
}

/** @param refuse gives the verdict */
export function createLateRequests(refuse: (connection: Connection) => void): LateRequests {
  /** Connections, and whether they were read when they were last inspected. */
  const late = new Map<Connection, boolean>();
  return {
    putOff(connection) {
      if (!isHeldBack(connection) || !isIdle(connection)) return false;
      late.set(connection, false);
      return true;
    },
    forget(connection) {
      // Called for every request.
      if (late.size > 0) late.delete(connection);
    },
    inspect() {
      for (const [connection, wasRead] of late) {
        if (isHeldBack(connection)) late.set(connection, false);
        else if (!wasRead) late.set(connection, true);
        else {
          late.delete(connection);
          refuse(connection);
        }
      }
    },
  };
}
