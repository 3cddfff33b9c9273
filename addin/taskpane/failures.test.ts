import { randomUUID } from 'node:crypto';
import { setTimeout as passed } from 'node:timers/promises';
import { createAuditfileClient } from '../../shared/client/auditfileClient.ts';
import { checkEInvoices, readDocument } from '../../shared/client/documentClient.ts';
import { createExportClient } from '../../shared/client/exportClient.ts';
import { readIdentity } from '../../shared/client/identityClient.ts';
import { createLedgerClient } from '../../shared/client/ledgerClient.ts';
import { createProductClient } from '../../shared/client/productClient.ts';
import { createPushClient } from '../../shared/client/pushClient.ts';
import { createVatClient } from '../../shared/client/vatClient.ts';
import { type FailingJob, failingJobs } from '../../testing/addin/failingJobs.ts';
import type { TestAdministration } from '../../testing/app.ts';
import { auditfile, line, transactions } from '../../testing/builtin/auditfiles.ts';
import { endedPush } from '../../testing/pushes/endedPush.ts';
import { openShop, type Shop } from '../../testing/shop.ts';
import { fetchOnce } from './fetchWithRetry.ts';
import { makeExport } from './pull/makeExport.ts';
import { type CollectedDocuments, collectDocuments } from './selectedInvoices/collectDocuments.ts';
import { receiveYear } from './views/auditfilesView/receiveYear.ts';
import { sendAndCheck } from './views/auditfilesView/sendAndCheck.ts';
import { lookAtReturn } from './views/pullList/lookAtReturn.ts';

/*
 * Jobs of the pane that write no sheet, with every failure, against a real app: the pane tells why, nothing is made
 * twice, and whoever does it again gets what there would be without the failure.
 */

const { signal } = new AbortController();
const PERIOD = '2026-Q3';

const jobs = await failingJobs();
let shop: Shop;
let importer: TestAdministration;
let result: unknown;
/** The latest result is what a job leads to. */
const outcome = async () => result;
const resulting = (work: () => Promise<unknown>) => async () => {
  result = undefined;
  result = await work();
  return result;
};

/** What documents and audit files say of their administration. */
const details = {
  street: 'Veilingweg',
  unit: '14',
  postal_code: '1431 GN',
  city: 'Aalsmeer',
  vat_number: 'NL812345678B01',
  company_number: '34565433',
  iban: 'NL91ABNA0417164300',
  bic: 'ABNANL2A',
};
const setDetails = (set: Partial<typeof details & { phone: string; email: string }>) =>
  jobs.app.db.updateTable('administration').set(set).where('id', '=', shop.administrationId).execute();
const openShopNow = async () => {
  shop = await openShop(jobs.app);
  await setDetails(details);
};
const service = () => jobs.serviceOf(shop.credential);

const invoice = {
  CustomerNumber: 7,
  InvoiceDate: '28-02-2026',
  Invoice_InvoiceLine: [{ ProductNumber: '0100', Quantity: 4, UnitPriceExclTax: 12.5, TaxPc: 21 }],
};
const withInvoices = async () => {
  await openShopNow();
  for (let made = 0; made < 4; made++) await shop.accepted('addsalesinvoice', invoice);
};
const zip = () => collectDocuments(service(), ['1', '2', '3', '4'], 'pdf', { signal, report: () => {} });
const zipped = async () => {
  const collected = result as CollectedDocuments | undefined;
  return { files: [...(collected?.files.keys() ?? [])], missing: collected?.notIncluded.map(({ number }) => number) };
};

const addSale = async () => {
  const sold = { SubTotalInclTax: 121, TaxCode: shop.tax.high };
  const sale = { CustomerNumber: 7, InvoiceDate: '05-08-2026', Invoice_InvoiceLine: [sold] };
  await shop.accepted('addsalestransaction', sale);
};
const withSale = async () => {
  await openShopNow();
  await addSale();
};
const withBelgianSale = async () => {
  shop = await openShop(jobs.app, 'BE');
  await setDetails({ ...details, vat_number: 'BE0417497106', phone: '+32 9 555 01 20', email: 'info@example.com' });
  await addSale();
};
let pushed: string;
const withPush = async () => {
  await openShopNow();
  const pushes = createPushClient({ base: jobs.app.url, credential: shop.credential, fetch });
  const rows = [{ row: 2, update: { ArticleNumber: '0100', NewSalePrice: '13' } }];
  pushed = (await pushes.begin(rows, randomUUID())).id;
  await endedPush(pushes, pushed);
};
const vat = () => createVatClient(service());
const fileReturn = async () => {
  const { toFile } = await lookAtReturn(vat(), PERIOD);
  if (toFile !== undefined)
    await vat().file(PERIOD, { isSupplement: toFile.filedOn !== null, figures: toFile.figures });
};
const filed = async () => {
  const { json } = await shop.get(`/vat/return?period=${PERIOD}`);
  return { isFiled: json.filedOn !== null, figures: json.figures };
};

