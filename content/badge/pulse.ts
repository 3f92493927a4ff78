export type PulseEvent = 'impression' | 'click' | 'dismiss';

/**
 * Counts one event: a plain GET that outlives the page, without cookies, whose answer is not read. Not sent
 * for a reader who asked not to be tracked.
 */
export function sendPulse(base: string, event: PulseEvent, id: string): void {
  const { doNotTrack, globalPrivacyControl } = navigator as Navigator & { globalPrivacyControl?: boolean };
  if (globalPrivacyControl || doNotTrack === '1') return;
  fetch(`${base}pulse?event=${event}&id=${id}`, {
    mode: 'no-cors',
    credentials: 'omit',
    keepalive: true,
  }).catch(() => {}); // an ad blocker's refusal is the reader's choice
}
