import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { startScript } from '../testing/appProcess.ts';
import { inFolder, nodeOptionsOf, type Ratio } from './measure.ts';

/** Lines of the invoices that are compared: a busy shop, and one that sells a tenth of it. */
const [FEW, MANY] = [54_000, 540_000];
const LINES = 18;
const PRODUCTS = 3000;
const CUSTOMERS = 4000;

/** How long a command took, and the most that its process held. */
type Measured = { ms: number; megabytes: number };
const verbs = ['import', 'check', 'export', 'import all'] as const;
type Verb = (typeof verbs)[number];

/** Seconds in which half a million lines are to be done, on two quiet cores. */
const aims: Readonly<Record<Verb, number>> = { import: 20, check: 8, export: 12, 'import all': 35 };

/**
 * The commands that read or write all of an administration, with half a million lines of invoices: how their time and
 * their memory grow with the lines.
 */
export const measureCommands = (): Promise<Ratio[]> =>
  inFolder(async (folder) => {
    const few = await commandsWith(path.join(folder, 'few'), FEW);
    const many = await commandsWith(path.join(folder, 'many'), MANY);
    return verbs.flatMap((verb): Ratio[] => {
      const of = `${verb} of ${MANY} invoice lines, against ${FEW}`;
      const aim = `aim ${aims[verb]} s`;
      return [
        {
          name: `time of ${of} (${aim})`,
          ours: many[verb].ms,
          bare: few[verb].ms,
          unit: 'ms',
          aim: MANY / FEW,
        },
        {
          name: `peak memory of ${of}`,
          ours: many[verb].megabytes,
          bare: few[verb].megabytes,
          unit: 'MB',
          aim: 1.2,
        },
      ];
    });
  });

async function commandsWith(name: string, lines: number): Promise<Record<Verb, Measured>> {
  const database = `sqlite:${name}.sqlite`;
  const run = (...args: string[]) => command(database, args);
  const file = (what: string) => `${name}.${what}.csv`;
  await run('create', '--name', 'Bench', '--country', 'NL', '--years', '2026');
  await write(file('relations'), customers());
  await run('import', 'relations', file('relations'), '--administration', '1');
  await write(file('products'), products());
  await run('import', 'products', file('products'), '--administration', '1');
  await write(file('invoices'), invoices(lines));
  return {
    import: await run('import', 'invoices', file('invoices'), '--administration', '1'),
    check: await run('check', '--administration', '1'),
    export: await run('export', '--administration', '1', `${name}.archive`),
    'import all': await run('import', 'all', `${name}.archive`, '--name', 'Again'),
  };
}

async function command(database: string, args: readonly string[]): Promise<Measured> {
  const start = performance.now();
  const nodeOptions = nodeOptionsOf('functions/administrations/builtin/cli/command.ts');
  const child = startScript('bench/commandOnce.ts', { DATABASE_URL: database }, { args, nodeOptions });
  const [code] = await child.ended;
  const measured = /^megabytes (.*)$/.exec(child.lines().at(-1) ?? '')?.[1];
  if (code !== 0 || measured === undefined) {
    throw new Error(`${args.join(' ')} ended with ${code}: ${child.errorOutput().slice(-2000)}`);
  }
  return { ms: performance.now() - start, megabytes: Number(measured) };
}

const write = (file: string, rows: Iterable<string>): Promise<void> =>
  pipeline(Readable.from(rows), createWriteStream(file));

function* customers(): Generator<string> {
  yield 'CustomerNumber,Name,Address_City,Address_CountryCode\n';
  for (let number = 1; number <= CUSTOMERS; number++) yield `${number},Customer ${number},Gouda,NL\n`;
}

function* products(): Generator<string> {
  yield 'ArticleNumber,Name,Price,VATPercentage\n';
  for (let number = 0; number < PRODUCTS; number++) {
    yield `A${number},Article number ${number},${cents(100 + number)},${number % 4 === 0 ? 9 : 21}\n`;
  }
}

function* invoices(lines: number): Generator<string> {
  yield 'InvoiceNumber,InvoiceDate,CustomerNumber,LineNumber,ProductNumber,Description,Quantity,UnitPriceExclTax,TaxPc\n';
  for (let line = 0; line < lines; line++) {
    const invoice = Math.floor(line / LINES);
    const day = new Date(Date.UTC(2026, 0, 1 + Math.floor((invoice * LINES * 365) / lines))).toISOString().slice(0, 10);
    const product = (line * 7919) % PRODUCTS;
    const cells = [
      invoice + 1,
      day,
      1 + ((invoice * 31) % CUSTOMERS),
      1 + (line % LINES),
      `A${product}`,
      `Article number ${product}`,
      1 + (line % 12),
      cents(100 + product),
      product % 4 === 0 ? 9 : 21,
    ];
    yield `${cells.join(',')}\n`;
  }
}

const cents = (amount: number): string => `${Math.floor(amount / 100)}.${String(amount % 100).padStart(2, '0')}`;
