/** The requests of the editors' API: method, path below `/api` (`:id` is an announcement), and name. */
export const deskRoutes = [
  ['GET', '/announcements', 'listAnnouncements'],
  ['POST', '/announcements', 'publishAnnouncement'],
  ['GET', '/announcements/changes', 'listChanges'],
  ['GET', '/announcements/stats', 'readReaderStatistics'],
  ['GET', '/announcements/preview', 'previewBadge'],
  ['POST', '/announcements/undo', 'undoChange'],
  ['PATCH', '/announcements/:id', 'editAnnouncement'],
  ['POST', '/announcements/:id/expire', 'expireAnnouncement'],
  ['POST', '/announcements/:id/withdraw', 'withdrawAnnouncement'],
  ['GET', '/origins', 'listOrigins'],
  ['POST', '/origins', 'addOrigin'],
  ['DELETE', '/origins', 'removeOrigin'],
] as const;

export type DeskOperationName = (typeof deskRoutes)[number][2];
