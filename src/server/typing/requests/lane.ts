import { toBlock } from '../../../kit/client-block.ts';

/** A piece of work that waits for its turn, or has begun. */
export interface Place {
  /** Resolves when the work may begin; never if it leaves before. */
  readonly begun: Promise<void>;
  /** At the end of the work, or before its beginning. Leaving again does nothing. */
  leave(): void;
}

/** Lets few pieces of work begin at once: one of each client, and clients take turns. Those in one IPv6 block count as one. */
export interface Lane {
  enter(client: string): Place;
}

/** @param mostAtOnce pieces of work that may have begun and not ended */
export function createLane(mostAtOnce: number): Lane {
  /** What each client waits with, by its place; the client whose turn comes next is the first. */
  const waiting = new Map<string, Map<Place, () => void>>();
  const atWork = new Map<string, Place>();

  function beginNext(): void {
    if (atWork.size >= mostAtOnce) return;
    for (const [client, places] of waiting) {
      if (atWork.has(client)) continue;
      const [place, begin] = places.entries().next().value as [Place, () => void];
      remove(client, place);
      atWork.set(client, place);
      begin();
      return;
    }
  }

  function remove(client: string, place: Place): void {
    const places = waiting.get(client);
    places?.delete(place);
    if (places?.size === 0) waiting.delete(client);
  }

  function end(client: string): void {
    atWork.delete(client);
    const places = waiting.get(client);
    // Its next piece comes after those of all others.
    if (places !== undefined && waiting.delete(client)) waiting.set(client, places);
  }

  function leave(client: string, place: Place): void {
    if (atWork.get(client) === place) end(client);
    else remove(client, place);
    beginNext();
  }

  return {
    enter(sender) {
      const client = toBlock(sender) ?? sender;
      let begin: () => void = () => undefined;
      const begun = new Promise<void>((resolve) => {
        begin = resolve;
      });
      const place: Place = { begun, leave: () => leave(client, place) };
      const places = waiting.get(client) ?? new Map<Place, () => void>();
      waiting.set(client, places.set(place, begin));
      beginNext();
      return place;
    },
  };
}
