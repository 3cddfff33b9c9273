import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readResponse } from '../../../shared/client/client.ts';
import { relation } from '../../../shared/resources/relation.ts';
import { encodeEach } from '../../../shared/wire/encode.ts';
import { list } from '../../../shared/wire/response.ts';
import { responseArbitrary } from '../../../testing/endpointArbitraries.ts';
import { writtenRelation } from './writtenRelation.ts';

it('a written relation is read as the schema of relations reads it', () => {
  fc.assert(
    fc.property(responseArbitrary('listrelations'), (response) => {
      for (const line of encodeEach(relation, list(relation).parse(response))) {
        expect(writtenRelation(line)).toEqual(readResponse(relation, line));
      }
    }),
  );
});

it('a written relation is read with every digit', () => {
  const [line] = encodeEach(relation, [
    relation.parse({
      RelationGUID: '-9223372036854775808',
      ChangedOn: '9007199254740993',
      CreatedOn: '0',
      CustomerNumber: Number.MAX_SAFE_INTEGER,
      SupplierNumber: 0,
      Relation_CustomField: [{ DecimalValue: '0.1234567890123456789', DateTimeValue: '01-02-0987', IntValue: 12 }],
    }),
  ]);
  const { RelationGUID, ChangedOn, CreatedOn, CustomerNumber, SupplierNumber, Relation_CustomField } = writtenRelation(
    line!,
  );
  expect({ RelationGUID, ChangedOn, CreatedOn, CustomerNumber, SupplierNumber }).toEqual({
    RelationGUID: '-9223372036854775808',
    ChangedOn: '9007199254740993',
    CreatedOn: '0',
    CustomerNumber: Number.MAX_SAFE_INTEGER,
    SupplierNumber: 0,
  });
  expect(Relation_CustomField[0]).toMatchObject({
    DecimalValue: '0.1234567890123456789',
    DateTimeValue: '0987-02-01',
    IntValue: 12,
  });
});
