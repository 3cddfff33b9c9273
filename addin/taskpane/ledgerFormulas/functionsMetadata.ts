import type { Messages } from '../locales/en.ts';
import { functionIds, ledgerFunctions, NAMESPACE, parametersOf } from './declaration.ts';

/**
 * What Excel reads about the functions (functions.json), in a language. The names of the functions are the same in every
 * language: Excel would know a translated one by that name only, also in formulas that the pane writes.
 */
export const functionsMetadata = ({ formulas }: Messages) => ({
  $schema: 'https://developer.microsoft.com/json-schemas/office-js/custom-functions.schema.json',
  functions: functionIds.map((id) => ({
    id,
    name: id,
    description: formulas.functions[id],
    parameters: parametersOf(id).map(({ key, isMatrix = false, isOptional = false }) => ({
      name: formulas.parameters[key].name,
      description: formulas.parameters[key].description,
      type: 'any',
      dimensionality: isMatrix ? 'matrix' : 'scalar',
      optional: isOptional,
    })),
    result: { type: ledgerFunctions[id].result, dimensionality: 'scalar' },
    // "Show entries" finds the calls of a cell by its address.
    options: { requiresAddress: true },
  })),
});

/** How a function is written, such as `LEDGER.NAME(account; [administration])`. @param separator between arguments */
export const signatureOf = (id: keyof typeof ledgerFunctions, { formulas }: Messages, separator: string): string => {
  const names = parametersOf(id).map(({ key, isOptional }) => {
    const { name } = formulas.parameters[key];
    return isOptional ? `[${name}]` : name;
  });
  return `${NAMESPACE}.${id}(${names.join(`${separator} `)})`;
};
