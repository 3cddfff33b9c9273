import { setTimeout as wait } from 'node:timers/promises';
import { Problem } from '../../../../shared/problem.ts';
import { backoffMs, retryOptions } from '../../../../shared/retry.ts';
import { metrics } from '../../../telemetry/telemetry.ts';
import { MAX_CLOCK_DIFFERENCE } from '../../clockAhead.ts';
import { type Mail, type Mailer, type MailOutcome, nextAttempt } from '../../invoiceDocuments/mail/mailer.ts';
import { mailStates } from '../sql/declarations/sales.ts';
import { dialectOf } from '../sql/dialects/dialectOf.ts';
import { type EndpointContext, type WarningContext, writing } from '../sql/endpointContext.ts';
import type { Row, Seconds } from '../sql/schema.ts';
import { storeResponses } from '../sql/storedResponses.ts';
import { invoiceDocuments, templateOf } from './invoiceFiles/invoiceDocuments.ts';
import { eInvoiceFile, invoicePdfFile } from './invoiceFiles/invoiceFiles.ts';
import { salesInvoiceResponses } from './salesInvoiceResponses.ts';

/*
 * The outbox of invoices, with each invoice once. An attempt is recorded before anything is sent, and its
 * outcome after it: an attempt without an outcome may have been sent, and is not repeated automatically.
 */

/** Seconds after which an attempt without an outcome counts as interrupted. */
const MAX_ATTEMPT = 900n;

/** Milliseconds for the mail in hand when the app stops. */
const STOP_GRACE_MS = 3000;

/** Milliseconds after which an outcome that could not be recorded is given up: whether the mail was sent is unknown then. */
const MAX_RECORDING_MS = 180_000;

/** The context of functions that make or mail invoices. */
export type MailContext = EndpointContext & {
  /** Seconds after an invoice is made that its mail is due. */
  mailDelay: Seconds;
};

type OutgoingMail = Row<'outgoing_mail'>;

/** Why a mail is held. */
const HELD_REASON = 'The date of the invoice had passed when it was made: it is mailed when somebody says so.';

/** Adds the mail of an invoice to the outbox, in the transaction that makes the invoice. A held one is not sent. */
export async function mailLater(context: MailContext, invoiceId: bigint, state: 'waiting' | 'held'): Promise<void> {
  const now = context.now();
  await context.db
    .insertInto('outgoing_mail')
    .values({
      administration_id: context.administration.id,
      sales_invoice_id: invoiceId,
      state,
      due_on: now + context.mailDelay,
      attempts: 0n,
      reason: state === 'held' ? HELD_REASON : '',
      created_on: now,
      changed_on: now,
    })
    .execute();
}

/** The administrations with mail that is due, whose attempt was interrupted, or of a clock that was ahead. */
export const administrationsWithDueMail = ({ db, now }: Pick<EndpointContext, 'db' | 'now'>) => {
  const mail = db.selectFrom('outgoing_mail').select('administration_id');
  const due = mail.where('state', '=', 'waiting').where('due_on', '<=', now());
  const interrupted = mail.where('state', '=', 'sending').where('changed_on', '<', now() - MAX_ATTEMPT);
  const ahead = mail
    .where('state', 'in', ['waiting', 'sending'])
    .where('changed_on', '>', now() + BigInt(MAX_CLOCK_DIFFERENCE));
  return db
    .selectFrom('administration')
    .where('id', 'in', due.unionAll(interrupted).unionAll(ahead))
    .orderBy('id')
    .selectAll()
    .execute();
};

/**
 * Sends the due mail of an administration.
 * @param signals.over begins no other mail: a later run sends the rest
 * @param signals.stopping the mail in hand gets some seconds more; if its content was not sent by then, it waits again
 * @returns the number of mails sent
 */
export async function sendDueMail(
  context: WarningContext,
  mailer: Mailer,
  { over, stopping }: { over: AbortSignal; stopping: AbortSignal },
): Promise<number> {
  await correctClockAhead(context);
  await endInterruptedAttempts(context);
  const end = later(stopping, STOP_GRACE_MS);
  let sent = 0;
  while (!over.aborted) {
    const mail = await writing(context, beginNext);
    if (mail === undefined) break;
    const outcome = await attempt(context, mailer, mail, end);
    metrics.mail(outcome.kind);
    if (outcome.kind !== 'sent') {
      context.warn(`The mail of sales invoice ${mail.number} was ${outcome.kind}: ${outcome.reason}`);
    } else sent++;
    await recorded(context, mail, outcome, stopping);
  }
  return sent;
}

