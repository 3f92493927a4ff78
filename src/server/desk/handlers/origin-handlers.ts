import { OriginRequestSchema } from '../../../contract/desk-types.ts';
import { parseOriginPattern } from '../../../kit/origin-pattern.ts';
import { toJsonReply } from '../../http/replies/reply.ts';
import { readJsonObject } from '../../http/requests/json-body.ts';
import { parseRequest } from '../../http/requests/parse-request.ts';
import { type ContentStore, createContentStore } from '../../stores/content/content-store.ts';
import type { Content } from '../../stores/ports.ts';
import { invalid, refused } from '../refusals/desk-refusals.ts';
import type { ChangeOptions } from './change-handlers.ts';
import { type EditorHandler, type EditorRequest, longestBody } from './own-request.ts';

export interface OriginOptions extends Pick<ChangeOptions, 'onChange'> {
  readonly content: Content;
}

/** The allow-list. To add an entry that is on it, however often, changes nothing. */
export function createOriginHandlers({ content, onChange }: OriginOptions) {
  const store: ContentStore = createContentStore(content);

  const list: EditorHandler = async () => {
    const patterns = await store.readOrigins();
    return toJsonReply(200, { origins: patterns.map(({ entry }) => entry) });
  };

  const add: EditorHandler = async (request) => {
    const entry = await readEntry(request);
    const outcome = await store.updateOrigins((origins) =>
      origins.includes(entry) ? { origins } : { origins: [...origins, entry], isNew: true },
    );
    if ('isNew' in outcome) await onChange(request, `origin ${entry} added`);
    return toJsonReply(200, { origins: outcome.origins });
  };

  const remove: EditorHandler = async (request) => {
    const entry = await readEntry(request);
    const outcome = await store.updateOrigins((origins) =>
      origins.includes(entry)
        ? { origins: origins.filter((other) => other !== entry) }
        : { problem: `${entry} is not on the list; typebadge origins list shows it` },
    );
    if ('problem' in outcome) throw refused(outcome.problem);
    await onChange(request, `origin ${entry} removed`);
    return toJsonReply(200, { origins: outcome.origins });
  };

  return { list, add, remove };
}

/** In the spelling that browsers send, so that one site is never on the list twice. */
async function readEntry({ context }: EditorRequest): Promise<string> {
  const { origin } = parseRequest(
    OriginRequestSchema,
    await readJsonObject(context, { maxBytes: longestBody }),
  );
  const pattern = parseOriginPattern(origin);
  if ('problem' in pattern) throw invalid(pattern.problem);
  return pattern.entry;
}
