import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { readRequest } from '../../../../shared/readRequest.ts';
import { loggedShop, NOW } from '../../../../testing/builtin/loggedShop.ts';
import { builtinAdministrations } from '../builtin.ts';
import { checkAdministration } from '../check/check.ts';
import { dialectOf } from '../sql/dialects/dialectOf.ts';
import { installTriggers, removeTriggers } from '../sql/logWriting/installTriggers.ts';

const log = loggedShop();

describe('the chain of the log', () => {
  /** Runs a statement as the owner of the database can: without the triggers. */
  async function tamper(statement: ReturnType<typeof sql>): Promise<void> {
    await removeTriggers(log.app.db, ({ table }) => table.startsWith('log'));
    await statement.execute(log.app.db);
    await installTriggers(log.app.db);
  }
  const write = async (times: number) => {
    for (let price = 1; price <= times; price++) {
      await log.shop.accepted('updateproduct', { ArticleNumber: '0100', NewSalePrice: price });
    }
    return (await log.rows()).at(-1)!.sequence;
  };

  it('is valid after any writes, and the check verifies it', async () => {
    await write(3);
    expect(await log.problems()).toEqual([]);
    const last = (await log.rows()).at(-1)!;
    await tamper(
      sql`update log set key_id = 99 where administration_id = ${log.shop.administrationId} and sequence = ${last.sequence}`,
    );
    const found = await Array.fromAsync(checkAdministration(log.app.db, log.shop.administrationId));
    expect(found).toContain(`Row ${last.sequence} of the log is not what was written, or follows one that is not.`);
  });

  it.each([
    'at',
    'origin',
    'key_id',
    'action',
    'kind',
    'subject',
    'relation_guid',
    'changes',
    'personal_digest',
    'hash',
  ])('names a row whose %s was altered', async (column) => {
    const last = await write(4);
    const altered = last - 2n;
    const value = ['at', 'key_id', 'relation_guid'].includes(column) ? sql`12345` : sql`'[]'`;
    await tamper(
      sql`update log set ${sql.ref(column)} = ${value} where administration_id = ${log.shop.administrationId} and sequence = ${altered}`,
    );
    const found = await log.problems();
    expect(found[0]).toBe(`Row ${altered} of the log is not what was written, or follows one that is not.`);
  });

  it('names rows that were removed, in the middle and at the end', async () => {
    const last = await write(5);
    const remove = (sequences: bigint[]) =>
      tamper(
        sql`delete from log where administration_id = ${log.shop.administrationId} and sequence in (${sql.join(sequences)})`,
      );
    await remove([last - 2n]);
    expect(await log.problems()).toEqual([`Row ${last - 2n} of the log was removed.`]);
    await remove([last, last - 1n]);
    expect(await log.problems()).toEqual([`Rows ${last - 2n} to ${last} of the log were removed.`]);
  });

  it('names a row that was inserted', async () => {
    const last = await write(2);
    await tamper(sql`insert into log (administration_id, sequence, at, origin, action, kind, subject, changes, hash)
      values (${log.shop.administrationId}, ${last + 1n}, 1, 'rest', 'x', 'product', '0100', '[]', 'abc')`);
    expect(await log.problems()).toEqual([
      `Row ${last + 1n} of the log is not what was written, or follows one that is not.`,
      `The log was ${last} rows long, and has rows to ${last + 1n}: somebody put them in.`,
    ]);
  });

  it('lets no statement change or remove a row', async () => {
    await write(1);
    const own = sql`where administration_id = ${log.shop.administrationId}`;
    for (const statement of [
      sql`update log set subject = 'x' ${own}`,
      sql`update log set personal = 'x' ${own}`,
      sql`delete from log ${own}`,
      sql`delete from log_head ${own}`,
    ]) {
      await expect(statement.execute(log.app.db)).rejects.toThrow('The log can only be added to.');
    }
    expect(await log.problems()).toEqual([]);
  });

  it('lets no statement move its end back, remove it or replace a row', async () => {
    await write(2);
    const { administrationId } = log.shop;
    const last = (await log.rows()).at(-1)!;
    const values = sql`(administration_id, sequence, at, origin, action, kind, subject, changes, hash)
      values (${administrationId}, ${last.sequence}, 1, 'rest', 'x', 'product', '0100', '[]', 'abc')`;
    for (const statement of [
      sql`update log_head set sequence = sequence - 1 where administration_id = ${administrationId}`,
      ...(dialectOf(log.app.db).name === 'sqlite'
        ? [
            sql`insert or replace into log ${values}`,
            sql`insert or replace into log_head (administration_id, sequence, hash) values (${administrationId}, 1, '')`,
          ]
        : [sql`truncate log_head`, sql`truncate log_change`]),
    ]) {
      await expect(statement.execute(log.app.db)).rejects.toThrow('The log can only be added to.');
    }
    expect(await log.problems()).toEqual([]);
  });

  it('names its missing end', async () => {
    await write(1);
    await tamper(sql`delete from log_head where administration_id = ${log.shop.administrationId}`);
    expect(await log.problems()).toEqual(['The end of the log is missing: somebody removed it.']);
  });

  it('stays valid when two instances write at the same time', async () => {
    const other = builtinAdministrations(log.app.db, { clock: () => NOW * 1000 });
    const theirs = await other.open(log.shop.credential);
    const before = (await log.rows()).length;
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        index % 2 === 0
          ? log.shop.accepted('updateproduct', { ArticleNumber: '0100', NewSalePrice: index + 1 })
          : theirs.updateproduct(
              readRequest('updateproduct', { ArticleNumber: '0200', NewSalePrice: index + 1 }).request as never,
            ),
      ),
    );
    expect((await log.rows()).length - before).toBe(20);
    expect(await log.problems()).toEqual([]);
  });
});
