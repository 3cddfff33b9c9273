import { BlockList, isIP } from 'node:net';
import { memoized } from '../../../../shared/memoized.ts';

/*
 * The addresses outside the public internet, from the IANA special-purpose address registries. IPv4 and IPv6 have a
 * list each: in a single list Node would compare an IPv4 address with the IPv6 range of mapped ones, and refuse every
 * IPv4 address.
 */

const notPublic4 = [
  ['0.0.0.0', 8], // this network
  ['10.0.0.0', 8], // private
  ['100.64.0.0', 10], // shared by a carrier's customers; Alibaba's metadata
  ['127.0.0.0', 8], // loopback
  ['168.63.129.16', 32], // Azure's own services, from inside Azure
  ['169.254.0.0', 16], // link-local; metadata of AWS, Azure, Google
  ['172.16.0.0', 12], // private
  ['192.0.0.0', 24], // protocol assignments; Oracle's metadata
  ['192.0.2.0', 24], // documentation
  ['192.88.99.0', 24], // relays of 6to4, withdrawn
  ['192.168.0.0', 16], // private
  ['198.18.0.0', 15], // benchmarks
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, and broadcast
] as const;

const notPublic6 = [
  // All but 2000::/3, the only assigned range: unspecified, loopback, mapped and compatible IPv4, unique-local,
  // link-local, site-local, multicast, and reserved addresses.
  ['::', 3],
  ['4000::', 2],
  ['8000::', 1],
  ['2001::', 23], // protocol assignments: Teredo, benchmarks, ORCHID
  ['2001:db8::', 32], // documentation
  ['2002::', 16], // 6to4, which holds an IPv4 address
  ['3fff::', 20], // documentation
] as const;

// In a network of IPv6 only, the resolver answers for an IPv4 server with its address in this range.
const translated = [['64:ff9b::', 96]] as const;

type Networks = readonly (readonly [network: string, prefix: number])[];

/** Made when it is first needed: the app starts without. */
const blockList = memoized((networks: Networks): BlockList => {
  const list = new BlockList();
  for (const [network, prefix] of networks) list.addSubnet(network, prefix, isIP(network) === 4 ? 'ipv4' : 'ipv6');
  return list;
});

/** Whether an IP address, in any of its spellings, is one of the public internet. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !blockList(notPublic4).check(address, 'ipv4');
  // An address with a zone (fe80::1%eth0) is meant for one link.
  if (isIP(address) !== 6 || address.includes('%')) return false;
  if (!blockList(translated).check(address, 'ipv6')) return !blockList(notPublic6).check(address, 'ipv6');
  return !blockList(notPublic4).check(lastFourBytes(address), 'ipv4');
}

function lastFourBytes(address: string): string {
  // URL writes an IPv6 address in its one canonical form, of hexadecimal groups.
  const groups = new URL(`http://[${address}]`).hostname.slice(1, -1).split(':').slice(-2);
  return groups
    .flatMap((group) => [Number.parseInt(group || '0', 16) >> 8, Number.parseInt(group || '0', 16) & 255])
    .join('.');
}
