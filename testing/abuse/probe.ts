import { request } from 'node:http';
import type { Credential } from '../../shared/client/client.ts';

/** The status of a request, and how long it delayed others. */
type ProbeResult = { status: number; milliseconds: number; heldUp: number };

/**
 * Sends a request while a probe sends small requests repeatedly.
 * @param heldUp the longest a probe waited, in milliseconds
 */
export async function probed(
  send: () => Promise<{ status: number }>,
  probe: () => Promise<unknown>,
): Promise<ProbeResult> {
  let sending = true;
  let heldUp = 0;
  const probing = (async () => {
    while (sending) {
      const start = performance.now();
      await probe();
      heldUp = Math.max(heldUp, performance.now() - start);
    }
  })();
  const start = performance.now();
  const { status } = await send();
  const milliseconds = performance.now() - start;
  sending = false;
  await probing;
  return { status, milliseconds, heldUp };
}

/** Sends a body. @returns the status of the response; 0 when the app closed the connection while it was being sent */
export const post = (
  url: string,
  method: string,
  path: string,
  { apiKey, username }: Credential,
  body: string,
): Promise<{ status: number }> =>
  new Promise((resolve, reject) => {
    const headers = { ApiKey: apiKey, Username: username, 'Content-Type': 'application/json' };
    const sent = request(url + path, { method, agent: false, headers }, (response) => {
      response.resume().on('end', () => resolve({ status: response.statusCode! }));
    });
    const isClosed = ({ code }: NodeJS.ErrnoException) => code === 'EPIPE' || code === 'ECONNRESET';
    sent.on('error', (failure) => (isClosed(failure) ? resolve({ status: 0 }) : reject(failure))).end(body);
  });
