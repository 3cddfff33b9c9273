import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { namespaces } from '../functions/administrations/builtin/import/auditfile/namespaces.ts';
import { openDatabase } from '../functions/administrations/builtin/sql/openDatabase.ts';
import { startScript } from '../testing/appProcess.ts';
import { newBooks } from './books.ts';
import { inFolder, nodeOptionsOf, type Ratio } from './measure.ts';

/** Lines of an entry of the files here: a sales invoice. */
const LINES = 3;
const RELATIONS = 2000;

/** Entries of the files that are compared. */
const [FEW, MANY] = [10_000, 100_000];

type Measured = { whole: number; megabytes: number };

/**
 * An audit file that is imported and written again: how the time and the memory of its process grow with its lines.
 */
export const measureAuditfiles = (): Promise<Ratio[]> =>
  inFolder(async (folder) => {
    const few = await inAndOut(folder, FEW);
    const many = await inAndOut(folder, MANY);
    const ratio = (what: 'in' | 'out', of: keyof Measured, unit: Ratio['unit'], aim: number): Ratio => ({
      name: `${of === 'whole' ? 'time' : 'peak memory'} of an audit file ${what} of ${MANY * LINES} lines, against ${FEW * LINES}`,
      ours: many[what][of],
      bare: few[what][of],
      unit,
      aim,
    });
    return [
      ratio('in', 'whole', 'ms', MANY / FEW),
      ratio('in', 'megabytes', 'MB', 1.2),
      ratio('out', 'whole', 'ms', MANY / FEW),
      ratio('out', 'megabytes', 'MB', 1.2),
    ];
  });

async function inAndOut(folder: string, entries: number): Promise<{ in: Measured; out: Measured }> {
  const database = path.join(folder, `${entries}.sqlite`);
  const db = await openDatabase(`sqlite:${database}`);
  await newBooks(db);
  await db.updateTable('administration').set({ vat_number: 'NL812345678B01' }).execute();
  await db.destroy();
  const file = path.join(folder, `${entries}.xaf`);
  await writeLargeFile(file, entries);
  return { in: await once(database, file), out: await once(database) };
}

async function once(database: string, file?: string): Promise<Measured> {
  const environment = { DATABASE_URL: `sqlite:${database}`, ...(file === undefined ? {} : { AUDITFILE: file }) };
  const nodeOptions = nodeOptionsOf('functions/host/start.ts');
  const child = startScript('bench/auditfileOnce.ts', environment, { nodeOptions });
  const [, measured] = await child.line(/^measured (.*)$/);
  await child.kill('SIGTERM');
  return JSON.parse(measured!);
}

/** Writes an audit file with sales invoices of some relations. */
export const writeLargeFile = (file: string, entries: number): Promise<void> =>
  pipeline(Readable.from(textOf(entries)), createWriteStream(file));

function* textOf(entries: number): Generator<string> {
  yield `<?xml version="1.0" encoding="UTF-8"?>
<auditfile xmlns="${namespaces['4.0']}">
<header><fiscalYear>2026</fiscalYear><startDate>2026-01-01</startDate><endDate>2026-12-31</endDate>
<curCode>EUR</curCode><dateCreated>2027-01-02</dateCreated><softwareDesc>Bench</softwareDesc>
<softwareVersion>1</softwareVersion></header>
<company><companyName>Bench</companyName><taxRegistrationCountry>NL</taxRegistrationCountry>
<taxRegIdent>NL812345678B01</taxRegIdent>
<customersSuppliers>
`;
  for (let relation = 0; relation < RELATIONS; relation++) {
    yield `<customerSupplier><custSupID>${relation}</custSupID><custSupName>Customer ${relation}</custSupName><custSupTp>C</custSupTp></customerSupplier>\n`;
  }
  yield `</customersSuppliers>
<generalLedger>
<ledgerAccount><accID>1300</accID><accDesc>Debtors</accDesc><accTp>B</accTp></ledgerAccount>
<ledgerAccount><accID>1500</accID><accDesc>VAT</accDesc><accTp>B</accTp></ledgerAccount>
<ledgerAccount><accID>8000</accID><accDesc>Turnover</accDesc><accTp>P</accTp></ledgerAccount>
</generalLedger>
<vatCodes><vatCode><vatID>H</vatID><vatDesc>High</vatDesc><vatToPayAccID>1500</vatToPayAccID></vatCode></vatCodes>
<periods></periods>
<transactions><linesCount>${entries * LINES}</linesCount><totalDebit>${entries * 121}.00</totalDebit><totalCredit>${entries * 121}.00</totalCredit>
<journal><jrnID>VERK</jrnID><desc>Sales</desc><jrnTp>S</jrnTp><offsetAccID>1300</offsetAccID>
`;
  for (let entry = 0; entry < entries; entry++) {
    const day = new Date(Date.UTC(2026, 0, 1 + Math.floor((entry * 365) / entries))).toISOString().slice(0, 10);
    const line = (nr: number, account: string, amount: number, side: string, more: string) => `<trLine>
 <nr>${nr}</nr>
 <accID>${account}</accID>
 <docRef>F${entry}</docRef>
 <effDate>${day}</effDate>
 <desc>Invoice F${entry} of a customer</desc>
 <amnt>${amount}.00</amnt>
 <amntTp>${side}</amntTp>
 ${more}
</trLine>
`;
    const vat = '<vat><vatID>H</vatID><vatPerc>21</vatPerc><vatAmnt>21.00</vatAmnt><vatAmntTp>C</vatAmntTp></vat>';
    yield `<transaction>
<nr>F${entry}</nr>
<desc>Invoice F${entry}</desc>
<periodNumber>${Number(day.slice(5, 7))}</periodNumber>
<trDt>${day}</trDt>
${line(1, '1300', 121, 'D', `<custSupID>${entry % RELATIONS}</custSupID>`)}${line(2, '8000', 100, 'C', '')}${line(3, '1500', 21, 'C', vat)}</transaction>
`;
  }
  yield '</journal></transactions></company></auditfile>\n';
}
