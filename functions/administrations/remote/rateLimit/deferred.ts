import { Problem, type ProblemCode } from '../../../../shared/problem.ts';

/** A request was not sent, because it has to wait. */
export class Deferred extends Problem {
  /** Milliseconds until it may be sent. */
  readonly after: number;

  constructor(
    code: ProblemCode,
    message: string,
    after: number,
    headers: Record<string, string> = { 'Retry-After': seconds(after) },
  ) {
    super(code, message, { headers });
    this.after = after;
  }
}

/** @param wait milliseconds until another request may be sent */
export const tooManyRequests = (wait: number): Deferred =>
  new Deferred('RATE_LIMIT', `Too many requests. Try again in ${seconds(wait)} seconds.`, wait);

const seconds = (milliseconds: number): string => String(Math.max(1, Math.ceil(milliseconds / 1000)));
