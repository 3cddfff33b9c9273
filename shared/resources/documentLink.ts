import * as answer from '../wire/answer.ts';

/** A link that opens a document without a credential. */
export const documentLink = answer.record(() => ({
  /** Below the address of the app. */
  path: answer.text(),
  /** UNIX seconds at which it expires. */
  expiresOn: answer.long(),
}));
