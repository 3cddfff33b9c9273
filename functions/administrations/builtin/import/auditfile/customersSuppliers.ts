import { MAX_PARTY_NUMBER } from '../../documentParts/numbering.ts';
import type { Report } from '../../files/readRows.ts';
import type { Database } from '../../sql/database.ts';
import type { Row } from '../../sql/schema.ts';
import { relationsOfAuditfiles } from '../relationFiles/relations.ts';
import type { OpenSink, RecordSink } from './recordSink.ts';
import { lineOf, textOf, type XmlPart, type XmlRecord } from './records.ts';

/**
 * Stores customers and suppliers. If an identification is no number, or several have the same number, it is stored in a
 * custom field.
 */
export function customersSuppliers(db: Database, administrationId: bigint, openSink: OpenSink, report: Report) {
  const read: XmlRecord[] = [];
  const unnumbered: XmlRecord[] = [];
  const numberedWithZeros: { party: XmlRecord; partyNumber: PartyNumber }[] = [];
  /** How each identification numbers its relation; undefined: it does not. */
  const numbers = new Map<string, PartyNumber | undefined>();
  /** The number of relations with each number. */
  const uses = new Map<string, number>();
  let sink: RecordSink | undefined;

  const storeUnnumbered = async (known: ReadonlyMap<string, string>) => {
    const headings = [...partyHeadings, 'RelationGUID', `Custom: ${AUDITFILE_ID} (TextSmall, Other)`];
    const rest = await openSink(relationsOfAuditfiles, headings, elements);
    const once = new Set<string>();
    for (const party of unnumbered) {
      const id = textOf(party, 'custSupID');
      if (id === '') report(party.line, 'custSupID', 'is required, got none');
      else if (once.has(id)) report(lineOf(party, 'custSupID'), 'custSupID', `expected ${id} once`);
      once.add(id);
      await rest.add(party, [...customerSupplierRow(party), known.get(id) ?? '', id]);
    }
    await rest.end();
  };

  return {
    add(party: XmlRecord): void {
      read.push(party);
      numbers.set(textOf(party, 'custSupID'), numberOf(party));
    },
    has: (id: string): boolean => numbers.has(id),
    /** After `end`: the relation of each identification. */
    async relationIds(): Promise<Map<string, bigint>> {
      const named = new Map((await relationsById(db, administrationId)).map(({ value, id }) => [value, id]));
      const numbered = await relationsByNumber(db, administrationId);
      return new Map(
        [...numbers].flatMap(([id, number]) => {
          const relation =
            named.get(id) ?? number?.uses.map((use) => numbered.get(use)).find((one) => one !== undefined);
          return relation === undefined ? [] : [[id, relation] as const];
        }),
      );
    },
    /** Stores the relations read so far, except those whose number may not be unique. */
    async store(): Promise<void> {
      if (read.length === 0) return;
      sink ??= await openSink(relationsOfAuditfiles, partyHeadings, elements);
      for (const party of read) {
        if (party.parts.filter(({ name }) => name === 'bankAccount').length > MAX_BANK_ACCOUNTS) {
          report(party.line, 'bankAccount', `expected at most ${MAX_BANK_ACCOUNTS} bank accounts`);
        }
        const partyNumber = numberOf(party);
        for (const use of partyNumber?.uses ?? []) uses.set(use, (uses.get(use) ?? 0) + 1);
        if (partyNumber === undefined) unnumbered.push(party);
        else if (partyNumber.hasZeros) numberedWithZeros.push({ party, partyNumber });
        else await sink.add(party, customerSupplierRow(party, partyNumber.number));
      }
      read.length = 0;
    },
    async end(): Promise<void> {
      const known = new Map(
        (await relationsById(db, administrationId)).map(({ value, guid }) => [value, String(guid)]),
      );
      for (const { party, partyNumber } of numberedWithZeros) {
        const isUnique = partyNumber.uses.every((use) => uses.get(use) === 1);
        if (!isUnique || known.has(textOf(party, 'custSupID'))) unnumbered.push(party);
        else await sink!.add(party, customerSupplierRow(party, partyNumber.number));
      }
      await sink?.end();
      if (unnumbered.length > 0) await storeUnnumbered(known);
    },
  };
}

/** The custom field for the identification of a relation that the file does not number. */
const AUDITFILE_ID = 'Auditfile ID';

/** Bank accounts of one relation. */
const MAX_BANK_ACCOUNTS = 20;
const bankAccountNumbers = Array.from({ length: MAX_BANK_ACCOUNTS }, (_, index) =>
  index === 0 ? '' : String(index + 1),
);

/** The columns of a relation import that a customerSupplier fills. */
const partyHeadings: readonly string[] = [
  ...['Name', 'CustomerNumber', 'SupplierNumber', 'IsCustomer', 'IsSupplier', 'IsOther'],
  ...['Email', 'Phone', 'RegistrationNumber', 'TaxIdentificationNumber', 'Contact_LastName'],
  ...['Address_Street', 'Address_Unit', 'Address_UnitAppendix', 'Address_PostalCode', 'Address_City'],
  'Address_CountryCode',
  ...bankAccountNumbers.flatMap((number) => [`BankAccount${number}_IBAN`, `BankAccount${number}_BIC`]),
];

