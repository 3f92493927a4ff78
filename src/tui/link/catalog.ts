import { toShownText } from './server-problem.ts';

/** Something that the server can practise in. */
export interface Offer {
  readonly id: string;
  readonly name: string;
}

/** The languages and layouts of a server. */
export interface Catalog {
  readonly languages: readonly Offer[];
  readonly layouts: readonly Offer[];
}

/** Longer lists help nobody. */
const mostOffers = 1000;

/** The offers in an answer that may come from any program; what is no offer is passed over. */
export function parseOffers(answer: unknown, list: 'languages' | 'layouts'): Offer[] {
  const offers: unknown = (answer as Readonly<Record<string, unknown>> | null | undefined)?.[list];
  if (!Array.isArray(offers)) return [];
  return offers.slice(0, mostOffers).flatMap((offer: unknown) => {
    const { id, name } = (offer ?? {}) as { readonly id?: unknown; readonly name?: unknown };
    if (typeof id !== 'string' || !/^[\w-]{1,64}$/.test(id)) return [];
    return [{ id, name: typeof name === 'string' ? toShownText(name).slice(0, 60) : id }];
  });
}
