import type { IncomingHttpHeaders } from 'node:http';
import { HttpError } from '../http/http-error.ts';
import type { OriginList } from '../http/origins.ts';
import type { Reply } from '../http/reply.ts';
import type { Handler } from '../http/router.ts';
import { type Pulse, type PulseEvent, pulseEvents } from './pulse.ts';

export interface PulseHandlerOptions {
  readonly pulse: Pulse;
  readonly origins: () => OriginList;
  readonly publicIds: () => ReadonlySet<string>;
}

const counted: Reply = { status: 204, headers: ['Cache-Control', 'no-store'] };

/**
 * `GET /pulse?event=…&id=…`. A visitor who asks not to be tracked (`DNT: 1`, `Sec-GPC: 1`) gets the same answer and is
 * not counted; neither is a HEAD request. Of the visitor nothing at all is kept.
 */
export function createPulseHandler({ pulse, origins, publicIds }: PulseHandlerOptions): Handler {
  return ({ method, query, request: { headers } }) => {
    const parameters = new URLSearchParams(query);
    const [event, ...furtherEvents] = parameters.getAll('event');
    const [id, ...furtherIds] = parameters.getAll('id');
    if (furtherEvents.length + furtherIds.length > 0) throw invalid('Give event and id once each.');
    if (!isPulseEvent(event)) throw invalid(`Give event as one of ${pulseEvents.join(', ')}.`);
    if (id === undefined || !publicIds().has(id))
      throw invalid('Give id as that of a published announcement.');
    const isPrivate = headers.dnt === '1' || headers['sec-gpc'] === '1';
    if (method === 'GET' && !isPrivate) pulse.count(event, id, siteOf(headers, origins()));
    return counted;
  };
}

function isPulseEvent(text: string | undefined): text is PulseEvent {
  return pulseEvents.some((event) => event === text);
}

const invalid = (message: string) => new HttpError(400, 'INVALID_REQUEST', message);

/** The host of the embedding site, if it is on the allow-list. A plain GET carries no Origin but, as a rule, a Referer. */
function siteOf({ origin, referer }: IncomingHttpHeaders, origins: OriginList): string {
  const claimed =
    origin ?? (referer !== undefined && URL.canParse(referer) ? new URL(referer).origin : undefined);
  if (claimed === undefined || origins.match(claimed) === undefined) return 'other';
  return new URL(claimed).host;
}
