import type { LocalRound } from './round.ts';

/** A round that looks as if every letter typed were right: nothing gives a mistake away. */
export function toBlindRound(round: LocalRound): LocalRound {
  return {
    ...round,
    typed: toWanted(round, round.wordIndex, round.typed.length),
    left: round.left.map((_, at) => toWanted(round, at, Number.POSITIVE_INFINITY)),
    refused: undefined,
  };
}

function toWanted({ targets }: LocalRound, at: number, length: number): string[] {
  return [...(targets[at] ?? '')].slice(0, length);
}
