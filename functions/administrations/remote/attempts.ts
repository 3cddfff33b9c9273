import { hash } from 'node:crypto';
import type { EndpointName } from '../../../shared/api.ts';
import type { Credential } from '../../../shared/client/client.ts';
import type { Verdict } from './circuitBreaker.ts';
import type { Breakers } from './circuitBreakers.ts';
import { textOf } from './decode.ts';
import { Deferred } from './rateLimit/deferred.ts';
import type { AcquireOptions, RateLimiter } from './rateLimit/rateLimiter.ts';
import { type Result, readResponse } from './readResponse.ts';
import { writeRequest } from './requests.ts';
import type { SendResult, Transport } from './transport.ts';

/** Bytes of a response at the most, packed or unpacked: what Azure lets through. */
export const MAX_RESPONSE_BYTES = 100 * 1024 * 1024;

/**
 * One attempt of a request, once the rate limiter permits it.
 * @param onSending what is to be done before the first byte leaves
 * @throws Deferred when it was not made
 */
export type Attempt = (
  name: EndpointName,
  request: object,
  credential: Credential,
  options: AcquireOptions,
  onSending?: () => Promise<void>,
) => Promise<Result>;

export function createAttempt({
  transport,
  limiter,
  breakers,
}: {
  transport: Transport;
  limiter: RateLimiter;
  breakers: Breakers;
}): Attempt {
  /** @throws Deferred while the service is left alone */
  const checkBreaker = (key: string) => {
    const pause = breakers.pause(key);
    if (pause > 0) throw paused(pause);
  };
  return async (name, request, credential, options, onSending) => {
    const key = keyOf(credential);
    // Nobody waits for a permit that will not be used, nor gets ready for it.
    checkBreaker(key);
    const permit = await limiter.acquire(key, options);
    checkBreaker(key);
    // Written only now: who waits holds little.
    const message = writeRequest(name, request, credential);
    await onSending?.();
    await permit.ready();
    const pass = breakers.enter(key);
    if (pass === undefined) throw paused(breakers.pause(key));
    let result: Result | undefined;
    try {
      result = await readResult(name, await transport.send(message));
      return result;
    } finally {
      pass(verdictOf(result));
    }
  };
}

/** What a credential is known by here: never the key itself. */
export const keyOf = ({ apiKey, username }: Credential): string =>
  hash('sha256', `${username}\n${apiKey}`, 'base64url');

const paused = (pause: number): Deferred =>
  new Deferred('REMOTE_FAILED', 'The service failed several times in a row and is left alone for a moment.', pause);

/** A refusal is the work of a service that works. */
const verdictOf = (result: Result | undefined): Verdict => {
  if (result === undefined) return 'given up';
  const isFailure = result.kind === 'not sent' || (result.kind === 'unknown' && !result.isLasting);
  return isFailure ? 'failed' : 'succeeded';
};

/** Never throws: a request that was sent always has a result, were it that it is unknown. */
async function readResult(name: EndpointName, sent: SendResult): Promise<Result> {
  if (sent.kind === 'not sent') return sent;
  if (sent.kind === 'lost') return { ...sent, kind: 'unknown' };
  let text: string;
  try {
    text = await textOf(sent.response, MAX_RESPONSE_BYTES);
  } catch {
    return { kind: 'unknown', reason: 'its answer cannot be unpacked', timedOut: false };
  }
  try {
    return readResponse(name, sent.response, text, Date.now());
  } catch {
    // Lists within lists, deeper than anybody can follow.
    return { kind: 'unknown', reason: 'its answer cannot be read', timedOut: false, isLasting: true };
  }
}
