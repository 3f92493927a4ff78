/** A part of the source that is mutated in one go, and the tests that should notice. */
export interface Room {
  /** Files and folders below the root of the project. */
  readonly source: readonly string[];
  /** Whatever of it has no rules: declarations, documentation, sockets. */
  readonly without?: RegExp;
  /** Patterns of test files: only those that end in moments, as each mutant runs all that reach it. */
  readonly tests: readonly string[];
  /** Those that take longer, in the same process: what survives of a sample meets them, too. Two minutes in all at most. */
  readonly slower?: readonly string[];
}

export const rooms: Readonly<Record<string, Room>> = {
  contract: {
    source: ['src/contract'],
    // Documentation: a test compares it with real answers, but not its sentences.
    without: /\/openapi\//,
    tests: [
      // Not those that compare the documentation with servers: schemas are made when they are loaded, so that every mutant of
      // one runs all tests of the room.
      'test/contract/{answers,error-codes,keys,requests,sentences,wire-names}.test.ts',
      'test/tui/link/session/answers.test.ts',
      'test/server/typing/wrong-shapes.test.ts',
    ],
    slower: [
      'test/contract/{openapi,openapi-desk}.test.ts',
      'test/server/desk/{desk-api,desk-history}.test.ts',
      'test/server/typing/{modes,own-layout,player-rounds,round-upload,typing-api}.test.ts',
    ],
  },
  typing: {
    source: ['src/typing'],
    tests: [
      'test/typing/!(adaptation|adaptive-modes|character|guided-letters).test.ts',
      'test/tui/round/*.test.ts',
    ],
    slower: [
      'test/typing/{adaptation,adaptive-modes,character,guided-letters}.test.ts',
      'test/content/{layouts,words}.test.ts',
      'test/server/stores/{practice-shape,session-events,typing-restart}.test.ts',
      'test/server/typing/game/*.test.ts',
      'test/server/typing/{first-reading,modes,own-layout,player-rounds,round-upload,slow-pairs,typing-api,typing-oracle}.test.ts',
      'test/tui/trend/*.test.ts',
    ],
  },
  announcements: {
    source: ['src/announcements'],
    tests: ['test/announcements/**/*.test.ts', 'test/server/stores/content/*.test.ts'],
    slower: [
      'test/server/badge/{embedding-site,live-content,look-before,severity-labels}.test.ts',
      'test/server/badge/{pages,pictures}/*.test.ts',
      'test/server/desk/*.test.ts',
    ],
  },
  http: {
    source: ['src/server/http'],
    tests: ['test/server/http/!(connection-bounds).test.ts', 'test/server/http-matrix.test.ts'],
    slower: [
      'test/server/http/connection-bounds.test.ts',
      'test/server/{large-bodies,rate-limits}.test.ts',
      'test/server/badge/{embedding-site,health}.test.ts',
      'test/server/desk/desk-api.test.ts',
      'test/server/metrics/metrics.test.ts',
      'test/server/typing/{hostile-rounds,typing-api,wrong-shapes}.test.ts',
    ],
  },
  stores: {
    source: ['src/server/stores'],
    // Needs a store of its own for each mutant.
    without: /\/redis\//,
    tests: [
      'test/server/stores/content/*.test.ts',
      'test/server/stores/{journal-line,practice-shape,session-events,session-measures}.test.ts',
      'test/server/stores/files/store-copies.test.ts',
      'test/server/stores/files/outbox/file-outbox.test.ts',
      'test/server/stores/memory/{memory-sessions,session-owners}.test.ts',
      'test/server/stores/files/content/{folder-content,content-folder}.test.ts',
      'test/server/stores/files/rounds/*.test.ts',
      'test/server/stores/files/rounds/journal/*.test.ts',
      'test/server/stores/files/sessions/{file-sessions,piped-owner,session-folder,session-log,session-sweep}.test.ts',
      'test/server/stores/files/pulse/{pulse-file,pulse-of-files}.test.ts',
    ],
    slower: [
      'test/server/stores/{session-size,typing-restart,version-1-files}.test.ts',
      'test/server/stores/files/content/content-store.test.ts',
      'test/server/stores/files/pulse/{pulse,pulse-growth}.test.ts',
      'test/server/stores/files/rounds/journal/snapshots/*.test.ts',
      'test/server/stores/files/sessions/session-overflow.test.ts',
      'test/server/badge/live-content.test.ts',
      'test/server/desk/{desk-api,desk-history}.test.ts',
      'test/server/typing/game/*.test.ts',
      'test/server/typing/{player-restarts,player-rounds,players,typing-api}.test.ts',
    ],
  },
};
