import { request } from 'node:https';
import { type Answer, finish, type Question } from '../support/http-client.ts';

/** The name by which the example files know the server. */
export const publicName = 'badge.example.org';

export interface TlsQuestion extends Question {
  /** The address to ask from: each address of 127.0.0.0/8 is a client of its own. Default: 127.0.0.1. */
  readonly from?: string;
}

/** Asks what listens at the port of this machine as if it were the public server, and checks its certificate. */
export function sendTls(
  port: number,
  ca: Buffer,
  { method = 'GET', path, headers = {}, body, from = '127.0.0.1' }: TlsQuestion,
): Promise<Answer> {
  const outgoing = request({
    ...{ host: '127.0.0.1', port, localAddress: from, servername: publicName, ca, agent: false },
    ...{ method, path, headers: { Host: publicName, ...headers } },
  });
  return finish(outgoing, body);
}
