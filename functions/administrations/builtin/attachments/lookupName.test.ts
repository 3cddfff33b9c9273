import { pbkdf2 } from 'node:crypto';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { download, file, NOT_PUBLIC, serve, strictly } from '../../../../testing/attachments/downloads.ts';
import { pdf } from '../../../../testing/attachments/files.ts';
import { startNameServer } from '../../../../testing/attachments/nameServer.ts';
import { lookupName } from './lookupName.ts';

let server: Awaited<ReturnType<typeof startNameServer>>;
beforeAll(async () => {
  server = await startNameServer({
    'both.example': ['93.184.215.14', '2606:2800:21f:cb07::1'],
    'private.example': ['10.0.0.7'],
    'private6.example': ['fd00::1'],
    'mixed.example': ['93.184.215.14', 'fd00::1'],
    'mapped.example': ['64:ff9b::a00:7'],
    'here.example': ['127.0.0.1'],
    'silent.example': 'silent',
  });
});
afterAll(() => server.close());
const lookup = (name: string) => lookupName(name, [server.address]);

describe('the lookup of a name', () => {
  it('returns its addresses of both families', async () => {
    expect(await lookup('both.example')).toEqual([
      { address: '93.184.215.14', family: 4 },
      { address: '2606:2800:21f:cb07::1', family: 6 },
    ]);
    expect(await lookup('private6.example')).toEqual([{ address: 'fd00::1', family: 6 }]);
  });

  it('fails for a name that nobody has', async () => {
    expect(await strictly('http://nobody.example/a.pdf', { lookup })).toEqual({
      failure: 'the file could not be downloaded: ENOTFOUND',
    });
  });

  it.each(['private', 'private6', 'mixed', 'mapped', 'here'])('lets no download reach %s.example', async (name) => {
    expect(await strictly(`http://${name}.example/a.pdf`, { lookup })).toEqual(NOT_PUBLIC);
  });

  it('is not made for names of this machine', async () => {
    const before = server.asked();
    for (const name of ['localhost', 'files.localhost', 'printer.local', 'metadata.google.internal']) {
      expect(await strictly(`http://${name}/a.pdf`, { lookup })).toEqual(NOT_PUBLIC);
    }
    expect(server.asked()).toBe(before);
  });

  it('leads the download to the address that was checked', async () => {
    const { port } = await serve(file(pdf));
    expect(await download(`http://here.example:${port}/a.pdf`, { lookup })).toMatchObject({ bytes: pdf });
  });

  it('ends when no name server answers, and holds no thread of the process until then', async () => {
    let isEnded = false;
    const lookups = Array.from({ length: 20 }, () => lookup('silent.example').catch(({ code }) => code));
    const ended = Promise.all(lookups).finally(() => {
      isEnded = true;
    });
    // The threads that files, storage and other lookups share: one of them is enough for this.
    await promisify(pbkdf2)('x', 'y', 1, 32, 'sha256');
    expect(isEnded).toBe(false);
    for (const code of await ended) expect(['ETIMEOUT', 'ECANCELLED']).toContain(code);
  });
});
