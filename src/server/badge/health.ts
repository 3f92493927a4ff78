import type { Reply } from '../http/reply.ts';
import type { RouteGroup } from '../http/router.ts';

export interface HealthOptions {
  readonly version: string;
  /** Why this server is not ready for requests, a sentence each; empty if it is. */
  readonly problems: () => readonly string[];
}

const alive: Reply = {
  status: 200,
  headers: ['Content-Type', 'text/plain', 'Cache-Control', 'no-store'],
  body: 'OK',
};

/** `/health`: the process answers. `/health/ready`: content is valid and the store answers, or why not. */
export function createHealthGroup({ version, problems }: HealthOptions): RouteGroup {
  const ready = (): Reply => {
    const reasons = problems();
    const [status, value] =
      reasons.length === 0 ? [200, { status: 'ready', version }] : [503, { status: 'unready', reasons }];
    return { status, headers: jsonHeaders, body: JSON.stringify(value) };
  };
  return {
    routes: [
      { method: 'GET', path: '/health', handler: () => alive },
      { method: 'GET', path: '/health/ready', handler: ready },
    ],
  };
}

const jsonHeaders = ['Content-Type', 'application/json', 'Cache-Control', 'no-store'];
