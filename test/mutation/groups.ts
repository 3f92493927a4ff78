const filesIn = (folder: string, ...names: string[]) => names.map((name) => `${folder}/${name}.ts`);

/** What is mutated: the pure rules, whose tests run in moments. Each group is a run of its own. */
export const groups: Readonly<Record<string, readonly string[]>> = {
  engine: ['src/typing/*.ts', '!src/typing/choice/word-choice.ts'],
  words: ['src/typing/choice/word-choice.ts'],
  requests: filesIn(
    'src/server/http',
    'accept-encoding',
    'address',
    'address-ranges',
    'client-address',
    'cors',
    'hosts',
    'origins',
    'preconditions',
    'rate-limiter',
    'request-head',
    'request-target',
    'token-buckets',
  ),
  announcements: ['src/announcements/*.ts', 'src/server/stores/content/history-file.ts'],
};
