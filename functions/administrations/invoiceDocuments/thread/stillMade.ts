import { Problem } from '../../../../shared/problem.ts';

/** Seconds after which a caller may ask again for a document. */
const RETRY_SECONDS = 10;

/** The refusal of a document that is made meanwhile, or cannot be begun yet. */
export const stillMade = (number: string): Problem =>
  new Problem(
    'UNAVAILABLE',
    `The document of sales invoice ${number} is being made. Ask again in ${RETRY_SECONDS} seconds.`,
    {
      headers: { 'Retry-After': String(RETRY_SECONDS) },
    },
  );