/** Records the outcome of an attempt, again and again while the database is away or busy. */
async function recorded(context: WarningContext, mail: Begun, outcome: MailOutcome, stopping: AbortSignal) {
  const end = performance.now() + MAX_RECORDING_MS;
  for (let failures = 1; ; failures++) {
    try {
      return await writing(context, (transaction) => record(transaction, mail, outcome));
    } catch (failure) {
      const mayPass = failure instanceof Error && dialectOf(context.db).errors.isTransient(failure);
      if (!mayPass || stopping.aborted || performance.now() > end) throw failure;
      context.warn(`What came of the mail of sales invoice ${mail.number} is not recorded yet: ${failure.message}`);
      await wait(backoffMs(failures, retryOptions()), undefined, { signal: stopping }).catch(() => {});
    }
  }
}

/** A signal that is aborted some milliseconds after another one. */
function later(signal: AbortSignal, milliseconds: number): AbortSignal {
  const controller = new AbortController();
  signal.addEventListener('abort', () => setTimeout(() => controller.abort(), milliseconds).unref(), { once: true });
  return controller.signal;
}

/** Mail of a clock that was ahead waits as long as it was to wait, but from now on; its attempts are ended from now on. */
async function correctClockAhead(context: WarningContext): Promise<void> {
  await writing(context, ({ db }) =>
    db
      .updateTable('outgoing_mail')
      .where('administration_id', '=', context.administration.id)
      .where('state', 'in', ['waiting', 'sending'])
      .where('changed_on', '>', context.now() + BigInt(MAX_CLOCK_DIFFERENCE))
      .set(({ eb, ref }) => ({
        due_on: eb(ref('due_on'), '+', eb(eb.val(context.now()), '-', ref('changed_on'))),
        changed_on: context.now(),
      }))
      .execute(),
  );
}

/** Sets interrupted attempts to unknown. */
async function endInterruptedAttempts(context: WarningContext): Promise<void> {
  const reason = 'The app ended while it was sending. It is not known whether the mail went out.';
  const { numUpdatedRows } = await writing(context, ({ db }) =>
    db
      .updateTable('outgoing_mail')
      .where('administration_id', '=', context.administration.id)
      .where('state', '=', 'sending')
      .where('changed_on', '<', context.now() - MAX_ATTEMPT)
      .set({ state: 'unknown', reason, changed_on: context.now() })
      .executeTakeFirstOrThrow(),
  );
  if (numUpdatedRows > 0n) context.warn(`${numUpdatedRows} mails have an unknown outcome: ${reason}`);
}

type Begun = OutgoingMail & { number: bigint };

/** Takes the mail that is due first, and records that an attempt begins. */
async function beginNext(context: EndpointContext): Promise<Begun | undefined> {
  const { db, administration } = context;
  const mail = await db
    .selectFrom('outgoing_mail')
    .innerJoin('sales_invoice', 'sales_invoice.id', 'outgoing_mail.sales_invoice_id')
    .where('outgoing_mail.administration_id', '=', administration.id)
    .where('state', '=', 'waiting')
    .where('due_on', '<=', context.now())
    .orderBy('due_on')
    .orderBy('outgoing_mail.id')
    .selectAll('outgoing_mail')
    .select('sales_invoice.number')
    .limit(1)
    .executeTakeFirst();
  if (mail === undefined) return undefined;
  const begun = { state: 'sending', attempts: mail.attempts + 1n, changed_on: context.now() } as const;
  await db.updateTable('outgoing_mail').where('id', '=', mail.id).set(begun).execute();
  return { ...mail, ...begun };
}

async function attempt(context: WarningContext, mailer: Mailer, mail: Begun, end: AbortSignal): Promise<MailOutcome> {
  let made: Mail | string;
  try {
    made = await mailOf(context, mail);
  } catch (failure) {
    // Nothing was sent; the missing data may be there next time.
    return { kind: 'deferred', reason: failure instanceof Problem ? failure.message : String(failure) };
  }
  return typeof made === 'string' ? { kind: 'refused', reason: made } : mailer.send(made, end);
}

