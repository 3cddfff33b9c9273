/** The languages that people get texts in. */
export const languages = ['en', 'nl', 'fr'] as const;
export type Language = (typeof languages)[number];

/** A text in each of them. */
export type Words = Readonly<Record<Language, string>>;
