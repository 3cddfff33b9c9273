import { type Moment, momentOf } from './date.ts';
import type { CellValue } from './entry.ts';
import type { Locale } from './locale.ts';

const names = {
  en: {
    months: 'January February March April May June July August September October November December'.split(' '),
    days: 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' '),
  },
  nl: {
    months: 'januari februari maart april mei juni juli augustus september oktober november december'.split(' '),
    days: 'zondag maandag dinsdag woensdag donderdag vrijdag zaterdag'.split(' '),
  },
};

const shortMonth = (month: string, locale: Locale): string =>
  locale.language === 'nl' && month === 'maart' ? 'mrt' : month.slice(0, 3);

/** A piece of a format section: something shown as it stands, or a code to fill in. */
type Token = { kind: 'literal'; text: string } | { kind: 'code'; text: string };

type Section = { tokens: Token[]; condition?: (value: number) => boolean };

const tokenPattern =
  /"([^"]*)"|\\(.)|_(.)|\*(.)|\[([^\]]*)\]|(AM\/PM|A\/P|E[+-]|General|y+|m+|d+|h+|s+(?:\.0+)?|[0#?,.%@/]|.)/gis;

const comparison = (bracket: string): ((value: number) => boolean) | undefined => {
  const match = /^(<=|>=|<>|<|>|=)(-?[\d.]+)$/.exec(bracket);
  if (!match) return undefined;
  const limit = Number(match[2]);
  switch (match[1]) {
    case '<':
      return (value) => value < limit;
    case '<=':
      return (value) => value <= limit;
    case '>':
      return (value) => value > limit;
    case '>=':
      return (value) => value >= limit;
    case '=':
      return (value) => value === limit;
    default:
      return (value) => value !== limit;
  }
};

