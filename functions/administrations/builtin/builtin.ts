import { Readable } from 'node:stream';
import { type EndpointName, endpointNames, endpointOf } from '../../../shared/api.ts';
import type { Credential } from '../../../shared/client/client.ts';
import { once } from '../../../shared/memoized.ts';
import { Problem } from '../../../shared/problem.ts';
import { dateIn } from '../../../shared/wire/calendarDate.ts';
import { noteAdministration } from '../../telemetry/requestNotes.ts';
import { isTelemetryOn, metrics } from '../../telemetry/telemetry.ts';
import type { Administration, Administrations } from '../administration.ts';
import { DEFAULT_MAIL_DELAY_MINUTES, type Mailer } from '../invoiceDocuments/mail/mailer.ts';
import type { downloadFile } from './attachments/download.ts';
import { downloadLimits } from './attachments/downloadLimits.ts';
import type { AuditfileThreads } from './auditfileExport/auditfileThreads.ts';
import type { LedgerThreads } from './balances/ledgerThreads.ts';
import { keyUses } from './credentials/keyUses.ts';
import { readOnlyReason, type SignedIn, signIn } from './credentials/signIn.ts';
import { listTaxCodes } from './ledger/listTaxCodes.ts';
import { ownAdministrations } from './ownAdministrations.ts';
import { appliedWrites } from './pushedWrites/appliedWrites.ts';
import { type WriteContext, writes } from './pushedWrites/writes.ts';
import type { Database } from './sql/database.ts';
import { dialectOf } from './sql/dialects/dialectOf.ts';
import type { Row, Seconds } from './sql/schema.ts';
import { withTimeout } from './sql/timeout.ts';

export type BuiltinOptions = {
  /** Of the database, for threads that open it too; left out when no other connection can. */
  databaseUrl?: string;
  /** Milliseconds since 1970. */
  clock?: () => number;
  /** Where "today" is: an IANA time zone. */
  timeZone?: string;
  /** Ports that attachments may be downloaded from; those of the web when left out. */
  attachmentPorts?: readonly number[];
  download?: typeof downloadFile;
  warn?: (line: string) => void;
  /** Sends mail; left out: mail waits. */
  mailer?: Mailer;
  /** Minutes after an invoice is made that its mail is due. */
  mailDelayMinutes?: number;
};

/** Seconds of late mail after which health is degraded. */
const MAX_MAIL_LATENESS = 600;

/**
 * Administrations whose mail is left for later in a run, since an import keeps their writers waiting. With more of them
 * the database itself is slow.
 */
const MAX_BUSY = 3;

