/** A reply of Redis, protocol version 2. */
export type Reply =
  | { readonly kind: '+' | '-' | ':'; readonly text: string }
  | { readonly kind: '$'; readonly bytes: Buffer | null }
  | { readonly kind: '*'; readonly items: readonly Reply[] | null };

/** The reply that begins there, and where it ends; undefined while it is not whole. */
export function readReply(
  bytes: Buffer,
  at: number,
): { readonly reply: Reply; readonly end: number } | undefined {
  const lineEnd = bytes.indexOf('\r\n', at);
  if (lineEnd === -1) return undefined;
  const kind = String.fromCharCode(bytes[at] as number);
  const text = bytes.toString('latin1', at + 1, lineEnd);
  let end = lineEnd + 2;
  if (kind === '+' || kind === '-' || kind === ':') return { reply: { kind, text }, end };
  const length = Number(text);
  if (kind === '$') {
    if (length === -1) return { reply: { kind, bytes: null }, end };
    if (bytes.length < end + length + 2) return undefined;
    return { reply: { kind, bytes: bytes.subarray(end, end + length) }, end: end + length + 2 };
  }
  if (kind !== '*') throw new Error(`A reply begins with ${JSON.stringify(kind)}.`);
  if (length === -1) return { reply: { kind, items: null }, end };
  const items: Reply[] = [];
  while (items.length < length) {
    const item = readReply(bytes, end);
    if (item === undefined) return undefined;
    items.push(item.reply);
    end = item.end;
  }
  return { reply: { kind, items }, end };
}

export function toBytes(reply: Reply): Buffer {
  if (reply.kind === '$') {
    if (reply.bytes === null) return Buffer.from('$-1\r\n');
    return Buffer.concat([Buffer.from(`$${reply.bytes.length}\r\n`), reply.bytes, Buffer.from('\r\n')]);
  }
  if (reply.kind === '*') {
    if (reply.items === null) return Buffer.from('*-1\r\n');
    return Buffer.concat([Buffer.from(`*${reply.items.length}\r\n`), ...reply.items.map(toBytes)]);
  }
  return Buffer.from(`${reply.kind}${reply.text}\r\n`, 'latin1');
}
