import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deeper } from '../../../../testing/deep.ts';
import { customers, documentOf, invoiceDocuments, issuers } from '../../../../testing/documents/invoiceDocuments.ts';
import { type PdfText, pdfStreams, qrOf, readPdf } from '../../../../testing/documents/readPdf.ts';
import { eInvoice } from '../eInvoice/eInvoice.ts';
import { type InvoiceDocument, isCredit, type Language } from '../invoiceDocument.ts';
import { richText } from '../text/richText.ts';
import { invoicePdf } from './invoicePdf.ts';
import { visualText } from './visualOrder.ts';

const ONE = 10n ** 8n;
const tax = { taxCode: '21% - Hoog', category: 'S', rate: 21n * ONE } as const;
const line = (description: string, cents: bigint, quantity = 1n) => ({
  amount: {
    quantity: quantity * ONE,
    price: { kind: 'unit', excl: cents * 10n ** 6n } as const,
    discount: { kind: 'percentage', percentage: 0n } as const,
    taxCode: tax.taxCode,
    rate: tax.rate,
  },
  tax,
  description,
});

const belgian = (more: Partial<InvoiceDocument> = {}): InvoiceDocument => ({
  ...documentOf([line('Rozen', 1250n, 4n)], 0n, {
    issuer: issuers.BE,
    customer: customers.BE,
    ogm: '+++010/8068/17183+++',
  }),
  ...more,
});

/** An amount of cents as each language writes it, by hand. */
function amount(cents: bigint, language: Language): string {
  const [group, point] = { nl: ['.', ','], fr: [' ', ','], en: [',', '.'] }[language] as [string, string];
  const digits = String(cents < 0n ? -cents : cents).padStart(3, '0');
  const whole = digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, group);
  return `${cents < 0n ? '-' : ''}${whole}${point}${digits.slice(-2)}`;
}

/** Text without spaces: where lines break does not matter. */
const bare = (text: string): string => text.normalize('NFC').replace(/[\s\u00a0\u202f]/g, '');
const titles =
  'Omschrijving Aantal Prijs Korting Btw Bedrag Description Quantité Prix Remise TVA Montant Quantity Price Discount VAT Amount'.split(
    ' ',
  );

/** What every page says: its foot, and from the second on its head with the titles of the columns. */
const isRepeated = ({ page, baseline, text }: PdfText): boolean =>
  baseline < 50 || (page > 1 && (baseline > 842 - 66 || (baseline > 842 - 92 && titles.includes(text.trim()))));

const textOf = (texts: readonly PdfText[]): string => bare(texts.map(({ text }) => text).join(''));

/** Pairs of texts that cover each other, and texts outside the margins. */
function misplaced(texts: readonly PdfText[]): string[] {
  const outside = texts.filter(
    ({ x, width, baseline }) => x < 49.5 || x + width > 546.5 || baseline < 30 || baseline > 842 - 40,
  );
  const covering: string[] = [];
  for (const page of Map.groupBy(texts, ({ page }) => page).values()) {
    page.forEach((one, index) => {
      for (const other of page.slice(index + 1)) {
        // A letter's body, without the leading around it.
        const apart =
          one.x + one.width <= other.x + 0.6 ||
          other.x + other.width <= one.x + 0.6 ||
          one.baseline + 0.7 * one.size <= other.baseline - 0.15 * other.size ||
          other.baseline + 0.7 * other.size <= one.baseline - 0.15 * one.size;
        if (!apart) covering.push(`${one.text} | ${other.text}`);
      }
    });
  }
  return [...outside.map(({ text }) => `outside: ${text}`), ...covering];
}

