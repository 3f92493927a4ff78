/** How a language marks comments. */
export interface CommentMarks {
  readonly line?: string;
  readonly open?: string;
  readonly close?: string;
}

const slashes: CommentMarks = { line: '//', open: '/*', close: '*/' };
const hash: CommentMarks = { line: '#' };
const tags: CommentMarks = { open: '<!--', close: '-->' };
const braces: CommentMarks = { line: '--', open: '{-', close: '-}' };

/**
 * Programming languages: the endings of their files, and their comments. Names have small letters only, as in
 * `text-rust`.
 */
const languages: Readonly<Record<string, readonly [endings: string, marks: CommentMarks]>> = {
  typescript: ['ts tsx mts cts', slashes],
  javascript: ['js jsx mjs cjs', slashes],
  python: ['py pyi pyx', hash],
  go: ['go', slashes],
  rust: ['rs', slashes],
  java: ['java', slashes],
  kotlin: ['kt kts', slashes],
  scala: ['scala sc', slashes],
  groovy: ['groovy gradle', slashes],
  c: ['c h', slashes],
  cpp: ['cc cpp cxx hh hpp hxx ino', slashes],
  csharp: ['cs', slashes],
  fsharp: ['fs fsx', { line: '//', open: '(*', close: '*)' }],
  swift: ['swift', slashes],
  objectivec: ['m mm', slashes],
  ruby: ['rb rake gemspec', hash],
  php: ['php', slashes],
  perl: ['pl pm', hash],
  lua: ['lua', { line: '--', open: '--[[', close: ']]' }],
  r: ['r', hash],
  julia: ['jl', { line: '#', open: '#=', close: '=#' }],
  dart: ['dart', slashes],
  zig: ['zig', slashes],
  nim: ['nim', { line: '#', open: '#[', close: ']#' }],
  haskell: ['hs', braces],
  ocaml: ['ml mli', { open: '(*', close: '*)' }],
  elm: ['elm', braces],
  elixir: ['ex exs', hash],
  erlang: ['erl hrl', { line: '%' }],
  clojure: ['clj cljs cljc', { line: ';' }],
  lisp: ['lisp el scm rkt', { line: ';', open: '#|', close: '|#' }],
  bash: ['sh bash zsh fish', hash],
  powershell: ['ps1 psm1', { line: '#', open: '<#', close: '#>' }],
  sql: ['sql', { line: '--', open: '/*', close: '*/' }],
  html: ['html htm', tags],
  css: ['css scss sass less', slashes],
  vue: ['vue', tags],
  svelte: ['svelte', tags],
  terraform: ['tf', { line: '#', open: '/*', close: '*/' }],
  nix: ['nix', hash],
  protobuf: ['proto', slashes],
  graphql: ['graphql gql', hash],
};

const languageOfEnding = new Map(
  Object.entries(languages).flatMap(([language, [endings]]) =>
    endings.split(' ').map((ending) => [ending, language] as const),
  ),
);

/** The language of a file by the ending of its name, in small letters; undefined if it is not code. */
export function languageOf(ending: string): string | undefined {
  return languageOfEnding.get(ending);
}

export function marksOf(language: string): CommentMarks {
  return languages[language]?.[1] ?? slashes;
}
