/** The remainder by 97 of a number of any length, given as its digits. */
function remainderBy97(digits: string): number {
  let remainder = 0;
  for (const digit of digits) remainder = (remainder * 10 + Number(digit)) % 97;
  return remainder;
}

/** Letters as IBAN counts them: A is 10, Z is 35. */
const lettersAsDigits = (text: string): string =>
  text.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));

/** Whether an IBAN's check digits are right; spaces do not matter. ISO 13616. */
export function isIban(text: string): boolean {
  const iban = text.replace(/\s/g, '').toUpperCase();
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(iban)) return false;
  return remainderBy97(lettersAsDigits(iban.slice(4) + iban.slice(0, 4))) === 1;
}

/** The IBAN of an account: country, and the account as that country writes it, with the check digits between them. */
export function ibanOf(country: string, account: string): string {
  const check = 98 - remainderBy97(lettersAsDigits(`${account}${country}00`));
  return `${country}${String(check).padStart(2, '0')}${account}`;
}

/**
 * The Belgian structured remittance of a number of up to ten digits: +++ddd/dddd/ddddd+++, the last two its remainder
 * by 97, where 97 stands for none.
 */
export function ogmOf(number: bigint): string {
  const digits = String(number).padStart(10, '0');
  const check = String(remainderBy97(digits) || 97).padStart(2, '0');
  return `+++${digits.slice(0, 3)}/${digits.slice(3, 7)}/${digits.slice(7)}${check}+++`;
}

/** Structured remittance as it is kept, from any way of writing its twelve digits; `undefined` when its check is wrong. */
export function readOgm(text: string): string | undefined {
  const digits = /^[+*\s]*(\d{3})[/\s]?(\d{4})[/\s]?(\d{5})[+*\s]*$/.exec(text)?.slice(1).join('');
  if (digits === undefined) return undefined;
  const ogm = ogmOf(BigInt(digits.slice(0, 10)));
  return ogm.replace(/\D/g, '') === digits ? ogm : undefined;
}

/** An EAN-13 from its first twelve digits. */
export function eanOf(digits: string): string {
  let sum = 0;
  for (let index = 0; index < 12; index++) sum += Number(digits[index]) * (index % 2 === 0 ? 1 : 3);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}
