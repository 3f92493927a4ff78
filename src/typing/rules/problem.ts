/** Why an input is refused; nothing has changed. */
export interface Problem {
  readonly code: 'ROUND_NOT_STARTED' | 'ROUND_CHANGED' | 'INVALID_REQUEST';
  /** One sentence for people that contains nothing that the client sent. */
  readonly message: string;
}

export function newProblem(code: Problem['code'], message: string): { readonly problem: Problem } {
  return { problem: { code, message } };
}
