import { isIPv4, isIPv6 } from 'node:net';
import type { HttpRequest } from '@azure/functions';

/**
 * The address of a caller for limits: one of IPv4, or the /64 of IPv6 that one line has. It is the last one in the
 * header of the proxy, which the proxy saw itself. `unknown` without one: such callers share their limits.
 */
export function callerAddress({ headers }: HttpRequest): string {
  const last = headers.get('X-Forwarded-For')?.split(',').at(-1)?.trim() ?? '';
  const [, bracketed] = /^\[([^\]]{1,60})\](?::\d{1,5})?$/.exec(last) ?? [];
  const address = bracketed ?? (/^[\d.]{7,15}:\d{1,5}$/.test(last) ? last.slice(0, last.indexOf(':')) : last);
  if (isIPv4(address)) return address;
  const [withoutZone = ''] = address.split('%');
  // To make the pattern of isIPv6 takes milliseconds, so a start without an address does without.
  return withoutZone.includes(':') && isIPv6(withoutZone) ? networkOf(withoutZone) : 'unknown';
}

/** The first 64 bits of an IPv6 address; the IPv4 address that a mapped one holds. */
function networkOf(address: string): string {
  // URL writes every spelling in one way.
  const written = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = '', tail] = written.split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':'));
  const [first, last] = [groups(head), groups(tail ?? '')];
  const all = [...first, ...Array(8 - first.length - last.length).fill('0'), ...last].map((one) =>
    Number.parseInt(one, 16),
  );
  if (all.slice(0, 5).every((one) => one === 0) && all[5] === 0xffff) {
    return all
      .slice(6)
      .flatMap((one) => [one >> 8, one & 255])
      .join('.');
  }
  return `${all
    .slice(0, 4)
    .map((one) => one.toString(16))
    .join(':')}::/64`;
}
