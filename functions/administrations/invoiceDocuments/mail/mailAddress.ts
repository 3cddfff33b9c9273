import { domainToASCII } from 'node:url';
import * as z from 'zod/mini';

const mailAddress = z.email();

/** Whether a text is an e-mail address. Its domain may have letters that are not ASCII. */
export function isMailAddress(text: string): boolean {
  const start = text.lastIndexOf('@') + 1;
  const domain = text.slice(start);
  const ascii = /\P{ASCII}/u.test(domain) ? domainToASCII(domain) : domain;
  return mailAddress.safeParse(text.slice(0, start) + ascii).success;
}
