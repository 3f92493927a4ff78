import type { PublicHistory } from '../../announcements/announcement.ts';
import {
  createRepresentation,
  type Representation,
  type RepresentationOptions,
} from '../http/representation.ts';
import { feedLanguages } from './pages/feeds.ts';

/** The feed for a query such as `lang=de`: synchronous if it is untranslated or was requested before. */
export type FeedOf = (query: string) => Representation | Promise<Representation>;

/**
 * A feed in every language that its announcements have, each made on its first request. A client cannot make this server keep more
 * of them than editors wrote: any other language gets the feed of the language without its region, or the untranslated one.
 */
export async function prepareFeeds(
  history: PublicHistory,
  toFeed: (language?: string) => RepresentationOptions,
): Promise<FeedOf> {
  const asWritten = await createRepresentation(toFeed());
  const known = new Map([...feedLanguages(history)].map((tag) => [tag.toLowerCase(), tag]));
  const made = new Map<string, Promise<Representation>>();
  return (query) => {
    const language = query === '' ? undefined : findLanguage(query, known);
    if (language === undefined) return asWritten;
    const feed = made.get(language) ?? createRepresentation(toFeed(language));
    made.set(language, feed);
    return feed;
  };
}

/** The language that `lang` names, or the same without its region; undefined if no announcement has either. */
function findLanguage(query: string, known: ReadonlyMap<string, string>): string | undefined {
  const parts = (new URLSearchParams(query).get('lang') ?? '').slice(0, 35).toLowerCase().split('-');
  const tags = parts.map((_, at) => known.get(parts.slice(0, parts.length - at).join('-')));
  return tags.find((tag) => tag !== undefined);
}
