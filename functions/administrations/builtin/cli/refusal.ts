/** What a command was given is refused; the message says why. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}
