import type { Language } from '../language.ts';
import type { Messages } from '../messages.ts';

/** What the contract says of a field -> how the pane says it. The contract speaks English only. */
const explanations: readonly [RegExp, (messages: Messages, ...found: string[]) => string][] = [
  [/^expected a decimal number such as .*, got (.*)$/s, ({ cell }, given) => cell.number(unquoted(given!))],
  [/^expected at most (\d+) digits before the point/, ({ cell }, most) => cell.tooManyDigits(most!)],
  [/^expected at most (\d+) characters, got (\d+)$/, ({ cell }, most, given) => cell.tooLong(most!, given!)],
  [/^expected text without the character/, ({ cell }) => cell.forbiddenCharacter],
  [/^expected the (?:article number|EAN) of a product, got (.*)$/s, ({ cell }, given) => cell.noSuch(unquoted(given!))],
  [/^expected the EAN of article .*, got that of article (.*)$/s, ({ cell }, other) => cell.ofAnother(other!)],
  [/^expected a stock of at most (\d+) digits/, ({ cell }, most) => cell.tooManyDigits(most!)],
];

const unquoted = (given: string): string => given.replace(/^"(.*)"$/s, '$1');

/** A refusal of the contract in the words and the language of the pane; English stays as it is when there are none. */
export function explainField(message: string, messages: Messages, language: Language): string {
  for (const [pattern, explain] of explanations) {
    const match = pattern.exec(message);
    if (match !== null) return explain(messages, ...match.slice(1));
  }
  return language === 'en' ? message : `(Engels) ${message}`;
}

/**
 * Why a service refused a row, under the headings of the sheet as far as it names fields: `NewSalePrice: expected ...`,
 * several of them after each other.
 */
export function explainRefusal(message: string, messages: Messages, language: Language): string {
  const headings: Readonly<Record<string, string>> = messages.headings.products;
  const parts = message.replace(/^row \d+: /, '').split(/; (?=[A-Za-z]+: )/);
  const named = parts.flatMap((part) => {
    const [, field = '', rest = ''] = /^([A-Za-z]+):? (.*)$/s.exec(part) ?? [];
    const heading = headings[field];
    return heading === undefined
      ? []
      : [messages.cell.field(heading, explainField(rest.replace(/\.$/, ''), messages, language))];
  });
  return named.length === parts.length ? named.join('; ') : explainField(message, messages, language);
}
