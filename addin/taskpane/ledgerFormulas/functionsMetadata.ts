import type { OutsideTexts } from '../locales/outside/en.ts';
import { functionIds, ledgerFunctions, parametersOf } from './declaration.ts';

/**
 * What Excel reads about the functions (functions.json), in a language. The names of the functions are the same in every
 * language: Excel would know a translated one by that name only, also in formulas that the pane writes.
 */
export const functionsMetadata = (texts: OutsideTexts) => ({
  $schema: 'https://developer.microsoft.com/json-schemas/office-js/custom-functions.schema.json',
  functions: functionIds.map((id) => ({
    id,
    name: id,
    description: texts.functions[id],
    parameters: parametersOf(id).map(({ key, isMatrix = false, isOptional = false }) => ({
      name: texts.parameters[key].name,
      description: texts.parameters[key].description,
      type: 'any',
      dimensionality: isMatrix ? 'matrix' : 'scalar',
      optional: isOptional,
    })),
    result: { type: ledgerFunctions[id].result, dimensionality: 'scalar' },
    // "Show entries" finds the calls of a cell by its address.
    options: { requiresAddress: true },
  })),
});
