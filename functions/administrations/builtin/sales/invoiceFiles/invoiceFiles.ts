import { hash } from 'node:crypto';
import { setImmediate as otherWork, setTimeout as sleep } from 'node:timers/promises';
import { serialize } from 'node:v8';
import type { Compilable } from 'kysely';
import { Problem } from '../../../../../shared/problem.ts';
import type { InvoiceFiles } from '../../../administration.ts';
import type { InvoiceDocument } from '../../../invoiceDocuments/invoiceDocument.ts';
import { stillMade } from '../../../invoiceDocuments/thread/stillMade.ts';
import { dialectOf } from '../../sql/dialects/dialectOf.ts';
import type { EndpointContext, WarningContext } from '../../sql/endpointContext.ts';
import { invoiceDocuments } from './invoiceDocuments.ts';

/** The version of the layout: increase it to make stored PDFs again. */
const RENDERING = 5;

/** Invoices that are read at a time for their PDFs: each may have five megabytes of text. */
const BATCH = 3;
/** Milliseconds that a list waits for all its new PDFs, and a download for one. Later ones are stored when made. */
const LIST_BUDGET_MS = 10_000;
const FILE_BUDGET_MS = 20_000;
/** Milliseconds after which making a PDF was slow. */
const SLOW_MS = 1000;
/** Attempts, a second apart, to store what was made after its request ended, while others write. */
const STORE_ATTEMPTS = 30;

/** The PDF and the e-invoice of single invoices. */
export const invoiceFiles = (context: WarningContext): Pick<InvoiceFiles, 'pdf' | 'eInvoice'> => ({
  async pdf(number) {
    const { id, document } = await documentOf(context, number);
    const pdf = await inTime(invoicePdfFile(context, id, document), performance.now() + FILE_BUDGET_MS);
    if (pdf === undefined) throw stillMade(document.number);
    return pdf;
  },
  async eInvoice(number) {
    const { document } = await documentOf(context, number);
    return Buffer.from(await made(context, 'eInvoice', document)).toString();
  },
});

type ListedPdfs = {
  /** In base64, by the id of the invoice. */
  pdfs: Map<bigint, string>;
  /** The numbers of invoices whose PDFs are still made. */
  pending: string[];
};

/**
 * PDFs of invoices. An invoice whose PDF cannot be made is left out; the reason is logged.
 * @param budget milliseconds that new PDFs are waited for; later ones are stored when they are made
 */
export async function invoicePdfs(
  context: WarningContext,
  ids: readonly bigint[],
  budget = LIST_BUDGET_MS,
): Promise<ListedPdfs> {
  const deadline = performance.now() + budget;
  // Read before the invoices: what changes in between has their PDFs looked at again.
  const state = await stateOf(context);
  const stored = await storedPdfs(context, ids);
  const pdfs = new Map<bigint, string>();
  const pending: string[] = [];
  const add = (id: bigint, pdf: Uint8Array) => pdfs.set(id, Buffer.from(pdf).toString('base64'));
  for (const [id, { current_at, content }] of stored) if (content && current_at === state) add(id, content);
  const others = ids.filter((id) => !pdfs.has(id));
  const unchanged: bigint[] = [];
  for (let from = 0; from < others.length; from += BATCH) {
    for (const [id, document] of await invoiceDocuments(context, others.slice(from, from + BATCH))) {
      await otherWork();
      try {
        const pdf = await inTime(pdfOf(context, id, document, stored.get(id), state), deadline);
        if (pdf === undefined) pending.push(document.number);
        else add(id, pdf);
        if (pdf !== undefined && pdf === stored.get(id)?.content) unchanged.push(id);
      } catch (failure) {
        if (failure instanceof Problem && failure.code === 'UNAVAILABLE') pending.push(document.number);
        else
          context.warn(`No PDF of invoice ${document.number}: ${failure instanceof Error ? failure.message : failure}`);
      }
    }
  }
  if (state !== undefined && unchanged.length > 0) {
    const current = { current_at: state };
    await storeIfFree(
      context,
      context.db.updateTable('sales_invoice_pdf').where('sales_invoice_id', 'in', unchanged).set(current),
    );
  }
  return { pdfs, pending };
}

/** A result, or undefined when it takes longer; a failure after that is nobody's. */
async function inTime<T>(work: Promise<T>, deadline: number): Promise<T | undefined> {
  work.catch(() => {});
  const limit = new AbortController();
  const timer = sleep(Math.max(deadline - performance.now(), 0), undefined, { signal: limit.signal });
  timer.catch(() => {});
  try {
    return await Promise.race([work, timer]);
  } finally {
    limit.abort();
  }
}

/**
 * The state of an administration: the last row of its log. While it is the same, nothing that a PDF shows has changed.
 * @returns undefined when there are changes that have no row in the log yet
 */