/** The mail of an invoice, or why it cannot be made. */
async function mailOf(context: WarningContext, { sales_invoice_id: id, number }: Begun): Promise<Mail | string> {
  const { db, administration } = context;
  const document = (await invoiceDocuments(context, [id])).get(id);
  if (document === undefined) return `There is no sales invoice ${number} any more.`;
  const [invoice, contact, files, templates] = await Promise.all([
    db
      .selectFrom('sales_invoice')
      .innerJoin('relation', 'relation.id', 'sales_invoice.relation_id')
      .where('sales_invoice.id', '=', id)
      .select(['sales_invoice.template_email', 'relation.template_invoice', 'relation.email'])
      .executeTakeFirstOrThrow(),
    db
      .selectFrom('sales_invoice_contact')
      .where('sales_invoice_id', '=', id)
      .where('contact_type', '=', 'Invoice')
      .select('email')
      .executeTakeFirst(),
    db
      .selectFrom('attachment')
      .where('sales_invoice_id', '=', id)
      .where('is_internal', '=', 0n)
      .orderBy('id')
      .select(['file_name', 'content_type', 'content'])
      .execute(),
    db.selectFrom('document_template').where('administration_id', '=', administration.id).selectAll().execute(),
  ]);
  const to = contact?.email || invoice.email;
  if (!/^[^@\s]+@[^@\s]+$/.test(to)) return 'The customer has no e-mail address.';
  const template = templateOf(templates, [invoice.template_email, invoice.template_invoice]);
  const eInvoice = await eInvoiceFile(context, document);
  const { invoiceMail } = await import('../../invoiceDocuments/mail/invoiceMail.ts');
  return {
    to,
    ...invoiceMail(document, { subject: template?.mail_subject ?? '', text: template?.mail_text ?? '' }),
    messageId: `invoice-${administration.id}-${number}@ledgerline`,
    files: [
      { name: `${number}.pdf`, contentType: 'application/pdf', content: await invoicePdfFile(context, id, document) },
      ...(eInvoice === null
        ? []
        : [{ name: eInvoice.name, contentType: 'application/xml', content: eInvoice.content }]),
      ...files.flatMap(({ file_name: name, content_type: contentType, content }) =>
        content === null ? [] : { name, contentType, content },
      ),
    ],
  };
}

/** Records the outcome of an attempt; marks a sent invoice as sent. */
async function record(context: EndpointContext, mail: Begun, outcome: MailOutcome): Promise<void> {
  const { db } = context;
  const now = context.now();
  const set = (change: Partial<OutgoingMail>) =>
    db
      .updateTable('outgoing_mail')
      .where('id', '=', mail.id)
      .set({ changed_on: now, ...change })
      .execute();
  if (outcome.kind === 'sent') {
    await set({ state: 'sent', reason: '' });
    await db
      .updateTable('sales_invoice')
      .where('id', '=', mail.sales_invoice_id)
      .set({ is_sent: 1n, answer: '', lines_answer: '' })
      .execute();
    return storeResponses(db, 'sales_invoice', await salesInvoiceResponses(db, [mail.sales_invoice_id]));
  }
  const { reason } = outcome;
  // It does not count as an attempt: nothing is wrong with the mail or the server.
  if (outcome.kind === 'interrupted') return void (await set({ state: 'waiting', attempts: mail.attempts - 1n }));
  const pause = outcome.kind === 'deferred' ? nextAttempt(Number(mail.attempts)) : undefined;
  if (pause !== undefined) await set({ state: 'waiting', reason, due_on: now + BigInt(pause) });
  else await set({ state: outcome.kind === 'unknown' ? 'unknown' : 'failed', reason });
}

/** The state of the mail of all administrations. */
export async function mailHealth({ db, now }: Pick<EndpointContext, 'db' | 'now'>) {
  const rows = await db
    .selectFrom('outgoing_mail')
    // Nearly all mail is sent.
    .where(
      'state',
      'in',
      mailStates.filter((state) => state !== 'sent'),
    )
    .groupBy('state')
    .select((eb) => ['state', eb.fn.countAll<bigint>().as('count'), eb.fn.min('due_on').as('first')])
    .execute();
  const of = (state: OutgoingMail['state']) => rows.find((row) => row.state === state);
  const first = of('waiting')?.first;
  return {
    waiting: Number(of('waiting')?.count ?? 0n),
    sending: Number(of('sending')?.count ?? 0n),
    held: Number(of('held')?.count ?? 0n),
    failed: Number(of('failed')?.count ?? 0n),
    unknown: Number(of('unknown')?.count ?? 0n),
    /** Seconds by which the oldest mail is late. */
    lateBy: first === undefined ? 0 : Number(first < now() ? now() - first : 0n),
  };
}
