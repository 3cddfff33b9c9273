import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Administrations } from '../../functions/administrations/administration.ts';
import { QUEUE } from '../../functions/exports/dependencies.ts';
import { openStorage } from '../../functions/storage/storage.ts';
import { readRequest } from '../../shared/readRequest.ts';
import { relation } from '../../shared/resources/relation.ts';
import { encodeEach } from '../../shared/wire/encode.ts';

/**
 * Compares the next exports with a fresh read of all relations, once nothing is written any more.
 * @param timeout the longest time to wait for an export, in milliseconds
 */
export async function exportFindings(
  { own }: Administrations,
  connectionString: string,
  timeout: number,
): Promise<string[]> {
  const blobs = openStorage(connectionString).blobs(QUEUE);
  const from = Math.ceil(Date.now() / 1000);
  const until = Date.now() + timeout;
  const findings: string[] = [];
  const read = async (path: string): Promise<string> => text((await blobs.blob(path)).bytes());
  for (const id of await own!.ids()) {
    for (;;) {
      const paths = await Array.fromAsync(blobs.list(`${id}/`));
      const manifests = paths.filter((path) => /\/\d[^/.]*\/manifest\.json$/.test(path));
      const all = await Promise.all(manifests.map(async (path) => JSON.parse(await read(path))));
      const later = all.find(({ startedOn }) => startedOn >= from);
      if (later !== undefined) {
        const exported = await read(`${id}/${later.date}/relations.jsonl`);
        if (exported !== (await relationsOf(own!, id))) findings.push(`The export of ${id} differs from a fresh read.`);
        break;
      }
      if (Date.now() > until) {
        findings.push(`Administration ${id} has no export after ${timeout / 1000} seconds.`);
        break;
      }
      await sleep(500);
    }
  }
  return findings;
}

/** All relations of an administration, as lines of JSON. */
export async function relationsOf(own: NonNullable<Administrations['own']>, id: string): Promise<string> {
  const source = own.relations(id);
  const lines: string[] = [];
  for (;;) {
    const page = { Offset: lines.length, Limit: 200, Sorting: 'RelationGUID', SortDir: 'ASC' };
    const some = encodeEach(relation, await source.listrelations(readRequest('listrelations', page).request));
    if (some.length === 0) return lines.map((line) => `${line}\n`).join('');
    lines.push(...some);
  }
}
