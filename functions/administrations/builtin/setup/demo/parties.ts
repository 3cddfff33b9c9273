import { composeIBAN } from 'ibantools';
import { numberTaken } from '../../documentParts/numbering.ts';
import { folded } from '../../sql/comparedText.ts';
import type { Database } from '../../sql/database.ts';
import { insertKeyedRows, insertRows } from '../../sql/insertRows.ts';
import { newRow } from '../../sql/rows.ts';
import { flag, type NewRow, type Seconds } from '../../sql/schema.ts';
import type { Seeded } from './seeded.ts';
import { words } from './words.ts';

type Country = 'NL' | 'BE';

/** A relation of the demo with the values that invoices need. */
export type Party = {
  id: bigint;
  row: NewRow<'relation'>;
  contact: Omit<NewRow<'relation_contact'>, 'relation_id'> | undefined;
};

/** Names that a spreadsheet must not evaluate as formulas. */
const awkwardNames = ['=Groen+Bloem', '@Thuis Boeket', 'Bloemen "De Roos" & Zn.', '+31 Bloemen', "-'t Hoekje-"];
const groups = ['Vaste klanten', 'Horeca', 'Webwinkel', 'Hoveniers', 'Leveranciers'];

/** Makes the relations of an administration: customers, suppliers, both, and others; businesses and private persons. */
export async function makeParties(
  db: Database,
  of: { administrationId: bigint; country: Country; count: number; firstGuid: bigint; from: Seconds },
  random: Seeded,
): Promise<Party[]> {
  const fieldRows = customFields.map(({ label, field_type, type_of_relation }) =>
    newRow('custom_field', {
      administration_id: of.administrationId,
      owner: 'relation',
      label,
      field_type,
      type_of_relation,
    }),
  );
  const fields = await insertKeyedRows(db, 'custom_field', 'label', fieldRows);
  const seen = new Set<string>();
  const numbers = { customer: 10_000n, supplier: 60_000n };
  const drafts = Array.from({ length: of.count }, (_, index) => {
    const role = roleOf(index % 20);
    const isCustomer = role !== 'supplier' && role !== 'other';
    const isSupplier = role === 'supplier' || role === 'both';
    const country: Country = random.chance(85) ? of.country : of.country === 'NL' ? 'BE' : 'NL';
    const person = makePerson(country, random);
    const isBusiness = role !== 'private';
    const awkward = index % 37 === 7 ? awkwardNames[(index - 7) / 37] : undefined;
    const name = awkward ?? (isBusiness ? companyName(country, seen, random) : person.fullName);
    const mailName = folded(name)
      .normalize('NFD')
      .replace(/[^a-z0-9]+/g, '');
    const createdOn = of.from + BigInt(random.below(600) * 86_400 + random.below(36_000));
    const [city, postal] = random.pick(words[country].cities);
    const vat = isBusiness ? vatNumber(country, random) : '';
    const row = newRow('relation', {
      administration_id: of.administrationId,
      guid: of.firstGuid + BigInt(index),
      name,
      is_business: flag(isBusiness),
      email: `${isBusiness ? 'info' : person.mailName}@${isBusiness ? mailName : 'post'}.example`,
      phone: phoneNumber(country, random),
      city,
      street: random.pick(words[country].streets),
      postal_code: postalCode(country, postal, random),
      unit: String(random.from(1, 240)),
      unit_appendix: random.chance(15) ? random.pick(['A', 'B', 'bis', 'C']) : '',
      country_code: country,
      group_name: isSupplier ? 'Leveranciers' : random.chance(70) ? random.pick(groups.slice(0, 4)) : '',
      is_customer: flag(isCustomer),
      is_supplier: flag(isSupplier),
      is_other: flag(role === 'other'),
      customer_number: isCustomer ? ++numbers.customer : null,
      supplier_number: isSupplier ? ++numbers.supplier : null,
      registration_number: isBusiness ? registrationNumber(country, vat, random) : '',
      vat_number: vat,
      created_on: createdOn,
      changed_on: createdOn + BigInt(random.below(60) * 86_400),
    });
    const people = [person, ...(isBusiness && random.chance(40) ? [makePerson(country, random)] : [])];
    const contacts = people.map((contact, position) => ({
      position: BigInt(position),
      email: `${contact.mailName}@${isBusiness ? mailName : 'post'}.example`,
      phone: phoneNumber(country, random),
      sex: contact.sex,
      last_name: contact.lastName,
      first_name: contact.firstName,
      preposition: contact.preposition,
      notes: position === 0 && random.chance(10) ? 'Belt liefst voor tien uur.' : '',
      is_default: flag(position === 0),
    }));
    const bankAccounts = Array.from({ length: random.chance(90) ? (random.chance(10) ? 2 : 1) : 0 }, (_, position) => {
      const bank = random.pick(words[country].banks);
      return {
        position: BigInt(position),
        iban: iban(country, bank.code, random),
        skip_iban_check: 0n,
        use_for_excasso: flag(position === 0),
        bic: bank.bic,
        place: city,
        name,
      };
    });
    const roles = [isCustomer && 'Customer', isSupplier && 'Supplier', role === 'other' && 'Other'];
    const values = customFields
      .filter((field) => roles.includes(field.type_of_relation) && random.chance(75))
      .map(({ label, value }) => ({ custom_field_id: fields.get(label)!, value: value(random) }));
    return { row, contacts, bankAccounts, values };
  });

  const rows = drafts.map(({ row }) => row);
  const ids = await insertKeyedRows(db, 'relation', 'guid', rows);
  const idOf = (row: NewRow<'relation'>) => ids.get(row.guid)!;
  const ofRelations = <Part extends object>(partsOf: (draft: (typeof drafts)[number]) => readonly Part[]) =>
    drafts.flatMap((draft) => partsOf(draft).map((part) => ({ relation_id: idOf(draft.row), ...part })));
  const contacts = ofRelations((draft) => draft.contacts);
  await insertRows(db, 'relation_contact', contacts);
  const bankAccounts = ofRelations((draft) => draft.bankAccounts);
  await insertRows(db, 'relation_bank_account', bankAccounts);
  const customFieldValues = ofRelations((draft) => draft.values);
  await insertRows(db, 'relation_custom_field', customFieldValues);
  await numberTaken(db, of.administrationId, 'relation', of.firstGuid + BigInt(of.count - 1));
  return drafts.map(({ row, contacts }) => ({ id: idOf(row), row, contact: contacts[0] }));
}

