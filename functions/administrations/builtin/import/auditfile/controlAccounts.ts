import { type Container, textOf } from './records.ts';
import type { VatRecord } from './vatCodes.ts';

export type ControlColumn = 'debtor_account' | 'creditor_account' | 'vat_payable_account' | 'vat_receivable_account';

/** The control accounts of sales and purchase journals and of most VAT codes. */
export function controlAccounts(
  journals: readonly Container[],
  codes: readonly VatRecord[],
): { column: ControlColumn; number: string }[] {
  const ofJournal = (type: string) =>
    mostFrequent(
      journals
        .filter(({ values }) => values.text('jrnTp') === type)
        .map(({ values }) => values.text('offsetAccID') ?? ''),
    );
  const ofVat = (element: string) => mostFrequent(codes.map(({ record }) => textOf(record, element)));
  const found: [ControlColumn, string | undefined][] = [
    ['debtor_account', ofJournal('S')],
    ['creditor_account', ofJournal('P')],
    ['vat_payable_account', ofVat('vatToPayAccID')],
    ['vat_receivable_account', ofVat('vatToClaimAccID')],
  ];
  return found.flatMap(([column, number]) => (number === undefined ? [] : { column, number }));
}

/** The most frequent text; of equals the first. */
function mostFrequent(texts: readonly string[]): string | undefined {
  const groups = [...Map.groupBy(texts, (text) => text)].filter(([text]) => text !== '');
  return groups.sort(([, a], [, b]) => b.length - a.length)[0]?.[0];
}
