import { beforeEach, describe, expect, it } from 'vitest';
import type { AdministrationIdentity } from '../../../shared/resources/administration.ts';
import { openTestWorkbook } from '../../../testing/addin/workbook.ts';
import type { Connection } from '../connections/connections.ts';
import { en } from '../locales/en.ts';
import { askedBooks } from './askedBooks.ts';
import { FormulaProblem } from './formulaProblem.ts';
import { namedAdministrations } from './namedAdministrations.ts';
import { findBooks } from './workbookBooks.ts';

/* Whose figures a formula has that names an administration. */

const identityOf = (id: string, name: string): AdministrationIdentity => ({
  id,
  alsoKnownAs: [],
  name,
  country: 'NL',
  kind: 'builtin',
  username: 'anna@example.com',
  rights: { read: true, write: true, import: true },
  archived: false,
  available: { pushes: true, products: true, exports: true, documents: true, ledger: true },
});
const connectionTo = (id: string, name: string, label: string): Connection => ({
  id: `connection ${id} ${label}`,
  label,
  username: 'anna@example.com',
  apiKey: 'key',
  identity: identityOf(id, name),
  earlierIds: [],
  pushedBefore: false,
  addedOn: 1,
});
const bakery = (label: string) => connectionTo('a', 'Bakkerij', label);
const brewery = (label: string) => connectionTo('b', 'Brouwerij', label);

let connections: Connection[];
let names: ReturnType<typeof namedAdministrations>;
/** Whose books a name means; a new pane reads what the workbook remembers. */
const booksNamed = async (name: string): Promise<string> => {
  const find = findBooks({
    connections: () => connections,
    readWorkbook: async () => undefined,
    names,
    booksOf: ({ identity }) => ({ id: identity!.id, name: identity!.name, ask: () => Promise.reject(new Error()) }),
  });
  return find(name).then(
    ({ id }) => id,
    (error: unknown) => (error instanceof FormulaProblem ? error.explain(en) : String(error)),
  );
};

beforeEach(() => {
  openTestWorkbook();
  connections = [bakery('Klant A')];
  names = namedAdministrations();
});

describe('A name in a formula', () => {
  it('means the label of a connection, or else the name of an administration, in any capitals', async () => {
    connections = [bakery('Brouwerij'), brewery('Klant B')];
    expect(await booksNamed('klant b')).toBe('b');
    expect(await booksNamed('BAKKERIJ')).toBe('a');
    expect(await booksNamed('Brouwerij')).toBe('a');
    expect(await booksNamed('Klant C')).toBe(
      'This browser has no connection to “Klant C”. Open Ledgerline and connect to it.',
    );
  });

  it('keeps meaning the administration that it first meant, when others get that label', async () => {
    expect(await booksNamed('Klant A')).toBe('a');
    connections = [bakery('Klant B'), brewery('Klant A')];
    expect(await booksNamed('Klant A')).toBe('a');
    // In a pane that is opened later as well, and in another language of capitals.
    names = namedAdministrations();
    expect(await booksNamed('KLANT A')).toBe('a');
    connections = [brewery('Klant A')];
    expect(await booksNamed('Klant A')).toBe(
      'This browser has no connection to “Bakkerij”. Open Ledgerline and connect to it.',
    );
    expect(await booksNamed('Brouwerij')).toBe('b');
  });

  it('means others once the user chooses so', async () => {
    expect(await booksNamed('Klant A')).toBe('a');
    connections = [brewery('Klant A')];
    await names.choose('Klant A', { id: 'b', kind: 'builtin', name: 'Brouwerij', label: 'Klant A' });
    expect(await booksNamed('Klant A')).toBe('b');
    connections = [bakery('Klant A')];
    expect(await booksNamed('Klant A')).toContain('no connection to “Brouwerij”');
  });

  it('is remembered with all others when several formulas ask at once', async () => {
    connections = [bakery('Klant A'), brewery('Klant B')];
    expect(await Promise.all(['Klant A', 'Klant B', 'Brouwerij', 'Bakkerij'].map(booksNamed))).toEqual([
      ...['a', 'b', 'b', 'a'],
    ]);
    connections = [bakery('Klant B'), brewery('Klant A')];
    names = namedAdministrations();
    expect(await Promise.all(['Klant A', 'Klant B'].map(booksNamed))).toEqual(['a', 'b']);
  });

  it('of several administrations is refused until they have labels of their own', async () => {
    connections = [bakery('Klant'), brewery('Klant')];
    expect(await booksNamed('Klant')).toBe('Several connections are called “Klant”. Change the label of one.');
    connections = [bakery('Klant'), brewery('Klant B')];
    expect(await booksNamed('Klant')).toBe('a');
  });
});

it('A formula has its figure after a cell was edited for longer than an answer of the books may take', async () => {
  const { workbook } = openTestWorkbook();
  const { ask } = askedBooks({
    findBooks: findBooks({
      connections: () => connections,
      readWorkbook: async () => undefined,
      names,
      booksOf: () => ({
        id: 'a',
        name: 'Bakkerij',
        ask: async () => ({ version: '1', tables: [{ kind: 'accounts', accounts: [] }] }),
      }),
    }),
    store: { read: async () => undefined, write: async () => {}, keepOnly: async () => {} },
    limitMs: 400,
    batchMs: 1,
  });
  workbook.editing = true;
  setTimeout(() => {
    workbook.editing = false;
  }, 900);
  expect(await ask('Klant A', { kind: 'accounts' })).toEqual({ kind: 'accounts', accounts: [] });
});
