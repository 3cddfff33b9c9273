import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { SMTPServerOptions } from 'smtp-server';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { startApp, type TestAdministration, type TestApp } from '../../../../testing/app.ts';
import { databaseKind } from '../../../../testing/database.ts';
import { type SmtpTestServer, startSmtpServer } from '../../../../testing/documents/smtpServer.ts';
import { type Mailer, smtpMailer } from '../../invoiceDocuments/mail/mailer.ts';
import { documents } from '../../invoiceDocuments/thread/documentMaker.ts';
import { stillMade } from '../../invoiceDocuments/thread/stillMade.ts';
import { builtinAdministrations } from '../builtin.ts';
import { runCommand } from '../cli/command.ts';
import { openDatabase } from '../sql/openDatabase.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const made = Date.parse('2026-03-02T09:00:00Z');
const MINUTE = 60_000;

const open: (SmtpTestServer | Mailer)[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
  await app.db.deleteFrom('outgoing_mail').execute();
});

async function smtpServer(options: SMTPServerOptions = {}): Promise<SmtpTestServer> {
  const server = await startSmtpServer(options);
  open.push(server);
  return server;
}

/** Another instance of the app over the same database, some minutes after the invoice was made. */
function instance(minutes: number, server?: SmtpTestServer) {
  const mailer =
    server === undefined
      ? undefined
      : smtpMailer(server.url, { from: 'De Linde <facturen@delinde.example>', requiresTls: false });
  if (mailer !== undefined) open.push(mailer);
  const options = { clock: () => made + minutes * MINUTE, log: () => {}, ...(mailer === undefined ? {} : { mailer }) };
  return builtinAdministrations(app.db, options);
}
const sendAt = (minutes: number, server: SmtpTestServer, stopping = new AbortController().signal) =>
  instance(minutes, server).upkeep!.sendDueMail(stopping);

/** An administration with an invoice that is to be mailed. */
async function mailed(
  more: Record<string, unknown> = {},
): Promise<{ administration: TestAdministration; number: number }> {
  const administration = await app.addAdministration({ furnished: true });
  await app.db
    .updateTable('administration')
    .where('id', '=', administration.administrationId)
    .set({
      street: 'Veilingweg',
      postal_code: '1431 GN',
      city: 'Aalsmeer',
      vat_number: 'NL812345678B01',
      company_number: '34565433',
      iban: 'NL91ABNA0417164300',
    })
    .execute();
  const row = { street: 'Dorpsstraat', postal_code: '1234 AB', city: 'Gouda', country_code: 'NL', language: 'nl' };
  const party = { name: 'Bakkerij Jansen', customerNumber: 7, email: 'inkoop@jansen.example', business: true };
  await administration.addRelation({ ...party, row: { ...row, registration_number: '12345678' } });
  await administration.addProduct({ articleNumber: 'R1', name: 'Roos' });
  app.setTime(made / 1000);
  const { status, json, text } = await administration.post('/rest/addsalesinvoice', {
    CustomerNumber: 7,
    EmailToCustomer: true,
    Invoice_InvoiceLine: [{ ProductNumber: 'R1', Quantity: 1, UnitPriceExclTax: 10, TaxPc: 21 }],
    ...more,
  });
  if (status !== 200) throw new Error(text);
  return { administration, number: json[0].InvoiceNumber };
}

const stateOf = ({ administrationId }: TestAdministration) =>
  app.db
    .selectFrom('outgoing_mail')
    .where('administration_id', '=', administrationId)
    .select(['state', 'attempts', 'reason'])
    .executeTakeFirstOrThrow();
const isSent = async (administration: TestAdministration): Promise<boolean> =>
  (await administration.get('/rest/listsalesinvoices')).json[0].InvoiceIsSent;

