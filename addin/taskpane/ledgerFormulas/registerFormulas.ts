import { defaultRetry } from '../../excel/batch.ts';
import { associateFunctions, recalculate } from '../../excel/customFunctions.ts';
import type { Administration } from '../../excel/tables/tableMemory.ts';
import { administrationOf, connectionStore } from '../connections/connections.ts';
import { partitionKey } from '../connections/partitionKey.ts';
import { explainError } from '../explainError.ts';
import { fetchOnce, fetchWithRetry, serviceOf } from '../fetchWithRetry.ts';
import { paneLanguage } from '../locales/language.ts';
import { loadMessages } from '../locales/loadMessages.ts';
import { wordsIn } from '../locales/words.ts';
import { appBooks } from './appBooks.ts';
import { type AskedBooks, askedBooks } from './askedBooks.ts';
import { cellFunctions } from './cellFunctions.ts';
import { formulaAdministration } from './formulaAdministration.ts';
import { FormulaProblem } from './formulaProblem.ts';
import { namedAdministrations } from './namedAdministrations.ts';
import { answerStore } from './storedAnswers.ts';
import { findBooks } from './workbookBooks.ts';

let asked: AskedBooks | undefined;
/** Whether formulas asked for books that this browser had no connection to. */
let isUnconnected = false;

/** Whose books the formulas of the workbook are of. */
export const ofFormulas = formulaAdministration();

/** What names of administrations in formulas mean. */
export const namesInFormulas = namedAdministrations();

const connectionsNow = () => connectionStore(() => localStorage, partitionKey()).read().all;

/** The books that a formula is about, see `findBooks`. @throws FormulaProblem */
export const findFormulaBooks = findBooks({
  connections: connectionsNow,
  readWorkbook: (retry) => ofFormulas.read(retry),
  names: namesInFormulas,
  booksOf: (connection) => appBooks(administrationOf(connection), serviceOf(connection, fetchWithRetry(fetchOnce))),
});

/** The books as formulas ask them, for the whole pane. */
export function formulaBooks(): AskedBooks {
  if (asked !== undefined) return asked;
  const store = answerStore(() => indexedDB, partitionKey());
  void store.keepOnly(connectionsNow().map((one) => administrationOf(one).id)).catch(() => {});
  asked = askedBooks({
    async findBooks(...asked) {
      try {
        return await findFormulaBooks(...asked);
      } catch (error) {
        isUnconnected = true;
        throw error;
      }
    },
    store,
  });
  return asked;
}

/** Has Excel call the functions of formulas. Whatever is thrown becomes a message in the cell. */
export function registerFormulas(): void {
  associateFunctions(cellFunctions({ ask: (...args) => formulaBooks().ask(...args) }), async (error) => {
    const language = paneLanguage();
    const kind = error instanceof FormulaProblem ? error.kind : 'notAvailable';
    const message = await loadMessages(language).then(
      (messages) => explainError(error, messages),
      () => wordsIn[language].notLoaded.explanation,
    );
    return { kind, message };
  });
}

/** Asks the books anew and calculates all formulas of the workbook. @throws WorkbookProblem */
export async function recalculateFormulas(): Promise<void> {
  const books = formulaBooks();
  const before = books.unanswered();
  await books.expire();
  await recalculate();
  books.forget(before);
}

/** Calculates the formulas again if some had no connection to their books. @throws WorkbookProblem */
export async function recalculateUnconnected(): Promise<void> {
  if (!isUnconnected) return;
  isUnconnected = false;
  try {
    await recalculateFormulas();
  } catch (error) {
    isUnconnected = true;
    throw error;
  }
}

/** Has the formulas of the workbook compute the books of another administration. @throws WorkbookProblem */
export async function chooseForFormulas(administration: Administration): Promise<void> {
  await ofFormulas.choose(administration, defaultRetry);
  await recalculateFormulas();
}

/** Has a name in the formulas of the workbook mean another administration. @throws WorkbookProblem */
export async function chooseForName(name: string, administration: Administration): Promise<void> {
  await namesInFormulas.choose(name, administration);
  await recalculateFormulas();
}
