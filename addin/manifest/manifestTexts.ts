import type { Messages } from '../taskpane/locales/en.ts';
import { type Language, messagesOf } from '../taskpane/locales/messages.ts';

/** The locales of Excel in which a language is spoken; the manifest's own texts are English. */
const localesOf: Record<Exclude<Language, 'en'>, readonly string[]> = {
  nl: ['nl-NL', 'nl-BE'],
  fr: ['fr-FR', 'fr-BE'],
};

/** A manifest with the texts of the language files. @throws Error for a text that they lack */
export const withTexts = (manifest: string): string =>
  manifest
    .replace(/^( *)<(Description) .*?<\/Description>/ms, (_, indent: string, tag: string) =>
      localized(indent, tag, '', 'description'),
    )
    .replace(/^( *)<(bt:String) id="([^"]+)".*?<\/bt:String>/gms, (_, indent: string, tag: string, id: string) => {
      if (!Object.hasOwn(messagesOf.en.manifest, id))
        throw new Error(`The language files have no text ${id} for the manifest.`);
      return localized(indent, tag, ` id="${id}"`, id as keyof Messages['manifest']);
    });

/** An element with its English text, and the other languages as overrides. */
function localized(indent: string, tag: string, attributes: string, key: keyof Messages['manifest']): string {
  const prefix = tag.startsWith('bt:') ? 'bt:' : '';
  const overrides = Object.entries(localesOf).flatMap(([language, locales]) =>
    locales.map(
      (locale) =>
        `${indent}  <${prefix}Override Locale="${locale}" Value="${escaped(messagesOf[language as Language].manifest[key])}"/>\n`,
    ),
  );
  const text = escaped(messagesOf.en.manifest[key]);
  return `${indent}<${tag}${attributes} DefaultValue="${text}">\n${overrides.join('')}${indent}</${tag}>`;
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
