/** Does the work on each session one after the other, so that simultaneous requests on this server never compete for it. */
export interface SessionTurns {
  /** Settles like `work`, which begins once everything before it on this session has ended, and never synchronously. */
  take<T>(id: string, work: () => Promise<T>): Promise<T>;
  /** Sessions with work that has not ended. */
  count(): number;
}

export function createSessionTurns(): SessionTurns {
  const last = new Map<string, Promise<unknown>>();
  return {
    take(id, work) {
      const done = (last.get(id) ?? Promise.resolve()).then(work);
      const end = done.then(ignore, ignore).then(() => {
        if (last.get(id) === end) last.delete(id);
      });
      last.set(id, end);
      return done;
    },
    count: () => last.size,
  };
}

const ignore = () => undefined;