describe('the PDF of an invoice', () => {
  it('contains everything on the invoice, in its order, for any invoice', async () => {
    await fc.assert(
      fc.asyncProperty(invoiceDocuments({ maxLines: 12 }), async (document) => {
        const { texts } = await readPdf(await invoicePdf(document, null));
        const text = textOf(texts.filter((one) => !isRepeated(one)));
        const { language, customer, notes } = document;
        const sign = isCredit(document) ? -1n : 1n;
        const title = { nl: ['Factuur', 'Creditnota'], fr: ['Facture', 'Notedecrédit'], en: ['Invoice', 'Creditnote'] }[
          language
        ][isCredit(document) ? 1 : 0]!;
        for (const part of [title, document.number, customer.name, customer.address.city, customer.vatNumber]) {
          expect(text).toContain(bare(part));
        }
        for (const { runs } of richText(notes)) expect(text).toContain(bare(runs.map(({ text }) => text).join('')));
        let at = 0;
        for (const one of document.lines) {
          const expected = one.kind === 'article' ? [bare(amount(sign * one.net, language))] : [];
          for (const { runs } of richText(one.description)) expected.push(bare(runs.map(({ text }) => text).join('')));
          for (const part of expected) {
            expect(text.slice(at)).toContain(part);
            at = text.indexOf(part, at);
          }
        }
        const sums = [document.excl, ...document.vat.flatMap(({ base, tax }) => [base, tax]), document.incl];
        for (const sum of sums) expect(text).toContain(bare(amount(sign * sum, language)));
      }),
      { numRuns: deeper(20, 80), endOnFailure: true },
    );
  });

  it('has no texts that overlap or leave the page', async () => {
    const long = fc.oneof(
      fc.string({ unit: fc.constantFrom('w', 'M', 'ő', ' '), minLength: 200, maxLength: 3000, size: 'max' }),
      fc.constant('W'.repeat(400)),
    );
    await fc.assert(
      fc.asyncProperty(invoiceDocuments({ maxLines: 75 }), long, long, async (document, first, second) => {
        const stretched: InvoiceDocument = {
          ...document,
          customer: { ...document.customer, name: first.slice(0, 300), contact: second.slice(0, 200) },
          issuer: { ...document.issuer, name: `X ${second.slice(0, 150)}` },
          notes: first,
          template: { ...document.template, textBefore: second, paymentText: `${second} {amount}` },
          lines: document.lines.map((one, index) => (index % 5 === 2 ? { ...one, description: first } : one)),
        };
        const { texts, pages } = await readPdf(await invoicePdf(stretched, null));
        expect(misplaced(texts)).toEqual([]);
        expect(texts.filter(({ text }) => bare(text).includes(`${pages}`)).length).toBeGreaterThan(0);
      }),
      { numRuns: deeper(6, 20), endOnFailure: true },
    );
  });

  it('repeats its heading and the column titles on each page, and numbers the pages', async () => {
    const lines = Array.from({ length: 75 }, (_, index) => line(`Artikel ${index + 1}`, 100n));
    const document = documentOf(lines, 0n, { issuer: issuers.NL, customer: customers.NL });
    const { texts, pages } = await readPdf(await invoicePdf(document, null));
    expect(pages).toBeGreaterThan(2);
    for (let page = 1; page <= pages; page++) {
      const text = textOf(texts.filter((one) => one.page === page));
      expect(text).toContain(`Pagina${page}van${pages}`);
      if (page > 1) expect(text).toContain('Factuur20260117,28-02-2026');
    }
    const titles = texts.filter(({ text }) => text.trim() === 'Omschrijving');
    expect(new Set(titles.map(({ page }) => page)).size).toBeGreaterThanOrEqual(pages - 1);
  });

  it('never splits a line over two pages, unless it is taller than a page', async () => {
    const numbered = (rows: number) => (index: number) => ({
      ...line(Array.from({ length: rows }, (_, row) => `d${index}r${row}`).join('<br>'), 100n),
    });
    for (const rows of [2, 7, 30]) {
      // Each count of lines before moves where the pages break.
      for (let before = 0; before <= Math.min(rows, 7); before++) {
        const lines = [
          ...Array.from({ length: before }, () => line('x', 100n)),
          ...Array.from({ length: 25 }, (_, i) => numbered(rows)(i)),
        ];
        const document = documentOf(lines, 0n, { issuer: issuers.NL, customer: customers.NL });
        const withNumbers = document.lines.map((one, index) =>
          one.kind === 'article' ? { ...one, productNumber: `n${index - before}e` } : one,
        );
        const { texts } = await readPdf(await invoicePdf({ ...document, lines: withNumbers }, null));
        const pagesOf = Map.groupBy(
          texts.filter(({ text }) => /^(d\d+r\d+|n\d+e)$/.test(text)),
          ({ text }) => /\d+/.exec(text)![0],
        );
        const split = [...pagesOf].filter(([, parts]) => new Set(parts.map(({ page }) => page)).size > 1);
        expect(split.map(([, parts]) => parts.map(({ page, text }) => `${text} on ${page}`))).toEqual([]);
      }
    }
  });

  it('leaves no article number alone on a page, even of a line taller than a page', async () => {
    for (let rows = 90; rows < 130; rows++) {
      const description = Array.from({ length: rows }, (_, row) => `row ${row}`).join('<br>');
      const document = documentOf([line(description, 100n)], 0n, { issuer: issuers.NL, customer: customers.NL });
      const lines = document.lines.map((one) => (one.kind === 'article' ? { ...one, productNumber: 'N-1' } : one));
      const { texts } = await readPdf(await invoicePdf({ ...document, lines }, null));
      const number = texts.find(({ text }) => text === 'N-1')!;
      expect(texts.find(({ text }) => text === `row ${rows - 1}`)).toMatchObject({ page: number.page });
    }
  });

  it('has the same bytes for the same invoice', async () => {
    const attached = { name: 'e.xml', content: eInvoice(belgian()) };
    const [one, other] = [await invoicePdf(belgian(), attached), await invoicePdf(belgian(), attached)];
    expect(Buffer.compare(one, other)).toBe(0);
  });

  it('of a credit is a credit note with positive amounts', async () => {
    const credit = documentOf([line('Rozen', 1250n, -4n)], 0n, { issuer: issuers.BE, customer: customers.BE });
    const text = textOf((await readPdf(await invoicePdf(credit, null))).texts);
    expect(text).toContain('Creditnota');
    expect(text).toContain('Totaaltegoed€60,50');
    expect(text).toContain('Betreftfactuur20260042');
  });

  it('leaves words in braces that are no placeholders in the text of the payment', async () => {
    const template = { ...belgian().template, paymentText: 'Betaal {amount} {bedrag} {toString} {__proto__}' };
    const text = textOf((await readPdf(await invoicePdf(belgian({ template }), null))).texts);
    expect(text).toContain('Betaal€60,50{bedrag}{toString}{__proto__}');
  });

  it('shows bold and italic texts of notes, and executes nothing in them', async () => {
    const notes = '<p>Dank <b>u</b> <i>zeer</i></p><script>alert(1)</script><img src="http://x/y.png">a &lt; b';
    const bytes = await invoicePdf(belgian({ notes }), null);
    const text = textOf((await readPdf(bytes)).texts);
    expect(text).toContain('Dankuzeera<b');
    expect(text).not.toContain('alert');
    expect(Buffer.from(bytes).toString('latin1')).not.toMatch(/\/(JavaScript|JS|URI|Launch|AA|OpenAction)\b/);
  });

  it('shows the numbers and bullets of list items that are paragraphs', async () => {
    const notes =
      '<ol start="3"><li><p>zaaien</p></li><li><p>water</p><p>geven</p></li></ol><ul><li>\n<p>snoei</p></li><li></li></ul><p>klaar</p>';
    const text = textOf((await readPdf(await invoicePdf(belgian({ notes }), null))).texts);
    expect(text).toContain('3.zaaien4.watergeven•snoeiklaar');
  });

  it('keeps the lines of preformatted text', async () => {
    const notes = '<p>Uren:\nmei</p><pre>ma 8\r\ndi <b>7</b>\n</pre><p>dank u</p>';
    const { texts } = await readPdf(await invoicePdf(belgian({ notes }), null));
    const startsLine = (word: string) => texts.find(({ text }) => text.startsWith(word))?.x;
    expect(['Uren: mei', 'ma 8', 'di', 'dank u'].map(startsLine)).toEqual([50, 50, 50, 50]);
  });

  it('keeps the cells of a row on one line, also where their texts are paragraphs, a list or a table', async () => {
    const notes =
      '<table><thead><tr><th><p>Post</p></th><th><p>Uren</p></th></tr></thead><tbody><tr><td>\n<p>snoeien</p>\n</td>' +
      '<td><ul><li>3</li></ul></td><td><table><tr><td>ma</td><td>di</td></tr></table></td></tr></tbody></table>' +
      '<table><tr><td><p>Groeten,</p><p>De Linde</p><ul><li>a</li><li>b</li></ul></td></tr></table><ul><li><p>af</p></li></ul>';
    const { texts } = await readPdf(await invoicePdf(belgian({ notes }), null));
    const lines = texts.map(({ text }) => text.trim());
    const first = lines.indexOf('Post | Uren');
    const expected = ['Post | Uren', 'snoeien | 3 | ma di', 'Groeten,', 'De Linde', '•', 'a', '•', 'b', '•', 'af'];
    expect(lines.slice(first, first + expected.length)).toEqual(expected);
  });

  it('keeps the lines of a text without tags that contains the sign <', async () => {
    const notes = 'Korting vanaf < 5 stuks\nVragen: Jan <jan@example.com>\r\nTot ziens';
    const { texts } = await readPdf(await invoicePdf(belgian({ notes }), null));
    const startsLine = (word: string) => texts.find(({ text }) => text.startsWith(word))?.x;
    expect(['Korting', 'Vragen', 'Tot ziens'].map(startsLine)).toEqual([50, 50, 50]);
  });

  it('is refused with the settings that the administration lacks', async () => {
    const issuer = { ...issuers.BE, vatNumber: '', iban: ' ' };
    await expect(invoicePdf(belgian({ issuer }), null)).rejects.toThrow('lacks issuer.vatNumber, issuer.iban');
  });

  it('has the right character for a letter that was part of another one before', async () => {
    const named = (name: string) => invoicePdf(belgian({ customer: { ...customers.BE, name }, language: 'en' }), null);
    await named('İstanbul');
    expect(textOf((await readPdf(await named('India'))).texts)).toContain('India');
  });

  it('of long texts has many pages', async () => {
    const notes = 'onderhoud van de binnentuin '.repeat(10_000);
    expect((await readPdf(await invoicePdf(belgian({ notes }), null))).pages).toBeGreaterThan(40);
  });

  it('shows characters that no font has as question marks', async () => {
    const customer = { ...customers.BE, name: 'Łódź 株式会社\u202e' };
    const text = textOf((await readPdf(await invoicePdf(belgian({ customer }), null))).texts);
    expect(text).toContain('Łódź????');
  });

  it('shows narrow spaces, other hyphens and emoji styles as texts of other programs hold them', async () => {
    const notes = 'Prix\u202f: 1\u202f234,56 €, e\u2011mail, half\u2010time, \u30001\u20122, ©\ufe0f';
    const { texts } = await readPdf(await invoicePdf(belgian({ notes }), null));
    expect(textOf(texts)).toContain('Prix:1234,56€,e-mail,half-time,1-2,©');
    // The narrow space keeps a figure on one line, as the wide one does.
    const figure = `${'n '.repeat(60)}1\u202f234\u202f567\u202f890,12`;
    const long = await readPdf(await invoicePdf(belgian({ notes: figure }), null));
    expect(long.texts.filter(({ text }) => bare(text) === '1234567890,12')).toHaveLength(1);
  });

  it('shows words of Hebrew from right to left, with their spaces, and figures between them as figures', async () => {
    const notes = '<b>שלום עולם</b><p>רחוב הרצל 12, ת.ד.123</p>';
    const customer = { ...customers.BE, name: 'שלום עולם' };
    // What reads the PDF turns what is written from right to left round again.
    const texts = (await readPdf(await invoicePdf(belgian({ notes, customer }), null))).texts.map(({ text }) => text);
    expect(texts.filter((text) => text === 'שלום עולם')).toHaveLength(2);
    expect(texts).toContain('רחוב הרצל 12, ת.ד.123');
  });

  it.each([
    ['ABC 12', 'ABC 12'],
    ['שלום', 'םולש'],
    ['אב גד', 'דג בא'],
    ['A אב גד B', 'A דג בא B'],
    // The first letter says from which side the line begins.
    ['אב AB 12 גד', 'דג AB 12 בא'],
    ['אב 12.50 גד', 'דג 12.50 בא'],
    ['AB אב 12%, 3-4', 'AB 3-4 ,12% בא'],
    ['אב (גד)!', '!(דג) בא'],
    ['A (אב)', 'A (בא)'],
    ['שָׁלוֹם', 'םוֹלשָׁ'],
  ])('has the characters of %s in the order %s', (text, seen) => {
    expect(visualText(text.normalize('NFC'))).toBe(seen.normalize('NFC'));
  });
});