/** Of every twenty: twelve business customers, three private ones, three suppliers, one both, one neither. */
function roleOf(place: number): 'customer' | 'private' | 'supplier' | 'both' | 'other' {
  if (place === 19) return 'other';
  if (place === 18) return 'both';
  if (place % 6 === 5) return 'supplier';
  return place % 6 === 2 ? 'private' : 'customer';
}

type FieldOfRelation = Pick<NewRow<'custom_field'>, 'label' | 'field_type'> & {
  type_of_relation: 'Customer' | 'Supplier' | 'Other';
  value: (random: Seeded) => string;
};

const customFields: readonly FieldOfRelation[] = [
  {
    label: 'Accountmanager',
    field_type: 'TextSmall',
    type_of_relation: 'Customer',
    value: (r) => r.pick(['Roos Linde', 'Koen Postma']),
  },
  {
    label: 'Kredietlimiet',
    field_type: 'Decimal',
    type_of_relation: 'Customer',
    value: (r) => `${r.from(1, 40) * 250}`,
  },
  {
    label: 'Klant sinds',
    field_type: 'Date',
    type_of_relation: 'Customer',
    value: (r) => `20${r.from(10, 24)}-0${r.from(1, 9)}-15`,
  },
  { label: 'Nieuwsbrief', field_type: 'Checkbox', type_of_relation: 'Customer', value: (r) => String(r.chance(60)) },
  {
    label: 'Levertijd in dagen',
    field_type: 'Integer',
    type_of_relation: 'Supplier',
    value: (r) => String(r.from(1, 21)),
  },
  {
    label: 'Keurmerk',
    field_type: 'List',
    type_of_relation: 'Supplier',
    value: (r) => r.pick(['MPS-A', 'GLOBALG.A.P.', 'Biologisch']),
  },
  {
    label: 'Toelichting',
    field_type: 'TextLarge',
    type_of_relation: 'Other',
    value: () => 'Kennis uit de regio; geen handel.',
  },
];

