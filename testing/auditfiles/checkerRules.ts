import { elementsAt, textIn, type XmlTree } from './xmlTree.ts';

/*
 * The ten rules of the official checker of the audit file, by their number, and what the text of the standard asks for
 * besides. They read a document that the schema allows.
 */

const cents = (text = '0'): bigint => {
  const [, sign, whole, fraction = ''] = /^([+-]?)(\d*)(?:\.(\d{0,2}))?$/.exec(text)!;
  const amount = BigInt(whole || '0') * 100n + BigInt(fraction.padEnd(2, '0'));
  return sign === '-' ? -amount : amount;
};

/** What lines have on a side. */
const side = (lines: readonly XmlTree[], letter: 'D' | 'C'): bigint =>
  lines
    .filter((line) => textIn(line, 'amntTp') === letter)
    .reduce((total, line) => total + cents(textIn(line, 'amnt')), 0n);

const isOnce = (values: readonly (string | undefined)[]): boolean => {
  const given = values.filter((value) => value !== undefined);
  return new Set(given).size === given.length;
};
const isOnceAt = (path: string, element: string) => (file: XmlTree) =>
  isOnce(elementsAt(file, path).map((one) => textIn(one, element)));

const OPENING = 'company/openingBalance';
const TRANSACTIONS = 'company/transactions';
const TRANSACTION = `${TRANSACTIONS}/journal/transaction`;

const lineElements = { [OPENING]: 'obLine', [TRANSACTIONS]: 'journal/transaction/trLine' } as const;

const totalIs = (path: keyof typeof lineElements, total: 'totalDebit' | 'totalCredit') => (file: XmlTree) =>
  elementsAt(file, path).every(
    (part) =>
      cents(textIn(part, total)) === side(elementsAt(part, lineElements[path]), total === 'totalDebit' ? 'D' : 'C'),
  );
const balances = (lines: readonly XmlTree[]): boolean => side(lines, 'D') === side(lines, 'C');

const defines = (path: string, element: string, reference: string, named: string) => (file: XmlTree) => {
  const known = new Set(elementsAt(file, path).map((one) => textIn(one, element)));
  return elementsAt(file, reference).every((one) => {
    const value = textIn(one, named);
    return value === undefined || known.has(value);
  });
};
const LEDGER = ['company/generalLedger/ledgerAccount', 'accID'] as const;

type Rule = (file: XmlTree) => boolean;

/** Whether a file obeys each rule. */
export const checkerRules: Readonly<Record<string, Rule>> = {
  '0001 custSupID is unique': isOnceAt('company/customersSuppliers/customerSupplier', 'custSupID'),
  '0002 accID is unique': isOnceAt(...LEDGER),
  '0003 RGScode is unique': isOnceAt(LEDGER[0], 'RGScode'),
  '0004 opening totalDebit is the sum of debit': totalIs(OPENING, 'totalDebit'),
  '0005 opening totalCredit is the sum of credit': totalIs(OPENING, 'totalCredit'),
  '0006 opening debit equals credit': (file) => balances(elementsAt(file, `${OPENING}/obLine`)),
  '0007 transactions totalDebit is the sum of debit': totalIs(TRANSACTIONS, 'totalDebit'),
  '0008 transactions totalCredit is the sum of credit': totalIs(TRANSACTIONS, 'totalCredit'),
  '0009 transactions debit equals credit': (file) => balances(elementsAt(file, `${TRANSACTION}/trLine`)),
  '0010 each transaction balances': (file) =>
    elementsAt(file, TRANSACTION).every((transaction) => balances(elementsAt(transaction, 'trLine'))),
};

/** What the text of the standard asks for besides. */
export const textRules: Readonly<Record<string, Rule>> = {
  'nr of a transaction is unique in its journal': (file) =>
    elementsAt(file, `${TRANSACTIONS}/journal`).every((journal) => isOnceAt('transaction', 'nr')(journal)),
  'nr of a line is unique in its transaction': (file) =>
    elementsAt(file, TRANSACTION).every((transaction) => isOnceAt('trLine', 'nr')(transaction)),
  'jrnID is unique': isOnceAt(`${TRANSACTIONS}/journal`, 'jrnID'),
  'linesCount is the number of lines': (file) =>
    Object.entries(lineElements).every(([path, lines]) =>
      elementsAt(file, path).every((part) => Number(textIn(part, 'linesCount')) === elementsAt(part, lines).length),
    ),
  'accounts of openings are defined': defines(...LEDGER, `${OPENING}/obLine`, 'accID'),
  'accounts of lines are defined': defines(...LEDGER, `${TRANSACTION}/trLine`, 'accID'),
  'accounts of VAT that is owed are defined': defines(...LEDGER, 'company/vatCodes/vatCode', 'vatToPayAccID'),
  'accounts of VAT that is claimed are defined': defines(...LEDGER, 'company/vatCodes/vatCode', 'vatToClaimAccID'),
  'accounts of journals are defined': defines(...LEDGER, `${TRANSACTIONS}/journal`, 'offsetAccID'),
  'relations of lines are defined': defines(
    'company/customersSuppliers/customerSupplier',
    'custSupID',
    `${TRANSACTION}/trLine`,
    'custSupID',
  ),
  'VAT codes of lines are defined': defines('company/vatCodes/vatCode', 'vatID', `${TRANSACTION}/trLine/vat`, 'vatID'),
  'transactions are in their period': (file) => {
    const periods = new Map(
      elementsAt(file, 'company/periods/period').map((period) => [textIn(period, 'periodNumber'), period]),
    );
    return elementsAt(file, TRANSACTION).every((transaction) => {
      const period = periods.get(textIn(transaction, 'periodNumber'));
      const date = textIn(transaction, 'trDt')!;
      return (
        period !== undefined && textIn(period, 'startDatePeriod')! <= date && date <= textIn(period, 'endDatePeriod')!
      );
    });
  },
  'periods follow each other through the year': (file) => {
    const [header] = elementsAt(file, 'header');
    const periods = elementsAt(file, 'company/periods/period');
    const dayAfter = (date: string) => new Date(Date.parse(date) + 86_400_000).toISOString().slice(0, 10);
    const starts = [
      textIn(header!, 'startDate')!,
      ...periods.map((period) => dayAfter(textIn(period, 'endDatePeriod')!)),
    ];
    return (
      periods.every((period, index) => textIn(period, 'startDatePeriod') === starts[index]) &&
      starts.at(-1) === dayAfter(textIn(header!, 'endDate')!)
    );
  },
};

/** The rules that a file breaks. */
export const brokenRules = (file: XmlTree): string[] =>
  Object.entries({ ...checkerRules, ...textRules }).flatMap(([name, isObeyed]) => (isObeyed(file) ? [] : [name]));