async function stateOf({ db, administration }: EndpointContext): Promise<string | undefined> {
  const [head, change] = await Promise.all([
    db.selectFrom('log_head').where('administration_id', '=', administration.id).select('sequence').executeTakeFirst(),
    db.selectFrom('log_change').select('id').limit(1).executeTakeFirst(),
  ]);
  return change === undefined ? `${RENDERING}.${head?.sequence ?? 0}` : undefined;
}

/** A document, made in a thread of its own; what makes it is loaded when it is first needed. */
async function made(
  { administration, warn }: Pick<WarningContext, 'administration' | 'warn'>,
  kind: 'pdf' | 'eInvoice',
  document: InvoiceDocument,
  fingerprint = fingerprintOf(document),
): Promise<Uint8Array> {
  const { documents } = await import('../../../invoiceDocuments/thread/documentMaker.ts');
  const owner = String(administration.id);
  const { content, notes } = await documents.make({ kind, document }, owner, `${owner} ${kind} ${fingerprint}`);
  for (const note of notes) warn(note);
  return content;
}

async function documentOf(
  context: EndpointContext,
  number: bigint,
): Promise<{ id: bigint; document: InvoiceDocument }> {
  const found = await context.db
    .selectFrom('sales_invoice')
    .where('administration_id', '=', context.administration.id)
    .where('number', '=', number)
    .select('id')
    .executeTakeFirst();
  const document = found && (await invoiceDocuments(context, [found.id])).get(found.id);
  if (found === undefined || document === undefined) {
    throw new Problem('NOT_FOUND', `There is no sales invoice ${number}.`);
  }
  return { id: found.id, document };
}

/** The PDF of an invoice: the stored one, or a new one. */
export async function invoicePdfFile(
  context: WarningContext,
  id: bigint,
  document: InvoiceDocument,
): Promise<Uint8Array> {
  return pdfOf(context, id, document, (await storedPdfs(context, [id])).get(id));
}

type StoredPdf = { fingerprint: string; current_at: string; content: Uint8Array | null };

async function storedPdfs({ db }: EndpointContext, ids: readonly bigint[]): Promise<Map<bigint, StoredPdf>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom('sales_invoice_pdf').where('sales_invoice_id', 'in', ids).selectAll().execute();
  return new Map(rows.map((row) => [row.sales_invoice_id, row]));
}

/**
 * The stored PDF, or a new one, which is stored, when the invoice or its layout changed since.
 * @param state of the administration, read before the invoice; left out where it was not read
 */
async function pdfOf(
  context: WarningContext,
  id: bigint,
  document: InvoiceDocument,
  stored: StoredPdf | undefined,
  state = '',
): Promise<Uint8Array> {
  const fingerprint = fingerprintOf(document);
  if (stored?.content && stored.fingerprint === fingerprint) return stored.content;
  const begun = performance.now();
  const content = await made(context, 'pdf', document, fingerprint);
  const row = { fingerprint, current_at: state, content: Buffer.from(content), created_on: context.now() };
  /** @returns false while others write */
  const store = async () => {
    // The invoice may have changed meanwhile: personal data that was removed must not come back.
    const now = (await invoiceDocuments(context, [id])).get(id);
    if (now === undefined || fingerprintOf(now) !== fingerprint) return true;
    return storeIfFree(
      context,
      context.db
        .insertInto('sales_invoice_pdf')
        .values({ sales_invoice_id: id, ...row })
        .onConflict((conflict) => conflict.column('sales_invoice_id').doUpdateSet(row)),
    );
  };
  if (performance.now() - begun < SLOW_MS) await store();
  else {
    storeSlow(store).catch((failure) =>
      context.warn(`The PDF of invoice ${document.number} was not stored: ${failure}`),
    );
  }
  return content;
}

/** Stores what took long to make, and may be asked for again. */
async function storeSlow(store: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < STORE_ATTEMPTS; attempt++) {
    if (await store()) return;
    await sleep(1000, undefined, { ref: false });
  }
}

/** Stores something unless another transaction is writing: a reader does not wait, and a later request stores it. */
const storeIfFree = ({ db }: EndpointContext, query: Compilable): Promise<boolean> =>
  dialectOf(db).locks.executeIfFree(db, query.compile());

/** The e-invoice of an invoice as a file; none when Peppol cannot express it. @throws Problem UNAVAILABLE: ask later */
export async function eInvoiceFile(
  context: WarningContext,
  document: InvoiceDocument,
): Promise<{ name: string; content: Uint8Array } | null> {
  try {
    return { name: `${document.number}.xml`, content: await made(context, 'eInvoice', document) };
  } catch (failure) {
    if (failure instanceof Problem && failure.code === 'UNAVAILABLE') throw failure;
    if (!(failure instanceof Problem)) context.warn(`No e-invoice of invoice ${document.number}: ${failure}`);
    return null;
  }
}

/** Serialized by V8, which is fast. Another version of V8 may give other bytes: then the same PDF is made again. */
const fingerprintOf = (document: InvoiceDocument): string => hash('sha256', serialize([RENDERING, document]), 'hex');
