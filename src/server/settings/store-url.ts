/** One server of the store. */
export interface StoreNode {
  readonly host: string;
  readonly port: number;
}

/**
 * Certificates of a TLS connection, as PEM texts. Without `ca`, it trusts the authorities that Node.js
 * trusts.
 */
export interface StoreCertificates {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

interface Login {
  readonly username?: string;
  readonly password?: string;
  readonly tls: boolean;
  readonly certificates?: StoreCertificates;
}

/**
 * How to reach a store. For another kind of store, add its type here; the compiler then points to the code
 * that must handle it.
 */
export type StoreAddress = RedisAddress;

export type RedisAddress =
  | ({ readonly kind: 'single'; readonly node: StoreNode; readonly db: number } & Login)
  | ({ readonly kind: 'socket'; readonly path: string; readonly db: number } & Login)
  | ({
      readonly kind: 'sentinel';
      readonly nodes: readonly StoreNode[];
      readonly name: string;
      readonly db: number;
    } & Login)
  | ({ readonly kind: 'cluster'; readonly nodes: readonly StoreNode[] } & Login);

const forms =
  'redis://HOST:PORT, rediss://HOST:PORT, redis+sentinel://HOST:PORT,HOST:PORT/NAME, redis+cluster://HOST:PORT,HOST:PORT or unix:///PATH';

const pattern = /^(rediss?|rediss?\+sentinel|rediss?\+cluster):\/\/(?:([^@/]*)@)?([^@/?#]+)(\/[^?#]*)?$/;

/** Parses the URL of a store. Messages never repeat the URL: it may hold a password. */
export function parseStoreUrl(text: string): StoreAddress | { readonly problem: string } {
  if (text.startsWith('unix:')) return parseSocket(text);
  const [, scheme, login, hosts, path = ''] = pattern.exec(text) ?? [];
  if (scheme === undefined || hosts === undefined) return { problem: `A store is ${forms}.` };
  const isSentinel = scheme.endsWith('+sentinel');
  const nodes = hosts.split(',').map((host) => parseNode(host, isSentinel ? 26_379 : 6379));
  if (!nodes.every((node) => node !== undefined)) {
    return { problem: 'Each server of a store is HOST or HOST:PORT, such as 127.0.0.1:6379 or [::1]:6379.' };
  }
  const access = { ...parseLogin(login), tls: scheme.startsWith('rediss') };
  if (isSentinel) return parseSentinel(nodes, path, access);
  if (scheme.endsWith('+cluster')) {
    if (path !== '' && path !== '/')
      return { problem: 'A cluster has one database: leave out what follows the servers.' };
    return { kind: 'cluster', nodes, ...access };
  }
  const [node, ...others] = nodes;
  if (node === undefined || others.length > 0) {
    return { problem: 'redis:// takes one server; several are redis+sentinel:// or redis+cluster://.' };
  }
  const db = parseDatabase(path.slice(1));
  return db === undefined ? databaseProblem : { kind: 'single', node, db, ...access };
}

/** The address for logs and messages, without user name and password. */
export function storeText(address: StoreAddress): string {
  const scheme = address.tls ? 'rediss' : 'redis';
  switch (address.kind) {
    case 'socket':
      return `unix://${address.path}`;
    case 'single':
      return `${scheme}://${nodeText(address.node)}/${address.db}`;
    case 'sentinel':
      return `${scheme}+sentinel://${address.nodes.map(nodeText).join(',')}/${address.name}`;
    case 'cluster':
      return `${scheme}+cluster://${address.nodes.map(nodeText).join(',')}`;
  }
}

const databaseProblem = {
  problem: 'The database of a store is a number from 0 to 9999, such as redis://127.0.0.1:6379/2.',
};

function parseSocket(text: string): StoreAddress | { readonly problem: string } {
  const [, path, database = ''] = /^unix:\/\/(\/[^?#]+)(?:\?db=([^&#]*))?$/.exec(text) ?? [];
  if (path === undefined)
    return { problem: 'The socket of a store is unix:///PATH, such as unix:///run/redis/redis.sock.' };
  const db = parseDatabase(database);
  return db === undefined ? databaseProblem : { kind: 'socket', path: decode(path), db, tls: false };
}

function parseSentinel(
  nodes: readonly StoreNode[],
  path: string,
  access: Login,
): StoreAddress | { readonly problem: string } {
  const [, name, database = ''] = /^\/([A-Za-z0-9._-]+)(?:\/(.*))?$/.exec(path) ?? [];
  if (name === undefined) {
    return {
      problem: 'Sentinels need the name of the primary that they watch: redis+sentinel://HOST:PORT/NAME.',
    };
  }
  const db = parseDatabase(database);
  return db === undefined ? databaseProblem : { kind: 'sentinel', nodes, name, db, ...access };
}

function parseNode(text: string, defaultPort: number): StoreNode | undefined {
  const [, bracketed, plain, port] =
    /^(?:\[([0-9a-fA-F:.]+)\]|([A-Za-z0-9._-]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  const number = port === undefined ? defaultPort : Number(port);
  return host === undefined || number < 1 || number > 65_535 ? undefined : { host, port: number };
}

function parseLogin(text: string | undefined): { username?: string; password?: string } {
  if (text === undefined) return {};
  const [username = '', ...rest] = text.split(':');
  return {
    ...(username === '' ? {} : { username: decode(username) }),
    ...(rest.length === 0 ? {} : { password: decode(rest.join(':')) }),
  };
}

function parseDatabase(text: string): number | undefined {
  if (text === '') return 0;
  return /^\d{1,4}$/.test(text) ? Number(text) : undefined;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function nodeText({ host, port }: StoreNode): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}
