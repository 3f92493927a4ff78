import { Box, Text } from 'ink';
import { createContext, memo, type ReactNode, use } from 'react';
import { type RowTokens, tokenColumns } from '../terminal/row-tokens.ts';
import type { Size } from '../terminal/size.ts';

/** What stands for rows while Ink lays them out; without it they go through Ink as they are. */
export const RowTokensContext = createContext<RowTokens | undefined>(undefined);

interface ScreenProps {
  readonly size: Size;
  readonly children: ReactNode;
}

/**
 * Rows from top to bottom, one column in. Where tokens stand for them, Ink lays out those two columns instead of all:
 * it makes an object of every cell at every frame.
 */
export function Screen({ size, children }: ScreenProps) {
  const hasTokens = use(RowTokensContext) !== undefined;
  return (
    <Box
      flexDirection="column"
      width={hasTokens ? tokenColumns : size.columns}
      height={size.rows}
      paddingLeft={1}
    >
      {children}
    </Box>
  );
}

/** Rows that are drawn already. */
export const Lines = memo(function Lines({ rows }: { readonly rows: readonly string[] }) {
  return (
    <Box flexDirection="column" flexShrink={0}>
      {rows.map((row, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place
        <Line key={at} text={row} />
      ))}
    </Box>
  );
});

/**
 * Blank rows. Not a `Spacer` where there are several: Yoga gives each of them a part of a row, and one row is then drawn
 * over another.
 */
export const Gap = memo(function Gap({ rows }: { readonly rows: number }) {
  return <Box height={rows} flexShrink={0} />;
});

/** One row. An empty one keeps its place. */
export const Line = memo(function Line({ text }: { readonly text: string }) {
  const tokens = use(RowTokensContext);
  return <Text wrap="truncate">{text === '' ? ' ' : (tokens?.toToken(text) ?? text)}</Text>;
});

interface LiveRowsProps {
  /** The number of the first one, from 0, among all of the screen. */
  readonly from: number;
  readonly count: number;
  /** Whether they keep their place where the screen is too small. */
  readonly isFirm: boolean;
}

/** Rows whose text changes while their place stays (see `RowTokens`): a key that changes them needs no layout. */
export const LiveRows = memo(function LiveRows({ from, count, isFirm }: LiveRowsProps) {
  const tokens = use(RowTokensContext);
  const rows = Array.from({ length: count }, (_, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place
    <Text key={at} wrap="truncate">
      {tokens?.toLiveToken(from + at)}
    </Text>
  ));
  if (!isFirm) return rows;
  return (
    <Box flexDirection="column" flexShrink={0}>
      {rows}
    </Box>
  );
});
