import { describe, expect, it } from 'vitest';
import { pdf } from '../../../../testing/attachments/files.ts';
import { chair, chairs, DAY, FRIDAY, salesInvoices } from '../../../../testing/builtin/salesInvoices.ts';

const invoices = salesInvoices();

const monthly = {
  PeriodicInvoiceTemplate: true,
  Periodic_StartingDate: '31-12-2026',
  Periodic_Frequency: 1,
  Periodic_FrequencyUnit: 'Month',
};
const templates = () =>
  invoices.app.db
    .selectFrom('periodic_invoice')
    .where('administration_id', '=', invoices.shop.administrationId)
    .selectAll()
    .execute();
const listed = async () => (await invoices.shop.get('/rest/listsalesinvoices')).json;

describe('a periodic invoice template', () => {
  it('is returned, and neither listed nor booked, and changes no stock', async () => {
    await invoices.shop.addProject({ number: 12, name: 'Verbouwing' });
    expect(
      await invoices.make({
        ...monthly,
        InvoiceNotes: 'Huur',
        InvoiceReference: 'R',
        InvoiceDiscountPc: 10,
        InvoiceProject: '12',
      }),
    ).toMatchObject({
      InvoiceNumber: null,
      InvoiceDate: '31-12-2026',
      InvoiceDueDate: '',
      InvoiceNotes: 'Huur',
      InvoiceReference: 'R',
      CustomerNumber: 7,
      CustomerName: 'Bakkerij Jansen',
      ProjectName: 'Verbouwing',
      ProjectNumber: '12',
      InvoiceTotalExclTax: 22.5,
      InvoiceTaxAmount: 4.73,
      InvoiceTotalInclTax: 27.23,
      InvoiceOutstandingAmount: 0,
      InvoiceType: 'INVOICING',
      DiscountPc: 10,
      PeriodicInvoiceTemplate: true,
      Invoice_Contact: [{ ContactType: 'Invoice', LastName: 'de Jansen' }, { ContactType: 'PackingSlip' }],
      Invoice_Address: [
        { AddressType: 'BillingAddress', Address_Street: 'Coolsingel' },
        { AddressType: 'ShippingAddress' },
      ],
    });
    expect(await listed()).toEqual([]);
    expect(await invoices.shop.stockOf('0100')).toBe('10');
    expect((await invoices.make()).InvoiceNumber).toBe(1);
  });

  it('is stored with its whole schedule', async () => {
    await invoices.make({
      ...monthly,
      Periodic_EndDate: '31-12-2027',
      Periodic_Frequency: 2,
      Periodic_FrequencyUnit: 'WEEK',
      Periodic_AutomaticMailing: true,
      Periodic_ChangeDateTokensValue: 3,
      Periodic_ChangeDateTokensBeforeAfter: 'after',
      Periodic_SkipWeekends: true,
    });
    expect(await templates()).toMatchObject([
      {
        relation_id: invoices.shop.customer.id,
        starting_date: '2026-12-31',
        end_date: '2027-12-31',
        frequency: 2n,
        frequency_unit: 'Week',
        automatic_mailing: 1n,
        change_date_tokens: 3n,
        change_date_tokens_direction: 'After',
        skip_weekends: 1n,
        made: 0n,
      },
    ]);
  });

  it('that starts today makes its first invoice at once', async () => {
    const fields = { ...monthly, Periodic_StartingDate: '20-11-2026', InvoiceDueDays: 14 };
    expect(await invoices.make(fields)).toMatchObject({ InvoiceNumber: null, PeriodicInvoiceTemplate: true });
    expect(await listed()).toMatchObject([
      {
        InvoiceNumber: 1,
        InvoiceDate: '20-11-2026',
        InvoiceDueDate: '04-12-2026',
        PeriodicInvoiceTemplate: false,
        InvoiceTotalInclTax: 30.25,
      },
    ]);
    expect(await invoices.shop.stockOf('0100')).toBe('8');
    expect(await invoices.shop.journalOf({ salesInvoice: 1 })).toHaveLength(3);
    expect(await templates()).toMatchObject([{ made: 1n }]);
  });

  it.each([
    [true, 1n],
    [false, 0n],
  ])(
    'with automatic mailing %s makes invoices that are mailed accordingly',
    async (Periodic_AutomaticMailing, mailed) => {
      await invoices.make({
        ...monthly,
        Periodic_StartingDate: '20-11-2026',
        Periodic_AutomaticMailing,
        EmailToCustomer: !Periodic_AutomaticMailing,
      });
      expect((await invoices.shop.invoiceOf(1)).email_to_customer).toBe(mailed);
    },
  );

  it.each([
    ['a due date, as days after its start', { InvoiceDueDate: '14-01-2027' }, { InvoiceDueDays: 14 }],
    ['a due date on its start', { InvoiceDueDate: '31-12-2026' }, { InvoiceDueDays: 0 }],
    ['due days', { InvoiceDueDays: 30, InvoiceDueDate: '14-01-2027' }, { InvoiceDueDays: 30 }],
    ['none of these', { InvoiceDueDays: 0 }, {}],
  ])('stores the payment days of %s', async (_, fields, expected) => {
    await invoices.make({ ...monthly, ...fields });
    const { InvoiceDueDays, InvoiceDueDate } = JSON.parse((await templates())[0]!.request);
    expect({ InvoiceDueDays, InvoiceDueDate }).toEqual({ ...expected, InvoiceDueDate: undefined });
  });

  it('that starts today makes its first invoice with the requested number, due date and remittance', async () => {
    await invoices.changeShop('BE');
    const one = { InvoiceNumber: 50, InvoiceDueDate: '01-12-2026', OGM_Belgium: '+++010/8068/17183+++' };
    await invoices.make({ ...monthly, Periodic_StartingDate: '20-11-2026', InvoiceDate: '20-11-2026', ...one });
    expect(await listed()).toMatchObject([{ ...one, InvoiceDate: '20-11-2026' }]);
    const { InvoiceNumber, InvoiceDate, InvoiceDueDate, InvoiceDueDays, OGM_Belgium } = JSON.parse(
      (await templates())[0]!.request,
    );
    expect([InvoiceNumber, InvoiceDate, InvoiceDueDate, InvoiceDueDays, OGM_Belgium]).toEqual([
      undefined,
      undefined,
      undefined,
      11,
      undefined,
    ]);
  });

  it('accepts its starting date or today as the invoice date, as if it were left out', async () => {
    for (const InvoiceDate of ['31-12-2026', '20-11-2026', '']) {
      expect(await invoices.make({ ...monthly, InvoiceDate })).toMatchObject({ InvoiceDate: '31-12-2026' });
    }
    expect(await invoices.refused({ ...monthly, InvoiceDate: '30-12-2026' })).toEqual(['InvoiceDate']);
  });

  it('that skips weekends makes no invoice on a weekend day', async () => {
    invoices.app.setTime(FRIDAY + DAY);
    const saturday = { ...monthly, Periodic_StartingDate: '21-11-2026' };
    await invoices.make({ ...saturday, Periodic_SkipWeekends: true });
    expect(await listed()).toEqual([]);
    expect(await templates()).toMatchObject([{ made: 0n }]);
    await invoices.make(saturday);
    expect(await listed()).toHaveLength(1);
  });

  it('that starts earlier or later makes no invoice now', async () => {
    await invoices.make(monthly);
    await invoices.make({ ...monthly, Periodic_StartingDate: '19-11-2026' });
    expect(await listed()).toEqual([]);
    expect(await templates()).toMatchObject([{ made: 0n }, { made: 0n }]);
  });

  it('stores its attachments, and copies them to its first invoice', async () => {
    await invoices.make({
      ...monthly,
      Periodic_StartingDate: '20-11-2026',
      Invoice_Attachment: [{ FileContent: Buffer.from(pdf).toString('base64'), FileName: 'Bon.pdf' }],
    });
    expect(await invoices.shop.filesOf('template')).toMatchObject([{ name: 'Bon.pdf' }]);
    expect(await invoices.shop.filesOf({ salesInvoice: 1 })).toMatchObject([{ name: 'Bon.pdf' }]);
  });

  it('is returned with plain text for HtmlAsPlainText', async () => {
    expect(await invoices.make({ ...monthly, InvoiceNotes: '<b>Huur</b>', HtmlAsPlainText: true })).toMatchObject({
      InvoiceNotes: 'Huur',
    });
  });

  it('is an ordinary invoice without the flag, also with other periodic fields', async () => {
    expect(await invoices.make({ ...monthly, PeriodicInvoiceTemplate: false })).toMatchObject({ InvoiceNumber: 1 });
    expect(await templates()).toEqual([]);
  });
});

