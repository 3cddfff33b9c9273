import type { HttpRequest } from '@azure/functions';

/** All values of a parameter, whose name matches in any case; empty ones are left out. */
export const valuesOf = ({ query }: HttpRequest, name: string): string[] =>
  [...query].flatMap(([key, value]) =>
    key.toLowerCase() === name.toLowerCase() && value.trim() !== '' ? [value] : [],
  );

/** The first value of each of some parameters. */
export const parametersOf = (request: HttpRequest, names: readonly string[]): Record<string, string | undefined> =>
  Object.fromEntries(names.map((name) => [name, valuesOf(request, name)[0]]));
