import type { DailyGoal } from '../trend/goal.ts';

/** The goal of the day in a few words; empty where there is none. */
export function toGoalText(goal: DailyGoal | undefined): string {
  if (goal === undefined) return '';
  const { done, minutes, streak } = goal;
  const today = done >= minutes ? `${done} min today, goal met` : `${done} of ${minutes} min today`;
  return streak < 2 ? today : `${today}, ${streak} days in a row`;
}
