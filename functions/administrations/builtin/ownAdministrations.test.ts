import { afterAll, beforeAll, expect, it } from 'vitest';
import { readRequest } from '../../../shared/readRequest.ts';
import { relation } from '../../../shared/resources/relation.ts';
import { encodeEach } from '../../../shared/wire/encode.ts';
import { startApp, type TestApp } from '../../../testing/app.ts';
import { ownAdministrations } from './ownAdministrations.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
  for (let number = 1; number <= 30; number++) {
    await app.addRelation({
      guid: BigInt(number * 10),
      name: `Relation ${number}`,
      changedOn: number % 3 === 0 ? 100 : 2000,
    });
  }
});
afterAll(() => app.close());

async function guidsFrom(from: bigint | undefined, query: object): Promise<number[]> {
  const { request } = readRequest('listrelations', { Sorting: 'RelationGUID', SortDir: 'ASC', ...query });
  const source = ownAdministrations(app.db, async () => app.administrationId).relations(String(app.administrationId));
  const texts = encodeEach(relation, await source.listrelations(request, from));
  return texts.map((text) => Number(JSON.parse(text).RelationGUID));
}

it('a page begins with the requested relation, wherever it is now', async () => {
  expect(await guidsFrom(280n, { Offset: 3 })).toEqual([280, 290, 300]);
  expect(await guidsFrom(281n, { Offset: 27 })).toEqual([290, 300]);
  expect(await guidsFrom(undefined, { Offset: 28 })).toEqual([290, 300]);
  expect(await guidsFrom(280n, { Offset: 3, ChangedSince: 1000 })).toEqual([280, 290]);
  expect(await guidsFrom(undefined, { Offset: 19, ChangedSince: 1000 })).toEqual([290]);
});
