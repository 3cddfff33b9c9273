import type { HttpRequest } from '@azure/functions';
import type { Credential } from '../../shared/client/client.ts';
import { describeSchema } from '../../shared/openapi.ts';
import { Problem } from '../../shared/problem.ts';
import { readFields } from '../../shared/readRequest.ts';
import { auditfileQuery, auditfileVersions } from '../../shared/resources/generalLedger/auditfileYear.ts';
import { balanceList, balanceQuery } from '../../shared/resources/generalLedger/ledgerBalance.ts';
import { entryPage, entryQuery, MAX_ENTRY_LINES } from '../../shared/resources/generalLedger/ledgerEntry.ts';
import { figuresQuery, ledgerFigures, MAX_FIGURES } from '../../shared/resources/generalLedger/ledgerFigures.ts';
import { MAX_OPEN_ITEMS, openItemPage, openItemQuery } from '../../shared/resources/generalLedger/openItem.ts';
import type { Administrations, LedgerReader } from '../administrations/administration.ts';
import { credentialOf } from '../http/credential.ts';
import type { HttpFunction } from '../http/definition.ts';
import { jsonResponse } from '../http/json.ts';
import { parametersOf, valuesOf } from '../http/parameters.ts';
import { asRead } from '../http/readers.ts';

/** `GET /ledger/balances`, `/ledger/entries` and so on: what the ledger of an administration has, and a year as a file. */
export function ledgerFunctions(administrations: () => Promise<Administrations>): HttpFunction[] {
  /** @throws Problem NOT_IMPLEMENTED for a remote administration */
  const required = async <Result>(
    request: HttpRequest,
    read: (opened: Administrations, credential: Credential) => Promise<Result> | undefined,
  ): Promise<Result> => {
    const credential = credentialOf(request);
    const opened = await administrations();
    await opened.verify?.(credential);
    const found = read(opened, credential);
    if (found !== undefined) return found;
    throw new Problem('NOT_IMPLEMENTED', 'The service behind this one has no ledger that can be read.');
  };
  const ledgerOf = (request: HttpRequest): Promise<LedgerReader> =>
    required(request, (opened, credential) => opened.ledger?.(credential));
  return [
    {
      name: 'ledgerBalances',
      methods: ['GET'],
      route: 'ledger/balances',
      described: () => [
        {
          path: '/ledger/balances',
          method: 'GET',
          summary: 'Opening, debit, credit and closing of each account in a period',
          parameters: [
            described('from', `${PERIOD}; the balances begin on its first day. Left out: the fiscal year of \`to\``),
            described('to', `${PERIOD}; they end on its last day. Left out: \`from\`, or the present fiscal year`),
          ],
          response: { 'application/json': describeSchema(balanceList) },
        },
      ],
      async handler(request) {
        const ledger = await ledgerOf(request);
        const { from, to } = parametersOf(request, ['from', 'to']);
        return jsonResponse(await ledger.balances(readFields(balanceQuery, { from, to })));
      },
    },
    {
      name: 'ledgerEntries',
      methods: ['GET'],
      route: 'ledger/entries',
      described: () => [
        {
          path: '/ledger/entries',
          method: 'GET',
          summary: 'Lines of the journal by date, with what their entries say, page by page',
          parameters: [
            severally(
              'account',
              'An account, a range as 4000:4999, or a beginning as 4*; several of them, or none: all',
            ),
            described('entry', '`entry` of a line: the lines of its entry'),
            described('relation', 'A RelationGUID'),
            described('document', 'The number of an invoice, or another document as it was booked'),
            described('from', `${PERIOD}; from its first day`),
            described('to', `${PERIOD}; to its last day`),
            described('after', '`next` of the page before'),
            described('limit', `The most lines of the page; 500 when it is left out, and at most ${MAX_ENTRY_LINES}`),
          ],
          response: { 'application/json': describeSchema(entryPage) },
        },
      ],
      async handler(request) {
        const ledger = await ledgerOf(request);
        const names = ['entry', 'relation', 'document', 'from', 'to', 'after', 'limit'];
        const fields = { ...parametersOf(request, names), account: valuesOf(request, 'account') };
        return jsonResponse(await ledger.entries(readFields(entryQuery, fields)));
      },
    },
    {
      name: 'ledgerOpenItems',
      methods: ['GET'],
      route: 'ledger/openitems',
      described: () => [
        {
          path: '/ledger/openitems',
          method: 'GET',
          summary: 'What is open of each document of customers and suppliers, page by page',
          parameters: [
            described('at', `${PERIOD}; items are open at its end. Left out: today`),
            described('relation', 'A RelationGUID'),
            described('after', '`next` of the page before'),
            described('limit', `The most items of the page; ${MAX_OPEN_ITEMS} when it is left out, and at most`),
          ],
          response: { 'application/json': describeSchema(openItemPage) },
        },
      ],
      async handler(request) {
        const ledger = await ledgerOf(request);
        const fields = parametersOf(request, ['at', 'relation', 'after', 'limit']);
        return jsonResponse(await ledger.openItems(readFields(openItemQuery, fields)));
      },
    },
    {
      name: 'ledgerFigures',
      methods: ['GET'],
      route: 'ledger/figures',
      described: () => [
        {
          path: '/ledger/figures',
          method: 'GET',
          summary: 'Figures of all accounts in several periods, and what is open of relations on several days',
          parameters: [
            severally(
              'period',
              `Two periods as 2026-01..2026-Q1, or one as ..2026, which begins with its fiscal year; ${FIGURES}`,
            ),
            severally('open', `${PERIOD}; amounts are those at its end; ${FIGURES}`),
          ],
          response: { 'application/json': describeSchema(ledgerFigures) },
        },
      ],
      async handler(request) {
        const ledger = await ledgerOf(request);
        const fields = { period: valuesOf(request, 'period'), open: valuesOf(request, 'open') };
        return jsonResponse(await ledger.figures(readFields(figuresQuery, fields)));
      },
    },
    {
      name: 'ledgerAuditfile',
      methods: ['GET'],
      route: 'ledger/auditfile',
      described: () => [
        {
          path: '/ledger/auditfile',
          method: 'GET',
          summary: 'A fiscal year as an XML Auditfile Financieel: accounts, relations, VAT codes, opening, every entry',
          parameters: [
            {
              ...described(
                'year',
                'The calendar year in which the fiscal year begins (2026); of several that begin in it, the month (2026-07)',
              ),
              required: true,
            },
            described('version', `${auditfileVersions.join(' or ')}. Left out: ${auditfileVersions[0]}`),
          ],
          response: { 'application/xml': { type: 'string' } },
        },
      ],
      async handler(request, { invocationId }) {
        const query = readFields(auditfileQuery, parametersOf(request, ['year', 'version']));
        const file = await required(request, (opened, credential) => opened.auditfileOf?.(credential, query));
        const headers = {
          'Content-Type': 'application/xml; charset=utf-8',
          'Content-Disposition': `attachment; filename="auditfile-${query.year}.xaf"`,
        };
        return { headers, body: asRead(file, invocationId) };
      },
    },
  ];
}

const PERIOD = 'A fiscal year by the year in which it begins (2026), a quarter (2026-Q1), a month (2026-03) or a day';

const FIGURES = `none or several, at most ${MAX_FIGURES}`;

const described = (name: string, description: string) => ({ name, in: 'query' as const, description });
const severally = (name: string, description: string) => ({ ...described(name, description), many: true });
