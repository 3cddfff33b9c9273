import { describe, expect, test } from 'vitest';
import {
  auditfile,
  auditfileImporter,
  LEDGER,
  line,
  lineOf,
  transactions,
} from '../../../../../testing/builtin/auditfiles.ts';

const load = auditfileImporter();

describe('an auditfile is refused by line', () => {
  test('when counts and totals do not match its lines', async () => {
    const lines = line('0100', '10.00', 'D') + line('8000', '10.00', 'C');
    const content = auditfile({ transactions: transactions('3', '10.01', '9.99', lines) });
    const at = lineOf(content, '<linesCount>');
    const { problems, db } = await load(content);
    expect(problems).toEqual([
      `books.xaf:${at} linesCount: expected 2, as many as transactions has lines, got "3"`,
      `books.xaf:${at + 1} totalDebit: expected 10.00, what the lines of transactions add up to, got "10.01"`,
      `books.xaf:${at + 2} totalCredit: expected 10.00, what the lines of transactions add up to, got "9.99"`,
    ]);
    expect(await db.selectFrom('ledger_account').selectAll().execute()).toEqual([]);
    expect((await load(auditfile({ transactions: transactions('2', '10', '10.00', lines) }))).problems).toEqual([]);
  });

  test('when the opening balance or a subledger does not add up, or declares no totals', async () => {
    const opening = `<openingBalance>
<linesCount>0</linesCount><totalDebit>0</totalDebit>
<obLine><nr>1</nr><accID>0100</accID><amnt>1.00</amnt><amntTp>D</amntTp></obLine>
<obSubledgers><obSubledger><sbType>CU</sbType><linesCount>1</linesCount><totalDebit>0.00</totalDebit><totalCredit>0.00</totalCredit>
<obSbLine><nr>1</nr><obLineNr>1</obLineNr><amnt>-2.00</amnt><amntTp>C</amntTp></obSbLine></obSubledger></obSubledgers>
</openingBalance>`;
    const content = auditfile({ opening });
    const at = lineOf(content, '<openingBalance>');
    expect((await load(content)).problems).toEqual([
      `books.xaf:${at} openingBalance: expected the opening balance to balance, got 1.00 debit and 0.00 credit`,
      `books.xaf:${at} totalCredit: expected 0.00, what the lines of openingBalance add up to, got none`,
      `books.xaf:${at + 1} linesCount: expected 1, as many as openingBalance has lines, got "0"`,
      `books.xaf:${at + 1} totalDebit: expected 1.00, what the lines of openingBalance add up to, got "0"`,
      `books.xaf:${at + 3} totalCredit: expected -2.00, what the lines of obSubledger add up to, got "0.00"`,
    ]);
  });

  test('when lines have no amount, no side, or an unknown account', async () => {
    const lines = [line('0100', '1,50', 'D'), line('0100', '1.00', 'X' as 'D'), line('0999', '0.00', 'D')].join('\n');
    const content = auditfile({ transactions: transactions('1', '0.00', '0.00', lines) });
    const at = lineOf(content, '<trLine>');
    expect((await load(content)).problems).toEqual([
      `books.xaf:${at} amnt: expected an amount with two decimals, got "1,50"`,
      `books.xaf:${at + 1} amntTp: expected D or C, got "X"`,
      `books.xaf:${at + 2} accID: expected an account of the generalLedger, got "0999"`,
    ]);
  });

  test('after 10,000 problems without reading the rest, as the last problem says', async () => {
    const lines = `${line('9999', '1.00', 'D')}\n`.repeat(12_000);
    const content = auditfile({ transactions: transactions('12000', '12000.00', '0.00', lines) });
    const { problems } = await load(content);
    const first = lineOf(content, '<trLine>');
    expect(problems).toHaveLength(10_001);
    expect(problems.at(-1)).toBe(
      `books.xaf:${first + 9999} : the rest of the file was not read: it has 10000 problems up to here`,
    );
  });

  test('when a period is outside the fiscal year, or an account is repeated', async () => {
    const period = (start: string, end: string) =>
      `\n<period><periodNumber>1</periodNumber><startDatePeriod>${start}</startDatePeriod><endDatePeriod>${end}</endDatePeriod></period>`;
    const content = auditfile({
      periods:
        period('2025-01-01', '2025-01-31') + period('2024-12-01', '2025-02-30') + period('2025-03-31', '2025-03-01'),
      ledger: `${LEDGER}\n<ledgerAccount><accID>0100</accID><accDesc>Weer</accDesc><accTp>Q</accTp></ledgerAccount>`,
    });
    const [at, again] = [lineOf(content, '<period>'), lineOf(content, 'Weer')];
    expect((await load(content)).problems).toEqual([
      expect.stringMatching(`^books\\.xaf:${again} accTp: expected BalanceSheet or IncomeStatement, got "Q"`),
      `books.xaf:${again} accID: expected account 0100 of 2025 once, but it stands on line ${lineOf(content, '0100')} as well`,
      `books.xaf:${at + 1} startDatePeriod: expected a day from 2025-01-01 to 2025-12-31, got 2024-12-01`,
      `books.xaf:${at + 1} endDatePeriod: expected a date, got "2025-02-30"`,
      `books.xaf:${at + 2} endDatePeriod: expected a day from 2025-03-31, got 2025-03-01`,
    ]);
  });

  test('when its header has no year, no dates or another currency', async () => {
    const header =
      '<fiscalYear>dit jaar</fiscalYear>\n<startDate>01-01-2025</startDate>\n<endDate>2025-12-31</endDate>\n<curCode>USD</curCode>';
    const { problems } = await load(auditfile({ header }));
    expect(problems).toEqual(
      expect.arrayContaining([
        'books.xaf:3 fiscalYear: expected a year, got "dit jaar"',
        'books.xaf:4 startDate: expected a date, got "01-01-2025"',
        'books.xaf:6 curCode: expected EUR, got "USD"',
      ]),
    );
  });
});
