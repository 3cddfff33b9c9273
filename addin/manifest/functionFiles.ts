import { functionsMetadata } from '../taskpane/ledgerFormulas/functionsMetadata.ts';
import { outsideTextsOf } from '../taskpane/locales/messages.ts';
import { languages } from '../taskpane/locales/words.ts';

/** What Excel reads about the functions in cells, in each language: the files by their paths beside the pages. */
export const functionFiles = (): Map<string, string> =>
  new Map(
    languages.map((language) => [
      `functions/functions-${language}.json`,
      JSON.stringify(functionsMetadata(outsideTextsOf[language]), undefined, 2),
    ]),
  );
