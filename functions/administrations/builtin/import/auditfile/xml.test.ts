import { describe, expect, test } from 'vitest';
import { auditfile, auditfileImporter, lineOf, NAMESPACE } from '../../../../../testing/builtin/auditfiles.ts';

const load = auditfileImporter();

describe('a file that is no auditfile of these versions is refused with what was expected', () => {
  test.each([
    ['another version', auditfile({}, 'auditfile xmlns="http://www.auditfiles.nl/XAF/3.1"'), 'got version 3.1'],
    ['no namespace', auditfile({}, 'auditfile'), 'got an element <auditfile> of no namespace'],
    ['another document', '<Invoice xmlns="urn:oasis:x"/>', 'got an element <Invoice> of urn:oasis:x'],
    ['a web page', '<!DOCTYPE html><html></html>', 'expected no document type'],
    ['a CSV file', 'Number,Name\n1,Kas\n', 'is not well-formed XML'],
    ['nothing', '', 'is not well-formed XML'],
    ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a]), 'expected utf-8'],
    [
      'entities within entities',
      `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "bb"><!ENTITY c "&b;&b;">]><auditfile>&c;</auditfile>`,
      'expected no document type',
    ],
    [
      'a file from elsewhere',
      `<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/hostname">]><auditfile>&x;</auditfile>`,
      'expected no document type',
    ],
    ['an entity nobody defined', auditfile().replace('Omzet', '&omzet;'), 'is not well-formed XML: undefined entity'],
    ['a tag that is not closed', auditfile().replace('</accDesc>', ''), 'is not well-formed XML: '],
    ['text without end', auditfile().replace('Omzet', 'x'.repeat(3_000_000)), 'expected a tag before so much text'],
    [
      'text without end, in pieces',
      auditfile().replace('Omzet', `${'x'.repeat(400_000)}<b/>`.repeat(3)),
      'expected an element with less text',
    ],
    [
      'a record without end',
      auditfile().replace('Omzet', `Omzet</accDesc>${'<b>x</b>'.repeat(10_001)}<accDesc>`),
      'expected at most 10,000 elements in a record',
    ],
    ['elements without end', `<auditfile xmlns="${NAMESPACE}">${'<a>'.repeat(200)}`, 'expected at most 100 elements'],
  ])('%s', async (_, content, expected) => {
    const { problems, db } = await load(content);
    expect(problems).toEqual([expect.stringContaining(expected)]);
    expect(problems[0]).toMatch(/^books\.xaf:\d+(:\d+)? : /);
    expect(await db.selectFrom('ledger_account').selectAll().execute()).toEqual([]);
  });

  test('a mistake is reported with line, column and the element around it', async () => {
    const bare = auditfile().replace('Grond &amp; gebouw', 'Grond & gebouw');
    expect((await load(bare)).problems).toEqual([
      expect.stringMatching(`\\(within <accDesc>, which begins on line ${lineOf(bare, 'Grond')}\\)$`),
    ]);
    const swappedEndTag = auditfile().replace('</accDesc>', '</accTp>');
    expect((await load(swappedEndTag)).problems).toEqual([
      expect.stringMatching(
        `^books\\.xaf:${lineOf(swappedEndTag, 'Grond')}:\\d+ : is not well-formed XML: unexpected close tag`,
      ),
    ]);
  });
});