describe('the mail of an invoice', () => {
  it('is sent half an hour after the invoice was made, with its PDF, its e-invoice and its public files', async () => {
    const file = (FileName: string, Internal: boolean) => ({
      FileName,
      Internal,
      FileContent: Buffer.from('%PDF-1.4\n%%EOF').toString('base64'),
    });
    const { administration, number } = await mailed({
      Invoice_Attachment: [file('voorwaarden.pdf', false), file('intern.pdf', true)],
    });
    const server = await smtpServer();
    await sendAt(29, server);
    expect([server.received.length, await isSent(administration)]).toEqual([0, false]);
    await sendAt(30, server);
    await sendAt(31, server);
    expect(server.received).toHaveLength(1);
    const [{ from, to, content }] = server.received as [SmtpTestServer['received'][number]];
    expect([from, to]).toEqual(['facturen@delinde.example', ['inkoop@jansen.example']]);
    expect(content).toMatch(new RegExp(`Subject: Factuur ${number} van Administration \\d+`));
    const names = [...content.matchAll(/filename=(\S+)/g)].map(([, name]) => name);
    expect(names).toEqual([`${number}.pdf`, `${number}.xml`, 'voorwaarden.pdf']);
    expect(await isSent(administration)).toBe(true);
  });

  it('is sent half an hour after the clock is right again if it was a day ahead when the invoice was made', async () => {
    await mailed();
    const server = await smtpServer();
    await sendAt(-24 * 60, server);
    await sendAt(-24 * 60 + 29, server);
    expect(server.received).toHaveLength(0);
    await sendAt(-24 * 60 + 30, server);
    expect(server.received).toHaveLength(1);
  });

  it('waits when its e-invoice cannot be made yet, and then has it', async () => {
    const { administration, number } = await mailed();
    const server = await smtpServer();
    const making = vi.spyOn(documents, 'make').mockRejectedValueOnce(stillMade(String(number)));
    await sendAt(30, server);
    making.mockRestore();
    expect(server.received).toHaveLength(0);
    expect(await stateOf(administration)).toMatchObject({ state: 'waiting', attempts: 1n });
    await sendAt(60, server);
    expect(server.received).toHaveLength(1);
    expect(server.received[0]!.content).toContain(`filename=${number}.xml`);
  });

  it('has the texts of its template', async () => {
    const { administration } = await mailed({ TemplateName_Email: 'Kort' });
    await app.db
      .insertInto('document_template')
      .values({
        administration_id: administration.administrationId,
        name: 'Kort',
        name_folded: 'kort',
        mail_subject: 'Rekening {number}\r\nBcc: spy@x.example',
        mail_text: 'Te betalen: {amount}',
      })
      .execute();
    const server = await smtpServer();
    await sendAt(30, server);
    const [{ to, content }] = server.received as [SmtpTestServer['received'][number]];
    expect(to).toEqual(['inkoop@jansen.example']);
    expect(content).toMatch(/^Subject: Rekening \d+ Bcc: spy@x\.example$/m);
    expect(content).not.toMatch(/^Bcc:/m);
    expect(content).toMatch(/Te betalen: =E2=82=AC=C2=A012,10|Te betalen: €/);
  });

  it('is sent once by several instances at the same time', async () => {
    await mailed();
    await mailed();
    const server = await smtpServer();
    const sent = await Promise.all([sendAt(30, server), sendAt(30, server), sendAt(30, server)]);
    expect(sent.reduce((sum, count) => sum + count, 0)).toBe(2);
    expect(server.received).toHaveLength(2);
  });

  it('waits without a mail server, and health reports that', async () => {
    const { administration } = await mailed();
    await instance(45).upkeep!.sendDueMail(new AbortController().signal);
    expect(await stateOf(administration)).toMatchObject({ state: 'waiting', attempts: 0n });
    const { mail, status } = (await instance(45).health()) as { mail: unknown; status: unknown };
    expect([status, mail]).toMatchObject(['degraded', { waiting: 1, note: 'SMTP_URL is not set: mail waits' }]);
  });

  it('is not sent for a draft, and cannot be requested twice', async () => {
    const { administration } = await mailed({ AddAsDraft: true });
    await expect(stateOf(administration)).rejects.toThrow();
  });
});

