import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { XMLParser } from 'fast-xml-parser';
import readWorkbook, { readSheet } from 'read-excel-file/node';
import { beforeEach, describe, expect, test } from 'vitest';
import { commandLineOfTests } from '../../../../testing/builtin/commandLine.ts';
import { libreOffice, openInLibreOffice } from '../../../../testing/exports/libreOffice.ts';
import { runCommand } from './command.ts';

const { file, inFolder, run, runWith, database } = commandLineOfTests();

/** Imports rows of a resource, and expects that they are accepted. */
async function load(resource: string, rows: string): Promise<void> {
  const csv = rows
    .trim()
    .split('\n')
    .map((line) =>
      line
        .split('|')
        .map((cell) => cell.trim())
        .join(','),
    )
    .join('\n');
  const result = await run('import', resource, file(`${resource}.csv`, csv), '--administration', '1');
  expect(result).toMatchObject({ code: 0, errorOutput: '' });
}

/** Runs `vat` for a period, and returns its lines; the workbook gets a name of its own. */
async function vat(period: string, ...more: string[]) {
  const out = inFolder(`paper-${Math.random()}.xlsx`);
  const result = await run('vat', '1', '--period', period, '--out', out, ...more);
  return { ...result, out };
}
const boxesIn = (output: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    output.flatMap((line) => {
      const [box, , ...amounts] = line.split('\t');
      return amounts.length === 0 ? [] : [[box!, amounts.join(' ')] as const];
    }),
  );

/** The clock of the command line stands still: what was entered and filed until now was so the day before. */
async function allYesterday(): Promise<void> {
  const db = await database();
  const aDay = 86_400n;
  for (const table of ['sales_invoice', 'purchase_invoice'] as const) {
    const rows = db.updateTable(table as 'sales_invoice');
    await rows.set(({ eb }) => ({ created_on: eb('created_on', '-', aDay) })).execute();
  }
  await db
    .updateTable('vat_return')
    .set(({ eb }) => ({ filed_on: eb('filed_on', '-', aDay) }))
    .execute();
}

