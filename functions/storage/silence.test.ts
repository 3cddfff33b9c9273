import { describe, expect, it } from 'vitest';
import { proxyTo } from '../../testing/databaseProxy.ts';
import { testStorage } from '../../testing/storage.ts';
import { SILENCE_MS } from './silence.ts';
import { openStorage } from './storage.ts';

const { storage, connectionString } = await testStorage();

/** The storage behind a proxy for each service. */
async function behindProxies() {
  const endpoints = [...connectionString.matchAll(/Endpoint=([^;]+)/g)].map(([, url]) => url!);
  const proxies = await Promise.all(endpoints.map(proxyTo));
  const url = endpoints.reduce((text, endpoint, at) => text.replace(endpoint, proxies[at]!.url), connectionString);
  return { proxies, behind: openStorage(url) };
}

/** More than is on its way while nobody reads. */
const large = Buffer.alloc(32_000_000, 'ledger');

describe('a storage service whose packets are dropped', () => {
  it.concurrent('is asked again by another connection', async () => {
    await storage.table('rows').put({ partition: 'a', key: 'b', values: { c: 'd' } });
    const { proxies, behind } = await behindProxies();
    const use = () =>
      Promise.all([
        behind.table('rows').get('a', 'b'),
        behind
          .blobs('files')
          .blob('a')
          .then((blob) => blob.exists()),
        behind.queue('messages').length(),
      ]);
    const answers = [expect.objectContaining({ key: 'b' }), false, 0];
    // Now there are connections to use again.
    expect(await use()).toEqual(answers);
    for (const { setMode } of proxies) setMode('stall');
    const since = performance.now();
    const silent = use();
    await expect.poll(() => proxies.map(({ dropped }) => dropped() > 0)).toEqual([true, true, true]);
    for (const { setMode } of proxies) setMode('forward');
    expect(await silent).toEqual(answers);
    // Not sooner, though unused connections are closed after five seconds here.
    expect(performance.now() - since).toBeGreaterThan(SILENCE_MS - 1000);
    for (const { close } of proxies) close();
  });

  it.concurrent('ends what is being read of it, but nothing that its reader lets wait', async () => {
    const blob = await storage.blobs('files').blob('large');
    await blob.write(large);
    const { proxies, behind } = await behindProxies();
    const waiting = blob.bytes();
    const broken = (await behind.blobs('files').blob('large')).bytes();
    const read = [(await waiting.next()).value!];
    await broken.next();
    for (const { setMode } of proxies) setMode('stall');
    await expect(Array.fromAsync(broken)).rejects.toThrow('aborted');
    for await (const piece of waiting) read.push(piece);
    expect(Buffer.concat(read).equals(large)).toBe(true);
    for (const { close } of proxies) close();
  });
});
