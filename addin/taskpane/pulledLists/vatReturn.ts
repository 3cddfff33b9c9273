import { BooksChanged } from '../../../shared/client/vatClient.ts';
import { cents, centsText, sum } from '../../../shared/money.ts';
import { vatRemarkText } from '../../../shared/resources/vatReturn/vatRemark.ts';
import type { VatRemarkCode } from '../../../shared/resources/vatReturn/vatRemarkTexts.ts';
import {
  type VatReturnLine,
  type VatReturnResponse,
  vatNatures,
} from '../../../shared/resources/vatReturn/vatReturn.ts';
import { vatSums } from '../../../shared/resources/vatReturn/vatSums.ts';
import { type CalendarDate, dateIn, writeDate } from '../../../shared/wire/calendarDate.ts';
import type { Overview } from '../../excel/tables/overview.ts';
import type { Messages } from '../locales/en.ts';
import { boxFormula, NO_BOX, type VatBoxRow } from '../sheetColumns/vatBoxes.ts';
import { listTable, type PulledList, type Question, TIME_ZONE } from './list.ts';
import { datesOf } from './period.ts';

export const VAT_RETURN = 'vatReturn';
export const VAT_LINES = 'vatLines';

type Part = 'base' | 'tax';

/** What a document has in a box; null for what it cannot have there. */
type VatLineRow = Pick<
  VatReturnLine,
  'kind' | 'document' | 'date' | 'relationName' | 'vatNumber' | 'country' | 'taxCode' | 'isLate'
> &
  Record<'key' | 'box', string> &
  Record<Part | 'documentBase' | 'documentTax', string | null>;

/** A row of the list: first the return, then each of its lines. */
type Row = VatReturnResponse | VatLineRow;

const isReturn = (row: Row): row is VatReturnResponse => 'boxes' in row;

function boxRows({ boxes, remarks, country, rounding }: VatReturnResponse): VatBoxRow[] {
  const rows = new Map<string, VatBoxRow>();
  for (const { box, name, part, exact, declared } of boxes) {
    const row = rows.get(box) ?? { box, name, country, rounding };
    rows.set(box, { ...row, [part as Part]: { exact, declared } });
  }
  const unmapped = remarks.filter(({ code }) => code === 'UNMAPPED');
  if (unmapped.length > 0) rows.set(NO_BOX, noBoxRow({ country, rounding }, unmapped));
  return [...rows.values()];
}

/** The amounts of tax codes without a box: they are in the sheet, and not in the return. */
function noBoxRow(row: Pick<VatBoxRow, 'country' | 'rounding'>, remarks: VatReturnResponse['remarks']): VatBoxRow {
  const sumOf = (place: number): { exact: string; declared: string } => ({
    exact: centsText(sum(remarks.map(({ values }) => cents(values[place])))),
    declared: '',
  });
  return { ...row, box: NO_BOX, name: '', base: sumOf(2), tax: sumOf(3) };
}

/** Base and tax of a document in a box as one row. */
function lineRows(lines: readonly VatReturnLine[]): VatLineRow[] {
  const rows = new Map<string, VatLineRow>();
  for (const { key: keyOfPart, box, part, amount, base, tax, ...line } of lines) {
    const key = keyOfPart.slice(0, keyOfPart.lastIndexOf('/'));
    const common = { ...line, key, documentBase: base, documentTax: tax };
    const row = rows.get(key) ?? { ...common, box: box || NO_BOX, base: null, tax: null };
    rows.set(key, { ...row, ...(box === '' ? { base, tax } : { [part as Part]: amount }) });
  }
  return [...rows.values()];
}

/** Adds up lines as they arrive. @returns whether they are those of a return */
function sumsOf({ boxes }: VatReturnResponse) {
  const sums = new Map<string, bigint>();
  const add = (name: string, amount: string | null) => sums.set(name, (sums.get(name) ?? 0n) + cents(amount));
  return {
    add(rows: readonly VatLineRow[]) {
      for (const { box, base, tax } of rows) {
        add(`${box} base`, base);
        add(`${box} tax`, tax);
      }
    },
    areThose: () =>
      boxes.every(
        ({ box, part, exact }) => vatSums[box] !== undefined || (sums.get(`${box} ${part}`) ?? 0n) === cents(exact),
      ),
  };
}

