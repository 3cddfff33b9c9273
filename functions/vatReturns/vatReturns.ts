import type { HttpRequest } from '@azure/functions';
import { describeSchema } from '../../shared/openapi.ts';
import { Problem } from '../../shared/problem.ts';
import { readFields } from '../../shared/readRequest.ts';
import {
  intervatQuery,
  vatFiling,
  vatLinePage,
  vatLinesQuery,
  vatReturnQuery,
  vatReturnResponse,
} from '../../shared/resources/vatReturn/vatReturn.ts';
import type { Administrations, VatReader } from '../administrations/administration.ts';
import { credentialOf } from '../http/credential.ts';
import type { HttpFunction } from '../http/definition.ts';
import { jsonResponse, readJsonBody } from '../http/json.ts';
import { parametersOf } from '../http/parameters.ts';

/** Bytes of a body that names a period. */
const MAX_BODY = 1000;

/** `GET /vat/return`, `/vat/lines` and `/vat/intervat`, and `POST /vat/filed`: the VAT returns of an administration. */
export function vatFunctions(administrations: () => Promise<Administrations>): HttpFunction[] {
  /** @throws Problem NOT_IMPLEMENTED for a remote administration, FORBIDDEN for a key that may not write */
  const vatOf = async (request: HttpRequest, options: { writes?: boolean } = {}): Promise<VatReader> => {
    const credential = credentialOf(request);
    const opened = await administrations();
    await opened.verify?.(credential);
    const vat = await opened.vat?.(credential, options);
    if (vat === undefined) {
      throw new Problem('NOT_IMPLEMENTED', 'The service behind this one has no ledger that can be read.');
    }
    return vat;
  };
  return [
    {
      name: 'vatReturn',
      methods: ['GET'],
      route: 'vat/return',
      described: () => [
        {
          path: '/vat/return',
          method: 'GET',
          summary: 'The VAT return of a period: its boxes, the listings, and what is remarkable about it',
          parameters: [
            needed('period', PERIOD),
            described('rounding', 'nearest or favourable, of whole euros in the Netherlands; left out: as it is set'),
            described('supplement', 'true: as a supplement would have it, of a return that was filed'),
          ],
          response: { 'application/json': describeSchema(vatReturnResponse) },
        },
      ],
      async handler(request) {
        const vat = await vatOf(request);
        const query = readFields(vatReturnQuery, parametersOf(request, ['period', 'rounding', 'supplement']));
        return jsonResponse(await vat.vatReturn(query));
      },
    },
    {
      name: 'vatLines',
      methods: ['GET'],
      route: 'vat/lines',
      described: () => [
        {
          path: '/vat/lines',
          method: 'GET',
          summary: 'The lines behind the boxes of a VAT return, by date, page by page',
          parameters: [needed('period', PERIOD), described('after', '`next` of the page before')],
          response: { 'application/json': describeSchema(vatLinePage) },
        },
      ],
      async handler(request) {
        const vat = await vatOf(request);
        const query = readFields(vatLinesQuery, parametersOf(request, ['period', 'after']));
        return jsonResponse(await vat.vatLines(query));
      },
    },
    {
      name: 'vatIntervat',
      methods: ['GET'],
      route: 'vat/intervat',
      described: () => [
        {
          path: '/vat/intervat',
          method: 'GET',
          summary: 'The Belgian return of a month or a quarter, as a file for Intervat',
          parameters: [
            needed('period', 'A quarter (2026-Q3) or a month (2026-07)'),
            described('refund', 'true: ask that a balance in box 72 be paid out'),
            described('noClients', 'true: say that no customer is in the yearly client listing'),
          ],
          response: { 'application/xml': { type: 'string' } },
        },
      ],
      async handler(request) {
        const vat = await vatOf(request);
        const query = readFields(intervatQuery, parametersOf(request, ['period', 'refund', 'noClients']));
        const headers = {
          'Content-Type': 'application/xml; charset=utf-8',
          'Content-Disposition': `attachment; filename="vat-${query.period.toUpperCase()}.xml"`,
        };
        return { headers, body: await vat.intervat(query) };
      },
    },
    {
      name: 'vatFiled',
      methods: ['POST'],
      route: 'vat/filed',
      described: () => [
        {
          path: '/vat/filed',
          method: 'POST',
          summary: 'Marks the return of a period as filed: what is entered later counts in the next one',
          body: describeSchema(vatFiling),
          response: { 'application/json': describeSchema(vatReturnResponse) },
        },
      ],
      async handler(request) {
        const vat = await vatOf(request, { writes: true });
        const filing = readFields(vatFiling, (await readJsonBody(request, MAX_BODY)) as Record<string, unknown>);
        return jsonResponse(await vat.file(filing));
      },
    },
  ];
}

const PERIOD = 'A year (2026), a quarter (2026-Q3) or a month (2026-07)';

const described = (name: string, description: string) => ({ name, in: 'query' as const, description });
const needed = (name: string, description: string) => ({ ...described(name, description), required: true });
