import { type FieldError, fieldError, type PartyDetail } from '../../../../shared/fieldErrors.ts';
import { Problem } from '../../../../shared/problem.ts';
import { exemptionReason } from '../eInvoice/vat.ts';
import { type Address, discountOf, type InvoiceDocument, isCredit } from '../invoiceDocument.ts';
import { ibanText, paymentText } from '../paymentText.ts';
import { amountText, dateText, moneyText, percentageText, type Words, words as wordsOf } from '../wording.ts';
import { drawArticleTable } from './articleTable.ts';
import { drawable } from './logo.ts';
import { GREY, LEFT, lineHeight, Pages, RIGHT } from './page.ts';
import { paymentQr, paymentQrText } from './paymentQr.ts';
import { printable, wrapText } from './textLines.ts';

const SMALL = 8;
const QR_SIZE = 92;

/** A file embedded in the PDF: the e-invoice. */
type Attached = { name: string; content: string };

/**
 * The PDF of an invoice or a credit note, as PDF/A-3. The same document gives the same bytes.
 * @throws Problem INVALID_REQUEST naming the settings that the administration lacks
 */
export async function invoicePdf(document: InvoiceDocument, eInvoice: Attached | null): Promise<Uint8Array> {
  checkIssuer(document);
  const words: Words = wordsOf[document.language];
  const title = titleOf(document, words);
  const date = new Date(`${document.date}T00:00:00Z`);
  const pages = new Pages({
    title: printable(`${title} ${document.number}`),
    author: printable(document.issuer.name),
    date,
    language: document.language,
  });
  drawIssuer(pages, document, words);
  drawAddresses(pages, document, words);
  drawFacts(pages, document, words, title);
  pages.heading = { height: CONTINUED_HEIGHT, draw: () => drawContinued(pages, document, title) };
  drawRich(pages, document.template.textBefore);
  drawArticleTable(pages, document, words);
  drawTotals(pages, document, words);
  drawPayment(pages, document, words);
  drawRich(pages, document.notes);
  drawRich(pages, document.template.textAfter);
  drawFooters(pages, document, words);
  if (eInvoice !== null) {
    pages.pdf.file(Buffer.from(eInvoice.content), {
      name: eInvoice.name,
      type: 'text/xml',
      description: 'Peppol BIS Billing 3.0',
      relationship: 'Alternative',
      creationDate: date,
      modifiedDate: date,
    } as PDFKit.Mixins.PDFAttachmentOptions);
  }
  return pages.bytes();
}

/** An invoice must contain the name, address and VAT number of its sender. */
function checkIssuer({ issuer }: InvoiceDocument): void {
  const errors: FieldError[] = [];
  const need = (value: string, path: string, detail: PartyDetail) => {
    if (value.trim() === '') errors.push(fieldError(path, 'REQUIRED_OF_PARTY', { party: 'issuer', detail }));
  };
  need(issuer.name, 'issuer.name', 'name');
  need(issuer.address.street, 'issuer.address.street', 'street');
  need(issuer.address.city, 'issuer.address.city', 'town');
  need(issuer.vatNumber, 'issuer.vatNumber', 'vatNumber');
  need(issuer.companyNumber, 'issuer.companyNumber', 'companyNumber');
  need(issuer.iban, 'issuer.iban', 'iban');
  if (errors.length === 0) return;
  const missing = errors.map(({ path }) => path).join(', ');
  throw new Problem('INVALID_REQUEST', `No PDF can be made: the administration lacks ${missing}.`, { errors });
}

function titleOf(document: InvoiceDocument, words: Words): string {
  const kind = isCredit(document) ? words.credit : words.invoice;
  return document.isDraft ? `${words.draft} ${kind.toLowerCase()}` : kind;
}