const roles: Readonly<Record<string, { customer: boolean; supplier: boolean }>> = {
  C: { customer: true, supplier: false },
  S: { customer: false, supplier: true },
  B: { customer: true, supplier: true },
  O: { customer: false, supplier: false },
};
/** The roles of a relation whose kind is not in the file. */
const BOTH_ROLES = { customer: true, supplier: true };

/** The customer or supplier number of a record. */
type PartyNumber = {
  number: string;
  /** Whether its identification has leading zeros: another may have the same number. */
  hasZeros: boolean;
  /** The roles it numbers, each with the number. */
  uses: string[];
};

/** Undefined when its identification is no number or too high, or it is neither customer nor supplier. */
function numberOf(record: XmlRecord): PartyNumber | undefined {
  const id = textOf(record, 'custSupID');
  const { customer, supplier } = roles[textOf(record, 'custSupTp')] ?? BOTH_ROLES;
  const [, zeros, number] = /^(0*)([1-9]\d{0,9})$/.exec(id) ?? [];
  if (!(customer || supplier) || number === undefined || Number(number) > MAX_PARTY_NUMBER) return undefined;
  const uses = [...(customer ? [`customer ${number}`] : []), ...(supplier ? [`supplier ${number}`] : [])];
  return { number, hasZeros: zeros !== '', uses };
}

/** The cells of a relation under `partyHeadings`. */
function customerSupplierRow(record: XmlRecord, number = ''): string[] {
  const text = (element: string) => textOf(record, element);
  const { customer, supplier } = roles[text('custSupTp')] ?? BOTH_ROLES;
  const address = addressOf(record.parts);
  const banks = record.parts
    .filter(({ name, values }) => name === 'bankAccount' && (values.get('bankAccNr') ?? '') !== '')
    .slice(0, MAX_BANK_ACCOUNTS);
  return [
    text('custSupName') || text('custSupID'),
    customer ? number : '',
    supplier ? number : '',
    String(customer),
    String(supplier),
    String(!customer && !supplier),
    text('eMail'),
    text('telephone'),
    text('commerceNr'),
    text('taxRegIdent'),
    text('contact'),
    address.get('streetname') ?? '',
    address.get('number') ?? '',
    [address.get('numberExtension') ?? '', address.get('property') ?? ''].join(' ').trim(),
    address.get('postalCode') ?? '',
    address.get('city') ?? '',
    address.get('country') || text('taxRegistrationCountry'),
    ...bankAccountNumbers.flatMap((_, index) => {
      const bank = banks[index]?.values;
      return [bank?.get('bankAccNr') ?? '', bank?.get('bankIdCd') ?? ''];
    }),
  ];
}

/** The first street address with more than a country, else such a postal address, else the first address. */
function addressOf(parts: readonly XmlPart[]): ReadonlyMap<string, string> {
  const kinds = ['streetAddress', 'postalAddress'].flatMap((kind) => parts.filter(({ name }) => name === kind));
  const filled = kinds.find(({ values }) =>
    ['streetname', 'postalCode', 'city'].some((element) => (values.get(element) ?? '') !== ''),
  );
  return (filled ?? kinds[0])?.values ?? new Map();
}

/** The element of each column, for its problems. */
const elements = {
  Name: 'custSupName',
  CustomerNumber: 'custSupID',
  SupplierNumber: 'custSupID',
  Email: 'eMail',
  Address_CountryCode: 'country',
  BankAccount_IBAN: 'bankAccNr',
};

/** The relations with a stored identification. */
export function relationsById(
  db: Database,
  administrationId: bigint,
): Promise<{ value: string; id: bigint; guid: Row<'relation'>['guid'] }[]> {
  return db
    .selectFrom('relation_custom_field')
    .innerJoin('custom_field', 'custom_field.id', 'relation_custom_field.custom_field_id')
    .innerJoin('relation', 'relation.id', 'relation_custom_field.relation_id')
    .where('custom_field.administration_id', '=', administrationId)
    .where('custom_field.owner', '=', 'relation')
    .where('custom_field.label', '=', AUDITFILE_ID)
    .select(['value', 'relation.id', 'guid'])
    .execute();
}

/** Relations by their numbers, named as the uses of a `PartyNumber` are. */
async function relationsByNumber(db: Database, administrationId: bigint): Promise<Map<string, bigint>> {
  const rows = await db
    .selectFrom('relation')
    .where('administration_id', '=', administrationId)
    .select(['id', 'customer_number', 'supplier_number'])
    .execute();
  return new Map(
    rows.flatMap(({ id, customer_number, supplier_number }) => [
      [`customer ${customer_number}`, id] as const,
      [`supplier ${supplier_number}`, id] as const,
    ]),
  );
}
