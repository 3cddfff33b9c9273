import { describe, expect, it } from 'vitest';
import { endpointNames, endpointOf, pageCap } from './api.ts';

/** The eleven endpoints: method, path, and whether asking twice can do harm. */
const expected = [
  ['GET', '/rest/listprojectmaterialbooking', 'safe'],
  ['PUT', '/rest/updateproduct', 'as its values decide'],
  ['POST', '/rest/addproduct', 'never'],
  ['GET', '/rest/listtaxcodes', 'safe'],
  ['POST', '/rest/addsalesinvoice', 'never'],
  ['POST', '/rest/addorder', 'never'],
  ['POST', '/rest/addpurchasetransaction', 'never'],
  ['POST', '/rest/addsalestransaction', 'never'],
  ['GET', '/rest/listledgeraccounts', 'safe'],
  ['GET', '/rest/listrelations', 'safe'],
  ['GET', '/rest/listsalesinvoices', 'safe'],
];

describe('the endpoint table', () => {
  it('has the eleven endpoints of the interface and no other', () => {
    const rows = endpointNames.map((name) => {
      const { method, path, repeat } = endpointOf(name);
      return [method, path, typeof repeat === 'function' ? 'as its values decide' : repeat];
    });
    expect(rows.sort()).toEqual([...expected].sort());
  });

  it('has paging parameters that the endpoint has', () => {
    for (const name of endpointNames) {
      const { paging, request } = endpointOf(name);
      const parameters =
        paging === undefined ? [] : [paging.limit, paging.offset, ...Object.keys(paging.byParameter ?? {})];
      for (const parameter of parameters) expect(request.shape).toHaveProperty(parameter);
    }
  });

  it('has aliases only of parameters that the endpoint has', () => {
    for (const name of endpointNames) {
      const { aliases = {}, request } = endpointOf(name);
      for (const parameter of Object.values(aliases)) expect(request.shape).toHaveProperty(parameter);
    }
  });
});

describe('a page', () => {
  it('has at most 200 relations', () => {
    expect(pageCap(endpointOf('listrelations').paging!, {})).toBe(200);
  });

  it.each([
    [{}, 100],
    [{ InlcudeInvoiceLinesInResponse: false, IncludeBase64PDF: false }, 100],
    [{ InlcudeInvoiceLinesInResponse: true }, 50],
    [{ IncludeBase64PDF: true }, 15],
    [{ InlcudeInvoiceLinesInResponse: true, IncludeBase64PDF: true }, 15],
  ])('of invoices for %j has at most %i', (request, most) => {
    expect(pageCap(endpointOf('listsalesinvoices').paging!, request)).toBe(most);
  });
});
