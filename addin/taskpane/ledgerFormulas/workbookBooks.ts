import type { Retry } from '../../excel/batch.ts';
import { type Administration, isSameAdministration } from '../../excel/tables/tableMemory.ts';
import { administrationOf, type Connection, connectionsTo, wordsFor } from '../connections/connections.ts';
import type { Books } from './books.ts';
import { notAvailable } from './formulaProblem.ts';

type Sources = {
  /** The connections of this browser. */
  connections: () => readonly Connection[];
  /** The administration of the workbook. */
  readWorkbook: (retry: Pick<Retry, 'signal'>) => Promise<Administration | undefined>;
  booksOf: (connection: Connection) => Books;
};

/**
 * Finds the books that a formula is about: those of the workbook, whatever the pane is connected to, or those that it
 * names by a label or a name.
 * @throws FormulaProblem
 */
export const findBooks =
  ({ connections, readWorkbook, booksOf }: Sources) =>
  async (name: string | undefined, signal?: AbortSignal): Promise<Books> => {
    const found = name === undefined ? await ofWorkbook() : named(name);
    if (found.identity?.available.ledger === false) {
      throw notAvailable(({ noLedger }) => noLedger(wordsFor(administrationOf(found))));
    }
    return booksOf(found);

    async function ofWorkbook(): Promise<Connection> {
      const administration = await readWorkbook({ signal });
      if (administration === undefined) throw notAvailable(({ noAdministration }) => noAdministration);
      const [connection] = connectionsTo(connections(), administration);
      if (connection === undefined) throw notAvailable(({ notConnected }) => notConnected(wordsFor(administration)));
      return connection;
    }

    function named(wanted: string): Connection {
      const folded = wanted.toLowerCase();
      const all = connections();
      const candidates = [
        all.filter(({ label }) => label.toLowerCase() === folded),
        all.filter((one) => wordsFor(administrationOf(one)).toLowerCase() === folded),
        all.filter((one) => administrationOf(one).id === wanted),
      ].find(({ length }) => length > 0);
      const [first, ...others] = candidates ?? [];
      if (first === undefined) throw notAvailable(({ notConnected }) => notConnected(wanted));
      // Several keys of one administration open the same books.
      if (others.some((one) => !isSameAdministration(administrationOf(one), administrationOf(first)))) {
        throw notAvailable(({ severalAdministrations }) => severalAdministrations(wanted));
      }
      return first;
    }
  };
