import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { operationOf, pushedNames, pushRulesOf } from '../../../shared/api.ts';
import { describeValue } from '../../../shared/wire/describeValue.ts';
import { sourcesIn } from '../../../testing/imports.ts';
import { sheetNameOf } from '../../excel/names.ts';
import { lists } from '../pulledLists/lists.ts';
import { sheetNameFor } from '../pulledLists/questionText.ts';
import { lineSchemaOf } from '../sheetColumns/requestColumns.ts';
import { chooseLanguage, languageChoice } from './language.ts';
import { messagesOf, outsideTextsOf } from './messages.ts';
import { type Language, languages } from './words.ts';

const leaves = (value: unknown, path = ''): [string, unknown][] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, inner]) => leaves(inner, `${path}.${name}`))
    : [[path, value]];

describe.each(languages)('The texts in %s', (language) => {
  const messages = messagesOf[language];

  it('are not empty', () => {
    const empty = leaves([messages, outsideTextsOf[language]]).filter(
      ([, text]) => typeof text === 'string' && text.trim() === '',
    );
    expect(empty).toEqual([]);
  });

  it.each(Object.entries(messages.headings))('give every column of the %s table a different heading', (_, headings) => {
    const names = Object.values(headings).map((name) => name.toLowerCase());
    expect(new Set(names).size).toBe(names.length);
  });

  it('give sheets names that Excel allows', () => {
    const ofLists = Object.values(lists).flatMap((list) =>
      [list.table, ...Object.values(list.further).map(({ table }) => table)].map((table) =>
        sheetNameFor(list, table, {}, messages),
      ),
    );
    const { exports, products } = messages;
    for (const name of [...ofLists, exports.sheet, products.sheet]) expect(sheetNameOf(name)).toBe(name);
  });

  it('explain an error without the names of fields that only the interface uses', () => {
    const schemas = pushedNames.flatMap((endpoint) => {
      const { lines } = pushRulesOf(endpoint);
      const ofLine = lineSchemaOf({ endpoint, lines, columns: {} })?.shape ?? {};
      return [...Object.keys(operationOf(endpoint).request.shape), ...Object.keys(ofLine)];
    });
    const names = schemas.filter((field) => /[a-z_][A-Z]|_/.test(field));
    const ofLists = ['choices', 'rows', 'endpoints', 'endings', 'errors'];
    const params = new Proxy({}, { get: (_, name) => (ofLists.includes(String(name)) ? ['1'] : '1') });
    const texts = Object.entries(messages.fieldErrors).map(
      ([code, text]) => [code, (text as (params: unknown) => string)(params)] as const,
    );
    expect(texts.filter(([, text]) => names.some((name) => text.includes(name)))).toEqual([]);
  });

  it('name no column of products where rows of other sheets were not sent either', () => {
    const { push, headings } = messages;
    const { ArticleNumber, EAN } = headings.products;
    expect(push.changed('INV-7')).toContain('INV-7');
    expect(push.changed('INV-7')).not.toMatch(new RegExp(`${ArticleNumber}|${EAN}`, 'i'));
  });

  it('end with one full stop after the name of a "B.V."', () => {
    const { push } = messages;
    const texts = [push.confirmText(2, 'Jansen B.V.'), push.elsewhere('Jansen B.V.')];
    for (const text of texts) expect(text).toMatch(/Jansen B\.V\. ?[^.]/);
  });

  it('promise of the name of a relation no more than the list keeps, which compares it as a whole', () => {
    const whole = { en: 'The whole name', nl: 'De hele naam', fr: 'Le nom entier' };
    expect(messages.relations.filters.RelationName.hint).toBe(whole[language]);
  });

  it('do not say that an invoice is mailed at once, since the service waits for half an hour', () => {
    const { EmailToCustomer } = messages.columnNotes;
    const later = { en: 'some time after', nl: 'enige tijd nadat', fr: 'quelque temps après' };
    expect(EmailToCustomer).toContain(later[language]);
  });

  it('have no commas in the words of lists, which commas separate', () => {
    const { codes, yes, no } = messages;
    expect([codes.Relative, codes.Absolute, yes, no].filter((word) => word.includes(','))).toEqual([]);
  });
});

