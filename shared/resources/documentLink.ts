import * as response from '../wire/response.ts';

/** A link that opens a document without a credential. */
export const documentLink = response.record(() => ({
  /** Below the address of the app. */
  path: response.text(),
  /** UNIX seconds at which it expires. */
  expiresOn: response.long(),
}));