const isCode = (text: string): boolean => /^(AM\/PM|A\/P|E[+-]|General|[ymdhs]+(\.0+)?|[0#?,.%@/])$/i.test(text);

const readSection = (source: string): Section => {
  const section: Section = { tokens: [] };
  for (const [, quoted, escaped, space, fill, bracket, other] of source.matchAll(tokenPattern)) {
    if (quoted !== undefined) section.tokens.push({ kind: 'literal', text: quoted });
    else if (escaped !== undefined) section.tokens.push({ kind: 'literal', text: escaped });
    else if (space !== undefined) section.tokens.push({ kind: 'literal', text: ' ' });
    else if (fill !== undefined) continue;
    else if (bracket !== undefined) {
      const condition = comparison(bracket);
      if (condition) section.condition = condition;
      else if (/^\$/.test(bracket)) section.tokens.push({ kind: 'literal', text: bracket.slice(1).split('-')[0]! });
      else if (/^[hms]+$/i.test(bracket)) section.tokens.push({ kind: 'code', text: `[${bracket.toLowerCase()}]` });
    } else section.tokens.push({ kind: isCode(other!) ? 'code' : 'literal', text: other! });
  }
  return section;
};

const splitSections = (format: string): string[] => {
  const sections = [''];
  for (const [piece] of format.matchAll(/"[^"]*"|\\.|\[[^\]]*\]|[\s\S]/g)) {
    if (piece === ';') sections.push('');
    else sections[sections.length - 1] += piece;
  }
  return sections;
};

const parsed = new Map<string, Section[]>();
const sectionsOf = (format: string): Section[] => {
  let sections = parsed.get(format);
  if (!sections) {
    sections = splitSections(format).map(readSection);
    parsed.set(format, sections);
  }
  return sections;
};

const isDateCode = (token: Token): boolean =>
  token.kind === 'code' && /^(\[[hms]+\]|[ymdhs]+(\.0+)?)$/i.test(token.text);

/** Whether numbers in this format are dates or times. */
export const isDateFormat = (format: string): boolean =>
  sectionsOf(format).some(({ tokens }) => tokens.some(isDateCode));

/** Rounds half away from zero in decimal, as Excel shows numbers, and gives exactly that many decimals. */
const fixed = (value: number, decimals: number): string => {
  const places = Math.min(decimals, 30);
  const [mantissa, exponent = '0'] = value.toExponential(14).split('e');
  const digits = mantissa!.replace('.', '');
  const scale = Number(exponent) + places;
  if (scale >= 14) return value.toFixed(Math.min(places, 20));
  const keep = scale + 1;
  if (keep < 0) return (0).toFixed(places);
  let rounded = BigInt(digits.slice(0, keep) || '0');
  if (Number(digits[keep]) >= 5) rounded += 1n;
  const plain = rounded.toString().padStart(places + 1, '0');
  return places === 0 ? plain : `${plain.slice(0, -places)}.${plain.slice(-places)}`;
};

const general = (value: number, locale: Locale): string => {
  const size = Math.abs(value);
  const scientific = size >= 1e11 || (size > 0 && size < 1e-9);
  let shown: string;
  if (scientific) {
    const [mantissa, exponent] = value.toExponential(5).split('e');
    const power = Number(exponent);
    const short = mantissa!.includes('.') ? mantissa!.replace(/\.?0+$/, '') : mantissa!;
    shown = `${short}E${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
  } else {
    const wholeDigits = Math.trunc(size).toString().length;
    shown = `${value < 0 ? '-' : ''}${fixed(size, Math.max(0, 10 - wholeDigits))}`;
    if (shown.includes('.')) shown = shown.replace(/\.?0+$/, '');
    if (shown === '-0') shown = '0';
  }
  return shown.replace('.', locale.decimal);
};

const grouped = (whole: string, locale: Locale): string => whole.replace(/\B(?=(\d{3})+(?!\d))/g, locale.group);

/** Fills the digit placeholders of one part from the digits, from right to left for the whole part. */
const showNumber = (value: number, section: Section, locale: Locale): string => {
  const { tokens } = section;
  const codes = tokens.map((token) => (token.kind === 'code' ? token.text : ''));
  if (codes.some((code) => /^general$/i.test(code))) {
    return tokens.map((token) => (token.kind === 'literal' ? token.text : general(Math.abs(value), locale))).join('');
  }
  const point = codes.indexOf('.');
  const exponentAt = codes.findIndex((code) => /^E[+-]$/i.test(code));
  const isDigit = (code: string) => code === '0' || code === '#' || code === '?';
  const lastDigit = codes.findLastIndex((code, index) => isDigit(code) && (exponentAt < 0 || index < exponentAt));
  const wholeEnd = point >= 0 ? point : exponentAt >= 0 ? exponentAt : codes.length;
  const decimals = codes.filter(
    (code, i) => point >= 0 && i > point && (exponentAt < 0 || i < exponentAt) && isDigit(code),
  ).length;
  const percents = codes.filter((code) => code === '%').length;
  const thousands = codes.filter((code, index) => code === ',' && index > lastDigit && index < wholeEnd + 1).length;
  const groups = codes.some((code, index) => code === ',' && index < lastDigit && index < wholeEnd);
  let size = Math.abs(value) * 100 ** percents;
  if (percents > 0) size = Number(size.toPrecision(15));
  size /= 1000 ** thousands;
  let power = 0;
  if (exponentAt >= 0 && size > 0) {
    power = Math.floor(Math.log10(size));
    if (Number(fixed(size / 10 ** power, decimals)) >= 10) power += 1;
    size /= 10 ** power;
  }
  const [digits, fraction = ''] = fixed(size, decimals).split('.');
  const least = codes.filter((code, index) => code === '0' && index < wholeEnd).length;
  const bare = digits!.replace(/^0+/, '').padStart(least, '0');
  const whole = groups ? grouped(bare, locale) : bare;
  const needed = codes.filter((code, index) => isDigit(code) && index < wholeEnd).length;
  let shown = '';
  let placed = 0;
  let fractionPlaced = 0;
  let exponentPlaced = false;
  tokens.forEach((token, index) => {
    if (token.kind === 'literal') shown += token.text;
    else if (exponentAt >= 0 && index >= exponentAt) {
      if (exponentPlaced) return;
      exponentPlaced = true;
      const width = codes.filter((code, i) => i > exponentAt && isDigit(code)).length;
      const sign = power < 0 ? '-' : codes[exponentAt]!.includes('+') ? '+' : '';
      shown += `E${sign}${String(Math.abs(power)).padStart(width, '0')}`;
    } else if (isDigit(token.text)) {
      if (index < wholeEnd) {
        // Literals between the placeholders split the number; the first placeholder takes what is left over.
        if (needed > 1 && hasInnerLiteral(tokens, wholeEnd)) {
          const digitsLeft = bare.padStart(needed, '\0');
          const from = placed === 0 ? 0 : digitsLeft.length - needed + placed;
          shown += digitsLeft.slice(from, digitsLeft.length - needed + placed + 1).replaceAll('\0', '');
        } else if (placed === 0) shown += whole;
        placed += 1;
      } else {
        const rest = fraction.slice(fractionPlaced);
        const optional = token.text !== '0' && /^0*$/.test(rest);
        if (!optional) shown += fraction[fractionPlaced] ?? '';
        fractionPlaced += 1;
      }
    } else if (token.text === '.') shown += locale.decimal;
    else if (token.text === '%') shown += '%';
    else if (token.text === '/') shown += '/';
  });
  return shown;
};

const hasInnerLiteral = (tokens: Token[], end: number): boolean => {
  const digits = tokens.flatMap((token, index) =>
    index < end && /^[0#?]$/.test(token.text) && token.kind === 'code' ? [index] : [],
  );
  return tokens.some((token, i) => token.kind === 'literal' && i > digits[0]! && i < digits.at(-1)!);
};

const two = (value: number): string => String(value).padStart(2, '0');

const dateCode = (
  code: string,
  value: number,
  at: Moment,
  minutes: boolean,
  halfDay: boolean,
  locale: Locale,
): string => {
  const { months, days } = names[locale.language];
  const lower = code.toLowerCase();
  if (lower.startsWith('[')) {
    const unit = lower[1];
    const perDay = unit === 'h' ? 24 : unit === 'm' ? 1440 : 86_400;
    return String(Math.floor(value * perDay + 1e-9)).padStart(lower.length - 2, '0');
  }
  const width = lower.replace(/\.0+$/, '').length;
  switch (lower[0]) {
    case 'y':
      return width > 2 ? String(at.year) : two(at.year % 100);
    case 'm':
      if (minutes) return width > 1 ? two(at.minute) : String(at.minute);
      if (width === 1) return String(at.month);
      if (width === 2) return two(at.month);
      if (width === 3) return shortMonth(months[at.month - 1]!, locale);
      return width === 5 ? months[at.month - 1]![0]!.toUpperCase() : months[at.month - 1]!;
    case 'd':
      if (width === 1) return String(at.day);
      if (width === 2) return two(at.day);
      return width === 3 ? days[at.weekday]!.slice(0, locale.language === 'nl' ? 2 : 3) : days[at.weekday]!;
    case 'h': {
      const hour = halfDay ? at.hour % 12 || 12 : at.hour;
      return width > 1 ? two(hour) : String(hour);
    }
    default: {
      const seconds = width > 1 ? two(at.second) : String(at.second);
      const places = /\.(0+)$/.exec(lower)?.[1]?.length ?? 0;
      if (places === 0) return seconds;
      return `${seconds}${locale.decimal}${String(at.millisecond).padStart(3, '0').padEnd(places, '0').slice(0, places)}`;
    }
  }
};

const showDate = (value: number, section: Section, locale: Locale): string | undefined => {
  const at = momentOf(value);
  if (!at) return undefined;
  const { tokens } = section;
  const codes = tokens.map((token) => (token.kind === 'code' ? token.text.toLowerCase() : ''));
  const halfDay = codes.some((code) => code === 'am/pm' || code === 'a/p');
  const dates = codes.map((code, index) => ({ code, index })).filter(({ index }) => isDateCode(tokens[index]!));
  return tokens
    .map((token, index) => {
      if (token.kind === 'literal') return token.text;
      if (/^(am\/pm|a\/p)$/i.test(token.text)) {
        const half = at.hour < 12 ? 'AM' : 'PM';
        return token.text.length === 3 ? half[0]! : half;
      }
      if (!isDateCode(token)) return token.text;
      // An m beside hours or seconds means minutes.
      const position = dates.findIndex((date) => date.index === index);
      const minutes =
        /^m{1,2}$/.test(codes[index]!) &&
        (/^\[?h/.test(dates[position - 1]?.code ?? '') || /^\[?s/.test(dates[position + 1]?.code ?? ''));
      return dateCode(token.text, value, at, minutes, halfDay, locale);
    })
    .join('');
};

const numberSection = (sections: Section[], value: number): { section: Section; signed: boolean } => {
  if (sections.some(({ condition }) => condition)) {
    const chosen = sections.find(({ condition }) => !condition || condition(value)) ?? sections.at(-1)!;
    return { section: chosen, signed: value < 0 };
  }
  if (value < 0 && sections.length > 1) return { section: sections[1]!, signed: false };
  if (value === 0 && sections.length > 2) return { section: sections[2]!, signed: false };
  return { section: sections[0]!, signed: value < 0 };
};

/** The text Excel shows for a value in a number format (in its invariant spelling), in a language. */
export const formatValue = (value: CellValue, format: string, locale: Locale): string => {
  if (typeof value === 'boolean') return value ? locale.true : locale.false;
  const sections = sectionsOf(format);
  if (typeof value === 'string') {
    if (value === '') return '';
    const section =
      sections.length > 3
        ? sections[3]!
        : sections[0]!.tokens.some(({ text }) => text === '@')
          ? sections[0]!
          : undefined;
    if (!section) return value;
    return section.tokens.map((token) => (token.text === '@' && token.kind === 'code' ? value : token.text)).join('');
  }
  if (/^general$/i.test(format) || format === '@') return general(value, locale);
  const { section, signed } = numberSection(sections, value);
  if (section.tokens.some(isDateCode)) {
    // Excel fills a cell with hash signs when its number is no date.
    return showDate(value, section, locale) ?? '########';
  }
  const shown = showNumber(value, section, locale);
  // What rounds to nothing has no sign.
  return signed && (/[1-9]/.test(shown) || !/\d/.test(shown)) ? `-${shown}` : shown;
};
