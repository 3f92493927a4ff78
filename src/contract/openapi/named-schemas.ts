import { toJsonSchemaDefs } from '@valibot/to-json-schema';
import type { GenericSchema } from 'valibot';
import * as answers from '../answer-types.ts';
import * as badge from '../badge-types.ts';
import * as desk from '../desk-types.ts';
import * as requests from '../request-types.ts';
import * as statistics from '../statistics-types.ts';
import type { Json } from './document-parts.ts';

/** Every wire type that has a name in the OpenAPI document. */
export const namedSchemas = {
  AnnouncementList: desk.AnnouncementListSchema,
  BackspaceRequest: requests.BackspaceRequestSchema,
  BackspaceResult: answers.BackspaceResultSchema,
  ChangedAnnouncement: desk.ChangedAnnouncementSchema,
  ChangeLog: desk.ChangeLogSchema,
  CreateSessionRequest: requests.CreateSessionRequestSchema,
  DeskAnnouncement: desk.DeskAnnouncementSchema,
  EditRequest: desk.EditRequestSchema,
  Error: answers.ErrorBodySchema,
  ExpireRequest: desk.ExpireRequestSchema,
  GameState: answers.GameStateSchema,
  Health: answers.HealthSchema,
  HistoricalStatistics: statistics.HistoricalStatisticsSchema,
  InputEvent: requests.InputEventSchema,
  InputRequest: requests.InputRequestSchema,
  InputResponse: answers.InputResponseSchema,
  KeystrokeRequest: requests.KeystrokeRequestSchema,
  KeystrokeResult: answers.KeystrokeResultSchema,
  ActiveAnnouncements: badge.ActiveAnnouncementsSchema,
  Shield: badge.ShieldSchema,
  JsonFeed: badge.JsonFeedSchema,
  LanguageList: answers.LanguageListSchema,
  LayoutList: answers.LayoutListSchema,
  LetterStats: statistics.LetterStatsSchema,
  LoggedChange: desk.LoggedChangeSchema,
  OriginList: desk.OriginListSchema,
  OriginRequest: desk.OriginRequestSchema,
  Preview: desk.PreviewSchema,
  PublicAnnouncement: badge.PublicAnnouncementSchema,
  PublicHistory: badge.PublicHistorySchema,
  PublishRequest: desk.PublishRequestSchema,
  ReaderStatistics: desk.ReaderStatisticsSchema,
  Readiness: badge.ReadinessSchema,
  Round: answers.RoundSchema,
  RoundKept: answers.RoundKeptSchema,
  RoundList: statistics.RoundListSchema,
  RoundSummary: statistics.RoundSummarySchema,
  RoundUpload: requests.RoundUploadSchema,
  SeekTimeStats: statistics.SeekTimeStatsSchema,
  SessionCreated: answers.SessionCreatedSchema,
  SessionList: answers.SessionListSchema,
  SessionStatistics: statistics.SessionStatisticsSchema,
  SessionSummary: answers.SessionSummarySchema,
  SpaceRequest: requests.SpaceRequestSchema,
  SpaceResult: answers.SpaceResultSchema,
  StoredAnnouncement: desk.StoredAnnouncementSchema,
  Success: answers.SuccessSchema,
  TimingRequest: requests.TimingRequestSchema,
  Undone: desk.UndoneSchema,
  UndoRequest: desk.UndoRequestSchema,
  WithdrawRequest: desk.WithdrawRequestSchema,
} satisfies Record<string, GenericSchema>;

export type SchemaName = keyof typeof namedSchemas;

/** The named types as JSON schemas. */
export function toSchemas(): Record<SchemaName, Json> {
  return toJsonSchemaDefs(namedSchemas, {
    target: 'draft-2020-12',
    // What clients may send: fields with a default may be left out.
    typeMode: 'input',
    // A check written as code cannot be expressed in a schema; the descriptions mention it.
    errorMode: 'ignore',
    overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
  }) as Record<SchemaName, Json>;
}
