import { MAX_PARTY_NUMBER } from '../../documentParts/numbering.ts';
import type { Report } from '../../files/readRows.ts';
import type { Database } from '../../sql/database.ts';
import type { Row } from '../../sql/schema.ts';
import { relationsOfAuditfiles } from '../relationFiles/relations.ts';
import { inXml } from '../relationFiles/textsOfAuditfiles.ts';
import type { OpenSink, RecordSink } from './recordSink.ts';
import { lineOf, textOf, type XmlPart, type XmlRecord } from './records.ts';

/**
 * Stores customers and suppliers. If an identification is no number, or several have the same number, it is stored in a
 * custom field.
 * @param isOwn whether the file was written here, known when its header is read: its identifications are our own
 */
export function customersSuppliers(
  db: Database,
  administrationId: bigint,
  openSink: OpenSink,
  report: Report,
  isOwn: () => boolean,
) {
  const read: XmlRecord[] = [];
  const unnumbered: XmlRecord[] = [];
  const doubtful: { party: XmlRecord; partyNumbers: PartyNumbers }[] = [];
  /** How each identification numbers its relation; undefined: it does not. */
  const numbers = new Map<string, PartyNumbers | undefined>();
  /** The number of relations with each number. */
  const uses = new Map<string, number>();
  /** The relation of each identification that is our own, with a GUID. */
  const withGuid = new Map<string, bigint>();
  /** The GUIDs of relations with a stored identification, which says more than its number. */
  let known: ReadonlyMap<string, string> | undefined;
  let sink: RecordSink | undefined;

  const readKnown = async () => {
    known ??= new Map((await relationsById(db, administrationId)).map(({ value, guid }) => [value, String(guid)]));
    return known;
  };
  const openFirst = async () => {
    sink ??= await openSink(relationsOfAuditfiles, partyHeadings, elements);
    return sink;
  };
  const rowOf = (party: XmlRecord, numbers: Partial<PartyNumbers>) =>
    customerSupplierRow(party, rolesOf(party, isOwn()), numbers);

  /** Stores those of our own without a number whose relation is here: by its GUID, if it has the same name. */
  const storeOurs = async () => {
    const guidOf = (party: XmlRecord) => readOwnIdentification(textOf(party, 'custSupID'))?.guid || undefined;
    if (!isOwn() || !unnumbered.some(guidOf)) return;
    const relations = new Map((await relationNames(db, administrationId)).map((row) => [String(row.guid), row]));
    for (const party of unnumbered.splice(0)) {
      const guid = guidOf(party);
      const relation = guid === undefined ? undefined : relations.get(guid);
      if (relation === undefined || !inXml(relation.name).startsWith(textOf(party, 'custSupName'))) {
        unnumbered.push(party);
        continue;
      }
      withGuid.set(textOf(party, 'custSupID'), relation.id);
      await (await openFirst()).add(party, rowOf(party, { guid }));
    }
  };

  const storeUnnumbered = async () => {
    const stored = await readKnown();
    const headings = [...partyHeadings, `Custom: ${AUDITFILE_ID} (TextSmall, Other)`];
    const rest = await openSink(relationsOfAuditfiles, headings, elements);
    const once = new Set<string>();
    for (const party of unnumbered) {
      const id = textOf(party, 'custSupID');
      if (id === '') report(party.line, 'custSupID', 'is required, got none');
      else if (once.has(id)) report(lineOf(party, 'custSupID'), 'custSupID', `expected ${id} once`);
      once.add(id);
      await rest.add(party, [...rowOf(party, { guid: stored.get(id) }), id]);
    }
    await rest.end();
  };

  return {
    add(party: XmlRecord): void {
      read.push(party);
      numbers.set(textOf(party, 'custSupID'), numbersOf(party, isOwn()));
    },
    has: (id: string): boolean => numbers.has(id),
    /** After `end`: the relation of each identification. */
    async relationIds(): Promise<Map<string, bigint>> {
      const named = new Map((await relationsById(db, administrationId)).map(({ value, id }) => [value, id]));
      const numbered = await relationsByNumber(db, administrationId);
      return new Map(
        [...numbers].flatMap(([id, number]) => {
          const relation =
            withGuid.get(id) ??
            named.get(id) ??
            number?.uses.map((use) => numbered.get(use)).find((one) => one !== undefined);
          return relation === undefined ? [] : [[id, relation] as const];
        }),
      );
    },
    /** Stores the relations read so far, except those whose number may not be unique. */
    async store(): Promise<void> {
      if (read.length === 0) return;
      const stored = await readKnown();
      for (const party of read) {
        if (party.parts.filter(({ name }) => name === 'bankAccount').length > MAX_BANK_ACCOUNTS) {
          report(party.line, 'bankAccount', `expected at most ${MAX_BANK_ACCOUNTS} bank accounts`);
        }
        const partyNumbers = numbersOf(party, isOwn());
        if (partyNumbers === undefined || stored.has(textOf(party, 'custSupID'))) {
          unnumbered.push(party);
          continue;
        }
        for (const use of partyNumbers.uses) uses.set(use, (uses.get(use) ?? 0) + 1);
        if (partyNumbers.isDoubtful) doubtful.push({ party, partyNumbers });
        else await (await openFirst()).add(party, rowOf(party, partyNumbers));
      }
      read.length = 0;
    },
    async end(): Promise<void> {
      for (const { party, partyNumbers } of doubtful) {
        const isUnique = partyNumbers.uses.every((use) => uses.get(use) === 1);
        if (!isUnique) unnumbered.push(party);
        else await (await openFirst()).add(party, rowOf(party, partyNumbers));
      }
      await storeOurs();
      await sink?.end();
      if (unnumbered.length > 0) await storeUnnumbered();
    },
  };
}

