import type { OriginList } from '../http/cors.ts';
import { HttpError } from '../http/errors.ts';
import type { Reply } from '../http/reply.ts';
import type { Handler } from '../http/router.ts';
import { type Pulse, type PulseEvent, pulseEvents } from '../stores/pulse.ts';
import { createSiteNames, embeddingSite } from './embedding-site.ts';

export interface PulseHandlerOptions {
  readonly pulse: Pick<Pulse, 'count'>;
  readonly origins: () => OriginList;
  readonly publicIds: () => ReadonlySet<string>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

const counted: Reply = { status: 204, headers: ['Cache-Control', 'no-store'] };

/**
 * `GET /pulse?event=…&id=…`. Visitors who ask not to be tracked (`DNT: 1`, `Sec-GPC: 1`) get the same answer and are not
 * counted; neither are HEAD requests. Nothing about the visitor is stored.
 */
export function createPulseHandler({ pulse, origins, publicIds, now }: PulseHandlerOptions): Handler {
  const nameOf = createSiteNames();
  return ({ method, query, headers }) => {
    const { event, id } = parseQuery(query);
    if (!publicIds().has(id)) throw invalid('id must be that of a published announcement.');
    const isPrivate = headers.dnt === '1' || headers['sec-gpc'] === '1';
    if (method === 'GET' && !isPrivate) {
      const day = new Date(now()).toISOString().slice(0, 10);
      const site = nameOf(day, embeddingSite(headers, origins()), id);
      pulse.count({ day, event, announcement: id, site });
    }
    return counted;
  };
}

function parseQuery(query: string): { event: PulseEvent; id: string } {
  const parameters = new URLSearchParams(query);
  const [event, ...furtherEvents] = parameters.getAll('event');
  const [id = '', ...furtherIds] = parameters.getAll('id');
  if (furtherEvents.length + furtherIds.length > 0) throw invalid('Give event and id once each.');
  if (!isPulseEvent(event)) throw invalid(`event must be one of ${pulseEvents.join(', ')}.`);
  return { event, id };
}

function isPulseEvent(text: string | undefined): text is PulseEvent {
  return pulseEvents.some((event) => event === text);
}

const invalid = (message: string) => new HttpError(400, 'INVALID_REQUEST', message);