describe('the QR code of a payment', () => {
  it('contains account, amount and remittance', async () => {
    const code = qrOf(await invoicePdf(belgian(), null));
    expect(code?.split('\n')).toEqual([
      'BCD',
      '002',
      '1',
      'SCT',
      'KREDBEBB',
      'Tuinhuis Vandeputte BV',
      'BE68539007547034',
      'EUR60.50',
      '',
      '',
      '+++010/8068/17183+++',
    ]);
  });

  it('of a Dutch customer contains the invoice number, and names of Central Europe', async () => {
    const document = belgian({ ogm: '', issuer: { ...issuers.NL, name: 'Łódź & Ğ' } });
    const code = qrOf(await invoicePdf(document, null))?.split('\n');
    expect(code?.slice(5, 8)).toEqual(['Łódź & Ğ', 'NL91ABNA0417164300', 'EUR60.50']);
    expect(code?.at(-1)).toBe('20260117');
  });

  it('is right for any amount', async () => {
    await fc.assert(
      fc.asyncProperty(fc.bigInt({ min: 1n, max: 9_999_999n }), async (cents) => {
        const document = documentOf([line('x', cents)], 0n, { issuer: issuers.BE, customer: customers.BE });
        const amount = qrOf(await invoicePdf(document, null))?.split('\n')[7];
        expect(amount).toBe(`EUR${document.incl / 100n}.${String(document.incl % 100n).padStart(2, '0')}`);
      }),
      { numRuns: deeper(8, 24) },
    );
  });

  it.each([
    ['a credit', documentOf([line('x', -100n)], 0n, { issuer: issuers.BE, customer: customers.BE })],
    ['a draft', belgian({ isDraft: true })],
    ['nothing to pay', documentOf([line('x', 0n)], 0n, { issuer: issuers.BE, customer: customers.BE })],
  ])('is left out of %s', async (_title, document) => {
    expect(qrOf(await invoicePdf(document, null))).toBeUndefined();
  });
});

