import { PassThrough, Writable } from 'node:stream';
import { Box, type Instance, render, Text } from 'ink';
import { shownRow } from '../kit/terminal-text.ts';
import type { Size } from './terminal/painter.ts';
import type { Page } from './view/page.ts';

interface InkOptions {
  readonly onRows: (rows: readonly string[]) => void;
  readonly onError: (error: unknown) => void;
}

/**
 * Lays out pages with Ink. `debug` makes it pass every frame whole and at once, even if a variable says CI;
 * the painter finds what has changed. Keys do not go through Ink, so its input stays silent.
 */
export function createInk({ onRows, onError }: InkOptions) {
  let ink: Instance | undefined;
  let rows: readonly string[] = [];
  let size = { columns: 80, rows: 24 };
  const output = new Writable({
    decodeStrings: false,
    write(frame: string, _encoding, done) {
      rows = frame.split('\n');
      done();
    },
  });
  Object.defineProperties(output, {
    columns: { get: () => size.columns },
    rows: { get: () => size.rows },
  });

  return {
    /** Draws a page, and passes all its rows to `onRows`. */
    show(page: Page, nextSize: Size): void {
      size = nextSize;
      const screen = <PageLayout {...page} {...size} />;
      if (ink === undefined) {
        ink = render(screen, {
          stdout: output as unknown as NodeJS.WriteStream,
          stderr: output as unknown as NodeJS.WriteStream,
          stdin: new PassThrough() as unknown as NodeJS.ReadStream,
          debug: true,
          exitOnCtrlC: false,
          patchConsole: false,
        });
        ink.waitUntilExit().catch(onError);
      } else {
        output.emit('resize');
        ink.rerender(screen);
      }
      onRows(rows);
    },
    close: () => ink?.unmount(),
  };
}

/** Rows at the top and at the bottom of the screen, one column in; never more than there are. */
function PageLayout({ columns, rows, blocks, bottom }: Size & Page) {
  const room = rows - bottom.length;
  const whole = blocks.flat();
  const spread = whole.length < room ? blocks : [whole.slice(0, room)];
  return (
    <Box flexDirection="column" justifyContent="space-between" width={columns} height={rows} paddingLeft={1}>
      {[...spread, bottom]
        .filter((block) => block.length > 0)
        .map((block) => (
          <Text key={block.join('\n')} wrap="truncate">
            {block.map((row) => shownRow(row) || ' ').join('\n')}
          </Text>
        ))}
    </Box>
  );
}