describe('a Dutch VAT return', () => {
  beforeEach(async () => {
    await run('create', '--name', 'Bakkerij', '--country', 'NL', '--years', '2026');
    await load(
      'relations',
      `Name   | CustomerNumber | SupplierNumber | TaxIdentificationNumber | Address_CountryCode
       Jansen | 7              | 0              | NL001234567B01          | NL
       Müller | 8              | 0              | DE123456789             | DE
       Kweker | 0              | 5              | NL123456782B90          | NL`,
    );
    await load(
      'invoices',
      `InvoiceNumber | InvoiceDate | CustomerNumber | InvoiceType | SubTotalInclTax | TaxCode | Description
       1 | 15-01-2026 | 7 | BOOKKEEPING | 1210.00 | 21% - Hoog | Taart
       2 | 31-03-2026 | 7 | BOOKKEEPING | -121.00 | 21% - Hoog | Retour
       3 | 01-02-2026 | 8 | BOOKKEEPING | 250.00 | 0% - Goederen naar EU-landen | Koek
       4 | 01-04-2026 | 7 | BOOKKEEPING | 1208.79 | 21% - Hoog | Later`,
    );
    await load(
      'purchase-invoices',
      `PurchaseInvoiceNumber | InvoiceDate | SupplierNumber | SubTotalInclTax | TaxCode
       70                    | 10-02-2026  | 5              | 121             | 21% - Inkoop hoog
       71                    | 11-02-2026  | 5              | 200             | 0% - Inkoop verlegd binnenland`,
    );
  });

  test('has the boxes of its period, and a workbook whose figures are formulas over its lines', async () => {
    const { code, output, out } = await vat('2026-Q1');
    expect(code).toBe(0);
    expect(boxesIn(output)).toEqual({
      '1a': 'base 900.00 tax 189.00',
      '2a': 'base 200.00 tax 42.00',
      '3b': 'base 250.00',
      '5b': 'tax 63.00',
      '5a': 'tax 231.00',
      '5g': 'tax 168.00',
    });
    const lines = await readSheet(out, 'Lines');
    expect(lines.map((row) => [row[0], row[1], row[2], row[4], row[6]]).slice(1)).toEqual([
      ['1a', 'base', 1000, '1', 'Jansen'],
      ['1a', 'tax', 210, '1', 'Jansen'],
      ['3b', 'base', 250, '3', 'Müller'],
      ['1a', 'base', -100, '2', 'Jansen'],
      ['1a', 'tax', -21, '2', 'Jansen'],
      ['5b', 'tax', 21, '70', 'Kweker'],
      ['2a', 'base', 200, '71', 'Kweker'],
      ['2a', 'tax', 42, '71', 'Kweker'],
      ['5b', 'tax', 42, '71', 'Kweker'],
    ]);
    expect(await readSheet(out, 'EU listing')).toEqual([
      ['VAT number', 'Name', 'Code', 'Amount'],
      ['DE123456789', 'Müller', 'L', 250],
      ['Total', null, null, 250],
    ]);
  });

  test.skipIf(!libreOffice.isThere)(libreOffice.title('is calculated to its figures by another program'), async () => {
    const { out, output } = await vat('2026-Q1');
    const sheets = await openInLibreOffice(out);
    const shown = Object.fromEntries(sheets['VAT return']!.slice(3).map(([box, , ...amounts]) => [box, amounts]));
    const declared = (text: string | undefined) => Number((text ?? '0').replace('#', ''));
    for (const [box, amounts] of Object.entries<string>(boxesIn(output))) {
      const [, base] = /base (\S+)/.exec(amounts) ?? [];
      const [, tax] = /tax (\S+)/.exec(amounts) ?? [];
      if (base !== undefined) expect(declared(shown[box]![2])).toBe(Number(base));
      if (tax !== undefined) expect(declared(shown[box]![3])).toBe(Number(tax));
    }
    expect(sheets['EU listing']!.at(-1)).toEqual(['Total', '', '', '#250.00']);
  });

  test('once filed, leaves what is entered later to the next period, and says what changed', async () => {
    expect((await vat('2026-Q1', '--filed')).output.at(-1)).toContain('Filed');
    expect(await vat('2026-Q1', '--filed')).toMatchObject({
      code: 1,
      errorOutput: 'The return of 2026-Q1 was filed already.',
    });
    const db = await database();
    await load(
      'invoices',
      `InvoiceNumber | InvoiceDate | CustomerNumber | InvoiceType | SubTotalInclTax | TaxCode | Description
       9 | 31-03-2026 | 7 | BOOKKEEPING | 242.00 | 21% - Hoog | Vergeten`,
    );
    // The command line's clock stands still: it was entered a day after the return was filed.
    await db
      .updateTable('sales_invoice')
      .where('number', '=', 9n)
      .set(({ eb }) => ({ created_on: eb('created_on', '+', 86_400n) }))
      .execute();
    const first = await vat('2026-Q1');
    expect(boxesIn(first.output)['1a']).toBe('base 900.00 tax 189.00');
    expect(first.output.filter((line) => line.includes('was filed as'))).toEqual([]);
    const second = await vat('2026-Q2');
    expect(boxesIn(second.output)['1a']).toBe('base 1199.00 tax 252.00');
    expect(second.output).toContainEqual(
      '! 1 document is dated in a period that had been filed, with 42.00 of VAT to pay: it counts in this one.',
    );
    expect((await vat('2026-Q2', '--supplement-above', '41')).output).toContainEqual(
      expect.stringContaining('file a supplement'),
    );
    await load(
      'vat-rules',
      `TaxType | TaxCode    | BaseBoxes | OwedBoxes
       Sales   | 21% - Hoog | 1c        | 1c`,
    );
    expect((await vat('2026-Q1')).output.filter((line) => line.includes('was filed as'))).toEqual([
      '! Box 1a (base) was filed as 900.00, and would be 0.00 today.',
      '! Box 1a (tax) was filed as 189.00, and would be 0.00 today.',
      '! Box 1c (base) was filed as 0.00, and would be 900.00 today.',
      '! Box 1c (tax) was filed as 0.00, and would be 189.00 today.',
    ]);
  });

  test('is not filed when something is entered after its figures were computed', async () => {
    const late = file(
      'late.csv',
      'InvoiceNumber,InvoiceDate,CustomerNumber,InvoiceType,SubTotalInclTax,TaxCode,Description\n9,31-03-2026,7,BOOKKEEPING,242.00,21% - Hoog,Laat\n',
    );
    const command = path.resolve(import.meta.dirname, 'command.ts');
    const complained: string[] = [];
    const words = ['vat', '1', '--period', '2026-Q1', '--out', inFolder('paper.xlsx'), '--filed'];
    const code = await runCommand(words, {
      env: { DATA_DIR: inFolder('.') },
      say(line) {
        if (!line.startsWith('The working paper is in')) return;
        const entering = ['import', 'invoices', late, '--administration', '1'];
        execFileSync(process.execPath, [command, ...entering], { env: { ...process.env, DATA_DIR: inFolder('.') } });
      },
      complain: (line) => complained.push(line),
      now: () => new Date('2026-03-04T12:00:00Z'),
    });
    const message = 'The books have changed since the return was computed: look at it again.';
    expect({ code, complained }).toEqual({ code: 1, complained: [message] });
    const again = await vat('2026-Q1', '--filed');
    expect([again.code, boxesIn(again.output)['1a']]).toEqual([0, 'base 1100.00 tax 231.00']);
  });

  test('is filed again as a supplement, by the limit that is set', async () => {
    expect(await vat('2026-Q1', '--supplement', '--filed')).toMatchObject({ code: 1 });
    expect(await vat('2026-Q1', '--filed')).toMatchObject({ code: 0 });
    await allYesterday();
    await run('set', '1', '--vat-supplement-above', '20');
    await load(
      'invoices',
      `InvoiceNumber | InvoiceDate | CustomerNumber | InvoiceType | SubTotalInclTax | TaxCode | Description
       5 | 30-03-2026 | 7 | BOOKKEEPING | 242.00 | 21% - Hoog | Te laat`,
    );
    const { output } = await vat('2026-Q1');
    expect(output.filter((line) => line.startsWith('! 5 of 2026-03-30') || line.startsWith('! Since'))).toEqual([
      '! 5 of 2026-03-30 was entered after this return was filed: its VAT to pay, 42.00, counts in the return of 2026-04-01.',
      '! Since this return was filed, VAT to pay has changed by 42.00: that is above the limit for the next return: file a supplement.',
    ]);
    await run('set', '1', '--vat-supplement-above', '1000');
    expect((await vat('2026-Q1')).output).toContain(
      '! Since this return was filed, VAT to pay has changed by 42.00: the next return has it by itself.',
    );
    const supplement = await vat('2026-Q1', '--supplement', '--filed');
    expect(boxesIn(supplement.output)).toMatchObject({ '1a': 'base 1100.00 tax 231.00' });
    expect(boxesIn((await vat('2026-Q2')).output)).toMatchObject({ '1a': 'base 999.00 tax 210.00' });
  });

  test('refuses later documents where that is set, and rounds as it is set', async () => {
    await vat('2026-Q1', '--filed');
    await allYesterday();
    expect(await run('set', '1', '--late-documents', 'refuse', '--vat-rounding', 'favourable')).toMatchObject({
      code: 0,
    });
    const csv = file(
      'late.csv',
      'InvoiceNumber,InvoiceDate,CustomerNumber,InvoiceType,SubTotalInclTax,TaxCode\n9,31-03-2026,7,BOOKKEEPING,121,21% - Hoog',
    );
    const refused = await run('import', 'invoices', csv, '--administration', '1');
    expect(refused.errorOutput).toContain(
      'InvoiceDate: expected a date outside of 2026-Q1, whose VAT return was filed, got 2026-03-31',
    );
    await run('set', '1', '--late-documents', 'accept');
    expect(await run('import', 'invoices', csv, '--administration', '1')).toMatchObject({ code: 0 });
    // 209.79 of the invoice of April, and 21 that came late.
    expect(boxesIn((await vat('2026-Q2')).output)).toMatchObject({ '1a': 'base 1099.00 tax 230.00' });
  });

  test('uses rules of the administration, which are refused with boxes that are not there', async () => {
    const rules = (await run('vat-rules', '1')).output;
    expect(rules).toContain('Sales,21% - Hoog,any,1a,1a,,0,100,,');
    const written = file('rules.csv', rules.join('\n').replaceAll(',2a,2a,5b,', ',2a,2a,,'));
    expect(await run('import', 'vat-rules', written, '--administration', '1')).toMatchObject({ code: 0 });
    expect(boxesIn((await vat('2026-Q1')).output)).toMatchObject({ '2a': 'base 200.00 tax 42.00', '5b': 'tax 21.00' });
    const wrong = file('wrong.csv', 'TaxType,TaxCode,BaseBoxes,OwedBoxes\nSales,21% - Hoog,03,1a\nSales,7%,1a,1e');
    const refused = await run('import', 'vat-rules', wrong, '--administration', '1');
    expect(refused.errorOutput.split('\n').slice(0, 3)).toEqual([
      'wrong.csv:2: BaseBoxes: expected boxes of 1a, 1b, 1c, 1d, 1e, 2a, 3a, 3b, 3c, 4a, 4b, got "03"',
      'wrong.csv:3: TaxCode: expected a Sales tax code, got "7%"',
      'wrong.csv:3: OwedBoxes: expected boxes of 1a, 1b, 1c, 1d, 2a, 4a, 4b, 5b, got "1e"',
    ]);
  });

  test('overwrites no file, and refuses a period that is none', async () => {
    const out = file('mine.xlsx', 'mine');
    const words = ['vat', 'bakkerij', '--out', out];
    expect(await run(...words, '--period', '2026-Q1')).toMatchObject({ code: 1 });
    expect(await readFile(out, 'utf8')).toBe('mine');
    expect(await run(...words, '--period', '2026-Q5')).toMatchObject({
      code: 2,
      errorOutput: expect.stringContaining('Expected a period, such as 2026-Q3, 2026-07 or 2026.'),
    });
    expect(await run(...words, '--period', '2026-Q1', '--xml', inFolder('a.xml'))).toMatchObject({ code: 1 });
    expect(await runWith({}, 'vat', '1', '--period', '2026-Q1', '--rounding', 'up')).toMatchObject({ code: 2 });
  });
});

