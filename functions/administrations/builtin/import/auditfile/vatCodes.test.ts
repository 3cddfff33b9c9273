import { expect, test } from 'vitest';
import { auditfile, auditfileImporter, line, transactions } from '../../../../../testing/builtin/auditfiles.ts';

const load = auditfileImporter();

test('VAT codes ignore percentages of something else in their descriptions', async () => {
  const vat = (id: string, description: string, pay: string, claim: string) =>
    `<vatCode><vatID>${id}</vatID><vatDesc>${description}</vatDesc>${pay && `<vatToPayAccID>${pay}</vatToPayAccID>`}${claim && `<vatToClaimAccID>${claim}</vatToClaimAccID>`}</vatCode>`;
  const { db, problems, result } = await load(
    auditfile({
      vat: [
        vat('1', 'Btw hoog 100% aftrekbaar', '', '1520'),
        vat('2', 'Btw laag, 50 % niet aftrekbaar', '', '1520'),
        vat('3', 'Inkoop 21% 50% aftrekbaar', '', '1520'),
        vat('4', 'Btw 150%', '1500', ''),
        vat('5', 'Verlegd 21%', '1500', '1520'),
        vat('6', 'Vrijgesteld, was 9%', '1500', ''),
        vat('7', 'Privégebruik 2.7%', '1500', ''),
      ].join('\n'),
    }),
  );
  expect(problems).toEqual([]);
  const rows = await db.selectFrom('tax_code').orderBy('id').selectAll().execute();
  expect(rows.map((row) => `${row.tax_type} ${row.code}${row.tax_exempt === 1n ? ' exempt' : ''}`)).toEqual([
    'Purchase 21% - Btw hoog 100% aftrekbaar',
    'Purchase 9% - Btw laag, 50 % niet aftrekbaar',
    'Purchase 21% - Inkoop 21% 50% aftrekbaar',
    'Sales 0% - Verlegd 21%',
    'Purchase 21% - Verlegd 21%',
    'Sales 0% - Vrijgesteld, was 9% exempt',
    'Sales 2.7% - Privégebruik 2.7%',
  ]);
  expect(result.vatWithoutPercentage).toEqual(['4 Btw 150%']);
});

test('VAT codes have the most used percentage of their lines, else that of their description; others are left out', async () => {
  const vat = (id: string, description: string, pay = '', claim = '') =>
    `<vatCode><vatID>${id}</vatID><vatDesc>${description}</vatDesc>${pay && `<vatToPayAccID>${pay}</vatToPayAccID>`}${claim && `<vatToClaimAccID>${claim}</vatToClaimAccID>`}</vatCode>`;
  const used = (id: string, percentage: string) =>
    line(
      '8000',
      '0',
      'C',
      `<vat><vatID>${id}</vatID><vatPerc>${percentage}</vatPerc><vatAmnt>0</vatAmnt><vatAmntTp>C</vatAmntTp></vat>`,
    );
  const { db, problems, result } = await load(
    auditfile({
      vat: [
        vat('1', 'Oud', '1500'),
        vat('2', 'Tarief 12,5 %', '', '1520'),
        vat('3', 'BTW laag', '1500'),
        vat('4', 'Verlegd', '1500', '1520'),
        vat('5', 'Geen'),
        vat('6', 'Vreemd', '1500'),
        vat('7', 'BTW laag', '1500'),
        vat('8', 'Vrijgesteld van BTW'),
      ].join('\n'),
      transactions: transactions('3', '0.00', '0.00', used('1', '17.500') + used('1', '21.000') + used('1', '17.500')),
    }),
  );
  expect(problems).toEqual([]);
  const rows = await db.selectFrom('tax_code').orderBy('code').orderBy('tax_type').selectAll().execute();
  expect(rows.map((row) => `${row.tax_type} ${row.code}${row.tax_exempt === 1n ? ' exempt' : ''}`)).toEqual([
    'Purchase 0% - Geen',
    'Sales 0% - Geen',
    'Purchase 0% - Verlegd',
    'Sales 0% - Verlegd',
    'Purchase 0% - Vrijgesteld van BTW exempt',
    'Sales 0% - Vrijgesteld van BTW exempt',
    'Purchase 12.5% - Tarief 12,5 %',
    'Sales 17.5% - Oud',
    'Sales 9% - BTW laag',
    'Sales 9% - BTW laag (7)',
  ]);
  expect(result.vatWithoutPercentage).toEqual(['6 Vreemd']);
});
