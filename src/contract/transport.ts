/*
 * How a client of one of the JSON APIs reaches it: over HTTP, or in the same process by calling the same
 * routes without a socket.
 */

export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** The path with its query, such as `/api/rounds?limit=10`. */
  readonly path: string;
  /** A JSON value; undefined sends no body. */
  readonly body?: unknown;
  /** Further headers, by their lower-case names, such as `if-match`. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ApiResponse {
  readonly status: number;
  /** The parsed JSON body; undefined if there is none. */
  readonly body: unknown;
  /** By their lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Resolves to any answer, including refusals. Rejects if the server is away or does not speak this API. */
export type Transport = (request: ApiRequest, signal?: AbortSignal) => Promise<ApiResponse>;
