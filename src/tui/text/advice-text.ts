import type { Advice } from '../trend/advice.ts';

/** The advice in one sentence. */
export function toAdviceText(advice: Advice): string {
  switch (advice.kind) {
    case 'too-few':
      return 'A few more rounds, and this line tells you what to practise.';
    case 'even':
      return `No letter stands out: you are even at ${Math.floor(advice.accuracy)} %. Try a little faster.`;
    default:
      return `Practise ${advice.letter}: ${toReason(advice)}.`;
  }
}

/** Points below all letters from which the accuracy of a slow letter is worth mentioning. */
const notable = 3;

function toReason(advice: Extract<Advice, { kind: 'letter' }>): string {
  const { accuracy, presented, overallAccuracy, seekMs, overallSeekMs, confusedWith } = advice;
  const instead = confusedWith === '' ? '' : `, often ${confusedWith} instead`;
  if (advice.reason === 'slow' && seekMs !== undefined) {
    const isInaccurate = overallAccuracy - accuracy >= notable;
    const also = isInaccurate ? `; right only ${Math.floor(accuracy)} %${instead}` : '';
    return `${Math.round(seekMs)} ms (all letters ${Math.round(overallSeekMs)} ms)${also}`;
  }
  return `right ${Math.floor(accuracy)} % of ${presented} times (all letters ${Math.floor(overallAccuracy)} %)${instead}`;
}
