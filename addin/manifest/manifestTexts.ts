import { outsideTextsOf } from '../taskpane/locales/messages.ts';
import type { OutsideTexts } from '../taskpane/locales/outside/en.ts';
import type { Language } from '../taskpane/locales/words.ts';

/** The locales of Excel in which a language is spoken; the manifest's own texts are English. */
const localesOf: Record<Exclude<Language, 'en'>, readonly string[]> = {
  nl: ['nl-NL', 'nl-BE'],
  fr: ['fr-FR', 'fr-BE'],
};

/** A manifest with the texts of the language files, and the functions' metadata of each. @throws Error for a text that they lack */
export const withTexts = (manifest: string): string =>
  manifest
    .replace(/^( *)<(Description) .*?<\/Description>/ms, (_, indent: string, tag: string) =>
      localized(indent, tag, '', 'description'),
    )
    .replace(
      /^( *)(<bt:Url id="Functions\.Metadata\.Url" DefaultValue="([^"]*)functions-en\.json">).*?<\/bt:Url>/ms,
      (_, indent: string, start: string, folder: string) =>
        `${indent}${start}\n${overridesOf((language) => `${folder}functions-${language}.json`, indent, 'bt:')}${indent}</bt:Url>`,
    )
    .replace(/^( *)<(bt:String) id="([^"]+)".*?<\/bt:String>/gms, (_, indent: string, tag: string, id: string) => {
      if (!Object.hasOwn(outsideTextsOf.en.manifest, id))
        throw new Error(`The language files have no text ${id} for the manifest.`);
      return localized(indent, tag, ` id="${id}"`, id as keyof OutsideTexts['manifest']);
    });

/** An element with its English text, and the other languages as overrides. */
function localized(indent: string, tag: string, attributes: string, key: keyof OutsideTexts['manifest']): string {
  const prefix = tag.startsWith('bt:') ? 'bt:' : '';
  const overrides = overridesOf((language) => outsideTextsOf[language].manifest[key], indent, prefix);
  const text = escaped(outsideTextsOf.en.manifest[key]);
  return `${indent}<${tag}${attributes} DefaultValue="${text}">\n${overrides}${indent}</${tag}>`;
}

/** The overrides of an element for the locales of the other languages. */
const overridesOf = (valueIn: (language: Language) => string, indent: string, prefix: string): string =>
  Object.entries(localesOf)
    .flatMap(([language, locales]) =>
      locales.map(
        (locale) =>
          `${indent}  <${prefix}Override Locale="${locale}" Value="${escaped(valueIn(language as Language))}"/>\n`,
      ),
    )
    .join('');

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