/** The built-in administrations of a database. */
export function builtinAdministrations(db: Database, options: BuiltinOptions = {}): Administrations {
  const { clock = Date.now, timeZone = 'Europe/Amsterdam', attachmentPorts, warn = console.warn } = options;
  const { download = downloadFrom(attachmentPorts) } = options;
  const now = (): Seconds => BigInt(Math.floor(clock() / 1000));
  const today = () => dateIn(timeZone, new Date(clock()));
  const database = options.databaseUrl === undefined ? undefined : { url: options.databaseUrl, timeZone };
  const mailDelay = BigInt((options.mailDelayMinutes ?? DEFAULT_MAIL_DELAY_MINUTES) * 60);
  const shared = { db, now, today, download, downloads: downloadLimits(clock), warn, mailDelay };
  const { mailer } = options;
  let ledgers: Promise<LedgerThreads> | undefined;
  let auditfileWriters: Promise<AuditfileThreads> | undefined;
  /** The contexts of a timer's work in some administrations. */
  const contextsIn = (administrations: readonly Row<'administration'>[], action: string): WriteContext[] =>
    administrations.map((administration) => ({
      ...shared,
      administration,
      author: { origin: 'timer', key: null, action },
    }));
  const uses = keyUses(db, warn);
  async function signedIn(credential: Credential): Promise<SignedIn> {
    const found = await withTimeout(db, () => signIn(db, credential, today));
    uses.record(found, now());
    noteAdministration(() => String(found.administration.id));
    return found;
  }
  const contextOf = ({ administration, key }: SignedIn, origin: 'rest' | 'push'): WriteContext => ({
    ...shared,
    administration,
    author: { origin, key: key.id, action: '' },
  });
  return {
    async open(credential, { writes = false } = {}) {
      const found = await signedIn(credential);
      const refusal = readOnlyReason(found);
      if (writes && refusal !== undefined) throw refusal;
      const endpoints = endpointsOf(contextOf(found, 'rest'));
      return eachEndpoint((name) => {
        if (refusal !== undefined && endpointOf(name).repeat !== 'safe') return () => Promise.reject(refusal);
        const handle = endpoints[name] as (...args: unknown[]) => Promise<unknown>;
        return (...args) => withTimeout(db, () => handle(...args));
      });
    },
    async identify(credential) {
      const { administration, key } = await signedIn(credential);
      return {
        kind: 'builtin',
        id: administration.identifier,
        name: administration.name,
        country: administration.country,
        username: key.username,
        label: key.label,
        rights: { read: true, write: key.scope !== 'read', import: key.scope === 'import' },
        archived: administration.archived_on !== null,
      };
    },
    async files(credential) {
      const found = await signedIn(credential);
      const context = contextOf(found, 'rest');
      const { pdf, eInvoice } = (await import('./sales/invoiceFiles/invoiceFiles.ts')).invoiceFiles(context);
      return {
        pdf: (number) => withTimeout(db, () => pdf(number)),
        eInvoice: (number) => withTimeout(db, () => eInvoice(number)),
        async eInvoiceCheck() {
          const refusal = readOnlyReason(found);
          if (refusal !== undefined) throw refusal;
          const { checkEInvoices } = await import('./sales/invoiceFiles/eInvoiceCheck.ts');
          return (requests) => withTimeout(db, () => checkEInvoices(context, requests));
        },
      };
    },
    async products(credential) {
      const context = contextOf(await signedIn(credential), 'rest');
      const lists = (await import('./products/productLists.ts')).productLists(context);
      return {
        named: (numbers, eans) => withTimeout(db, () => lists.named(numbers, eans)),
        search: (text, limit) => withTimeout(db, () => lists.search(text, limit)),
        page: (from, limit) => withTimeout(db, () => lists.page(from, limit)),
      };
    },
    async ledger(credential) {
      const { administration } = await signedIn(credential);
      ledgers ??= openLedgers(db, database?.url);
      const { response } = await ledgers;
      const of = { administration, today: today() };
      return {
        balances: (query) => response({ ...of, name: 'balances', query }),
        entries: (query) => response({ ...of, name: 'entries', query }),
        figures: (query) => response({ ...of, name: 'figures', query }),
        openItems: (query) => response({ ...of, name: 'openItems', query }),
      };
    },
    async auditfileOf(credential, query) {
      const { administration } = await signedIn(credential);
      auditfileWriters ??= openAuditfileWriters(db, database?.url);
      const { read } = await auditfileWriters;
      return read({ administration, options: { ...query, today: today() } });
    },
    async auditfiles(credential) {
      const found = await signedIn(credential);
      const refusal = importRefusal(found);
      if (refusal !== undefined) throw refusal;
      const { auditfileJobs } = await import('./auditfileJobs/auditfileJobs.ts');
      // Nobody waits for a response: what fails for the database is begun again.
      return auditfileJobs(contextOf(found, 'rest'), database);
    },
    async vat(credential, { writes = false } = {}) {
      const found = await signedIn(credential);
      const refusal = readOnlyReason(found);
      if (writes && refusal !== undefined) throw refusal;
      const { administration } = found;
      ledgers ??= openLedgers(db, database?.url);
      const { response } = await ledgers;
      return {
        vatReturn: (query) => response({ administration, name: 'vatReturn', query }),
        vatLines: (query) => response({ administration, name: 'vatLines', query }),
        intervat: (query) => response({ administration, name: 'intervat', query }),
        async file(filing) {
          const { fileVatReturn } = await import('./vat/vatReader.ts');
          const context = contextOf(found, 'rest');
          const author = { ...context.author, action: 'vat/filed' };
          return withTimeout(db, () => fileVatReturn({ ...context, author }, response, filing));
        },
      };
    },
    async writer(credential) {
      const found = await signedIn(credential);
      const refusal = readOnlyReason(found);
      if (refusal !== undefined) throw refusal;
      return (await import('./pushedWrites/pushWriter.ts')).pushWriter(contextOf(found, 'push'), credential);
    },
    upkeep: {
      async makeDueInvoices(over) {
        const { administrationsWithDueInvoices, makeDueInvoices } = await dueInvoices();
        const due = await administrationsWithDueInvoices({ db, today });
        return makeDueInvoices(contextsIn(due, 'periodic invoices'), over);
      },
      async sendDueMail(over, stopping = over) {
        const { administrationsWithDueMail, mailHealth, sendDueMail } = await outgoingMail();
        let sent = 0;
        if (mailer !== undefined) {
          const due = await administrationsWithDueMail({ db, now });
          let busy = 0;
          for (const context of contextsIn(due, 'mail')) {
            if (over.aborted) break;
            try {
              sent += await sendDueMail(context, mailer, { over, stopping });
            } catch (failure) {
              const isBusy = failure instanceof Error && dialectOf(db).errors.isTimeout(failure);
              if (!isBusy || ++busy > MAX_BUSY || stopping.aborted) throw failure;
              warn(`The mail of administration ${context.administration.id} was left for later: ${failure.message}`);
            }
          }
        }
        if (isTelemetryOn()) metrics.mailWaiting((await mailHealth({ db, now })).waiting);
        return sent;
      },
    },
    own: ownAdministrations(db, async (credential) => (await signedIn(credential)).administration.id),
    appliedWrites: appliedWrites(db),
    async health() {
      const { count } = await db
        .selectFrom('administration')
        .select((eb) => eb.fn.countAll<bigint>().as('count'))
        .executeTakeFirstOrThrow();
      const mail = await (await outgoingMail()).mailHealth({ db, now });
      // Mail that is late, refused, or possibly not sent makes health degraded.
      const isLate = mail.lateBy > MAX_MAIL_LATENESS || mail.unknown > 0 || mail.failed > 0;
      return {
        ...(isLate ? { status: 'degraded' as const } : {}),
        kind: 'builtin',
        administrations: Number(count),
        periodicInvoices: await (await dueInvoices()).overdueInvoices({ db, today }),
        mail: { ...(mailer === undefined ? { note: 'SMTP_URL is not set: mail waits' } : {}), ...mail },
      };
    },
    async close() {
      mailer?.close();
      await uses.settled();
      await (await ledgers)?.close();
      await (await auditfileWriters)?.close();
      await db.destroy();
    },
  };
}