it.each([
  // The field of a connection is called Naam, its button Hernoemen.
  ['nl', /\blabel\b/i],
  // Nom and Renommer; and the views have an administration, no folder.
  ['fr', /libellé|dossier/i],
] as const)('The texts of formulas in %s call connections and administrations as the views do', (language, others) => {
  const { functions, parameters } = outsideTextsOf[language];
  const texts = leaves([messagesOf[language].formulas, functions, parameters]).map(([, text]) =>
    typeof text === 'function' ? text('A', 'B', 'C') : text,
  );
  expect(texts.length).toBeGreaterThan(30);
  expect(texts.filter((text) => others.test(String(text)))).toEqual([]);
});

it('A single row, product, document, purchase, remark or second is said in the singular', () => {
  const saidIn = (language: Language) => {
    const {
      products,
      selected,
      push,
      problems,
      vat,
      vatRemarks,
      auditfiles,
      refreshedAll,
      documents,
      sameAdministration,
    } = messagesOf[language];
    return [
      products.fromInvoicesFound(1),
      selected.progress(0, 1),
      push.progress(1, 1),
      push.readingRows(0, 1),
      push.stoppedAt(0, 1),
      push.pace(1),
      push.stateCounts.waiting(1),
      push.hiddenRows(1, 1),
      push.hiddenRows(1, 3),
      problems.rateLimit('1'),
      vatRemarks.KIND_DERIVED('1'),
      vatRemarks.LATE('1', '21.00', ''),
      auditfiles.differs(1, 1),
      refreshedAll.done(1, 1, 1, 1),
      push.unusualMore(1),
      vat.remarks(1),
      documents.zipping(1, 1),
      ...Object.values(sameAdministration.agrees).map((said) => said(1, 1)),
    ].map((text) => text.replaceAll('\u00a0', ' '));
  };
  expect(saidIn('en')).toEqual([
    '1 article number added.',
    '0 of 1 product read.',
    '1 of 1 row',
    '0 of 1 row read…',
    'Stopped at 0 of 1 row',
    '1 row a minute',
    '1 waiting',
    'The row is hidden, by a filter or by hand. Which rows are sent?',
    '1 of these 3 rows is hidden, by a filter or by hand. Which rows are sent?',
    'The service is busy. Try again in 1 second.',
    '1 purchase has no kind (81 to 83): it was derived from its account.',
    '1 document is dated in a period that had been filed, with 21.00 of VAT to pay: it counts in this one.',
    'Another file of this year was imported before. This one replaces it: 1 entry comes, 1 goes.',
    '1 sheet is up to date: 1 new row, 1 changed, 1 removed.',
    'and 1 row more, which is ticked with the others only',
    '1 remark about this return: see its sheet.',
    '1 of 1 document',
    '1 of 1 ledger account, by number and name',
    '1 of 1 relation, by id and name',
    '1 of 1 invoice, by number and customer',
    '1 of 1 product, by number and name',
    '1 of 1 article number, without a name',
  ]);
  expect(saidIn('nl')).toEqual([
    '1 artikelnummer toegevoegd.',
    '0 van 1 artikel gelezen.',
    '1 van 1 rij',
    '0 van 1 rij gelezen…',
    'Gestopt bij 0 van 1 rij',
    '1 rij per minuut',
    '1 wacht',
    'De rij is verborgen, door een filter of met de hand. Welke rijen worden verstuurd?',
    '1 van deze 3 rijen is verborgen, door een filter of met de hand. Welke rijen worden verstuurd?',
    'De dienst is bezig. Probeer het over 1 seconde opnieuw.',
    '1 inkoop heeft geen soort (81 tot 83): die is afgeleid van zijn rekening.',
    '1 document heeft een datum in een periode waarvan de aangifte al was ingediend, met 21.00 te betalen btw: het telt in deze.',
    'Van dit jaar is eerder een ander bestand ingelezen. Dit bestand vervangt het: er komt 1 boeking bij, er gaat er 1 weg.',
    '1 blad is bijgewerkt: 1 nieuwe rij, 1 gewijzigd, 1 verwijderd.',
    'en nog 1 rij, die alleen met de andere aangevinkt wordt',
    '1 opmerking over deze aangifte: zie haar blad.',
    '1 van 1 document',
    '1 van 1 grootboekrekening, op nummer en naam',
    '1 van 1 relatie, op kenmerk en naam',
    '1 van 1 factuur, op nummer en klant',
    '1 van 1 artikel, op nummer en naam',
    '1 van 1 artikelnummer, zonder naam',
  ]);
  expect(saidIn('fr')).toEqual([
    '1 numéro d’article ajouté.',
    '0 article lu sur 1.',
    '1 ligne sur 1',
    '0 ligne lue sur 1…',
    'Arrêté à 0 ligne sur 1',
    '1 ligne par minute',
    '1 en attente',
    'La ligne est masquée, par un filtre ou à la main. Quelles lignes sont envoyées ?',
    '1 de ces 3 lignes est masquée, par un filtre ou à la main. Quelles lignes sont envoyées ?',
    'Le service est occupé. Réessayez dans 1 seconde.',
    '1 achat n’a pas de nature (81 à 83) : elle a été déduite de son compte.',
    '1 document a une date dans une période dont la déclaration était introduite, avec 21.00 de TVA à payer : il compte dans celle-ci.',
    'Un autre fichier de cet exercice a été repris auparavant. Celui-ci le remplace : 1 écriture ajoutée, 1 supprimée.',
    '1 feuille est à jour : 1 nouvelle ligne, 1 modifiée, 1 supprimée.',
    'et 1 ligne de plus, à cocher seulement avec les autres',
    '1 remarque sur cette déclaration : voir sa feuille.',
    '1 document sur 1',
    '1 compte général sur 1, par numéro et nom',
    '1 relation sur 1, par identifiant et nom',
    '1 facture sur 1, par numéro et client',
    '1 article sur 1, par numéro et nom',
    '1 numéro d’article sur 1, sans nom',
  ]);
});

