import type { Content } from '../../stores/content/content.ts';
import type { HistoryReader } from '../../stores/content/history-file.ts';
import { createDeskHistory } from '../revisions/desk-history.ts';
import { type ChangeOptions, createChangeHandlers } from './change-handlers.ts';
import { createListHandlers, type ListOptions } from './list-handlers.ts';
import { createOriginHandlers } from './origin-handlers.ts';
import type { EditorHandler } from './own-request.ts';
import { createUndoHandler } from './undo-handler.ts';

export interface DeskHandlers {
  readonly announcements: EditorHandler;
  readonly changes: EditorHandler;
  readonly stats: EditorHandler;
  readonly publish: EditorHandler;
  readonly edit: EditorHandler;
  readonly expire: EditorHandler;
  readonly withdraw: EditorHandler;
  readonly undo: EditorHandler;
  readonly listOrigins: EditorHandler;
  readonly addOrigin: EditorHandler;
  readonly removeOrigin: EditorHandler;
}

export interface DeskHandlersOptions
  extends Pick<ChangeOptions, 'clock' | 'onChange'>,
    Pick<ListOptions, 'readPulse'> {
  readonly content: Content;
  readonly readHistory: HistoryReader;
}

/** The handlers of the editors' API. Load lazily: they need much code that nothing else does, such as that of time zones. */
export function createDeskHandlers({
  content,
  readHistory,
  readPulse,
  clock,
  onChange,
}: DeskHandlersOptions): DeskHandlers {
  const desk = createDeskHistory(content, readHistory);
  const origins = createOriginHandlers({ content, clock, onChange });
  return {
    ...createListHandlers({ desk, readPulse, clock }),
    ...createChangeHandlers({ desk, clock, onChange }),
    undo: createUndoHandler({ desk, clock, onChange }),
    listOrigins: origins.list,
    addOrigin: origins.add,
    removeOrigin: origins.remove,
  };
}