describe('the encoding of an auditfile', () => {
  const utf16 = (text: string, order: 'le' | 'be', mark: boolean): Buffer => {
    const bytes = Buffer.from(`${mark ? '\ufeff' : ''}${text.replace('utf-8', 'utf-16')}`, 'utf16le');
    return order === 'le' ? bytes : bytes.swap16();
  };
  const text = auditfile();
  test.each([
    ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${text}`)],
    ['UTF-8 that is not declared', text.replace(' encoding="utf-8"', '')],
    ['UTF-16 with a byte order mark', utf16(text, 'le', true)],
    ['UTF-16, the other way round', utf16(text, 'be', true)],
    ['UTF-16 without a byte order mark', utf16(text, 'le', false)],
    ['UTF-16 without one, the other way round', utf16(text, 'be', false)],
    ['ISO-8859-1 that is declared', Buffer.from(text.replace('utf-8', 'ISO-8859-1'), 'latin1')],
    ['line ends of Windows', text.replaceAll('\n', '\r\n')],
  ])('is read: %s', async (_, content) => {
    const { problems, db } = await load(content);
    expect(problems).toEqual([]);
    const names = await db.selectFrom('ledger_account').orderBy('number').select('name').execute();
    expect(names.map(({ name }) => name)).toEqual(['Grond & gebouw', 'Omzet één']);
  });

  test.each([
    [
      'ISO-8859-1 declared as UTF-8',
      Buffer.from(text, 'latin1'),
      /expected utf-8, as the file declares; byte \d+ is not/,
    ],
    [
      'UTF-16 declared as UTF-8',
      utf16(text, 'le', true).toString('latin1').replace('1\x006\x00', '8\x00'),
      /declares the encoding/,
    ],
    ['UTF-8 declared as UTF-16', text.replace('utf-8', 'utf-16'), /declares the encoding utf-16/],
    ['one nobody knows', text.replace('utf-8', 'klingon'), /declares the encoding klingon/],
  ])('is refused when it is another than declared: %s', async (_, content, expected) => {
    const { problems } = await load(
      typeof content === 'string' && content.includes('\0') ? Buffer.from(content, 'latin1') : content,
    );
    expect(problems).toEqual([expect.stringMatching(expected)]);
  });

  test.each<[string, string | Buffer, RegExp]>([
    [
      'Windows-1252 declared as UTF-8',
      Buffer.from(text.replace('Grond', 'Grond \x80'), 'latin1'),
      /^line \d+: encoding: expected utf-8, as the file declares; byte \d+ is not: it is read as windows-1252$/,
    ],
    [
      'Windows-1252 that is not declared',
      Buffer.from(text.replace(' encoding="utf-8"', '').replace('Grond', 'Grond \x80'), 'latin1'),
      /^line \d+: encoding: expected utf-8, as the file declares nothing else; .* it is read as windows-1252$/,
    ],
    [
      'UTF-16 declared as UTF-8',
      Buffer.from(`\ufeff${text.replace('Grond', 'Grond €')}`, 'utf16le'),
      /^line 1: encoding: declares the encoding utf-8, but is UTF-16LE: it is read as utf-16le$/,
    ],
    [
      'UTF-8 declared as UTF-16',
      text.replace('utf-8', 'utf-16').replace('Grond', 'Grond €'),
      /^line 1: encoding: declares the encoding utf-16, .*: it is read as utf-8$/,
    ],
    [
      'Windows-1252 declared as UTF-16',
      Buffer.from(text.replace('utf-8', 'utf-16').replace('Grond', 'Grond \x80'), 'latin1'),
      /^line \d+: encoding: expected utf-8, .* it is read as windows-1252$/,
    ],
  ])(
    'that is another than declared is taken with a warning when a person says so: %s',
    async (_, content, expected) => {
      const refused = await load(content);
      expect(refused.problems).toHaveLength(1);
      expect(await refused.db.selectFrom('ledger_account').select('name').execute()).toEqual([]);
      const { problems, result, db } = await load(content, undefined, { takeWithWarnings: true });
      expect(problems).toEqual([]);
      expect(result.warnings.at(-1)).toMatch(expected);
      expect(result.contradictions).toBe(result.warnings.length);
      const names = await db.selectFrom('ledger_account').orderBy('number').select('name').execute();
      expect(names.map(({ name }) => name)).toEqual(['Grond € & gebouw', 'Omzet één']);
    },
  );

  test('that is wrong is problems by the line', async () => {
    const at = lineOf(text, 'Omzet');
    const { problems } = await load(Buffer.from(text, 'latin1'));
    expect(problems[0]).toMatch(`books.xaf:${at} `);
  });
});

test.each([
  ['3.2', NAMESPACE],
  ['3.2.1', 'http://www.odb.belastingdienst.nl/Belastingdienst/BCPP/1.0/structures/XmlAuditfileFinancieel3.2.1'],
  ['4.0', 'http://www.odb.belastingdienst.nl/Belastingdienst/BCPP/1.1/structures/XmlauditfileXAF_4.0'],
  ['4.0 as its explanation has it', 'http://www.odb.belastingdienst.nl/XAF/4.0'],
  ['4.0 as programs invent it', 'http://www.auditfiles.nl/XAF/4.0'],
  [
    '4.0 in other letters',
    'HTTP://www.odb.belastingdienst.nl/Belastingdienst/BCPP/1.1/structures/XmlAuditfileXAF_4.0/',
  ],
])('version %s is known by its namespace, and elements of any other are left out', async (_, namespace) => {
  const extension = `<ledgerAccount xmlns="urn:other"><accID>1</accID></ledgerAccount>`;
  const text = auditfile({}, `auditfile xmlns="${namespace}"`).replace(
    '</generalLedger>',
    `${extension}</generalLedger>`,
  );
  const { problems, db } = await load(text);
  expect(problems).toEqual([]);
  const accounts = await db.selectFrom('ledger_account').orderBy('number').select('number').execute();
  expect(accounts.map(({ number }) => number)).toEqual(['0100', '8000']);
});

test('white space between elements counts as no text, however much of it an element has', async () => {
  const indented = auditfile().replaceAll('<ledgerAccount>', `${`\n${' '.repeat(600_000)}`}<ledgerAccount>`);
  const { problems, db } = await load(indented);
  expect(problems).toEqual([]);
  const accounts = await db.selectFrom('ledger_account').orderBy('number').select('number').execute();
  expect(accounts.map(({ number }) => number)).toEqual(['0100', '8000']);
});
