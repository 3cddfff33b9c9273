import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { auditfileVersions } from '../../../../shared/resources/generalLedger/auditfileYear.ts';
import { type Declaration, readSchema, schemaProblems } from '../../../../testing/auditfiles/schema.ts';
import { xmlTree } from '../../../../testing/auditfiles/xmlTree.ts';
import { realFile } from '../../../../testing/builtin/realData.ts';
import { type Layout, layouts } from './layouts.ts';

const places = {
  header: 'header',
  company: 'company',
  customerSupplier: 'company/customersSuppliers/customerSupplier',
  ledgerAccount: 'company/generalLedger/ledgerAccount',
  vatCode: 'company/vatCodes/vatCode',
  period: 'company/periods/period',
  openingBalance: 'company/openingBalance',
  obLine: 'company/openingBalance/obLine',
  transactions: 'company/transactions',
  journal: 'company/transactions/journal',
  transaction: 'company/transactions/journal/transaction',
} as const;

/** The most characters of a text; 0 when the schema has no limit. */
const limitOf = ({ base, facets }: Declaration): number => {
  if (base === 'date') return '2026-01-01'.length;
  const facet = (name: string) => Number(facets.find((one) => one.name === name)?.value ?? 0);
  const digits = facet('totalDigits');
  return facet('maxLength') || facet('length') || (digits && digits + (facet('fractionDigits') > 0 ? 1 : 0));
};

function compare(layout: Layout, children: readonly Declaration[], path: string): string[] {
  const names = children.map(({ name }) => name);
  const known = Object.keys(layout).filter((name) => names.includes(name));
  const inOrder = names.filter((name) => name in layout);
  const own = known.join() === inOrder.join() ? [] : [`${path}: ${known} for ${inOrder}`];
  const extra = Object.keys(layout).filter((name) => !names.includes(name));
  const parts = children.flatMap((child) => {
    const part = layout[child.name];
    if (part === undefined) return [];
    if (typeof part !== 'number') return compare(part, child.children ?? [], `${path}/${child.name}`);
    return part === limitOf(child) ? [] : [`${path}/${child.name}: ${part} for ${limitOf(child)}`];
  });
  return [...own, ...extra.map((name) => `${path}: ${name} is not in the schema`), ...parts];
}

describe.each(auditfileVersions)('version %s', (version) => {
  const xsd = realFile(`xaf/XmlAuditfileFinancieel${version}.xsd`);
  test.skipIf(!xsd.isThere)(xsd.title('has elements, order and lengths as the official schema has'), () => {
    const schema = readSchema(readFileSync(xsd.file, 'utf8'));
    expect(layouts[version].namespace).toBe(schema.namespace);
    const problems = Object.entries(places).flatMap(([record, path]) => {
      const declaration = path
        .split('/')
        .reduce((found, name) => found.children!.find((child) => child.name === name)!, schema.root);
      return compare(layouts[version][record as keyof typeof places], declaration.children!, path);
    });
    expect(problems).toEqual([]);
  });
});

/** Official messages of each version, and changes that make them invalid. */
const messages = { '4.0': 'xaf/XAF_4_0_Test_100425.xaf', '3.2': 'xaf/XmlAuditfileFinancieel3.2_test.xml' } as const;
const everywhere: [string, RegExp, string][] = [
  ['a missing element', /<accID>[^<]*<\/accID>/, ''],
  ['elements the other way round', /(<amnt>.*<\/amnt>)(\s*)(<amntTp>.*<\/amntTp>)/, '$3$2$1'],
  ['three decimals', /<amnt>([^<]*)<\/amnt>/, '<amnt>1.234</amnt>'],
  ['a decimal comma', /<amnt>([^<]*)<\/amnt>/, '<amnt>1,23</amnt>'],
  ['too many digits', /<amnt>([^<]*)<\/amnt>/, `<amnt>${'9'.repeat(21)}</amnt>`],
  ['another side', /<amntTp>.<\/amntTp>/, '<amntTp>X</amntTp>'],
  ['another kind of account', /<accTp>.<\/accTp>/, '<accTp>Q</accTp>'],
  ['a day that is not there', /<startDate>[^<]*/, '<startDate>2025-02-29'],
  ['a long text', /<softwareDesc>[^<]*/, `<softwareDesc>${'x'.repeat(51)}`],
  ['a short country', /<taxRegistrationCountry>[^<]*/, '<taxRegistrationCountry>N'],
  ['a negative percentage', /<vatPerc>[^<]*/, '<vatPerc>-1'],
  ['an element twice', /(<fiscalYear>[^<]*<\/fiscalYear>)/, '$1$1'],
  ['an unknown element', /<company>/, '<company><colour>red</colour>'],
  ['another namespace', / xmlns="[^"]*"/, ' xmlns="http://www.auditfiles.nl/XAF/4.0"'],
  ['a text among elements', /<company>/, '<company>x'],
];
const references: [string, RegExp, string][] = [
  ['an account that is not defined', /<trLine>([\s\S]*?)<accID>[^<]*/, '<trLine>$1<accID>none'],
  ['a relation that is not defined', /<trLine>([\s\S]*?)<custSupID>[^<]*/, '<trLine>$1<custSupID>none'],
  ['a VAT code that is not defined', /<vat>([\s\S]*?)<vatID>[^<]*/, '<vat>$1<vatID>none'],
];

describe.each(Object.entries(messages))('the schema of version %s, as the tests read it', (version, name) => {
  const xsd = realFile(`xaf/XmlAuditfileFinancieel${version}.xsd`);
  const message = realFile(name);
  const isThere = xsd.isThere && message.isThere;
  const read = () => ({
    schema: readSchema(readFileSync(xsd.file, 'utf8')),
    // The message of 3.2 names a relation that it does not have. Its schema means to refuse that, and names no namespace.
    text: readFileSync(message.file, 'utf8').replaceAll('<custSupID>String<', '<custSupID>Debiteur123<'),
  });

  test.skipIf(!isThere)(xsd.title('allows the official message'), () => {
    const { schema, text } = read();
    expect(schemaProblems(schema, xmlTree(text))).toEqual([]);
  });

  // The schema of 4.0 has no references.
  const changes = version === '3.2' ? [...everywhere, ...references] : everywhere;
  test.skipIf(!isThere).each(changes)(xsd.title('refuses %s'), (_, found, instead) => {
    const { schema, text } = read();
    const changed = text.replace(found, instead);
    expect(changed).not.toBe(text);
    expect(schemaProblems(schema, xmlTree(changed))).not.toEqual([]);
  });
});