/** The values of a remark that tell it from others of its code; left out: it has one at most. */
const identifying: Partial<Record<VatRemarkCode, readonly number[]>> = {
  UNMAPPED: [0, 1],
  DOUBTFUL: [0, 1],
  NO_VAT_NUMBER: [0, 1],
  NO_EU_NUMBER: [0, 2],
  UNUSUAL_RATE: [0],
  CARRIED: [0],
  ENTRY_DIFFERS: [0, 1],
  CHANGED: [0, 1],
  DOCUMENT_CHANGED: [0, 1, 2, 3],
  LATE_DOCUMENT: [0, 1],
  MORE: [1],
};

type Remark = VatReturnResponse['remarks'][number];

/** A remark, and what tells it from the others of its return. */
type RemarkRow = Remark & { identity: string };

/** Remarks on documents with one number are told apart by their order. */
function remarkRows(remarks: readonly Remark[]): RemarkRow[] {
  const counts = new Map<string, number>();
  return remarks.map((remark) => {
    const { code, values } = remark;
    const named = [code, ...(identifying[code as VatRemarkCode] ?? []).map((place) => values[place])].join(' ');
    const count = (counts.get(named) ?? 0) + 1;
    counts.set(named, count);
    return { ...remark, identity: count === 1 ? named : `${named} (${count})` };
  });
}

const fromTo = ({ from, to }: VatReturnResponse): string => `${writeDate(from)} – ${writeDate(to)}`;

/** Title and period above a table, with the sums of some columns. */
const totalled =
  (name: keyof Messages['vatReturn']['further'], label: string, columns: readonly string[]) =>
  (messages: Messages, { Period = '' }: Question, found: Row): Overview => ({
    title: `${messages.vatReturn.further[name].sheet} ${Period}`,
    lines: [isReturn(found) ? fromTo(found) : '', messages.vat.sums],
    totals: { label: { key: label, text: messages.ledger.total }, columns },
  });

/** The state of a return, and how its amounts were rounded. */
const stateOf = ({ filedOn, country, rounding }: VatReturnResponse, { vat, codes }: Messages): string =>
  [
    filedOn === null ? vat.notFiled : vat.filedOn(writeDate(dateIn(TIME_ZONE, new Date(Number(filedOn) * 1000)))),
    ...(country === 'NL' ? [vat.rounded(codes[rounding === 'favourable' ? 'favourable' : 'nearest'])] : []),
  ].join(' ');

const kindCodes = { sales: 'Sales', purchases: 'Purchase', entry: 'entry' } as const;

/** The codes of the Belgian listing. */
const letters: Readonly<Record<string, string>> = { goods: 'L', services: 'S', triangular: 'T' };

/** The quarter before a day. */
const lastQuarter = (today: CalendarDate): string => {
  const { from } = datesOf('lastQuarter', today);
  return `${from.slice(0, 4)}-Q${Math.ceil(Number(from.slice(5, 7)) / 3)}`;
};

/**
 * The VAT return of a period: its boxes, each a formula over the lines beside it, what is remarkable about it, and the
 * listings.
 */
