/** Facts about a request that the pipeline collects. Made only if there are observers. */
export interface Observation {
  /** Identifies the request in the log and in answers; undefined if no observer records it. */
  readonly id: string | undefined;
  /** Pattern of the matched route, such as `/api/sessions/:id/state`; undefined if there is none. */
  route: string | undefined;
  /** Name of the rate limit that refused the request; undefined if none did. */
  refusedBy: string | undefined;
}