/*
 * What the sign-in does not need is loaded when it is first used: the first list is answered sooner without it.
 */

const downloadFrom =
  (ports: readonly number[] | undefined): typeof downloadFile =>
  async (address, options) =>
    (await import('./attachments/download.ts')).downloadFile(address, { ...options, ports });

/** Answers questions about ledgers. @param url undefined for a database that only one connection can open */
async function openLedgers(db: Database, url: string | undefined): Promise<LedgerThreads> {
  if (url !== undefined) return (await import('./balances/ledgerThreads.ts')).ledgerThreads(url);
  const { ledgerResponse } = await import('./balances/ledgerResponse.ts');
  return { response: async (order) => Buffer.from((await ledgerResponse(db, order)).buffer), close: async () => {} };
}

/** Writes audit files. @param url undefined for a database that only one connection can open */
async function openAuditfileWriters(db: Database, url: string | undefined): Promise<AuditfileThreads> {
  if (url !== undefined) return (await import('./auditfileExport/auditfileThreads.ts')).auditfileThreads(url);
  const { sendAuditfile } = await import('./auditfileExport/sendAuditfile.ts');
  return {
    async read(order) {
      const blocks: Uint8Array[] = [];
      await sendAuditfile(db, order, async (block) => void blocks.push(Buffer.from(block)));
      return Readable.from(blocks);
    },
    close: async () => {},
  };
}

/** Why a credential may not bring in whole files; undefined when it may. */
function importRefusal(found: SignedIn): Problem | undefined {
  if (found.key.scope === 'import') return readOnlyReason(found);
  return new Problem('FORBIDDEN', 'This API key may not import files: that needs a key with the scope import.');
}

const eachEndpoint = (make: (name: EndpointName) => (...args: unknown[]) => Promise<unknown>): Administration =>
  Object.fromEntries(endpointNames.map((name) => [name, make(name)])) as Administration;
const dueInvoices = () => import('./sales/makeDueInvoices.ts');
const outgoingMail = () => import('./sales/outgoingMail.ts');

/** Modules of endpoints. To ask Node for one that is loaded takes as long as a small statement. */
const modules = {
  documents: once(() => import('./documentParts/attachments.ts')),
  materialBookings: once(() => import('./projects/listMaterialBookings.ts')),
  updateProduct: once(() => import('./products/updateProduct.ts')),
  addProduct: once(() => import('./products/addProduct.ts')),
  ledgerAccounts: once(() => import('./ledger/listLedgerAccounts.ts')),
  relations: once(() => import('./relations/listRelations.ts')),
  salesInvoices: once(() => import('./sales/listSalesInvoices.ts')),
};

function endpointsOf(context: WriteContext): Administration {
  /** The context of an endpoint that writes: its name is in the log. */
  const as = (action: EndpointName): WriteContext => ({ ...context, author: { ...context.author, action } });
  return {
    listprojectmaterialbooking: async (query) =>
      (await modules.materialBookings()).listMaterialBookings(context, query),
    updateproduct: async (update) => (await modules.updateProduct()).updateProduct(as('updateproduct'), update),
    addproduct: async (addition) => (await modules.addProduct()).addProduct(as('addproduct'), addition),
    listtaxcodes: () => listTaxCodes(context),
    addsalesinvoice: async (addition) =>
      (await modules.documents()).addDocument(as('addsalesinvoice'), await writes.addsalesinvoice(), addition),
    addorder: async (addition) =>
      (await modules.documents()).addDocument(as('addorder'), await writes.addorder(), addition),
    addpurchasetransaction: async (addition) =>
      (await modules.documents()).addDocument(
        as('addpurchasetransaction'),
        await writes.addpurchasetransaction(),
        addition,
      ),
    addsalestransaction: async (addition) =>
      (await modules.documents()).addDocument(as('addsalestransaction'), await writes.addsalestransaction(), addition),
    listledgeraccounts: async (query) => (await modules.ledgerAccounts()).listLedgerAccounts(context, query),
    listrelations: async (query, from?: bigint) => (await modules.relations()).listRelations(context, query, { from }),
    listsalesinvoices: async (query) => (await modules.salesInvoices()).listSalesInvoices(context, query),
  };
}