export const vatReturn: PulledList = {
  view: 'vatReturn',
  endpoint: '/vat/return',
  filters: { Period: { kind: 'vatPeriod' }, Rounding: { kind: 'choice', choices: ['nearest', 'favourable'] } },
  initial: (today) => ({ Period: lastQuarter(today) }),
  table: listTable<Row, VatBoxRow>()(
    VAT_RETURN,
    'vatReturn',
    {
      Box: ['text', 8, ({ box }) => box],
      Description: ['text', 58, ({ box, name }, { vat }) => (box === NO_BOX ? vat.noBox : (vat.boxes[box] ?? name))],
      DeclaredBase: ['amount', 16, ({ base }) => base?.declared, boxFormula('base', 'declared')],
      DeclaredTax: ['amount', 16, ({ tax }) => tax?.declared, boxFormula('tax', 'declared')],
      Base: ['amount', 16, ({ base }) => base?.exact, boxFormula('base', 'exact')],
      Tax: ['amount', 16, ({ tax }) => tax?.exact, boxFormula('tax', 'exact')],
    },
    {
      keys: ['Box'],
      formulasOver: VAT_LINES,
      overviewOf: (messages, { Period = '' }, found) => ({
        title: `${messages.vatReturn.sheet} ${Period}`,
        lines: isReturn(found) ? [fromTo(found), stateOf(found, messages)] : ['', ''],
      }),
      itemsOf: () => (row) => (isReturn(row) ? boxRows(row) : []),
    },
  ),
  further: {
    Lines: {
      isAlways: true,
      table: listTable<Row, VatLineRow>()(
        VAT_LINES,
        'vatLines',
        {
          Box: ['text', 8, ({ box }) => box],
          Base: ['amount', 14, ({ base }) => base],
          Tax: ['amount', 14, ({ tax }) => tax],
          Kind: ['code', Object.values(kindCodes), ({ kind }) => kind && kindCodes[kind as keyof typeof kindCodes]],
          InvoiceNumber: ['text', 15, ({ document }) => document],
          Date: ['date', 12, ({ date }) => date],
          RelationName: ['text', 30, ({ relationName }) => relationName],
          VatNumber: ['text', 18, ({ vatNumber }) => vatNumber],
          Country: ['text', 10, ({ country }) => country],
          TaxCode: ['text', 32, ({ taxCode }) => taxCode],
          DocumentBase: ['amount', 18, ({ documentBase }) => documentBase],
          DocumentTax: ['amount', 18, ({ documentTax }) => documentTax],
          IsLate: ['boolean', 12, ({ isLate }) => isLate],
          Key: ['text', 24, ({ key }) => key],
        },
        {
          keys: ['Key'],
          isMadeWithoutRows: true,
          overviewOf: totalled('Lines', 'Box', ['Base', 'Tax']),
          itemsOf: () => (row) => (isReturn(row) ? [] : [row]),
        },
      ),
    },
    Remarks: {
      isAlways: true,
      table: listTable<Row, RemarkRow>()(
        'vatRemarks',
        'vatRemarks',
        {
          Remark: [
            'text',
            110,
            (remark, { vatRemarks, remarkValues }) => vatRemarkText(remark, vatRemarks, remarkValues),
          ],
          Code: ['text', 30, ({ identity }) => identity],
        },
        { keys: ['Code'], itemsOf: () => (row) => (isReturn(row) ? remarkRows(row.remarks) : []) },
      ),
    },
    Listing: {
      isAlways: true,
      table: listTable<Row, VatReturnResponse['listing'][number]>()(
        'vatListing',
        'vatListing',
        {
          VatNumber: ['text', 20, ({ vatNumber }) => vatNumber],
          RelationName: ['text', 32, ({ name }) => name],
          Nature: ['code', vatNatures, ({ nature }) => nature],
          Letter: ['text', 8, ({ nature }) => nature && letters[nature]],
          Amount: ['amount', 16, ({ amount }) => amount],
        },
        {
          keys: ['VatNumber', 'RelationName', 'Nature'],
          overviewOf: totalled('Listing', 'RelationName', ['Amount']),
          itemsOf: () => (row) => (isReturn(row) ? row.listing : []),
        },
      ),
    },
    Clients: {
      isAlways: true,
      table: listTable<Row, VatReturnResponse['clients'][number]>()(
        'vatClients',
        'vatClients',
        {
          VatNumber: ['text', 20, ({ vatNumber }) => vatNumber],
          RelationName: ['text', 32, ({ name }) => name],
          Turnover: ['amount', 16, ({ turnover }) => turnover],
          Tax: ['amount', 16, ({ tax }) => tax],
        },
        {
          keys: ['VatNumber'],
          overviewOf: totalled('Clients', 'RelationName', ['Turnover', 'Tax']),
          itemsOf: () => (row) => (isReturn(row) ? row.clients : []),
        },
      ),
    },
  },
  async *pages({ vat }, { Period = '', Rounding }, _today, signal) {
    const found = await vat.vatReturn(Period, { rounding: Rounding }, signal);
    yield [found] as never[];
    const sums = sumsOf(found);
    for await (const lines of vat.vatLines(Period, signal)) {
      const rows = lineRows(lines);
      sums.add(rows);
      yield rows as never[];
    }
    if (!sums.areThose()) throw new BooksChanged();
  },
};
