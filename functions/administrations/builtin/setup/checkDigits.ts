/** The remainder by 97 of a number of any length, given as its digits. */
function remainderBy97(digits: string): number {
  let remainder = 0;
  for (const digit of digits) remainder = (remainder * 10 + Number(digit)) % 97;
  return remainder;
}

/** Letters as IBAN counts them: A is 10, Z is 35. */
const lettersAsDigits = (text: string): string => text.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));

/** Whether the check digits of an IBAN are right, with or without spaces. ISO 13616. */
export function isIban(text: string): boolean {
  const iban = text.replace(/\s/g, '').toUpperCase();
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(iban)) return false;
  return remainderBy97(lettersAsDigits(iban.slice(4) + iban.slice(0, 4))) === 1;
}

/** The IBAN of an account number in the form of its country. */
export function ibanOf(country: string, account: string): string {
  const check = 98 - remainderBy97(lettersAsDigits(`${account}${country}00`));
  return `${country}${String(check).padStart(2, '0')}${account}`;
}

/** An EAN-13 from its first twelve digits. */
export function eanOf(digits: string): string {
  let sum = 0;
  for (let index = 0; index < 12; index++) sum += Number(digits[index]) * (index % 2 === 0 ? 1 : 3);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}
