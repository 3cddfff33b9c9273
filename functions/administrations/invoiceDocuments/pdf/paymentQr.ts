import { type Bitmap2D, correction, generate, mode } from 'lean-qr';
import { centsText } from '../../../../shared/money.ts';
import { type InvoiceDocument, isCredit } from '../invoiceDocument.ts';
import { compact, readIban } from '../partyNumbers.ts';

/** The largest SEPA credit transfer, in cents. */
const MAX_CENTS = 99_999_999_999n;

/**
 * The text of the QR code of a payment, by EPC069-12: a SEPA credit transfer, version 2, in UTF-8. The structured
 * remittance is in the text field: the structured field is for creditor references of ISO 11649 only. `undefined` when
 * there is nothing to pay, or no account to pay it to.
 */
export function paymentQrText(document: InvoiceDocument): string | undefined {
  const { issuer, incl, ogm, number, isDraft } = document;
  const iban = readIban(issuer.iban);
  if (iban === undefined || isDraft || isCredit(document) || incl <= 0n || incl > MAX_CENTS) return undefined;
  const oneLine = (text: string, max: number) => [...text.replace(/\s+/g, ' ').trim()].slice(0, max).join('');
  return [
    'BCD',
    '002',
    '1',
    'SCT',
    compact(issuer.bic),
    oneLine(issuer.name, 70),
    iban,
    `EUR${centsText(incl)}`,
    '',
    '',
    oneLine(ogm || number, 140),
  ].join('\n');
}

/** Medium error correction and at most version 13, as the standard asks. */
export const paymentQr = (text: string): Bitmap2D =>
  generate(text, {
    minCorrectionLevel: correction.M,
    maxCorrectionLevel: correction.M,
    maxVersion: 13,
    modes: [mode.ascii, mode.utf8],
  });
