import { Text } from '@fluentui/react-text';
import { decimalText, MONEY_SCALE, sum, units } from '../../../../../shared/money.ts';
import type { RowRequest } from '../../../documentSheet/readRequests.ts';
import { formatDecimal } from '../../../locales/language.ts';
import { usePane } from '../../../paneContext.ts';

/** What documents add up to, as far as their rows tell. */
export function RequestTotalsText({ rows }: { rows: readonly Pick<RowRequest, 'totals'>[] }) {
  const { messages, language } = usePane();
  const texts = messages.documentPush;
  const known = rows.flatMap(({ totals: { totalExclTax, totalInclTax } }) =>
    totalExclTax === undefined || totalInclTax === undefined ? [] : [{ totalExclTax, totalInclTax }],
  );
  if (known.length === 0) return null;
  const total = (of: 'totalExclTax' | 'totalInclTax') => {
    const amounts = known.map((totals) => units(totals[of], MONEY_SCALE));
    return formatDecimal(language, decimalText(sum(amounts), MONEY_SCALE), 2);
  };
  const unknown = rows.length - known.length;
  return (
    <>
      <Text>{texts.total(total('totalExclTax'), total('totalInclTax'))}</Text>
      {unknown > 0 && <Text>{texts.totalPart(unknown)}</Text>}
    </>
  );
}
