import { beforeEach, describe, expect, it } from 'vitest';
import { amountsOf, chair, chairs, salesInvoices } from '../../../../testing/builtin/salesInvoices.ts';
import { openShop } from '../../../../testing/shop.ts';
import { checkAdministration } from '../check/check.ts';

const invoices = salesInvoices();

describe('an invoice', () => {
  it('is returned without its lines, and listed with the same values', async () => {
    const invoice = await invoices.make();
    expect(invoice).toEqual({
      InvoiceNumber: 1,
      InvoiceDate: '20-11-2026',
      InvoiceDueDate: '',
      InvoiceNotes: '',
      InvoiceReference: '',
      PackingSlipNotes: '',
      CustomerNumber: 7,
      CustomerName: 'Bakkerij Jansen',
      ProjectName: '',
      ProjectNumber: '',
      InvoiceTotalExclTax: 25,
      InvoiceTotalInclTax: 30.25,
      InvoiceTaxAmount: 5.25,
      InvoiceOutstandingAmount: 30.25,
      InvoiceType: 'INVOICING',
      DiscountPc: 0,
      InvoiceIsSent: false,
      OGM_Belgium: '',
      PeriodicInvoiceTemplate: false,
      Invoice_Contact: ['Invoice', 'PackingSlip'].map((ContactType) => ({
        ContactType,
        FirstName: 'Anna',
        LastName: 'de Jansen',
        FamilyName: 'de Jansen',
        Phone: '010-1234567',
        Email: 'anna@jansen.example',
        Sex: 'Vrouw',
        ContactNotes: 'achterom',
        DefaultContact: true,
      })),
      Invoice_Address: ['BillingAddress', 'ShippingAddress'].map((AddressType) => ({
        Address_CountryCode: 'NL',
        Address_PostalCode: '3011 AD',
        Address_Street: 'Coolsingel',
        Address_Unit: '1',
        Address_City: 'Rotterdam',
        Address_UnitAppendix: 'a',
        AddressType,
      })),
    });
    const { Invoice_InvoiceLine, ...listed } = await invoices.shop.listed(1);
    expect(listed).toEqual(invoice);
    expect(Invoice_InvoiceLine).toEqual([
      {
        Description: 'Stoel',
        UnitPriceExclTax: 12.5,
        DiscountPc: 0,
        TextLineCategory: '',
        Quantity: 2,
        ProductNumber: '0100',
        ProductEAN: '8712345678906',
        SubTotalInclTaxExclDiscount: 30.25,
        SubTotalInclTax: 30.25,
        SubTotalExclTax: 25,
        LedgerAccountNumber: '8000',
        TaxPc: 21,
        TaxCode: '21% - Hoog',
        CostCenter: '',
        IsTextLine: false,
        DeliveryDate: '',
        Warehouse: '',
        Shelf: '',
        Batch: '',
        PurchaseClassification: '',
        UseArticlePrice: false,
      },
    ]);
  });

  it('is stored with the date, the notes, the reference and the packing slip notes of the request', async () => {
    expect(
      await invoices.make({
        InvoiceDate: '29-02-2024',
        InvoiceNotes: '<b>Bedankt</b>',
        InvoiceReference: 'Uw order 12',
        PackingSlipNotes: 'Breekbaar',
      }),
    ).toMatchObject({
      InvoiceDate: '29-02-2024',
      InvoiceNotes: '<b>Bedankt</b>',
      InvoiceReference: 'Uw order 12',
      PackingSlipNotes: 'Breekbaar',
    });
  });

  it('has the date of the Dutch time zone, not that of UTC', async () => {
    invoices.app.setTime(Date.UTC(2026, 5, 30, 22, 30) / 1000);
    expect((await invoices.make()).InvoiceDate).toBe('01-07-2026');
  });

  it('is booked: the customer owes the total, revenue per account, tax per code', async () => {
    await invoices.make({
      Invoice_InvoiceLine: [
        chair,
        { ...chair, Quantity: 1, LedgerAccountNumber: '8010' },
        { ProductNumber: '0200', Quantity: 1, UnitPriceExclTax: '100' },
        { ...chair, Quantity: 4 },
      ],
    });
    expect(await invoices.shop.journalOf({ salesInvoice: 1 })).toEqual([
      // 7 chairs of 12.50 with 21%: 18.375, and bread with 9%: 9.
      { account: '1300', amount: '214.88', taxCode: '' },
      { account: '8000', amount: '-175.00', taxCode: '' },
      { account: '8010', amount: '-12.50', taxCode: '' },
      { account: '1500', amount: '-18.38', taxCode: '21% - Hoog' },
      { account: '1500', amount: '-9.00', taxCode: '9% - Laag' },
    ]);
  });

  it('takes its products out of stock, line by line', async () => {
    await invoices.make({ Invoice_InvoiceLine: [chair, { ...chair, Quantity: '0.5' }, { ...chair, Quantity: 0 }] });
    expect(await invoices.shop.mutationsOf('0100')).toEqual([
      { quantity: '10', cause: 'import', comment: '', purchasePrice: null },
      { quantity: '-2', cause: 'invoice', comment: '', purchasePrice: null },
      { quantity: '-0.5', cause: 'invoice', comment: '', purchasePrice: null },
    ]);
    expect(await invoices.shop.stockOf('0100')).toBe('7.5');
  });

  it('may sell more than the stock', async () => {
    await invoices.make({ Invoice_InvoiceLine: [{ ...chair, Quantity: 25 }] });
    expect(await invoices.shop.stockOf('0100')).toBe('-15');
  });

  it('with negative quantities is a credit: totals, journal and stock are reversed', async () => {
    expect(amountsOf(await invoices.make({ Invoice_InvoiceLine: [{ ...chair, Quantity: -2 }] }))).toEqual([
      -25, -5.25, -30.25,
    ]);
    expect(await invoices.shop.stockOf('0100')).toBe('12');
    expect(await invoices.shop.journalOf({ salesInvoice: 1 })).toEqual([
      { account: '1300', amount: '-30.25', taxCode: '' },
      { account: '8000', amount: '25.00', taxCode: '' },
      { account: '1500', amount: '5.25', taxCode: '21% - Hoog' },
    ]);
  });

  it('with only quantities of 0 is booked without amounts', async () => {
    expect(amountsOf(await invoices.make({ Invoice_InvoiceLine: [{ ...chair, Quantity: 0 }] }))).toEqual([0, 0, 0]);
    expect(await invoices.shop.journalOf({ salesInvoice: 1 })).toEqual([]);
    expect(await Array.fromAsync(checkAdministration(invoices.app.db, invoices.shop.administrationId))).toEqual([]);
  });

  it('stores whether to mail it, and its templates, and is not marked as sent by that', async () => {
    const invoice = await invoices.make({
      EmailToCustomer: true,
      TemplateName_Invoice: 'Kerst',
      TemplateName_Email: 'Warm',
    });
    expect(invoice.InvoiceIsSent).toBe(false);
    expect(await invoices.shop.invoiceOf(invoice.InvoiceNumber)).toMatchObject({
      email_to_customer: 1n,
      template_invoice: 'Kerst',
      template_email: 'Warm',
    });
    expect(await invoices.shop.invoiceOf((await invoices.make()).InvoiceNumber)).toMatchObject({
      email_to_customer: 0n,
      template_invoice: '',
      template_email: '',
    });
  });
});