function drawIssuer(pages: Pages, { issuer, template }: InvoiceDocument, words: Words): void {
  const top = pages.y;
  const middle = 330;
  let left = top;
  if (template.logo !== null) {
    pages.pdf.image(drawable(template.logo), LEFT, top, { fit: [200, 64] });
    left = top + 68;
  } else {
    const name = wrapText(issuer.name, 'bold', middle - LEFT - 20, 15);
    left = pages.block(name, LEFT, top, { size: 15, color: template.color });
  }
  const facts = [
    issuer.name,
    ...addressLines(issuer.address),
    issuer.phone,
    issuer.email,
    withLabel(words.vatNumber, issuer.vatNumber),
    withLabel(companyNumberName(issuer.address.countryCode), issuer.companyNumber),
    withLabel('IBAN', ibanText(issuer.iban)),
    withLabel('BIC', issuer.bic),
  ].filter((fact) => fact.trim() !== '');
  const lines = facts.flatMap((fact) => wrapText(fact, 'regular', RIGHT - middle, SMALL));
  pages.y = Math.max(left, pages.block(lines, middle, top, { size: SMALL, color: GREY })) + 22;
}

const companyNumberName = (country: string): string => ({ NL: 'KvK', BE: 'KBO/BCE' })[country] ?? 'Nr.';
const withLabel = (label: string, value: string): string => (value.trim() === '' ? '' : `${label} ${value}`);

function addressLines(address: Address): string[] {
  const street = [address.street, address.unit, address.unitAppendix].filter(Boolean).join(' ');
  return [street, `${address.postalCode} ${address.city}`.trim(), address.countryCode].filter((line) => line !== '');
}

function drawAddresses(pages: Pages, { customer, delivery }: InvoiceDocument, words: Words): void {
  const middle = 330;
  const top = pages.y;
  const to = [customer.name, withLabel(words.attention, customer.contact), ...addressLines(customer.address)].filter(
    (line) => line.trim() !== '',
  );
  const lines = to.flatMap((line, index) => wrapText(line, index === 0 ? 'bold' : 'regular', middle - LEFT - 20, 10));
  let bottom = pages.block(lines, LEFT, top, { size: 10 });
  if (delivery !== null) {
    const shipping = [words.delivery, ...addressLines(delivery)].flatMap((line, index) =>
      wrapText(line, index === 0 ? 'bold' : 'regular', RIGHT - middle, 9),
    );
    bottom = Math.max(bottom, pages.block(shipping, middle, top, { size: 9 }));
  }
  pages.y = bottom + 24;
}

function drawFacts(pages: Pages, document: InvoiceDocument, words: Words, title: string): void {
  const { language, customer, project, dueDate } = document;
  pages.ensure(60);
  pages.at(title, LEFT, pages.y, { style: 'bold', size: 17, color: document.template.color });
  pages.y += lineHeight(17) + 4;
  const credit = isCredit(document);
  const facts: [string, string][] = [
    [credit ? words.creditNumber : words.number, document.number],
    [words.date, dateText(document.date, language)],
    [words.dueDate, credit || dueDate === null ? '' : dateText(dueDate, language)],
    [words.credited, credit ? document.credited : ''],
    [words.reference, document.reference],
    [words.project, project === null ? '' : [project.number, project.name].filter(Boolean).join(' ')],
    [words.customerNumber, customer.number],
    [words.customerVat, customer.vatNumber],
  ];
  for (const [label, value] of facts) {
    if (value.trim() === '') continue;
    const lines = wrapText(value, 'regular', RIGHT - LEFT - 125, 9);
    pages.ensure(lineHeight(9));
    pages.fitted(label, LEFT, pages.y, 120, 'left', { color: GREY });
    pages.lines(lines, LEFT + 125);
  }
  pages.y += 14;
}

const CONTINUED_HEIGHT = lineHeight(SMALL) + 16;

/** The head of each page but the first. */
function drawContinued(pages: Pages, document: InvoiceDocument, title: string): void {
  const date = dateText(document.date, document.language);
  pages.fitted(`${title} ${document.number}, ${date}`, LEFT, pages.y, 240, 'left', { style: 'bold', size: SMALL });
  const [customer] = wrapText(document.customer.name, 'regular', 240, SMALL);
  pages.line(customer!, RIGHT - customer!.width, pages.y, { size: SMALL, color: GREY });
  pages.rule(pages.y + CONTINUED_HEIGHT - 12);
  pages.y += CONTINUED_HEIGHT;
}

function drawRich(pages: Pages, html: string): void {
  if (html.trim() === '') return;
  pages.rich(html, LEFT, RIGHT - LEFT);
  pages.y += 10;
}

