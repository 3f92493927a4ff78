/** A page of a list: at most `limit` entries after the one with the id `after`. */
export interface PageRequest {
  readonly limit: number;
  readonly after: string | undefined;
}