describe('a draft', () => {
  it('is numbered, listed and taken out of stock, and not booked', async () => {
    const draft = await invoices.make({ AddAsDraft: true });
    expect(draft).toMatchObject({ InvoiceNumber: 1, InvoiceTotalInclTax: 30.25, InvoiceOutstandingAmount: 30.25 });
    expect(await invoices.shop.listed(1)).toMatchObject(draft);
    expect(await invoices.shop.stockOf('0100')).toBe('8');
    expect(await invoices.shop.journalOf({ salesInvoice: 1 })).toEqual([]);
    expect((await invoices.shop.invoiceOf(1)).is_draft).toBe(1n);
    expect((await invoices.make()).InvoiceNumber).toBe(2);
    expect((await invoices.shop.invoiceOf(2)).is_draft).toBe(0n);
  });
});

describe('the number of an invoice', () => {
  it('is the next one, or the requested one', async () => {
    expect((await invoices.make()).InvoiceNumber).toBe(1);
    expect((await invoices.make({ InvoiceNumber: 20260100 })).InvoiceNumber).toBe(20260100);
    expect((await invoices.make()).InvoiceNumber).toBe(20260101);
    expect((await invoices.make({ InvoiceNumber: '50' })).InvoiceNumber).toBe(50);
    expect((await invoices.make({ InvoiceNumber: '' })).InvoiceNumber).toBe(20260102);
  });

  it('is refused when another invoice has it: one of either module, or a draft', async () => {
    await invoices.make({ InvoiceNumber: 5 });
    await invoices.shop.addInvoice({ number: 6n, module: 'BOOKKEEPING' });
    await invoices.make({ InvoiceNumber: 7, AddAsDraft: true });
    for (const InvoiceNumber of [5, 6, 7]) expect(await invoices.refused({ InvoiceNumber })).toEqual(['InvoiceNumber']);
  });

  it('may be that of an invoice of another administration', async () => {
    await invoices.make({ InvoiceNumber: 5 });
    const other = await openShop(invoices.app);
    expect((await other.accepted('addsalesinvoice', { ...chairs, InvoiceNumber: 5 })).InvoiceNumber).toBe(5);
  });

  it('may be larger than a JavaScript number can represent', async () => {
    const { text } = await invoices.shop.post('/rest/addsalesinvoice', {
      ...chairs,
      InvoiceNumber: '123456789012345678',
    });
    expect(text).toContain('"InvoiceNumber":123456789012345678,');
  });

  it.each([0, -1, '1.5', 'A1', '9223372036854775808'])('is refused when it is %s', async (InvoiceNumber) => {
    expect(await invoices.refused({ InvoiceNumber })).toEqual(['InvoiceNumber']);
  });

  it('is refused when no number could follow it', async () => {
    expect(await invoices.refused({ InvoiceNumber: '9223372036854775807' })).toEqual(['InvoiceNumber']);
    expect((await invoices.make()).InvoiceNumber).toBe(1);
  });
});

