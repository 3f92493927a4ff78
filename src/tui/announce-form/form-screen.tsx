import { Box, Text, useStdout } from 'ink';
import { useEffect, useState } from 'react';

/** Ready-made lines, each cut at the terminal's edge. */
export function Lines({ lines }: { lines: readonly string[] }) {
  return (
    <Box flexDirection="column">
      {lines.map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
        <Text key={at} wrap="truncate">
          {line === '' ? ' ' : line}
        </Text>
      ))}
    </Box>
  );
}

/** The size of the terminal, also after it changed. */
export function useTerminalSize() {
  const { stdout } = useStdout();
  const [size, setSize] = useState(() => readSize(stdout));
  useEffect(() => {
    const resized = () => setSize(readSize(stdout));
    stdout.on('resize', resized);
    return () => void stdout.off('resize', resized);
  }, [stdout]);
  return size;
}

function readSize({ columns, rows }: NodeJS.WriteStream) {
  return { columns: columns || 80, rows: rows || 24 };
}