describe('the PDF as PDF/A-3', () => {
  it('contains the e-invoice, as an alternative of its content', async () => {
    const content = eInvoice(belgian());
    const bytes = await invoicePdf(belgian(), { name: 'factuur-20260117.xml', content });
    const { attachments } = await readPdf(bytes);
    expect(attachments.map(({ filename }) => filename)).toEqual(['factuur-20260117.xml']);
    expect(Buffer.from(attachments[0]!.content).toString()).toBe(content);
    const pdf = Buffer.from(bytes).toString('latin1');
    expect(pdf).toMatch(/\/AFRelationship \/Alternative/);
    expect(pdf).toMatch(/\/AF \[/);
    expect(pdf).toMatch(/\/Subtype \/text#2Fxml/);
    expect(pdf).toMatch(/\/ModDate \(D:20260228000000Z\)/);
  });

  it('has its metadata, embedded fonts, an output intent and an identifier', async () => {
    const bytes = await invoicePdf(belgian(), null);
    const pdf = Buffer.from(bytes).toString('latin1');
    const streams = pdfStreams(bytes).join('\n');
    expect(streams).toMatch(/<pdfaid:part>3<\/pdfaid:part>\s*<pdfaid:conformance>B</);
    expect(pdf).toMatch(/^%PDF-1\.7\n%[\x80-\xff]{4}/);
    expect(pdf).toMatch(/\/S \/GTS_PDFA1/);
    expect(pdf).toMatch(/\/ID \[<[0-9a-f]+> <[0-9a-f]+>\]/);
    expect(pdf).not.toMatch(/\/Encrypt|\/Subtype \/Type1\b/);
    const fonts = [...pdf.matchAll(/\/Type \/FontDescriptor[\s\S]*?endobj/g)];
    expect(fonts.length).toBeGreaterThan(0);
    for (const [font] of fonts) expect(font).toMatch(/\/FontFile2 \d+ 0 R/);
    expect((await readPdf(bytes)).info).toMatchObject({ Title: 'Factuur 20260117', Language: 'nl' });
  });
});
