import { isMailAddress } from '../../../invoiceDocuments/mail/mailAddress.ts';
import type { ImportRow } from '../bind.ts';
import type { ImportContext } from '../importRows.ts';

/** The most wrong e-mail addresses that are named. */
const MAX_NAMED = 10;

/**
 * Finds e-mail addresses that are none. They are imported, since a list of relations may have said "none" for years, but
 * no invoice can be mailed to them.
 */
export function addressCheck({ placeOf, warnings }: ImportContext) {
  const named: string[] = [];
  let others = 0;
  return {
    check: ({ line, values }: ImportRow): void => {
      for (const [name, value] of Object.entries(values)) {
        if (!/^(?:Contact\d*_)?Email$/.test(name) || isMailAddress(String(value))) continue;
        if (named.length < MAX_NAMED) named.push(`${placeOf(line, name)} "${value}"`);
        else others++;
      }
    },
    end: (): void => {
      if (named.length === 0) return;
      const more = others === 0 ? '' : ` and ${others} more`;
      warnings.push(`Expected e-mail addresses such as jan@example.com: ${named.join(', ')}${more}`);
    },
  };
}
