/**
 * What a program finds that is started from nowhere. Variables of a developer's shell, such as NODE_EXTRA_CA_CERTS, double
 * Node's own start, and flatter every ratio to it.
 */
export function newCleanEnvironment(home: string): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '/usr/bin:/bin',
    HOME: home,
    XDG_DATA_HOME: home,
    XDG_CONFIG_HOME: home,
    LANG: 'C.UTF-8',
    TERM: 'xterm-256color',
  };
}