it.each(languages)('A message says that a row was not sent in the words of its status, in %s', (language) => {
  const leavesOf = (of: Language) => leaves({ ...messagesOf[of].rowMessage, twice: '' });
  const said = ([, text]: readonly [string, unknown]) => String(typeof text === 'function' ? text('1') : text);
  const english = leavesOf('en').filter((leaf) => said(leaf).startsWith('Not sent'));
  expect(english.length).toBeGreaterThan(7);
  const names = new Set(english.map(([name]) => name));
  const own = leavesOf(language).filter(([name]) => names.has(name));
  expect(own).toHaveLength(english.length);
  const { notSent } = messagesOf[language].status;
  expect(own.map(said).filter((text) => !text.startsWith(notSent))).toEqual([]);
});

it.each([
  // An invoice or an order that is Verzonden went to its customer.
  ['nl', 'versturen', /(?<!^)verzond|verzend(?!ing)/i],
] as const)('The texts in %s have one word for %s', (language, _, others) => {
  const said = leaves([messagesOf[language], outsideTextsOf[language]]).map(([, text]) => String(text));
  expect(said.filter((text) => others.test(text))).toEqual([]);
});

it('The Dutch texts call the pane a deelvenster, and no text says “found” in two ways', () => {
  const texts = leaves([messagesOf.nl, outsideTextsOf.nl]).map(([, text]) => String(text));
  expect(texts.filter((text) => /\b(?:het|dit) venster\b|gevonden “/i.test(text))).toEqual([]);
});

