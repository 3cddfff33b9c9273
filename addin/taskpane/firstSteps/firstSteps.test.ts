import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { messagesOf } from '../locales/messages.ts';
import { languages } from '../locales/words.ts';

const textsOf = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
};

describe('The first steps', () => {
  it('are the same five in the README and the pane', () => {
    const readme = readFileSync(resolve(import.meta.dirname, '../../../README.md'), 'utf8');
    const list = /(?:^|\n)1\. [\s\S]*?(?=\n\n(?!\s))/.exec(readme)?.[0] ?? '';
    const steps = list
      .trim()
      .split(/\n(?=\d+\. )/)
      .map((step) => step.replace(/^\d+\. /, '').replace(/\s+/g, ' '));
    expect(steps).toHaveLength(5);
    expect(steps).toEqual(messagesOf.en.home.steps);
  });

  it.each(languages)('are five in %s, with the names that the buttons have', (language) => {
    const messages = messagesOf[language];
    const { steps, ...home } = messages.home;
    const named = steps.flatMap((step) => [...step.matchAll(/[“«]\s?([^”»]+?)\s?[”»]/g)].map(([, name]) => name!));
    expect(steps).toHaveLength(5);
    expect(named).toHaveLength(3);
    expect(named.filter((name) => !textsOf({ ...messages, home }).includes(name))).toEqual([]);
  });
});
