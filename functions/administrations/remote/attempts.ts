import { hash } from 'node:crypto';
import { setImmediate as otherWork } from 'node:timers/promises';
import type { EndpointName } from '../../../shared/api.ts';
import type { Credential } from '../../../shared/client/client.ts';
import { inSteps, rest } from '../../../shared/inSteps.ts';
import { noteAdministration, noteAttempt } from '../../telemetry/requestNotes.ts';
import { inSpan, metrics, type Span } from '../../telemetry/telemetry.ts';
import type { AcceptedCredentials } from './acceptedCredentials.ts';
import type { Verdict } from './circuitBreaker.ts';
import type { Breakers } from './circuitBreakers.ts';
import { textOf } from './decode.ts';
import { Deferred } from './rateLimit/deferred.ts';
import type { AcquireOptions, RateLimiter } from './rateLimit/rateLimiter.ts';
import { LONG_TEXT, type Result, readResponse } from './readResponse.ts';
import { writeRequest } from './requests.ts';
import { type ResponseLimits, responseLimits } from './responseLimits.ts';
import { type OutgoingRequest, type SendResult, TOO_LARGE, type Transport } from './transport.ts';

export type Attempt = ReturnType<typeof createAttempt>;

export function createAttempt({
  transport,
  limiter,
  breakers,
  accepted,
}: {
  transport: Transport;
  limiter: RateLimiter;
  breakers: Breakers;
  accepted: AcceptedCredentials;
}) {
  /** @throws Deferred while the circuit breaker is open */
  const checkBreaker = (key: string) => {
    const pause = breakers.pause(key);
    if (pause > 0) throw paused(pause);
  };
  /**
   * One attempt of a request, after the rate limiter gave a permit.
   * @param onSending awaited before the first byte is sent
   * @throws Deferred when it was not sent
   */
  return async (
    name: EndpointName,
    request: object,
    credential: Credential,
    options: AcquireOptions,
    onSending?: () => Promise<void>,
  ): Promise<Result> => {
    const key = keyOf(credential);
    // Checked first, so that no request waits for a permit that it cannot use.
    checkBreaker(key);
    const leave = accepted.enter(key);
    let result: Result | undefined;
    try {
      noteAdministration(() => key.slice(0, 8));
      const start = performance.now();
      const permit = await limiter.acquire(key, options);
      checkBreaker(key);
      // The body is written only now, so that waiting requests use little memory.
      const message = writeRequest(name, request, credential);
      if (onSending !== undefined) await onSending();
      result = await permit.send(() => {
        metrics.remoteWait(performance.now() - start);
        return sendNow(name, message, key, responseLimits(name, request));
      });
      if (!accepted.isAccepted(key) && isUnknownKey(result)) await limiter.refused(key);
      return result;
    } finally {
      leave(result);
    }
  };

  async function sendNow(
    name: EndpointName,
    message: OutgoingRequest,
    key: string,
    limits: ResponseLimits,
  ): Promise<Result> {
    const report = breakers.enter(key);
    if (report === undefined) throw paused(breakers.pause(key));
    noteAttempt();
    let result: Result | undefined;
    try {
      const sent = await inSpan(
        name,
        { kind: 'client', attributes: { 'http.request.method': message.method } },
        (span) => sendTraced(transport, message, span),
      );
      result = await readResult(name, sent, limits);
      metrics.remoteRequest(name, result.kind);
      return result;
    } finally {
      report(verdictOf(result));
    }
  }
}

/** The identifier of a credential, in any case of its user name; it does not contain the key. */
export const keyOf = ({ apiKey, username }: Credential): string =>
  hash('sha256', `${username.toLowerCase()}\n${apiKey}`, 'base64url');

/** Sends a request by which the service can continue the trace. */
async function sendTraced(transport: Transport, message: OutgoingRequest, span: Span): Promise<SendResult> {
  const { traceparent } = span;
  const sent = await transport.send(
    traceparent === undefined ? message : { ...message, headers: { ...message.headers, traceparent } },
  );
  span.set(
    sent.kind === 'response' ? { 'http.response.status_code': sent.response.status } : { 'error.type': sent.kind },
  );
  return sent;
}

const paused = (pause: number): Deferred =>
  new Deferred(
    'REMOTE_FAILED',
    'The service failed several times in a row: nothing is sent to it for a moment.',
    pause,
  );

/** Whether the service does not know the key of a request. */
const isUnknownKey = (result: Result): boolean => result.kind === 'refused' && result.problem.code === 'UNAUTHORIZED';

/** A refusal counts as a success: the service works. */
const verdictOf = (result: Result | undefined): Verdict => {
  if (result === undefined) return 'aborted';
  const isFailure = result.kind === 'not sent' || (result.kind === 'unknown' && !result.isLasting);
  return isFailure ? 'failed' : 'succeeded';
};

/** Never throws: a request that was sent has a result, even if that is unknown. */
async function readResult(name: EndpointName, sent: SendResult, limits: ResponseLimits): Promise<Result> {
  if (sent.kind === 'not sent') return sent;
  if (sent.kind === 'lost') {
    const { reason, timedOut, isTooLarge } = sent;
    return { kind: 'unknown', reason, timedOut, ...(isTooLarge ? { isLasting: true } : {}) };
  }
  let text: string;
  try {
    text = await textOf(sent.response, limits.bytes);
    // Decoding it was the first long step.
    if (text.length > LONG_TEXT) await rest();
  } catch (failure) {
    // Of zlib, for more than its `maxOutputLength`.
    const isTooLarge = Object(failure).code === 'ERR_BUFFER_TOO_LARGE';
    return isTooLarge
      ? { kind: 'unknown', reason: TOO_LARGE, timedOut: false, isLasting: true }
      : { kind: 'unknown', reason: 'its answer cannot be unpacked', timedOut: false };
  }
  try {
    return await inSteps(readResponse(name, sent.response, text, Date.now(), limits), otherWork);
  } catch {
    // The JSON is nested too deeply.
    return { kind: 'unknown', reason: 'its answer cannot be read', timedOut: false, isLasting: true };
  }
}
