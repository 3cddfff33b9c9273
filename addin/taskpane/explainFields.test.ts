import { describe, expect, it } from 'vitest';
import { fieldError } from '../../shared/fieldErrors.ts';
import { explainFields } from './explainFields.ts';
import { messagesOf } from './locales/messages.ts';

describe('The reason why a service refused a row', () => {
  it.each([
    [[fieldError('EAN', 'NO_SUCH_EAN', { ean: '871' })], 'EAN: geen artikel heeft “871”'],
    [
      [fieldError('EAN', 'EAN_OF_ANOTHER', { articleNumber: 'A1', other: 'B2' })],
      'EAN: hoort bij een ander artikel, B2',
    ],
    [
      [fieldError('NewStockQty', 'STOCK_TOO_LARGE', { max: 10, stock: '12345678901' })],
      'Voorraadaantal: hoogstens 10 cijfers voor de decimalen',
    ],
    [
      [
        fieldError('rows[4].update.NewSalePrice', 'ROW_REFUSED', {
          row: 12,
          errors: [fieldError('NewSalePrice', 'NOT_DECIMAL', { given: '"abc"' })],
        }),
      ],
      'Nieuwe verkoopprijs: verwacht een getal zoals 12,50, er staat “abc”',
    ],
    [
      [
        fieldError('NewName', 'TEXT_TOO_LONG', { max: 4, length: 9 }),
        fieldError('NewUnit', 'TEXT_WITH_NUL'),
        fieldError('TaxCode', 'NO_SUCH_TAX_CODE', { side: 'Sales', code: 'x' }),
      ],
      'Nieuwe naam: hoogstens 4 tekens, het zijn er 9; Nieuwe eenheid: bevat een teken dat niet verstuurd kan worden; ' +
        'Btw-code: er is geen btw-code “x” voor verkoop',
    ],
    [
      [fieldError('rows[0]', 'PRODUCT_TWICE', { row: 12, field: 'EAN', value: '1', rows: ['40', '41'] })],
      'het artikel staat ook in rij 40, 41; houd er één over',
    ],
    [
      [fieldError('NewName', 'SAID_BY_SERVICE', { words: 'The product is locked.' })],
      'Nieuwe naam: de dienst zegt: “The product is locked.”',
    ],
    [
      [fieldError('issuer.iban', 'REQUIRED_OF_PARTY', { party: 'issuer', detail: 'iban' })],
      'issuer.iban: IBAN van de eigen administratie ontbreekt',
    ],
    [
      [fieldError('customer.registrationNumber', 'NO_PEPPOL_ADDRESS', { detail: 'kvkNumber' })],
      'customer.registrationNumber: het KvK-nummer (acht cijfers) of btw-nummer van de klant ontbreekt: dat is het adres op Peppol. Een particulier heeft er geen',
    ],
    // Names of what every object has are no headings.
    [[fieldError('x[0].constructor', 'REQUIRED_TEXT')], 'x[0].constructor, regel 1: verplicht: tekst'],
    [[fieldError('toString', 'REQUIRED_TEXT')], 'toString: verplicht: tekst'],
  ])('is shown in the language and with the headings of the sheet: %j', (errors, said) => {
    expect(explainFields(errors, messagesOf.nl)).toBe(said);
  });

  it('is shown in English as the service writes it, unless the sheet has its own text', () => {
    const errors = [
      fieldError('NewName', 'SAID_BY_SERVICE', { words: 'The product is locked.' }),
      fieldError('EAN', 'NO_SUCH_EAN', { ean: '871' }),
    ];
    expect(explainFields(errors, messagesOf.en)).toBe('New name: The product is locked.; EAN: no product has “871”');
  });
});
