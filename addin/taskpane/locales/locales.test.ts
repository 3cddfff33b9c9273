import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { operationOf, pushedNames, pushRulesOf } from '../../../shared/api.ts';
import { sourcesIn } from '../../../testing/imports.ts';
import { sheetNameOf } from '../../excel/names.ts';
import { lists } from '../pulledLists/lists.ts';
import { sheetNameFor } from '../pulledLists/questionText.ts';
import { lineSchemaOf } from '../sheetColumns/requestColumns.ts';
import { chooseLanguage, languageChoice } from './language.ts';
import { messagesOf, outsideTextsOf } from './messages.ts';
import { languages } from './words.ts';

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

  it('end with one full stop after the name of a "B.V."', () => {
    const { push } = messages;
    const texts = [push.confirmText(2, 'Jansen B.V.'), push.elsewhere('Jansen B.V.')];
    for (const text of texts) expect(text).toMatch(/Jansen B\.V\. ?[^.]/);
  });

  it('have no commas in the words of lists, which commas separate', () => {
    const { codes, yes, no } = messages;
    expect([codes.Relative, codes.Absolute, yes, no].filter((word) => word.includes(','))).toEqual([]);
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