describe('the due date of an invoice', () => {
  it.each([
    ['not at all, unless it is said', {}, ''],
    ['on the date given', { InvoiceDueDate: '05-12-2026' }, '05-12-2026'],
    ['so many days after the invoice date', { InvoiceDate: '28-02-2024', InvoiceDueDays: 2 }, '01-03-2024'],
    ['days go before a date', { InvoiceDueDays: '14', InvoiceDueDate: '01-01-2030' }, '04-12-2026'],
    ['days go before what is no date at all', { InvoiceDueDays: 14, InvoiceDueDate: '00-00-0000' }, '04-12-2026'],
    ['0 days count as none', { InvoiceDueDays: 0, InvoiceDueDate: '01-01-2030' }, '01-01-2030'],
    ['no days count as none', { InvoiceDueDays: '', InvoiceDueDate: '01-01-2030' }, '01-01-2030'],
  ])('is right for %s', async (_, fields, due) => {
    expect((await invoices.make(fields)).InvoiceDueDate).toBe(due);
  });

  it.each([
    [{ InvoiceDueDays: -1 }, 'InvoiceDueDays'],
    [{ InvoiceDueDays: '1.5' }, 'InvoiceDueDays'],
    [{ InvoiceDate: '31-12-9999', InvoiceDueDays: 1 }, 'InvoiceDueDays'],
    [{ InvoiceDueDate: '31-02-2026' }, 'InvoiceDueDate'],
    [{ InvoiceDueDate: '2026-12-01' }, 'InvoiceDueDate'],
    [{ InvoiceDueDays: 0, InvoiceDueDate: '00-00-0000' }, 'InvoiceDueDate'],
    [{ InvoiceDate: '2026-01-01' }, 'InvoiceDate'],
  ])('is refused for %j', async (fields, path) => {
    expect(await invoices.refused(fields)).toEqual([path]);
  });
});

describe('the reference of an invoice', () => {
  it('has at most 150 characters, an emoji counting as one', async () => {
    expect((await invoices.make({ InvoiceReference: '😀'.repeat(150) })).InvoiceReference).toBe('😀'.repeat(150));
    expect(await invoices.refused({ InvoiceReference: 'a'.repeat(151) })).toEqual(['InvoiceReference']);
  });
});

describe('the structured remittance', () => {
  beforeEach(async () => {
    await invoices.changeShop('BE');
    await invoices.shop.addRelation({ name: 'Hollander', customerNumber: 8, row: { country_code: 'NL' } });
  });

  it('is made from the number for a Belgian customer when the request has none', async () => {
    expect(await invoices.make({ InvoiceNumber: 108068171 })).toMatchObject({ OGM_Belgium: '+++010/8068/17183+++' });
    expect(await invoices.make({ InvoiceNumber: 97, OGM_Belgium: '' })).toMatchObject({
      OGM_Belgium: '+++000/0000/09797+++',
    });
  });

  it('is that of the request, in its usual notation', async () => {
    for (const OGM_Belgium of ['+++010/8068/17183+++', '010806817183', '***010/8068/17183***']) {
      expect(await invoices.make({ OGM_Belgium })).toMatchObject({ OGM_Belgium: '+++010/8068/17183+++' });
    }
  });

  it.each(['+++010/8068/17184+++', '123', 'dank u'])('is refused when it is wrong: %s', async (OGM_Belgium) => {
    expect(await invoices.refused({ OGM_Belgium })).toEqual(['OGM_Belgium']);
  });

  it('is left out for customers in other countries', async () => {
    for (const OGM_Belgium of ['+++010/8068/17183+++', '', undefined]) {
      expect(await invoices.make({ CustomerNumber: 8, OGM_Belgium })).toMatchObject({ OGM_Belgium: '' });
    }
  });
});

describe('rich text', () => {
  const rich = { InvoiceNotes: '<p>Dank &amp; <b>groet</b></p>', PackingSlipNotes: 'Let<br>op' };

  it('is returned unchanged, or as plain text for HtmlAsPlainText', async () => {
    expect(await invoices.make(rich)).toMatchObject(rich);
    expect(await invoices.make({ ...rich, HtmlAsPlainText: true })).toMatchObject({
      InvoiceNotes: 'Dank & groet',
      PackingSlipNotes: 'Let\nop',
    });
  });

  it('is stored unchanged, also with HtmlAsPlainText', async () => {
    expect(await invoices.made({ ...rich, HtmlAsPlainText: true })).toMatchObject(rich);
  });
});
