/**
 * The Belgian structured remittance (OGM) of a number: its last ten digits, and two digits with their remainder by 97,
 * or 97 for a remainder of 0: `+++ddd/dddd/ddddd+++`.
 */
export function remittanceFor(number: bigint): string {
  const base = number % 10_000_000_000n;
  const digits = `${String(base).padStart(10, '0')}${String(base % 97n || 97n).padStart(2, '0')}`;
  return `+++${digits.slice(0, 3)}/${digits.slice(3, 7)}/${digits.slice(7)}+++`;
}

/**
 * The stored form of a structured remittance, from any notation of its twelve digits: between `+++` or `***`, with any
 * separators, or bare. `undefined` when it has another number of digits or its check digits are wrong.
 */
export function readRemittance(text: string): string | undefined {
  if (!/^[\d\s+*/.,_–-]*$/.test(text)) return undefined;
  const digits = text.replace(/\D/g, '');
  if (digits.length !== 12) return undefined;
  const remittance = remittanceFor(BigInt(digits.slice(0, 10)));
  return remittance.replace(/\D/g, '') === digits ? remittance : undefined;
}