describe('a mail that the server refuses', () => {
  const refusing = (responseCode: number): SMTPServerOptions => ({
    onRcptTo: (_address, _session, done) => done(Object.assign(new Error('No such luck'), { responseCode })),
  });

  it('temporarily is sent again after growing pauses', async () => {
    const { administration } = await mailed();
    const busy = await smtpServer(refusing(451));
    await sendAt(30, busy);
    expect(await stateOf(administration)).toMatchObject({ state: 'waiting', attempts: 1n });
    await sendAt(34, busy);
    expect(await stateOf(administration)).toMatchObject({ attempts: 1n });
    await sendAt(35, busy);
    expect(await stateOf(administration)).toMatchObject({ attempts: 2n });
    await sendAt(49, busy);
    expect(await stateOf(administration)).toMatchObject({ attempts: 2n });
    const server = await smtpServer();
    await sendAt(50, server);
    expect(server.received).toHaveLength(1);
    expect(await isSent(administration)).toBe(true);
  });

  it('while the clock was a day ahead is sent again after the same pause of a clock that is right', async () => {
    const { administration } = await mailed();
    await sendAt(24 * 60 + 30, await smtpServer(refusing(451)));
    const server = await smtpServer();
    await sendAt(31, server);
    await sendAt(35, server);
    expect(server.received).toHaveLength(0);
    await sendAt(36, server);
    expect(server.received).toHaveLength(1);
    expect(await stateOf(administration)).toMatchObject({ state: 'sent', attempts: 2n });
  });

  it('permanently is not sent again; the command line shows the reason, and can send it again', async () => {
    const { administration, number } = await mailed();
    await sendAt(30, await smtpServer(refusing(550)));
    expect(await stateOf(administration)).toMatchObject({ state: 'failed', attempts: 1n });
    const server = await smtpServer();
    await sendAt(5000, server);
    expect(server.received).toHaveLength(0);
    expect((await instance(5000, server).health()).status).toBe('degraded');
    if (app.databaseUrl === '') return;
    const lines: string[] = [];
    const command = (...words: string[]) =>
      runCommand(['mail', ...words, '--administration', String(administration.administrationId)], {
        env: { DATABASE_URL: app.databaseUrl },
        say: (line) => lines.push(line),
        complain: (line) => lines.push(line),
        now: () => new Date(made + 6000 * MINUTE),
      });
    expect(await command('list')).toBe(0);
    expect(lines.join()).toMatch(new RegExp(`${number}\tfailed\t.*\t1\t.*No such luck`));
    expect(await command('resend', '--invoice', String(number))).toBe(0);
    await sendAt(6001, server);
    expect(server.received).toHaveLength(1);
  });
});

describe('a mail in hand when the app stops', () => {
  /** A server that does not answer at a step, and the moment at which it is there. */
  async function silentAt(step: 'onMailFrom' | 'onData') {
    const reached = Promise.withResolvers<() => void>();
    const server = await smtpServer({
      onMailFrom: (_address, _session, done) => (step === 'onMailFrom' ? reached.resolve(done) : done()),
      onData(stream, _session, done) {
        stream.resume();
        stream.on('end', () => reached.resolve(done));
      },
    });
    return { server, reached: reached.promise };
  }

  it('waits again if the server had not got its content, and no other is begun', async () => {
    const first = await mailed();
    const second = await mailed();
    const { server, reached } = await silentAt('onMailFrom');
    const stopping = new AbortController();
    const sending = sendAt(30, server, stopping.signal);
    await reached;
    stopping.abort();
    expect(await sending).toBe(0);
    for (const { administration } of [first, second]) {
      expect(await stateOf(administration)).toMatchObject({ state: 'waiting', attempts: 0n });
    }
    const working = await smtpServer();
    await sendAt(30, working);
    expect(working.received).toHaveLength(2);
  });

  it('gets some seconds: one that the server accepts meanwhile was sent', async () => {
    const { administration } = await mailed();
    const { server, reached } = await silentAt('onData');
    const stopping = new AbortController();
    const sending = sendAt(30, server, stopping.signal);
    const accept = await reached;
    stopping.abort();
    accept();
    expect(await sending).toBe(1);
    expect(await stateOf(administration)).toMatchObject({ state: 'sent' });
  });

  it('has an unknown outcome if the server got its content and did not reply', async () => {
    const { administration } = await mailed();
    const { server, reached } = await silentAt('onData');
    const stopping = new AbortController();
    const sending = sendAt(30, server, stopping.signal);
    await reached;
    stopping.abort();
    expect(await sending).toBe(0);
    expect(await stateOf(administration)).toMatchObject({ state: 'unknown' });
    const working = await smtpServer();
    await sendAt(5000, working);
    expect(working.received).toHaveLength(0);
  });
});

