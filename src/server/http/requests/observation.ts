/** What becomes known of a request on its way through the pipeline. Made only where somebody observes. */
export interface Observation {
  /** Names the request in the log and in answers; undefined where nobody writes it down. */
  readonly id: string | undefined;
  /** The path as routed, such as `/api/sessions/:id/state`; undefined until a route matches, and where none does. */
  route: string | undefined;
  /** The rate limit that refused the request; undefined as a rule. */
  refusedBy: string | undefined;
}
