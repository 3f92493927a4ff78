export const waitingActions = ['list', 'deliver', 'discard'] as const;

/** What is done with rounds that no server has yet. */
export type WaitingAction = (typeof waitingActions)[number];