describe('a Belgian VAT return', () => {
  beforeEach(async () => {
    await run('create', '--name', 'Bloemen', '--country', 'BE', '--years', '2026');
    const issuer = ['--street', 'Kade', '--house-number', '1', '--postal-code', '9000', '--city', 'Gent'];
    expect(
      await run(
        'set',
        '1',
        ...issuer,
        '--vat-number',
        'BE0417497106',
        '--phone',
        '+32 9 555 01 20',
        '--email',
        'info@bloemen.example',
      ),
    ).toMatchObject({
      code: 0,
    });
    await load(
      'relations',
      `Name   | CustomerNumber | SupplierNumber | TaxIdentificationNumber | Address_CountryCode
       Peeters | 7             | 0              | BE0403170701            | BE
       Maes    | 0             | 5              | BE0403170701            | BE`,
    );
    await load(
      'invoices',
      `InvoiceNumber | InvoiceDate | CustomerNumber | InvoiceType | SubTotalInclTax | TaxCode | Description
       1 | 15-01-2026 | 7 | BOOKKEEPING | 1210.00 | 21% - Normaal tarief | Rozen
       2 | 20-01-2026 | 7 | BOOKKEEPING | -121.00 | 21% - Normaal tarief | Retour`,
    );
    await load(
      'purchase-invoices',
      `PurchaseInvoiceNumber | InvoiceDate | SupplierNumber | SubTotalInclTax | TaxCode                      | PurchaseClassification | LedgerAccountNumber
       70                    | 10-02-2026  | 5              | 605             | 21% - Aankoop normaal tarief |                        | 604000
       71                    | 11-02-2026  | 5              | 1000            | 0% - Aankoop medecontractant | 83                     | 604000`,
    );
  });

  test('has credit notes in boxes of their own, and purchases by their kind', async () => {
    const { output } = await vat('2026-Q1');
    expect(boxesIn(output)).toEqual({
      '03': 'base 1000.00',
      '49': 'base 100.00',
      '81': 'base 500.00',
      '83': 'base 1000.00',
      '87': 'base 1000.00',
      '54': 'tax 210.00',
      '56': 'tax 210.00',
      '59': 'tax 315.00',
      '64': 'tax 21.00',
      XX: 'tax 420.00',
      YY: 'tax 336.00',
      '71': 'tax 84.00',
      '72': 'tax 0.00',
    });
    expect(output).toContain('! 1 purchase has no kind (81 to 83): it was derived from its account.');
    expect(output.filter((line) => line.startsWith('! Purchase 0% - Aankoop medecontractant'))).toHaveLength(1);
  });

  test('is written as a file for Intervat', async () => {
    const xml = inFolder('return.xml');
    expect(await vat('2026-Q1', '--xml', xml)).toMatchObject({ code: 0 });
    const parser = new XMLParser({ ignoreAttributes: false, removeNSPrefix: true, parseTagValue: false });
    const { VATConsignment } = parser.parse(await readFile(xml, 'utf8'));
    expect(VATConsignment['@_VATDeclarationsNbr']).toBe('1');
    const { Declarant, Period, Data, ClientListingNihil, Ask } = VATConsignment.VATDeclaration;
    expect(Declarant).toMatchObject({
      VATNumber: '0417497106',
      Name: 'Bloemen',
      CountryCode: 'BE',
      Phone: '003295550120',
    });
    expect(Period).toEqual({ Quarter: '1', Year: '2026' });
    const amounts = Data.Amount.map((one: Record<string, string>) => [one['@_GridNumber'], one['#text']]);
    expect(Object.fromEntries(amounts)).toEqual({
      3: '1000.00',
      49: '100.00',
      54: '210.00',
      56: '210.00',
      59: '315.00',
      64: '21.00',
      71: '84.00',
      81: '500.00',
      83: '1000.00',
      87: '1000.00',
    });
    expect([ClientListingNihil, Ask]).toEqual(['NO', { '@_Restitution': 'NO', '@_Payment': 'NO' }]);
    await run('set', '1', '--email', '');
    const again = await vat('2026-Q1', '--xml', inFolder('again.xml'));
    expect(again).toMatchObject({
      code: 1,
      errorOutput: 'EmailAddress: a file for Intervat needs it of the administration, which has none',
    });
    await run('set', '1', '--email', 'info@bloemen.example');
    const last = inFolder('last.xml');
    expect(await vat('2026-Q1', '--xml', last, '--refund', '--no-clients')).toMatchObject({ code: 0 });
    const written = await readFile(last, 'utf8');
    expect(written).toContain('Restitution="YES"');
    expect(written).toContain('<ns2:ClientListingNihil>YES</ns2:ClientListingNihil>');
  });

  test('of a year has the listing of Belgian customers', async () => {
    const { out } = await vat('2026');
    expect((await readWorkbook(out)).map(({ sheet }) => sheet)).toContain('Client listing');
    expect(await readSheet(out, 'Client listing')).toEqual([
      ['VAT number', 'Name', 'Turnover', 'VAT'],
      ['BE0403170701', 'Peeters', 900, 189],
      ['Total', null, 900, 189],
    ]);
  });
});
