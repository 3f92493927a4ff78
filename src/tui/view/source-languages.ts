/** How a language marks comments. */
export interface CommentMarks {
  readonly line?: string;
  readonly open?: string;
  readonly close?: string;
}

/** A piece without an end goes on to the end of the text, so that no search has to begin again. */
const raw = (open: string, close = open) => `${open}[^]*?(?:${close}|(?![^]))`;
const escaped = (mark: string) => String.raw`${mark}(?:\\[^]?|[^\\])*?(?:${mark}|(?![^]))`;
/** Short ones only: without a bound, a line of half a megabyte could take minutes. */
const quoted = ['"', "'", '`'].map((quote) => String.raw`${quote}(?:\\.|[^${quote}\\\n]){0,200}${quote}`);
const triple = [escaped('"""'), ...quoted];
const triples = [escaped("'''"), ...triple];
/** With those inside `${}`; and regular expressions, which may hold a quote. */
const templates = [
  String.raw`\x60(?:\\[^]?|\$\{(?:[^}\x60\n]{0,100}\x60[^\x60\n]{0,100}\x60)+|[^\\\x60])*\x60?`,
  String.raw`\/(?<=(?:[(,=:[!&|?]|=>|return)\s*\/)(?![*/])(?:\\.|[^/\\\n]){1,100}\/`,
  ...quoted,
];
/** Not `list << item`. */
const heredoc = raw(
  String.raw`<<[-~<]?(?! \w*[a-z])[ "'\\]*(?<end>[A-Za-z_]\w*)`,
  String.raw`\n[ \t]*\k<end>\b`,
);
const rust = [
  raw('\\b[bc]?r(?<hashes>#*)"', '"\\k<hashes>'),
  escaped('"'),
  String.raw`'(?:\\[^'\n]{1,10}|[^'\\])'|'\\''`,
];

const slashes: CommentMarks = { line: '//', open: '/*', close: '*/' };
const hash: CommentMarks = { line: '#' };
const tags: CommentMarks = { open: '<!--', close: '-->' };
const braces: CommentMarks = { line: '--', open: '{-', close: '-}' };

/**
 * Programming languages: the endings of their files, their comments, and patterns of their strings if some
 * have several lines. Names have small letters only, as in `text-rust`.
 */
const languages: Readonly<
  Record<string, readonly [endings: string, marks: CommentMarks, strings?: readonly string[]]>
> = {
  typescript: ['ts tsx mts cts', slashes, templates],
  javascript: ['js jsx mjs cjs', slashes, templates],
  python: ['py pyi pyx', hash, triples],
  go: ['go', slashes, [raw('`'), ...quoted]],
  rust: ['rs', slashes, rust],
  java: ['java', slashes, triple],
  kotlin: ['kt kts', slashes, triple],
  scala: ['scala sc', slashes, triple],
  groovy: ['groovy gradle', slashes, triples],
  c: ['c h', slashes],
  cpp: [
    'cc cpp cxx hh hpp hxx ino',
    slashes,
    [raw(String.raw`R"(?<tag>[^()\s"]{0,16})\(`, String.raw`\)\k<tag>"`), ...quoted],
  ],
  csharp: ['cs', slashes, [String.raw`@\$?"(?:[^"]|"")*"?`, ...triple]],
  fsharp: ['fs fsx', { line: '//', open: '(*', close: '*)' }, triple],
  swift: ['swift', slashes, triple],
  objectivec: ['m mm', slashes],
  ruby: ['rb rake gemspec', hash, [heredoc, ...quoted]],
  php: ['php', slashes, [heredoc, ...quoted]],
  perl: ['pl pm', hash, [heredoc, ...quoted]],
  lua: [
    'lua',
    { line: '--', open: '--[[', close: ']]' },
    [raw(String.raw`\[(?<tag>=*)\[`, String.raw`\]\k<tag>\]`), ...quoted],
  ],
  r: ['r', hash],
  julia: ['jl', { line: '#', open: '#=', close: '=#' }, triple],
  dart: ['dart', slashes, triples],
  zig: ['zig', { line: '//' }, ['\\\\\\\\.*', ...quoted]],
  nim: ['nim', { line: '#', open: '#[', close: ']#' }, triple],
  haskell: ['hs', braces],
  ocaml: ['ml mli', { open: '(*', close: '*)' }],
  elm: ['elm', braces],
  elixir: ['ex exs', hash, triples],
  erlang: ['erl hrl', { line: '%' }],
  clojure: ['clj cljs cljc', { line: ';' }, [escaped('"')]],
  lisp: ['lisp el scm rkt', { line: ';', open: '#|', close: '|#' }, [escaped('"')]],
  bash: ['sh bash zsh fish', hash, [heredoc, `\\$${escaped("'")}`, raw("'"), escaped('"')]],
  powershell: [
    'ps1 psm1',
    { line: '#', open: '<#', close: '#>' },
    [raw('@"', '\\n"@'), raw("@'", "\\n'@"), ...quoted],
  ],
  sql: ['sql', { line: '--', open: '/*', close: '*/' }],
  html: ['html htm', tags],
  css: ['css scss sass less', slashes],
  vue: ['vue', tags, templates],
  svelte: ['svelte', tags, templates],
  terraform: ['tf', { line: '#', open: '/*', close: '*/' }, [heredoc, ...quoted]],
  nix: ['nix', hash, [String.raw`''(?:'''|[^])*?(?:''(?!['$\\])|(?![^]))`, ...quoted]],
  protobuf: ['proto', slashes],
  graphql: ['graphql gql', hash, triple],
};

/** The languages by the endings of their files, in small letters. */
export const languageOfEnding = new Map(
  Object.entries(languages).flatMap(([language, [endings]]) =>
    endings.split(' ').map((ending) => [ending, language] as const),
  ),
);

export function marksOf(language: string): CommentMarks {
  return languages[language]?.[1] ?? slashes;
}

/** Patterns of its strings; those of several lines come first. */
export function stringsOf(language: string): readonly string[] {
  return languages[language]?.[2] ?? quoted;
}
