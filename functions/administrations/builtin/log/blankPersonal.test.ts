import { describe, expect, it } from 'vitest';
import { booked, line, loggedShop, NOW } from '../../../../testing/builtin/loggedShop.ts';
import { blankingPersonal } from './blankPersonal.ts';

const log = loggedShop();

describe('personal values of a relation', () => {
  const secrets = [
    'Bakkerij Jansen',
    'info@jansen.example',
    'Coolsingel',
    'Rotterdam',
    'anna@jansen.example',
    'Verbouwing bij Anna',
  ];

  it('are separate in the log, and the chain stays valid when they are blanked', async () => {
    const { administrationId, customer } = log.shop;
    await log.shop.accepted('addsalesinvoice', {
      CustomerNumber: 7,
      InvoiceNotes: 'Verbouwing bij Anna',
      EmailToCustomer: true,
      Invoice_InvoiceLine: [line],
    });
    await log.shop.accepted('addorder', {
      CustomerNumber: 7,
      OrderNotes: 'Verbouwing bij Anna',
      Order_Orderline: [line],
    });
    await log.shop.accepted('addpurchasetransaction', {
      SupplierNumber: 3,
      Invoice_InvoiceLine: [{ ...booked, LedgerAccountNumber: '4000', TaxCode: log.shop.tax.purchaseHigh }],
    });
    const rest = JSON.stringify((await log.rows()).map(({ changes, subject }) => [changes, subject]));
    for (const secret of secrets) expect(rest).not.toContain(secret);
    const all = (await log.rows()).map(({ personal }) => personal).join();
    for (const secret of ['Bakkerij Jansen', 'Coolsingel', 'Verbouwing bij Anna']) expect(all).toContain(secret);

    const blanked = await log.added(() =>
      blankingPersonal(log.app.db, { administrationId, guid: customer.guid, now: BigInt(NOW) }, (trx) =>
        trx
          .updateTable('relation')
          .where('id', '=', customer.id)
          .set({ name: 'Anoniem', email: '', street: '', city: '' })
          .execute(),
      ),
    );
    expect(blanked).toMatchObject([{ action: 'anonymise', kind: 'relation', subject: String(customer.guid) }]);
    const left = (await log.rows()).map(({ personal, salt }) => personal + salt);
    for (const secret of secrets) expect(left.join()).not.toContain(secret);
    // Values of other relations stay.
    expect(left.join()).toContain('Molen De Hoop');
    expect(await log.problems()).toEqual([]);
  });

  it('cannot be removed without the command that anonymises', async () => {
    const { administrationId, customer } = log.shop;
    await log.shop.accepted('addsalesinvoice', { CustomerNumber: 7, Invoice_InvoiceLine: [line] });
    const { sequence } = (await log.rows()).at(-1)!;
    await log.app.db
      .updateTable('log')
      .where('administration_id', '=', administrationId)
      .where('sequence', '=', sequence)
      .set({ personal: '', salt: '' })
      .execute();
    expect(await log.problems()).toEqual([
      `Row ${sequence} of the log lost its personal values, and relation ${customer.guid} was not anonymised.`,
    ]);
  });
});
