import { Resolver } from 'node:dns/promises';

export type Address = { address: string; family: number };

/** The longest time for the lookup of a name, in milliseconds. */
const LOOKUP_TIMEOUT_MS = 5_000;

/**
 * The addresses of a host, asked of the name servers of this machine. `dns.lookup` would take one of the few threads
 * that the whole process shares, also for files and storage, until a name server answers. The hosts file of the machine
 * and its search domains are not used: they are for names of its own network, which is no place for attachments.
 * @param servers the name servers to ask; left out: those of the machine
 * @throws an error with a code when the name has no address, or no server answered in time
 */
export async function lookupName(hostname: string, servers?: readonly string[]): Promise<Address[]> {
  const resolver = new Resolver({ timeout: LOOKUP_TIMEOUT_MS / 2, tries: 2 });
  if (servers !== undefined) resolver.setServers(servers);
  const timer = setTimeout(() => resolver.cancel(), LOOKUP_TIMEOUT_MS);
  try {
    const found = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const addresses = found.flatMap((result, index) =>
      result.status === 'fulfilled' ? result.value.map((address) => ({ address, family: index === 0 ? 4 : 6 })) : [],
    );
    const failures = found.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    // Most names have addresses of one family only.
    if (addresses.length === 0 && failures.length > 0) throw failures[0];
    return addresses;
  } finally {
    clearTimeout(timer);
  }
}
