import type { HttpRequest } from '@azure/functions';
import { type Language, languages } from '../../shared/wire/language.ts';

/** The language that a caller prefers of those that we have, by Accept-Language; English when it names none of them. */
export function languageOf(request: Pick<HttpRequest, 'headers'>): Language {
  const preferred = (request.headers.get('Accept-Language') ?? '').slice(0, 1000).split(',').map(preferenceIn);
  const known = preferred.filter(({ language, weight }) => language !== undefined && weight > 0);
  return known.sort((one, other) => other.weight - one.weight)[0]?.language ?? 'en';
}

/** `nl-BE;q=0.8` */
function preferenceIn(part: string): { language: Language | undefined; weight: number } {
  const [tag = '', ...parameters] = part.split(';').map((one) => one.trim().toLowerCase());
  const weight = parameters.find((one) => one.startsWith('q='))?.slice(2) ?? '1';
  return { language: languages.find((one) => one === tag.split('-')[0]), weight: Number(weight) || 0 };
}
