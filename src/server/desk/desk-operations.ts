import type { DeskAnswer, DeskRequest } from './desk-request.ts';

/** The requests of the editors' API: method, path below `/api` (`:id` is an announcement), and handler. */
export const deskOperations = [
  ['GET', '/announcements', 'announcements'],
  ['POST', '/announcements', 'publish'],
  ['GET', '/announcements/changes', 'changes'],
  ['GET', '/announcements/stats', 'stats'],
  ['GET', '/announcements/preview', 'preview'],
  ['POST', '/announcements/undo', 'undo'],
  ['PATCH', '/announcements/:id', 'edit'],
  ['POST', '/announcements/:id/expire', 'expire'],
  ['POST', '/announcements/:id/withdraw', 'withdraw'],
  ['GET', '/origins', 'listOrigins'],
  ['POST', '/origins', 'addOrigin'],
  ['DELETE', '/origins', 'removeOrigin'],
] as const;

type OperationName = (typeof deskOperations)[number][2];

/** The editors' API without a transport. A handler refuses by rejecting with `DeskError` or `FieldError`. */
export type DeskApi = { readonly [N in OperationName]: (request: DeskRequest) => Promise<DeskAnswer> };
