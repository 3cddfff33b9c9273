import { type Container, textOf } from './records.ts';
import type { VatRecord } from './vatCodes.ts';

export type ControlColumn = 'debtor_account' | 'creditor_account' | 'vat_payable_account' | 'vat_receivable_account';

/** The accounts that sales and purchase journals, and most VAT codes, are booked on. */
export function controlAccounts(
  journals: readonly Container[],
  codes: readonly VatRecord[],
): { column: ControlColumn; number: string }[] {
  const ofJournal = (type: string) =>
    commonest(
      journals
        .filter(({ values }) => values.get('jrnTp')?.text === type)
        .map(({ values }) => values.get('offsetAccID')?.text ?? ''),
    );
  const ofVat = (element: string) => commonest(codes.map(({ record }) => textOf(record, element)));
  const found: [ControlColumn, string | undefined][] = [
    ['debtor_account', ofJournal('S')],
    ['creditor_account', ofJournal('P')],
    ['vat_payable_account', ofVat('vatToPayAccID')],
    ['vat_receivable_account', ofVat('vatToClaimAccID')],
  ];
  return found.flatMap(([column, number]) => (number === undefined ? [] : { column, number }));
}

/** The one that is there most; of equals the first. */
function commonest(texts: readonly string[]): string | undefined {
  const groups = [...Map.groupBy(texts, (text) => text)].filter(([text]) => text !== '');
  return groups.sort(([, a], [, b]) => b.length - a.length)[0]?.[0];
}