/** The errors of a refused request. */
const refusal = async (change: object): Promise<{ message: string }[]> =>
  (await invoices.shop.post('/rest/addsalesinvoice', { ...chairs, ...change })).json.errors;

describe('a faulty periodic invoice template', () => {
  it.each([
    ['no starting date', { Periodic_StartingDate: undefined }, 'Periodic_StartingDate'],
    ['no frequency', { Periodic_Frequency: undefined }, 'Periodic_Frequency'],
    ['a frequency of 0', { Periodic_Frequency: 0 }, 'Periodic_Frequency'],
    ['no unit', { Periodic_FrequencyUnit: '' }, 'Periodic_FrequencyUnit'],
    ['an unknown unit', { Periodic_FrequencyUnit: 'Quarter' }, 'Periodic_FrequencyUnit'],
    ['a due date before its start', { InvoiceDueDate: '30-12-2026' }, 'InvoiceDueDate'],
    ['an end before its start', { Periodic_EndDate: '30-12-2026' }, 'Periodic_EndDate'],
    [
      'an unknown direction of dates',
      { Periodic_ChangeDateTokensBeforeAfter: 'Later' },
      'Periodic_ChangeDateTokensBeforeAfter',
    ],
    ['a customer nobody is', { CustomerNumber: 99 }, 'CustomerNumber'],
    ['a project nobody has', { InvoiceProject: 'X' }, 'InvoiceProject'],
    [
      'an article nobody has',
      { Invoice_InvoiceLine: [{ ...chair, ProductNumber: 'X' }] },
      'Invoice_InvoiceLine[0].ProductNumber',
    ],
    [
      'an account nobody has',
      { Invoice_InvoiceLine: [{ ...chair, LedgerAccountNumber: 'X' }] },
      'Invoice_InvoiceLine[0].LedgerAccountNumber',
    ],
    [
      'two addresses of a type',
      { Invoice_Address: [{ Address_City: 'A' }, { Address_City: 'B' }] },
      'Invoice_Address[1].Address_Type',
    ],
    [
      'a file of a wrong type',
      { Invoice_Attachment: [{ FileContent: 'AAAA', FileName: 'a.pdf' }] },
      'Invoice_Attachment[0].FileContent',
    ],
  ])('with %s is refused', async (_, change, path) => {
    expect(await invoices.refused({ ...monthly, ...change })).toEqual([path]);
  });

  it('that starts more than a year before today is refused, with the first date that is not', async () => {
    expect(await refusal({ ...monthly, Periodic_StartingDate: '18-11-2025' })).toEqual([
      {
        path: 'Periodic_StartingDate',
        message: 'expected a date from 2025-11-19: a template starts at most a year before today, got 2025-11-18',
        code: 'TEMPLATE_STARTS_TOO_EARLY',
        params: { first: '2025-11-19', date: '2025-11-18' },
      },
    ]);
    await invoices.make({ ...monthly, Periodic_StartingDate: '19-11-2025' });
  });

  it.each([
    ['texts', { InvoiceNotes: 'x'.repeat(15_000) }, 'texts of at most 5000000 characters'],
    [
      'attachments',
      {
        Invoice_Attachment: [
          { FileName: 'a.pdf', FileContent: Buffer.concat([pdf, Buffer.alloc(800_000, ' ')]).toString('base64') },
        ],
      },
      'attachments of at most 250000000 bytes',
    ],
  ])('whose %s would be copied too often is refused, and an end makes it acceptable', async (_, change, quota) => {
    const daily = { ...monthly, Periodic_FrequencyUnit: 'Day', ...change };
    const errors = await refusal(daily);
    expect(errors).toMatchObject([{ path: 'PeriodicInvoiceTemplate', code: 'TEMPLATE_COPIES_TOO_MUCH' }]);
    expect(errors[0]!.message).toContain(quota);
    expect(errors[0]!.message).toContain('367 invoices');
    expect(await templates()).toEqual([]);
    await invoices.make({ ...daily, Periodic_EndDate: '31-03-2027' });
  });

  it('with a wrong structured remittance is refused at once, not when its invoice is made', async () => {
    await invoices.changeShop('BE');
    expect(await invoices.refused({ ...monthly, OGM_Belgium: '+++010/8068/17184+++' })).toEqual(['OGM_Belgium']);
  });

  it('that makes no invoice today is refused with an invoice number or a remittance', async () => {
    await invoices.changeShop('BE');
    expect(await invoices.refused({ ...monthly, InvoiceNumber: 50 })).toEqual(['InvoiceNumber']);
    expect(await invoices.refused({ ...monthly, OGM_Belgium: '010806817183' })).toEqual(['OGM_Belgium']);
    invoices.app.setTime(FRIDAY + DAY);
    const skipped = { ...monthly, Periodic_StartingDate: '21-11-2026', Periodic_SkipWeekends: true };
    expect(await invoices.refused({ ...skipped, InvoiceNumber: 50 })).toEqual(['InvoiceNumber']);
  });
});