function drawTotals(pages: Pages, document: InvoiceDocument, words: Words): void {
  const { language, template } = document;
  const credit = isCredit(document);
  const sign = credit ? -1n : 1n;
  const { subtotal, discount } = discountOf(document);
  const rows: [string, bigint][] = [];
  if (document.discountPercentage !== 0n) {
    rows.push([words.subtotal, sign * subtotal]);
    rows.push([`${words.discount} ${percentageText(document.discountPercentage, language)}`, -sign * discount]);
  }
  rows.push([words.totalExcl, sign * document.excl]);
  for (const { rate, base, tax, taxCode } of document.vat) {
    const name = taxCode.replace(/^[\d.,]+%\s*-\s*/, '');
    const over = `${words.over} ${amountText(sign * base, language)}`;
    rows.push([`${words.vat} ${percentageText(rate, language)} ${over} (${name})`, sign * tax]);
  }
  const height = lineHeight(9) + 2;
  const from = 270;
  pages.ensure(Math.min(rows.length + 2, 30) * height);
  for (const [label, amount] of rows) {
    pages.ensure(height);
    pages.fitted(label, from, pages.y, RIGHT - from - 85, 'left');
    pages.fitted(amountText(amount, language), RIGHT - 80, pages.y, 80, 'right');
    pages.y += height;
  }
  pages.ensure(2 * height);
  pages.rule(pages.y + 1, { from, color: template.color, width: 1 });
  pages.y += 6;
  const bold = { style: 'bold', size: 11 } as const;
  pages.fitted(credit ? words.totalCredit : words.totalIncl, from, pages.y, RIGHT - from - 105, 'left', bold);
  pages.fitted(moneyText(sign * document.incl, language), RIGHT - 100, pages.y, 100, 'right', bold);
  pages.y += lineHeight(11) + 8;
  const reasons = new Set(document.vat.flatMap(({ category }) => exemptionReason(category)?.[language] ?? []));
  for (const reason of reasons) pages.paragraph(reason, LEFT, RIGHT - LEFT);
  pages.y += 8;
}

function drawPayment(pages: Pages, document: InvoiceDocument, words: Words): void {
  const text = paymentText(document);
  if (text === '') return;
  const qrText = paymentQrText(document);
  const lines = wrapText(text, 'regular', RIGHT - LEFT - (qrText === undefined ? 0 : QR_SIZE + 20), 9);
  if (qrText === undefined) {
    pages.lines(lines, LEFT);
    pages.y += 10;
    return;
  }
  // A text that is too long for the space beside the code continues below it.
  const beside = Math.floor(QR_SIZE / lineHeight(9));
  pages.ensure(QR_SIZE + lineHeight(SMALL) + 4);
  const top = pages.y;
  pages.block(lines.slice(0, beside), LEFT, top);
  drawQr(pages, qrText, RIGHT - QR_SIZE, top);
  pages.fitted(words.scan, RIGHT - QR_SIZE, top + QR_SIZE + 2, QR_SIZE, 'right', { size: SMALL, color: GREY });
  pages.y = top + QR_SIZE + lineHeight(SMALL) + 6;
  pages.lines(lines.slice(beside), LEFT);
  pages.y += 8;
}

function drawQr(pages: Pages, text: string, x: number, y: number): void {
  const code = paymentQr(text);
  const module = QR_SIZE / code.size;
  for (let row = 0; row < code.size; row++) {
    for (let column = 0; column < code.size; ) {
      const start = column;
      while (column < code.size && code.get(column, row)) column++;
      if (column > start) pages.pdf.rect(x + start * module, y + row * module, (column - start) * module, module);
      else column++;
    }
  }
  pages.pdf.fill('#000000');
}

function drawFooters(pages: Pages, { issuer }: InvoiceDocument, words: Words): void {
  const facts = [
    issuer.name,
    withLabel(words.vatNumber, issuer.vatNumber),
    withLabel(companyNumberName(issuer.address.countryCode), issuer.companyNumber),
  ].filter(Boolean);
  const small = { size: 7, color: GREY } as const;
  pages.footers((page, count, y) => {
    pages.rule(y - 6);
    pages.fitted(facts.join('  ·  '), LEFT, y, RIGHT - LEFT - 110, 'left', small);
    const text = words.page.replace('{page}', String(page)).replace('{pages}', String(count));
    pages.fitted(text, RIGHT - 100, y, 100, 'right', small);
  });
}
