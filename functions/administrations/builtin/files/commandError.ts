/** A command refuses its arguments or a file; the message says why. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}
