import { expect, test } from 'vitest';
import { auditfile, auditfileImporter, line, transactions } from '../../../../../testing/builtin/auditfiles.ts';

const load = auditfileImporter();

test.each([
  ['3.2', 'leadReference'],
  ['4.0', 'RGScode'],
])(
  'accounts are debit or credit by their RGS code as %s has it, else their balance, else their number',
  async (_, rgsElement) => {
    const accounts: [number: string, type: string, rgs: string, movement: string, expected: string][] = [
      ['0001', 'B', 'BEivGokGea', '', 'BalanceSheet credit'],
      ['0002', 'B', 'BMvaBegCae', '', 'BalanceSheet credit'],
      ['0003', 'B', 'BMvaBegVvp', line('0003', '5.00', 'C'), 'BalanceSheet debet'],
      ['0004', 'B', '', line('0004', '5.00', 'C'), 'BalanceSheet credit'],
      ['0005', 'B', 'eigen code', line('0005', '5.00', 'D'), 'BalanceSheet debet'],
      ['4000', 'P', 'WPerLesLon', '', 'IncomeStatement debet'],
      ['7000', 'P', '', '', 'IncomeStatement debet'],
      ['8000', 'P', '', '', 'IncomeStatement credit'],
      ['8001', 'P', 'WOmzNohOlh', '', 'IncomeStatement credit'],
      ['9000', 'M', '', '', 'IncomeStatement debet'],
      ['9001', 'M', '', line('9001', '5.00', 'D'), 'BalanceSheet debet'],
      ['9002', 'M', 'BSchCreHac', line('9002', '5.00', 'D'), 'BalanceSheet credit'],
      ['9003', 'B', 'BVorDebHad', '', 'BalanceSheet debet'],
    ];
    const ledger = accounts
      .map(
        ([id, type, rgs]) =>
          `<ledgerAccount><accID>${id}</accID><accDesc>n</accDesc><accTp>${type}</accTp>${rgs === '' ? '' : `<${rgsElement}>${rgs}</${rgsElement}>`}</ledgerAccount>`,
      )
      .join('\n');
    const moved = accounts.filter(([id]) => id !== '9001').map(([, , , movement]) => movement);
    const { db, problems, result } = await load(
      auditfile({
        ledger,
        opening: `<openingBalance><opBalDate>2025-01-01</opBalDate><linesCount>2</linesCount><totalDebit>5.00</totalDebit>
<totalCredit>5</totalCredit><obLine><nr>1</nr><accID>9001</accID><amnt>5</amnt><amntTp>D</amntTp></obLine>
<obLine><nr>2</nr><accID>9003</accID><amnt>5.0</amnt><amntTp>C</amntTp></obLine></openingBalance>`,
        transactions: transactions('4', '10.00', '10.00', moved.join('')),
      }),
    );
    expect(problems).toEqual([]);
    const rows = await db.selectFrom('ledger_account').orderBy('number').selectAll().execute();
    expect(rows.map((row) => [row.number, `${row.ledger_type} ${row.debet_or_credit}`])).toEqual(
      accounts.map(([id, , , , expected]) => [id, expected]),
    );
    expect(result.sides).toEqual({ 'RGS code': 7, balance: 3, 'account number': 1, type: 2 });
  },
);

test('a mixed account without an RGS code is of the balance sheet when a journal of openings has it', async () => {
  const ledger = ['9000', '9001', '9002']
    .map((id) => `<ledgerAccount><accID>${id}</accID><accDesc>n</accDesc><accTp>M</accTp></ledgerAccount>`)
    .join('');
  const entry = (nr: number, lines: string) =>
    `<transaction><nr>${nr}</nr><periodNumber>1</periodNumber><trDt>2025-02-01</trDt>${lines}</transaction>`;
  const opens = entry(1, line('9000', '5.00', 'D') + line('9001', '5.00', 'C'));
  const sells = entry(2, line('9000', '2.00', 'D') + line('9002', '2.00', 'C'));
  const { db, problems } = await load(
    auditfile({
      ledger,
      transactions: `<transactions><linesCount>4</linesCount><totalDebit>7.00</totalDebit><totalCredit>7.00</totalCredit>
<journal><jrnID>1</jrnID><desc>Opening</desc><jrnTp>O</jrnTp>${opens}</journal>
<journal><jrnID>2</jrnID><desc>Memorial</desc><jrnTp>M</jrnTp>${sells}</journal></transactions>`,
    }),
  );
  expect(problems).toEqual([]);
  const rows = await db.selectFrom('ledger_account').orderBy('number').select(['number', 'ledger_type']).execute();
  expect(rows.map((row) => [row.number, row.ledger_type])).toEqual([
    ['9000', 'BalanceSheet'],
    ['9001', 'BalanceSheet'],
    ['9002', 'IncomeStatement'],
  ]);
});
