import type { Table } from './books.ts';

/** What is known of the books of an administration. */
export type KnownAnswers = {
  version: string;
  /** When the books last had this version: milliseconds since 1970. */
  checkedAt: number;
  /** By the text of their questions. */
  tables: Map<string, Table>;
};

/** Where answers are kept while no pane is open, so that a reopened workbook need not ask for them again. */
export type AnswerStore = {
  read(administration: string): Promise<KnownAnswers | undefined>;
  write(administration: string, answers: KnownAnswers): Promise<void>;
  /** Forgets the answers of all administrations but these. */
  keepOnly(administrations: readonly string[]): Promise<void>;
};

const STORE = 'answers';

/** A database of the browser, beside the connections. @param partition of the storage, as for connections */
export function answerStore(factory: () => IDBFactory, partition = ''): AnswerStore {
  const opened = new Promise<IDBDatabase>((resolve, reject) => {
    const request = factory().open(`${partition}ledgerline.books`, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  // A browser may forbid it: then answers are kept while the pane is open.
  opened.catch(() => {});
  const run = async <Result>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest<Result>) => {
    const request = work((await opened).transaction(STORE, mode).objectStore(STORE));
    return new Promise<Result>((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  };
  return {
    read: (administration) => run('readonly', (store) => store.get(administration) as IDBRequest<KnownAnswers>),
    write: async (administration, answers) =>
      void (await run('readwrite', (store) => store.put(answers, administration))),
    async keepOnly(administrations) {
      for (const key of await run('readonly', (store) => store.getAllKeys())) {
        if (!administrations.includes(String(key))) await run('readwrite', (store) => store.delete(key));
      }
    },
  };
}