const books = auditfile({
  transactions: transactions('2', '121.00', '121.00', line('0100', '121.00', 'D') + line('8000', '121.00', 'C')),
});
const newImporter = async () => {
  importer = await jobs.app.addAdministration({ scope: 'import', username: 'importer@example.com' });
};
const auditfiles = () => createAuditfileClient(jobs.serviceOf(importer.credential));
const sendFile = () => sendAndCheck(auditfiles(), new File([books], 'books.xaf'), () => {}, signal);
/** The files of the administration once none is worked on. */
const received = async () => {
  const direct = createAuditfileClient({ base: jobs.app.url, credential: importer.credential, fetch });
  for (;;) {
    const files = await direct.list();
    if (files.every(({ state }) => !['checking', 'importing'].includes(state)))
      return files.map(({ name, state, report }) => ({ name, state, entries: report?.entries }));
    await passed(50);
  }
};
const importFile = async () => {
  const [file] = await auditfiles().list();
  if (file?.state === 'checked') await auditfiles().import(file.id, { replace: false, takeWithWarnings: true });
};

const tried: FailingJob[] = [
  {
    title: 'Connecting',
    before: openShopNow,
    run: resulting(async () => (await readIdentity(jobs.serviceOf(shop.credential, fetchOnce))).kind),
    outcome,
  },
  {
    title: 'Looking at the activity',
    before: openShopNow,
    run: resulting(async () => {
      const { pushes } = await createPushClient(service()).page('');
      return { pushes, exports: await createExportClient(service()).list() };
    }),
    outcome,
  },
  {
    title: 'The PDFs of a selection',
    before: withInvoices,
    run: resulting(zip),
    // What was made is saved, and the zip and the pane name every other one.
    tolerates: (collected) => (collected as CollectedDocuments).notIncluded.length > 0,
    outcome: zipped,
  },
  {
    title: 'The PDF of an invoice',
    before: withInvoices,
    run: resulting(async () => (await readDocument(service(), '1', 'pdf')).type),
    outcome,
  },
  {
    title: 'The e-invoices of a selection that lack something',
    before: withInvoices,
    run: resulting(() => collectDocuments(service(), ['1', '2'], 'xml', { signal, report: () => {} })),
    tolerates: (collected) => (collected as CollectedDocuments).notIncluded.length > 0,
    outcome: zipped,
  },
  { title: 'Filing a VAT return', before: withSale, run: fileReturn, outcome: filed },
  {
    title: 'A year as an audit file',
    before: withSale,
    run: resulting(async () => {
      const parts = await receiveYear(
        createLedgerClient(service()).auditfile({ year: '2026', version: '3.2' }),
        () => {},
      );
      const text = await parts[0]!.text();
      return text.split('<trLine>').length;
    }),
    outcome,
  },
  {
    title: 'Making an export',
    before: openShopNow,
    run: resulting(async () => {
      const made = await makeExport(createExportClient(service()), {
        signal,
        onProgress: () => {},
        wait: () => passed(50),
      });
      return { state: made.state, relations: made.relations };
    }),
    outcome,
  },
  { title: 'Sending an audit file', before: newImporter, run: sendFile, outcome: received },
  {
    title: 'Importing an audit file',
    before: async () => {
      await newImporter();
      await sendFile();
      await received();
    },
    run: importFile,
    outcome: received,
  },
];
/** What is only read, and shown. */
const read: FailingJob[] = [
  {
    title: 'A check of what invoices lack for e-invoices',
    before: openShopNow,
    run: resulting(() => checkEInvoices(service(), [invoice])),
    outcome,
  },
  {
    title: 'The file for Intervat',
    before: withBelgianSale,
    run: resulting(async () => {
      const file = await vat().intervat({ period: PERIOD, refund: true, noClients: false });
      return (await file.text()).match(/<(\w+:)?Amount.*?>/g);
    }),
    outcome,
  },
  {
    title: 'The balances that entries to book change',
    before: withSale,
    run: resulting(() => createLedgerClient(service()).balances({ to: '2026-12-31' })),
    outcome,
  },
  {
    title: 'A search for products',
    before: openShopNow,
    run: resulting(async () => (await createProductClient(service()).search('Stoel', 20)).products),
    outcome,
  },
  {
    title: 'The rows of a push',
    before: withPush,
    run: resulting(async () => (await createPushClient(service()).rows(pushed, '')).rows.map(({ state }) => state)),
    outcome,
  },
];
jobs.tryFailures(tried, { ofWorkbook: false });
jobs.tryFailures(read, { ofWorkbook: false, isSampled: true });
