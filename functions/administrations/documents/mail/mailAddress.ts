import { domainToASCII } from 'node:url';
import { z } from 'zod';

const mailAddress = z.email();

/** Whether a text is an e-mail address. Its domain may have letters that are not ASCII. */
export const isMailAddress = (text: string): boolean =>
  mailAddress.safeParse(text.replace(/[^@]*\P{ASCII}[^@]*$/u, (domain) => domainToASCII(domain))).success;