describe.each(languages)('A refused value in an error in %s', (language) => {
  const told = (value: string) => messagesOf[language].fieldErrors.NOT_DECIMAL({ given: describeValue(value) });

  it('has one pair of quotation marks, also when it is cut', () => {
    expect(told('x'.repeat(500))).toMatch(/[“«\u00a0]x{40,}\.\.\.[”»\u00a0]/);
    expect([told('x'.repeat(500)), told('12')].join()).not.toContain('"');
  });

  it('is what was typed, without signs before its own quotation marks', () => {
    expect(told('C:\\12"')).toContain('C:\\12"');
    expect(told('C:\\12"')).not.toMatch(/\\\\|\\"/);
  });
});

describe('The words for codes', () => {
  it('each mean one code, whatever the language that somebody wrote them in', () => {
    const codes = new Map<string, Set<string>>();
    for (const language of languages) {
      for (const [code, word] of Object.entries(messagesOf[language].codes)) {
        codes.set(word.toLowerCase(), (codes.get(word.toLowerCase()) ?? new Set()).add(code));
      }
    }
    expect([...codes].filter(([, meant]) => meant.size > 1)).toEqual([]);
  });
});

it('The French texts have spaces that do not break before : ; ! ? % and inside « »', () => {
  const source = ['fr.ts', 'frWords.ts', 'outside/fr.ts']
    .map((name) => readFileSync(resolve(import.meta.dirname, name), 'utf8'))
    .join('\n');
  const texts = leaves([
    { ...messagesOf.fr, headings: {} },
    { ...outsideTextsOf.fr, page: { ...outsideTextsOf.fr.page, unfitName: '' } },
  ]);
  const written = texts.flatMap(([, text]) => (typeof text === 'string' ? [text] : []));
  expect(written.filter((text) => / [:;!?%»]|« /.test(text))).toEqual([]);
  expect(source.match(/« |[^\u00a0]»/g)).toBeNull();
});

it('The views put no colon behind a text themselves: French has a space before it', () => {
  const views = sourcesIn('addin/taskpane').filter(({ path }) => path.endsWith('.tsx'));
  expect(views.length).toBeGreaterThan(40);
  const colon = /.*(?:\}: (?:\$?\{(?!\s)|<)|<\/\w+>: |`: \$\{|\}:\{' '\}).*/g;
  expect(views.flatMap(({ path, code }) => (code.match(colon) ?? []).map((line) => `${path}: ${line}`))).toEqual([]);
  for (const line of ['{a}: {b}', '<b>{a}</b>: c']) expect(line).toMatch(colon);
});

describe('The language of the pane', () => {
  it('is the one that the user chose, until that of Excel is chosen again', () => {
    const stored = new Map<string, string>();
    const storage = {
      getItem: (name: string) => stored.get(name) ?? null,
      setItem: (name: string, text: string) => void stored.set(name, text),
      removeItem: (name: string) => void stored.delete(name),
    };
    const choice = languageChoice(() => storage, 'part.');
    expect(choice.read()).toBeNull();
    choice.write('fr');
    expect(choice.read()).toBe('fr');
    expect(languageChoice(() => storage, 'other.').read()).toBeNull();
    choice.write(null);
    expect(choice.read()).toBeNull();
    stored.set('part.ledgerline.language', 'xx');
    expect(choice.read()).toBeNull();
  });

  it('is that of Excel in a browser that stores nothing', () => {
    const choice = languageChoice(() => {
      throw new Error('The browser forbids it.');
    }, undefined);
    choice.write('fr');
    expect(choice.read()).toBeNull();
  });

  it.each([
    [['nl-BE'], 'nl'],
    [['NL'], 'nl'],
    [['fr-BE', 'nl'], 'fr'],
    [['de', 'fr'], 'fr'],
    [['de'], 'en'],
    [[null, undefined, 'en-US', 'nl'], 'en'],
    [[], 'en'],
  ])('for %j is %s', (tags, language) => {
    expect(chooseLanguage(tags)).toBe(language);
  });
});
