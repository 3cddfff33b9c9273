import { describe, expect, it } from 'vitest';
import { messagesOf } from '../messages.ts';
import { explainRefusal } from './explainField.ts';

describe('why a service refused a row', () => {
  it.each([
    ['EAN: expected the EAN of a product, got "871"', 'EAN: geen artikel heeft “871”'],
    ['EAN: expected the EAN of article A1, got that of article B2', 'EAN: hoort bij een ander artikel, B2'],
    [
      'NewStockQty: expected a stock of at most 10 digits, got 12345678901',
      'Voorraadaantal: hoogstens 10 cijfers voor de decimalen',
    ],
    [
      'row 12: NewSalePrice expected a decimal number such as 12.50, got "abc"',
      'Nieuwe verkoopprijs: verwacht een getal zoals 12,50, er staat “abc”',
    ],
    [
      'NewName: expected at most 4 characters, got 9; NewUnit: expected text without the character NUL',
      'Nieuwe naam: hoogstens 4 tekens, het zijn er 9; Nieuwe eenheid: bevat een teken dat niet verstuurd kan worden',
    ],
    ['The product is locked.', '(Engels) The product is locked.'],
  ])('of %j is said in the language and under the headings of the sheet', (message, said) => {
    expect(explainRefusal(message, messagesOf.nl, 'nl')).toBe(said);
  });

  it('is left as it is in English when the pane has no words of its own for it', () => {
    expect(explainRefusal('The product is locked.', messagesOf.en, 'en')).toBe('The product is locked.');
  });
});
