/** What a command was given is refused; the message says why. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}
