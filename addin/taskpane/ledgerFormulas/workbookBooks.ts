import { defaultRetry, type Retry } from '../../excel/batch.ts';
import { type Administration, distinctAdministrations } from '../../excel/tables/tableMemory.ts';
import {
  administrationOf,
  type Connection,
  connectionsTo,
  isIdentified,
  wordsFor,
} from '../connections/connections.ts';
import type { Books } from './books.ts';
import { notAvailable } from './formulaProblem.ts';
import { foldedName, type NamedAdministrations } from './namedAdministrations.ts';

type Sources = {
  /** The connections of this browser. */
  connections: () => readonly Connection[];
  /** The administration of the workbook. */
  readWorkbook: (retry: Retry) => Promise<Administration | undefined>;
  names: Pick<NamedAdministrations, 'read' | 'choose'>;
  booksOf: (connection: Connection) => Books;
};

/**
 * The connections that a name means now: by their labels, or else by the names of their administrations, or else by an
 * id. Those of one administration, unless `several`.
 */
export function connectionsNamed(
  all: readonly Connection[],
  name: string,
): { found: readonly Connection[]; several: boolean } {
  const folded = foldedName(name);
  const found =
    [
      all.filter(({ label }) => foldedName(label) === folded),
      all.filter((one) => foldedName(wordsFor(administrationOf(one))) === folded),
      all.filter((one) => administrationOf(one).id === name),
    ].find(({ length }) => length > 0) ?? [];
  // Several keys of one administration open the same books.
  return { found, several: distinctAdministrations(found.map(administrationOf)).length > 1 };
}

/**
 * Finds the books that a formula is about: those of the workbook, whatever the pane is connected to, or those that it
 * names. A name keeps meaning what it meant at the first formula of the workbook that had it.
 * @throws FormulaProblem
 */
export const findBooks =
  ({ connections, readWorkbook, names, booksOf }: Sources) =>
  async (name: string | undefined, signal?: AbortSignal, onWaiting?: Retry['onWaiting']): Promise<Books> => {
    const retry: Retry = { ...defaultRetry, signal, ...(onWaiting === undefined ? {} : { onWaiting }) };
    const found = name === undefined ? await ofWorkbook() : await named(name);
    if (found.identity?.available.ledger === false) {
      throw notAvailable(({ noLedger }) => noLedger(wordsFor(administrationOf(found))));
    }
    return booksOf(found);

    async function ofWorkbook(): Promise<Connection> {
      const administration = await readWorkbook(retry);
      if (administration === undefined) throw notAvailable(({ noAdministration }) => noAdministration);
      return latestTo(administration);
    }

    async function named(wanted: string): Promise<Connection> {
      const meant = await names.read(wanted, retry);
      if (meant !== undefined) return latestTo(meant);
      const {
        found: [first],
        several,
      } = connectionsNamed(connections(), wanted);
      if (first === undefined) throw notAvailable(({ notConnected }) => notConnected(wanted));
      if (several) throw notAvailable(({ severalAdministrations }) => severalAdministrations(wanted));
      // A workbook that cannot store it is asked again with the next formulas.
      if (isIdentified(first)) await names.choose(wanted, administrationOf(first), retry).catch(() => {});
      return first;
    }

    function latestTo(administration: Administration): Connection {
      const [connection] = connectionsTo(connections(), administration);
      if (connection === undefined) throw notAvailable(({ notConnected }) => notConnected(wordsFor(administration)));
      return connection;
    }
  };
