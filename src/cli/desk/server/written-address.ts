import { isLoopback } from '../../../server/settings/config.ts';

/**
 * The address of a server as people write it: without a scheme it means `https://`, on this computer `http://`, which is what a
 * server there speaks. Undefined for text that is not an address.
 */
export function toServerUrl(text: string): URL | undefined {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return URL.canParse(text) ? new URL(text) : undefined;
  if (!URL.canParse(`https://${text}`)) return undefined;
  return new URL(`${isOnThisComputer(new URL(`https://${text}`)) ? 'http' : 'https'}://${text}`);
}

/** Whether the host of an address is this computer. */
export function isOnThisComputer({ hostname }: URL): boolean {
  return isLoopback(hostname.replace(/^\[(.*)\]$/, '$1'));
}