it('a mail that was being sent while the clock was a day ahead, and was interrupted, is reported the same day', async () => {
  const { administration } = await mailed();
  await app.db
    .updateTable('outgoing_mail')
    .set({ state: 'sending', attempts: 1n, changed_on: BigInt(made / 1000 + 24 * 3600) })
    .execute();
  const server = await smtpServer();
  await sendAt(31, server);
  expect(await stateOf(administration)).toMatchObject({ state: 'sending' });
  await sendAt(47, server);
  expect(await stateOf(administration)).toMatchObject({ state: 'unknown' });
  expect(server.received).toHaveLength(0);
});

it('a mail whose instance was killed while sending is not sent again by itself, and is reported', async (context) => {
  if (app.databaseUrl === '') return context.skip();
  const { administration } = await mailed();
  let hasContent = () => {};
  const content = new Promise<void>((resolve) => {
    hasContent = resolve;
  });
  // Takes the content, and does not say so.
  const silent = await smtpServer({
    onData(stream) {
      stream.resume();
      stream.on('end', hasContent);
    },
  });
  const script = new URL('../../../../testing/documents/upkeepProcess.ts', import.meta.url).pathname;
  const parameters = [script, app.databaseUrl, String(made + 30 * MINUTE), silent.url];
  const child = spawn(process.execPath, parameters, { stdio: 'ignore' });
  await content;
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(await stateOf(administration)).toMatchObject({ state: 'sending', attempts: 1n });
  const server = await smtpServer();
  await sendAt(40, server);
  await sendAt(60, server);
  await sendAt(100_000, server);
  expect(server.received).toHaveLength(0);
  expect(await stateOf(administration)).toMatchObject({
    state: 'unknown',
    reason: expect.stringContaining('not known'),
  });
  expect((await instance(60, server).health()).status).toBe('degraded');
  expect(await isSent(administration)).toBe(false);
});

it.runIf(databaseKind() === 'server')(
  'a mail that was sent counts as sent when the database takes its outcome only later',
  async () => {
    const { administration } = await mailed();
    const reached = Promise.withResolvers<() => void>();
    const server = await smtpServer({
      onData(stream, _session, done) {
        stream.resume();
        stream.on('end', () => reached.resolve(done));
      },
    });
    const { administrations, lines } = await impatient(server);
    const sending = administrations.upkeep!.sendDueMail(new AbortController().signal);
    const accept = await reached.promise;
    await app.db.transaction().execute(async (trx) => {
      const { administrationId } = administration;
      await trx.selectFrom('administration').where('id', '=', administrationId).select('id').forUpdate().execute();
      accept();
      await expect.poll(() => lines).toContainEqual(expect.stringContaining('not recorded yet'));
    });
    expect(await sending).toBe(1);
    expect(await stateOf(administration)).toMatchObject({ state: 'sent' });
    await administrations.close();
  },
);

/** An instance whose statements may take a quarter of a second, and what it logs. */
async function impatient(server: SmtpTestServer) {
  const db = await openDatabase(`${app.databaseUrl}?statement_timeout=250`);
  const mailer = smtpMailer(server.url, { from: 'De Linde <facturen@delinde.example>', requiresTls: false });
  open.push(mailer);
  const lines: string[] = [];
  const warn = (line: string) => void lines.push(line);
  return { administrations: builtinAdministrations(db, { clock: () => made + 45 * MINUTE, warn, mailer }), lines };
}

it.runIf(databaseKind() === 'server')(
  'of one administration is sent while an import into another one keeps its writers waiting',
  async () => {
    const server = await smtpServer();
    const [busy, free] = [await mailed(), await mailed()];
    const { administrations, lines } = await impatient(server);
    const send = () => administrations.upkeep!.sendDueMail(new AbortController().signal);
    await app.db.transaction().execute(async (trx) => {
      const { administrationId } = busy.administration;
      await trx.selectFrom('administration').where('id', '=', administrationId).select('id').forUpdate().execute();
      expect(await send()).toBe(1);
    });
    expect(lines).toEqual([
      expect.stringContaining(`The mail of administration ${busy.administration.administrationId} was left for later`),
    ]);
    expect(await isSent(free.administration)).toBe(true);
    expect(await isSent(busy.administration)).toBe(false);
    expect(await send()).toBe(1);
    expect(await isSent(busy.administration)).toBe(true);
    await administrations.close();
  },
);