/** What `softwareDesc` says in an audit file that is written here. */
export const OWN_SOFTWARE = 'Ledgerline';

/** What identifies a relation in a file that is written here, if no number does: C7, S7 or C7-S8; R with its GUID. */
export function ownIdentifications({
  guid,
  customer_number: customer,
  supplier_number: supplier,
}: Pick<Row<'relation'>, 'guid' | 'customer_number' | 'supplier_number'>): string[] {
  const numbers = [...(customer === null ? [] : [`C${customer}`]), ...(supplier === null ? [] : [`S${supplier}`])];
  return [...(numbers.length === 0 ? [] : [numbers.join('-')]), `R${guid}`];
}

/** The numbers in an identification of our own; undefined for any other. */
function readOwnIdentification(id: string): { customer: string; supplier: string; guid: string } | undefined {
  const found = /^(?:C(?<customer>\d+)(?:-S(?<second>\d+))?|S(?<supplier>\d+)|R(?<guid>\d+))$/.exec(id)?.groups;
  if (found === undefined) return undefined;
  const { customer = '', second = '', supplier = second, guid = '' } = found;
  return { customer, supplier, guid };
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
  ...['Name', 'RelationGUID', 'CustomerNumber', 'SupplierNumber', 'IsCustomer', 'IsSupplier'],
  ...['Email', 'Phone', 'RegistrationNumber', 'TaxIdentificationNumber', 'Contact_LastName'],
  ...['Address_Street', 'Address_Unit', 'Address_UnitAppendix', 'Address_PostalCode', 'Address_City'],
  'Address_CountryCode',
  ...bankAccountNumbers.flatMap((number) => [`BankAccount${number}_IBAN`, `BankAccount${number}_BIC`]),
];

type Roles = { customer: boolean; supplier: boolean };

const roles: Readonly<Record<string, Roles>> = {
  C: { customer: true, supplier: false },
  S: { customer: false, supplier: true },
  B: { customer: true, supplier: true },
  O: { customer: false, supplier: false },
};

/** What a relation is by its kind. One whose kind is not in the file may be both; in our own it is neither. */
const rolesOf = (record: XmlRecord, isOwn: boolean): Roles =>
  roles[textOf(record, 'custSupTp')] ?? { customer: !isOwn, supplier: !isOwn };

/** The numbers of a record; "" for none. */
type PartyNumbers = {
  customer: string;
  supplier: string;
  guid?: string | undefined;
  /** Whether another identification in the file may be the same number: 7 beside 007, or beside our own C7. */
  isDoubtful: boolean;
  /** The roles it numbers, each with the number. */
  uses: string[];
};

/** Undefined when its identification is no number or too high, or it is neither customer nor supplier. */
function numbersOf(record: XmlRecord, isOwn: boolean): PartyNumbers | undefined {
  const id = textOf(record, 'custSupID');
  const { customer, supplier } = rolesOf(record, isOwn);
  const [, zeros = '', number = ''] = /^(0*)([1-9]\d{0,9})$/.exec(id) ?? [];
  const own = isOwn ? readOwnIdentification(id) : undefined;
  const numbers = {
    customer: customer ? (own?.customer ?? number) : '',
    supplier: supplier ? (own?.supplier ?? number) : '',
  };
  const found = Object.entries(numbers).filter(([, one]) => one !== '');
  if (found.length === 0 || found.some(([, one]) => Number(one) > MAX_PARTY_NUMBER)) return undefined;
  return { ...numbers, isDoubtful: zeros !== '' || own !== undefined, uses: found.map((one) => one.join(' ')) };
}

/**
 * The cells of a relation under `partyHeadings`. It gets the roles that the file says, and keeps those that it has
 * here: a file knows one year of other books.
 */
function customerSupplierRow(
  record: XmlRecord,
  { customer, supplier }: Roles,
  numbers: Partial<PartyNumbers>,
): string[] {
  const text = (element: string) => textOf(record, element);
  const address = addressOf(record.parts);
  const banks = record.parts
    .filter(({ name, values }) => name === 'bankAccount' && (values.get('bankAccNr') ?? '') !== '')
    .slice(0, MAX_BANK_ACCOUNTS);
  return [
    text('custSupName') || text('custSupID'),
    numbers.guid ?? '',
    numbers.customer ?? '',
    numbers.supplier ?? '',
    customer ? 'true' : '',
    supplier ? 'true' : '',
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

const relationNames = (db: Database, administrationId: bigint) =>
  db.selectFrom('relation').where('administration_id', '=', administrationId).select(['id', 'guid', 'name']).execute();

/** Relations by their numbers, named as the uses of `PartyNumbers` are. */
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
