const filesIn = (folder: string, ...names: string[]) => names.map((name) => `${folder}/${name}.ts`);

/** What is mutated: the pure rules, whose tests run in moments. Each group is a run of its own. */
export const groups: Readonly<Record<string, readonly string[]>> = {
  engine: ['src/server/typing/*.ts', '!src/server/typing/word-choice.ts'],
  words: ['src/server/typing/word-choice.ts'],
  requests: filesIn(
    'src/server/http',
    'accept-encoding',
    'client-address',
    'cors',
    'hosts',
    'origins',
    'preconditions',
    'request-target',
    'token-bucket',
  ),
  announcements: filesIn(
    'src/server/badge',
    'announcement-id',
    'history-edit',
    'history-file',
    'history-undo',
    'instant',
    'link',
    'message',
    'schedule',
    'timestamps',
  ),
};
