/** What people try as the name of a command, and the words that do it. */
const otherNames: Readonly<Record<string, string>> = {
  history: 'stats',
  results: 'stats',
  progress: 'stats',
  statistics: 'stats',
  scores: 'stats',
  yesterday: 'stats --since yesterday --until yesterday',
  export: 'stats --export > rounds.jsonl',
  type: 'play',
  typing: 'play',
  practice: 'play',
  practise: 'play',
  train: 'play',
  test: 'play --time 60',
  game: 'play',
  publish: 'announce publish',
  preview: 'announce preview',
  edit: 'announce edit',
  expire: 'announce expire',
  withdraw: 'announce withdraw',
  undo: 'announce undo',
  list: 'announce list',
  show: 'announce show',
  log: 'announce log',
  validate: 'announce validate',
  allow: 'origins add',
  token: 'editors add',
  start: 'serve',
  server: 'serve',
};

/** The command line behind the name of the program that an unknown command stands for; undefined where there is no guess. */
export function guessCommand(name: string): string | undefined {
  return Object.hasOwn(otherNames, name) ? otherNames[name] : undefined;
}
