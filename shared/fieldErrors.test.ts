import { describe, expect, it } from 'vitest';
import { readPush } from '../testing/pushes/readPush.ts';
import { readProblem } from './client/readProblem.ts';
import { fieldError, readFieldError } from './fieldErrors.ts';
import { problemBody, refuseField } from './problem.ts';
import { stringifyJson } from './wire/json.ts';

/** Over the wire and back. */
const received = (error: unknown) => readFieldError(JSON.parse(JSON.stringify(error)));

describe('the error of a field', () => {
  it('has a code with parameters, and an English sentence', () => {
    expect(fieldError('Price', 'TEXT_TOO_LONG', { max: 4, length: 9 })).toEqual({
      path: 'Price',
      code: 'TEXT_TOO_LONG',
      params: { max: 4, length: 9 },
      message: 'expected at most 4 characters, got 9',
    });
    expect(fieldError('Price', 'REQUIRED_TEXT')).toEqual({
      path: 'Price',
      code: 'REQUIRED_TEXT',
      message: 'is required: text',
    });
  });

  it('has the value of the request as a parameter in no language, for translations', () => {
    expect(fieldError('Price', 'NOT_DECIMAL', { given: '{}' }).message).toBe(
      'expected a decimal number such as 12.50, got an object',
    );
    expect(fieldError('Mode', 'NOT_CHOICE', { choices: ['a', 'b', 'c'], given: '[]' }).message).toBe(
      'expected a, b or c, got a list',
    );
  });

  it.each([
    fieldError('EAN', 'NO_SUCH_EAN', { ean: '871' }),
    fieldError('', 'NOT_JSON_OBJECT'),
    fieldError('StockUpdateMode', 'NOT_CHOICE', { choices: ['Relative', 'Absolute'], given: '"x"' }),
    fieldError('rows[0]', 'ROW_REFUSED', { row: 3, errors: [fieldError('EAN', 'NO_SUCH_EAN', { ean: '871' })] }),
  ])('is read from the wire as it was sent: $code', (error) => {
    expect(received(error)).toEqual(error);
  });

  it.each([
    ['a message alone', { path: 'A', message: 'No.' }],
    ['a code that is not known here', { path: 'A', message: 'No.', code: 'NEW', params: {} }],
    ['the name of something every object has', { path: 'A', message: 'No.', code: 'toString' }],
    ['a parameter that is missing', { path: 'A', message: 'No.', code: 'NO_SUCH_EAN' }],
    ['a list that is missing among its parameters', { path: 'A', message: 'No.', code: 'NOT_CHOICE', params: {} }],
    ['a text where it has a list', { path: 'A', message: 'No.', code: 'REQUIRED_CHOICE', params: { choices: 'x' } }],
    ['a number where it has a text', { path: 'A', message: 'No.', code: 'REQUIRED_PARTY', params: { role: 7 } }],
    ['a parameter that cannot be said', { path: 'A', message: 'No.', code: 'NO_SUCH_EAN', params: { ean: {} } }],
    ['a sentence its code does not make', { path: 'A', message: 'No.', code: 'NOT_JSON_OBJECT' }],
  ])('of another service has the message of that service: %s', (_, error) => {
    expect(received(error)).toEqual(fieldError('A', 'SAID_BY_SERVICE', { words: 'No.' }));
  });

  it.each([null, 'EAN', 7, {}, { path: 'A' }, { message: 'No.' }])('is not read from %j', (given) => {
    expect(received(given)).toBeUndefined();
  });
});

describe('the errors of a refused request', () => {
  it('are in its body with path and message for existing clients, and with code and parameters', () => {
    const body = problemBody(refuseField('EAN', 'NO_SUCH_EAN', { ean: '871' }), '/rest');
    expect(body.errorMessage).toBe('EAN: expected the EAN of a product, got "871"');
    expect(body.errors).toEqual([
      { path: 'EAN', message: 'expected the EAN of a product, got "871"', code: 'NO_SUCH_EAN', params: { ean: '871' } },
    ]);
    expect(readProblem(400, stringifyJson(body), null).errors).toEqual(body.errors);
  });

  it('of a push contain every error of a row', () => {
    const rows = [{ row: 4, update: { ArticleNumber: 'A', NewSalePrice: 'x', NewStockQty: 'y' } }];
    expect(() => readPush({ rows })).toThrow(
      expect.objectContaining({
        errors: [
          fieldError('rows[0].update.NewSalePrice', 'ROW_REFUSED', {
            row: 4,
            errors: [
              fieldError('NewSalePrice', 'NOT_DECIMAL', { given: '"x"' }),
              fieldError('NewStockQty', 'NOT_DECIMAL', { given: '"y"' }),
            ],
          }),
        ],
      }),
    );
  });
});
