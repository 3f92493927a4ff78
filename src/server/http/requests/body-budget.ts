/** The memory that the bodies of all requests together may take while they are read. */
export interface BodyBudget {
  /** Whether there is room for this many more bytes; if so, they are taken. */
  take(bytes: number): boolean;
  giveBack(bytes: number): void;
}

/** @param maxBytes of all large bodies together. Default: 32 MiB. */
export function createBodyBudget(maxBytes = 32 * 1024 * 1024): BodyBudget {
  let taken = 0;
  return {
    take(bytes) {
      const hasRoom = taken + bytes <= maxBytes;
      if (hasRoom) taken += bytes;
      return hasRoom;
    },
    giveBack(bytes) {
      taken -= bytes;
    },
  };
}
