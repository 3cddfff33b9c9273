import {
  type IntervatQuery,
  type VatReturnLine,
  type VatReturnResponse,
  vatLinePage,
  vatReturnResponse,
} from '../resources/vatReturn/vatReturn.ts';
import { ask, received, type Service, send } from './client.ts';

/** The books changed while what belongs together was read: a return and its lines, or pages of open items. */
export class BooksChanged extends Error {}

export type VatClient = ReturnType<typeof createVatClient>;

/**
 * VAT returns as functions. They throw a Problem for every refusal, NOT_IMPLEMENTED where there is no ledger.
 * @param service whose base is the address of the app
 */
export function createVatClient(service: Service) {
  const targetOf = (path: string, parameters: Readonly<Record<string, string>>) =>
    `/vat/${path}?${new URLSearchParams(parameters)}`;
  return {
    /** The boxes, listings and remarks of a period: 2026, 2026-Q1 or 2026-03. */
    vatReturn: (
      period: string,
      { rounding, isSupplement = false }: { rounding?: string | undefined; isSupplement?: boolean } = {},
      signal?: AbortSignal,
    ): Promise<VatReturnResponse> => {
      const how = { ...(rounding && { rounding }), ...(isSupplement && { supplement: 'true' }) };
      return ask(service, { method: 'GET', target: targetOf('return', { period, ...how }), signal }, vatReturnResponse);
    },

    /** All lines behind the boxes, page by page. */
    async *vatLines(period: string, signal?: AbortSignal): AsyncGenerator<VatReturnLine[]> {
      for (let after: string | null = ''; after !== null; ) {
        const target = targetOf('lines', { period, ...(after === '' ? {} : { after }) });
        const { lines, next }: { lines: VatReturnLine[]; next: string | null } = await ask(
          service,
          { method: 'GET', target, signal },
          vatLinePage,
        );
        yield lines;
        after = next;
      }
    },

    /** The Belgian return of a month or a quarter as a file for Intervat. */
    intervat: async ({ period, refund, noClients }: IntervatQuery, signal?: AbortSignal): Promise<Blob> => {
      const how = { ...(refund && { refund: 'true' }), ...(noClients && { noClients: 'true' }) };
      const question = { method: 'GET', target: targetOf('intervat', { period, ...how }), signal };
      return received((await send(service, question)).blob());
    },

    /** Marks the return of a period as filed, or a supplement to one that was. @param figures those that were looked at */
    file: (
      period: string,
      { isSupplement = false, figures }: { isSupplement?: boolean; figures?: string | null } = {},
      signal?: AbortSignal,
    ): Promise<VatReturnResponse> => {
      const body = { Period: period, ...(isSupplement && { Supplement: true }), ...(figures && { Figures: figures }) };
      return ask(service, { method: 'POST', target: '/vat/filed', body, signal }, vatReturnResponse);
    },
  };
}
