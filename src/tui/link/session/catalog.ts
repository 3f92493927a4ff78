import * as v from 'valibot';
import { isOneCharacter } from '../../../typing/rules/character.ts';
import { toShownText } from './server-problem.ts';

/** Something that the server can practise in. */
export interface Offer {
  readonly id: string;
  readonly name: string;
}

/** A layout with what a drawing of it needs. */
export interface LayoutOffer extends Offer {
  /** Unshifted characters: top, home, bottom and number row; missing where the server sends none. */
  readonly rows?: readonly (readonly string[])[];
  /** Character to finger, as in `fingerNames`. */
  readonly fingers?: Readonly<Record<string, number>>;
}

/** The languages and layouts of a server. */
export interface Catalog {
  readonly languages: readonly Offer[];
  readonly layouts: readonly LayoutOffer[];
}

/** Longer lists help nobody. */
const mostOffers = 1000;

/** The offers in an answer that may come from any program; what is not an offer is skipped. */
export function parseOffers(answer: unknown, list: 'languages' | 'layouts'): Offer[] {
  const offers: unknown = (answer as Readonly<Record<string, unknown>> | null | undefined)?.[list];
  if (!Array.isArray(offers)) return [];
  return offers.slice(0, mostOffers).flatMap((offer: unknown) => {
    const { id, name } = (offer ?? {}) as { readonly id?: unknown; readonly name?: unknown };
    if (typeof id !== 'string' || !/^[\w-]{1,64}$/.test(id)) return [];
    return [{ id, name: typeof name === 'string' ? toShownText(name).slice(0, 60) : id }];
  });
}

/** The layouts in an answer: their drawings are passed over where they are none, for any program may have sent it. */
export function parseLayouts(answer: unknown): LayoutOffer[] {
  const layouts: unknown = (answer as Readonly<Record<string, unknown>> | null | undefined)?.layouts;
  const byId = new Map(
    (Array.isArray(layouts) ? layouts.slice(0, mostOffers) : []).map((layout: unknown) => [
      (layout as { readonly id?: unknown } | null)?.id,
      v.safeParse(DrawingSchema, layout),
    ]),
  );
  return parseOffers(answer, 'layouts').map((offer) => {
    const drawing = byId.get(offer.id);
    return { ...offer, ...(drawing?.success ? drawing.output : {}) };
  });
}

/** One visible character: what the cells of a terminal can show. */
const key = v.pipe(v.string(), v.check(isOneCharacter));

const DrawingSchema = v.object({
  rows: v.pipe(v.array(v.pipe(v.array(key), v.maxLength(16))), v.maxLength(4)),
  fingers: v.record(v.string(), v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(9))),
});
