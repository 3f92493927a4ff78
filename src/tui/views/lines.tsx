import { Box, Text } from 'ink';
import { memo } from 'react';

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

/** One row. An empty one keeps its place. */
export const Line = memo(function Line({ text }: { readonly text: string }) {
  return <Text wrap="truncate">{text === '' ? ' ' : text}</Text>;
});
