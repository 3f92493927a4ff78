import { Box } from 'ink';
import type { TypingFrame } from '../draw/typing-frame.ts';
import type { Look } from '../look/look.ts';
import type { App } from '../state/app-state.ts';
import { isTooSmall, type Size, smallest } from '../terminal/size.ts';
import { toChosenText } from '../text/kind-text.ts';
import { isPlain } from '../text/reading.ts';
import { toCentre, toRows } from '../text/text-layout.ts';
import { HistoryScreen } from './history-screen.tsx';
import { Lines } from './lines.tsx';
import { OptionsScreen } from './options-screen.tsx';
import { PaletteScreen } from './palette-screen.tsx';
import { ReadingScreen } from './reading-screen.tsx';
import { ResultsScreen } from './results-screen.tsx';
import { ResumeScreen } from './resume-screen.tsx';
import { TypingScreen } from './typing-screen.tsx';

export interface RootProps {
  readonly look: Look;
  readonly app: App;
  /** The typing screen; undefined where another is shown. */
  readonly frame: TypingFrame | undefined;
}

export function Root({ look, app, frame }: RootProps) {
  const { size } = app;
  if (frame !== undefined) return <TypingScreen size={size} frame={frame} />;
  if (isTooSmall(size)) return <TooSmall size={size} />;
  if (isPlain(app)) return <ReadingScreen look={look} app={app} />;
  switch (app.screen) {
    case 'results':
      return app.outcome === undefined ? null : (
        <ResultsScreen look={look} app={app} outcome={app.outcome} size={size} />
      );
    case 'options':
      return <OptionsScreen look={look} app={app} size={size} />;
    case 'history':
      return <HistoryScreen look={look} app={app} size={size} />;
    case 'help':
      return <ReadingScreen look={look} app={app} />;
    case 'palette':
      return <PaletteScreen look={look} app={app} />;
    case 'resume':
      return app.leftRound === undefined ? null : (
        <ResumeScreen look={look} left={app.leftRound} next={toNextText(app)} size={size} />
      );
    default:
      return null;
  }
}

/** What comes after a round of an earlier run; empty for the usual. */
function toNextText({ ownText, options }: App): string {
  return ownText?.title ?? toChosenText(options);
}

function TooSmall({ size }: { readonly size: Size }) {
  const rows = [
    `${size.columns} x ${size.rows} is too small.`,
    `It takes ${smallest.columns} x ${smallest.rows}.`,
    'Enlarge the window; nothing is lost.',
  ];
  return (
    <Box
      flexDirection="column"
      width={size.columns}
      height={size.rows}
      overflow="hidden"
      justifyContent="center"
    >
      <Lines
        rows={rows
          .flatMap((row) => toRows(row, size.columns))
          .slice(0, size.rows)
          .map((row) => toCentre(row, size.columns))}
      />
    </Box>
  );
}