type Person = {
  sex: 'Man' | 'Vrouw';
  firstName: string;
  preposition: string;
  lastName: string;
  fullName: string;
  mailName: string;
};

function makePerson(country: Country, random: Seeded): Person {
  const sex = random.chance(50) ? 'Man' : 'Vrouw';
  const firstName = random.pick(words[country].firstNames[sex]);
  const preposition = random.pick(words[country].prepositions);
  const lastName = random.pick(words[country].lastNames);
  const fullName = [firstName, preposition, lastName].filter((part) => part !== '').join(' ');
  const mailName = folded(fullName)
    .normalize('NFD')
    .replace(/[^a-z]+/g, '.');
  return { sex, firstName, preposition, lastName, fullName, mailName };
}

/** A unique company name; a repeated one gets its city added. */
function companyName(country: Country, seen: Set<string>, random: Seeded): string {
  const { companyKinds, companyNames, legalForms, cities } = words[country];
  const name = `${random.pick(companyKinds)} ${random.pick(companyNames)}`;
  let distinct = name;
  while (seen.has(distinct)) distinct = `${name} ${random.pick(cities)[0]}`;
  seen.add(distinct);
  return `${distinct} ${random.pick(legalForms)}`.trim();
}

function vatNumber(country: Country, random: Seeded): string {
  if (country === 'BE') {
    const eight = `0${random.from(4, 7)}${random.digits(6)}`;
    return `BE${eight}${String(97 - (Number(eight) % 97)).padStart(2, '0')}`;
  }
  // The ninth digit is the remainder by 11 of the others, weighed 9 down to 2; it must be one digit.
  for (;;) {
    const eight = `8${random.digits(7)}`;
    const check = [...eight].reduce((sum, digit, index) => sum + Number(digit) * (9 - index), 0) % 11;
    if (check < 10) return `NL${eight}${check}B01`;
  }
}

/** In Belgium the enterprise number, which the VAT number is made of; in the Netherlands eight digits of its own. */
const registrationNumber = (country: Country, vat: string, random: Seeded): string =>
  country === 'BE' ? vat.replace(/^BE(\d{4})(\d{3})(\d{3})$/, '$1.$2.$3') : `${random.from(1, 9)}${random.digits(7)}`;

function iban(country: Country, code: string, random: Seeded): string {
  const account = `${code}${random.digits(country === 'NL' ? 10 : 7)}`;
  const check = country === 'NL' ? '' : String(Number(account) % 97 || 97).padStart(2, '0');
  return composeIBAN({ countryCode: country, bban: account + check })!;
}

const postalCode = (country: Country, start: string, random: Seeded): string =>
  country === 'BE'
    ? start
    : `${start}${random.from(11, 99)} ${random.pick(['AB', 'CD', 'EG', 'HJ', 'KL', 'NP', 'RS', 'TZ'])}`;

const phoneNumber = (country: Country, random: Seeded): string =>
  country === 'BE'
    ? `+32 ${random.pick(['3', '9', '2'])} 555 ${random.digits(2)} ${random.digits(2)}`
    : `+31 ${random.pick(['20', '30', '50'])} 555 ${random.digits(4)}`;
