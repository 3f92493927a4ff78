import type { KeystrokeRequest, SpaceRequest } from '../../../contract/request-types.ts';

// Checks the usual form of keys by hand, because the schemas take a microsecond, a twentieth of the whole answer. A body that
// fails here is not refused: the schema decides, and says what is wrong.

const longestSeekTime = 3_600_000;
const largestQuickSeq = 1_000_000;

/** Whether the schema of a keystroke certainly accepts this body: one printable ASCII character. */
export function isPlainKeystroke(
  body: Record<string, unknown>,
): body is Record<string, unknown> & KeystrokeRequest {
  const { char } = body;
  if (typeof char !== 'string' || char.length !== 1) return false;
  const code = char.charCodeAt(0);
  return code > 0x20 && code < 0x7f && hasPlainFields(body);
}

/** Whether the schema of a space certainly accepts this body. */
export function isPlainSpace(body: Record<string, unknown>): body is Record<string, unknown> & SpaceRequest {
  return body.char === undefined && hasPlainFields(body);
}

function hasPlainFields({ seek_time_ms, seq, round_id }: Record<string, unknown>): boolean {
  return (
    isWhole(seek_time_ms, 0, longestSeekTime) &&
    isWhole(seq, 1, largestQuickSeq) &&
    (round_id === undefined || (typeof round_id === 'string' && round_id.length <= 64))
  );
}

/** Whether a value is a whole number between the bounds, or missing. */
function isWhole(value: unknown, least: number, most: number): boolean {
  if (value === undefined) return true;
  return Number.isInteger(value) && (value as number) >= least && (value as number) <= most;
}
