import fc from 'fast-check';
import {
  type Address,
  type ArticleLine,
  type Customer,
  DEFAULT_COLOR,
  type InvoiceDocument,
  type Issuer,
  type TextLine,
  type VatCategory,
  vatTotals,
  withNet,
} from '../../functions/administrations/invoiceDocuments/invoiceDocument.ts';
import { type AmountLine, documentTotals } from '../../shared/documentTotals.ts';

/* Invoices of every kind. Their totals are computed as for the journal. */

const ONE = 10n ** 8n;

const address = (countryCode: string, more: Partial<Address> = {}): Address => ({
  street: 'Kerkstraat',
  unit: '12',
  unitAppendix: 'A',
  postalCode: '1017 GC',
  city: 'Amsterdam',
  countryCode,
  ...more,
});

export const issuers: { NL: Issuer; BE: Issuer } = {
  NL: {
    name: 'Bloemenhuis De Linde B.V.',
    address: address('NL'),
    vatNumber: 'NL004495445B01',
    companyNumber: '34117864',
    iban: 'NL91 ABNA 0417 1643 00',
    bic: 'ABNANL2A',
    email: 'administratie@delinde.example',
    phone: '+31 20 555 01 23',
  },
  BE: {
    name: 'Tuinhuis Vandeputte BV',
    address: address('BE', { street: 'Veldstraat', unit: '45', unitAppendix: '', postalCode: '9000', city: 'Gent' }),
    vatNumber: 'BE0417497106',
    companyNumber: '0417.497.106',
    iban: 'BE68 5390 0754 7034',
    bic: 'KREDBEBB',
    email: 'boekhouding@vandeputte.example',
    phone: '+32 9 555 01 23',
  },
};

const customer = (
  name: string,
  vatNumber: string,
  registrationNumber: string,
  countryCode: string,
  more: Partial<Address> = {},
): Customer => ({
  name,
  number: '1042',
  isBusiness: true,
  contact: 'Zoë Müller',
  email: 'inkoop@klant.example',
  address: address(countryCode, { postalCode: '8000', city: 'Zürich-Wiedikon', ...more }),
  vatNumber,
  registrationNumber,
});

export const customers = {
  NL: customer('Jansen & Zonen', 'NL002065538B68', '12345678', 'NL'),
  NLByVat: customer('Eenmanszaak Yılmaz', 'NL123456789B13', '', 'NL'),
  BE: customer('Brouwerij Łódź NV', 'BE0403170701', '0403170701', 'BE'),
  BEByVat: customer('Été & Fils SRL', '0403.170.701', '', 'BE'),
  DE: customer('Müller & Söhne GmbH', 'DE136695976', 'HRB 12345', 'DE'),
  FR: customer("L'Atelier de Noël SARL", 'FR40303265045', '303265045', 'FR'),
  GB: customer('Smith & Co Ltd', 'GB980780684', '', 'GB'),
} as const;

const homeTaxes = [
  { taxCode: '21% - Hoog', category: 'S', rate: 21n * ONE },
  { taxCode: '9% - Laag', category: 'S', rate: 9n * ONE },
  { taxCode: '21% - Privégebruik', category: 'S', rate: 21n * ONE },
  { taxCode: '5.5% - Eigen', category: 'S', rate: (55n * ONE) / 10n },
  { taxCode: '0% - Nultarief', category: 'Z', rate: 0n },
  { taxCode: '0% - Vrijgesteld', category: 'E', rate: 0n },
  { taxCode: '0% - Verlegd', category: 'AE', rate: 0n },
] as const;
const euTaxes = [
  { taxCode: '0% - Goederen naar EU-landen', category: 'K', rate: 0n },
  { taxCode: '0% - Diensten naar EU-landen', category: 'AE', rate: 0n },
  { taxCode: '21% - Hoog', category: 'S', rate: 21n * ONE },
] as const;
const exportTaxes = [{ taxCode: '0% - Export', category: 'G', rate: 0n }] as const;
const outsideTaxes = [{ taxCode: '0% - Buiten de btw', category: 'O', rate: 0n }] as const;

type Tax = { taxCode: string; category: VatCategory; rate: bigint };

const situations: readonly { customer: Customer; taxes: readonly Tax[] }[] = [
  ...[customers.NL, customers.NLByVat, customers.BE, customers.BEByVat].map((one) => ({
    customer: one as Customer,
    taxes: homeTaxes,
  })),
  ...[customers.DE, customers.FR].map((one) => ({ customer: one as Customer, taxes: euTaxes })),
  { customer: customers.GB, taxes: exportTaxes },
  { customer: customers.NL, taxes: outsideTaxes },
  { customer: customers.BE, taxes: outsideTaxes },
];

const decimal8 = (min: bigint, max: bigint, step = 1n) =>
  fc.bigInt({ min: min / step, max: max / step }).map((n) => n * step);

/** Prices and quantities of people and of programs. */
const price = fc.oneof(decimal8(0n, 1000n * ONE, ONE / 100n), decimal8(-50n * ONE, 5000n * ONE));
const quantity = fc.oneof(
  { weight: 6, arbitrary: decimal8(1n * ONE, 40n * ONE, ONE) },
  { weight: 2, arbitrary: decimal8(-10n * ONE, 100n * ONE, ONE / 4n) },
  { weight: 1, arbitrary: decimal8(-3n * ONE, 20_000n * ONE) },
);
const percentage = fc.oneof(
  { weight: 3, arbitrary: fc.constant(0n) },
  { weight: 2, arbitrary: decimal8(0n, 100n * ONE, ONE / 2n) },
  { weight: 1, arbitrary: decimal8(0n, 100n * ONE) },
);

