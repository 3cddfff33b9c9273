import path from 'node:path';
import { openDatabase } from '../functions/administrations/builtin/sql/openDatabase.ts';
import { startAzurite } from '../functions/host/azurite.ts';
import type { Credential } from '../shared/client/client.ts';
import { createExportClient, exportPath } from '../shared/client/exportClient.ts';
import { exportFiles } from '../shared/resources/relationExport.ts';
import { headersOf, newKey } from './books.ts';
import { measureCommand } from './commands.ts';
import { exportInto } from './exports.ts';
import { inFolder, peakMegabytes, type Ratio, type Server, startApp } from './measure.ts';
import { fillRelations } from './relations.ts';
import { writeShop } from './shop.ts';

/** Relations of the exports, and lines of the invoices whose PDFs are made, 18 of each, that are compared. */
const [FEW, MANY] = [
  { relations: 100_000, lines: 3600 },
  { relations: 1_000_000, lines: 36_000 },
];
const LINES_OF_INVOICE = 18;
/** Invoices of a page with their PDFs. */
const PAGE = 15;

/** The most megabytes that a process held, for each kind of work. */
type Peaks = { export: number; download: number; pdfs: number; pages: number };

/**
 * The most that a process holds, with ten times as much to do: an export of relations, the app that sends its files, and
 * the app that makes PDFs, one after the other and then in pages. Archives, `check` and imports are among the commands.
 */
export const measureMemory = (): Promise<Ratio[]> =>
  inFolder(async (folder) => {
    const few = await peaks(path.join(folder, 'few'), FEW);
    const many = await peaks(path.join(folder, 'many'), MANY);
    const [invoices, fewer] = [MANY, FEW].map(({ lines }) => lines / LINES_OF_INVOICE);
    const relations = `of ${MANY.relations} relations, against ${FEW.relations}`;
    const names: Record<keyof Peaks, string> = {
      export: `an export ${relations}`,
      download: `the app during downloads of an export ${relations}`,
      pdfs: `the app during ${invoices} PDFs, against ${fewer}`,
      pages: `the app during pages of ${PAGE} PDFs, of ${invoices} invoices, against ${fewer}`,
    };
    return (Object.keys(names) as (keyof Peaks)[]).map((of) => ({
      name: `peak memory of ${names[of]}`,
      ours: many[of],
      bare: few[of],
      unit: 'MB',
      aim: 1.2,
    }));
  });

async function peaks(folder: string, { relations, lines }: typeof FEW): Promise<Peaks> {
  const exported = await exportAndDownload(folder, relations);
  const { file, credential } = await shopWith(`${folder}-shop`, lines);
  const work = (target: (app: Server) => Promise<void>) => inApp(`${folder}-app`, { DATABASE_URL: file }, target);
  const headers = headersOf(credential);
  const invoices = lines / LINES_OF_INVOICE;
  const pdfs = await work(async ({ url }) => {
    for (let number = 1; number <= invoices; number++)
      await bytesOf(`${url}/documents/invoices/${number}.pdf`, headers);
  });
  const pages = await work(async ({ url }) => {
    for (let offset = 0; offset < invoices; offset += PAGE)
      await bytesOf(`${url}/rest/listsalesinvoices?Limit=${PAGE}&Offset=${offset}&IncludeBase64PDF=true`, headers);
  });
  return { ...exported, pdfs, pages };
}

/** The peak of the app in a process of its own, which does some work. */
async function inApp(
  folder: string,
  settings: Readonly<Record<string, string>>,
  work: (app: Server) => Promise<void>,
): Promise<number> {
  const app = await startApp(folder, settings);
  try {
    await work(app);
    return peakMegabytes(app.pid);
  } finally {
    await app.stop();
  }
}

async function exportAndDownload(folder: string, relations: number): Promise<Pick<Peaks, 'export' | 'download'>> {
  const file = `${folder}.sqlite`;
  const db = await openDatabase(`sqlite:${file}`);
  const credential = await newKey(db, await fillRelations(db, relations));
  await db.destroy();
  const azurite = await startAzurite(`${folder}-storage`);
  try {
    const { megabytes } = await exportInto(file, azurite.connectionString);
    const settings = { DATABASE_URL: `sqlite:${file}`, AzureWebJobsStorage: azurite.connectionString };
    const download = await inApp(`${folder}-app`, settings, async ({ url }) => {
      const [made] = await createExportClient({ base: url, credential, fetch }).list();
      for (const name of exportFiles) await bytesOf(url + exportPath(made!, name), headersOf(credential));
    });
    return { export: megabytes, download };
  } finally {
    await azurite.stop();
  }
}

/** A shop with so many lines of invoices, each invoice of 18. */
async function shopWith(name: string, lines: number): Promise<{ file: string; credential: Credential }> {
  const file = `sqlite:${name}.sqlite`;
  const files = await writeShop(name, lines);
  await measureCommand(file, ['create', '--name', 'Bench', '--country', 'NL', '--years', '2026']);
  for (const [what, from] of Object.entries(files))
    await measureCommand(file, ['import', what, from, '--administration', '1']);
  const db = await openDatabase(file);
  // A PDF has them.
  const address = { street: 'Coolsingel', unit: '12', postal_code: '3011 AD', city: 'Rotterdam' };
  const numbers = { vat_number: 'NL812345678B01', company_number: '24123456', iban: 'NL91ABNA0417164300' };
  await db
    .updateTable('administration')
    .set({ ...address, ...numbers })
    .execute();
  const credential = await newKey(db, 1n);
  await db.destroy();
  return { file, credential };
}

/** Reads a response to its end, and keeps none of it. @throws Error when it is refused */
async function bytesOf(url: string, headers: Record<string, string>): Promise<void> {
  const response = await fetch(url, { headers });
  if (response.status !== 200) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  await response.body!.pipeTo(new WritableStream());
}