/** Characters of Western and Central Europe, and those with a meaning in XML and HTML. */
const letters = [...'aeiouAEIOUbcdfgklmnprstvz  éèëêçñöüßøåæłńśźżąęčďěňřšťůžőűăâîșțğıİ&<>"\'-.,0123456789€'];
const wordsText = (maxLength: number) => fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength });

type Amount = { amount: AmountLine; tax: Tax; description: string };

const articleLine = (taxes: readonly Tax[]): fc.Arbitrary<Amount> =>
  fc
    .record({
      tax: fc.constantFrom(...taxes),
      quantity,
      price: fc.oneof(
        { weight: 3, arbitrary: price.map((excl) => ({ kind: 'unit' as const, excl })) },
        {
          weight: 1,
          arbitrary: fc.bigInt({ min: -20_000n, max: 1_000_000n }).map((incl) => ({ kind: 'line' as const, incl })),
        },
      ),
      discount: percentage,
      description: fc.oneof(wordsText(60), fc.constant('<p>Rode <b>rozen</b><br>lang &amp; kort</p>')),
    })
    .map(({ tax, quantity, price, discount, description }) => ({
      amount: {
        quantity,
        price,
        discount: { kind: 'percentage' as const, percentage: discount },
        taxCode: tax.taxCode,
        rate: tax.rate,
      },
      tax,
      description,
    }));

const textLine: fc.Arbitrary<TextLine> = fc.record({
  kind: fc.constant('text' as const),
  category: fc.constantFrom('Default', 'Kop'),
  description: wordsText(80),
});

/** The document of an invoice with these lines. */
export function documentOf(
  lines: readonly (Amount | TextLine)[],
  discountPercentage: bigint,
  rest: Pick<InvoiceDocument, 'issuer' | 'customer'> & Partial<InvoiceDocument>,
): InvoiceDocument {
  const amounts = lines.filter((line) => 'amount' in line);
  const totals = documentTotals(
    amounts.map(({ amount }) => amount),
    discountPercentage,
  );
  const articles = amounts.map(({ amount, tax, description }, index): Omit<ArticleLine, 'net'> => {
    const line = totals.lines[index]!;
    return {
      kind: 'article',
      description,
      productNumber: `A-${100 + index}`,
      ean: index % 3 === 0 ? '8710398500106' : '',
      quantity: amount.quantity,
      unit: ['stuk', 'uur', '', 'bos', 'KGM'][index % 5]!,
      unitPrice: line.unitPriceExcl,
      discountPercentage: line.discountPercentage,
      ...tax,
      excl: line.excl,
      tax: line.tax,
      deliveryDate: null,
    };
  });
  const whole = articles.map((article) => withNet(article, discountPercentage));
  const next = whole.values();
  return {
    number: '20260117',
    isDraft: false,
    date: '2026-02-28',
    dueDate: '2026-03-30',
    reference: 'PO 4711',
    credited: '20260042',
    project: null,
    delivery: null,
    ogm: '',
    notes: '',
    language: 'nl',
    template: { color: DEFAULT_COLOR, logo: null, textBefore: '', textAfter: '', paymentText: '' },
    ...rest,
    lines: lines.map((line) => ('amount' in line ? next.next().value! : line)),
    discountPercentage,
    vat: vatTotals(whole),
    excl: totals.excl,
    tax: totals.tax,
    incl: totals.incl,
  };
}

/** Any invoice that can be an e-invoice. @param maxLines without text lines */
export const invoiceDocuments = ({ maxLines = 8 } = {}): fc.Arbitrary<InvoiceDocument> =>
  fc
    .record({ situation: fc.constantFrom(...situations), country: fc.constantFrom('NL', 'BE') })
    .chain(({ situation, country }) =>
      fc
        .record({
          lines: fc.array(articleLine(situation.taxes), { minLength: 1, maxLength: maxLines, size: 'max' }),
          texts: fc.array(fc.record({ at: fc.nat(maxLines), line: textLine }), { maxLength: 3 }),
          discount: percentage,
          reference: fc.oneof(fc.constant(''), wordsText(30)),
          notes: fc.oneof(fc.constant(''), wordsText(200), fc.constant('<ul><li>een</li><li>twee</li></ul>')),
          dueDate: fc.constantFrom(null, '2026-03-30', '2026-02-28'),
          language: fc.constantFrom('nl', 'fr', 'en'),
          project: fc.constantFrom(null, { number: '501', name: 'Binnentuin' }),
          delivery: fc.constantFrom(null, address(situation.customer.address.countryCode, { city: 'Gdańsk' })),
          name: wordsText(50).filter((name) => name.trim() !== ''),
        })
        .map(({ lines, texts, discount, reference, notes, dueDate, language, project, delivery, name }) => {
          const all: (Amount | TextLine)[] = [...lines];
          for (const { at, line } of texts) all.splice(Math.min(at, all.length), 0, line);
          return documentOf(all, discount, {
            issuer: issuers[country],
            customer: { ...situation.customer, name },
            reference,
            notes,
            dueDate,
            language,
            project,
            delivery,
            ogm: situation.customer.address.countryCode === 'BE' ? '+++010/8068/17183+++' : '',
          });
        }),
    );
