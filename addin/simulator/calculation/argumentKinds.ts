/* What functions do with several values, by their English names. */

const names = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Functions that take one value for each argument. */
const ofValues = names(`
  ABS ACOS ACOSH ACOT ACOTH ADDRESS ARABIC ASIN ASINH ATAN ATAN2 ATANH BASE BESSELI BESSELJ BESSELK BESSELY BETA.DIST
  BETA.INV BIN2DEC BIN2HEX BIN2OCT BINOM.DIST BINOM.INV BITAND BITLSHIFT BITOR BITRSHIFT BITXOR CEILING CEILING.MATH
  CEILING.PRECISE CHAR CHISQ.DIST CHISQ.INV CLEAN CODE COMBIN COMBINA COMPLEX CONCATENATE COS COSH COT COTH CSC CSCH
  CUMIPMT CUMPRINC DATE DATEDIF DATEVALUE DAY DAYS DAYS360 DB DDB DEC2BIN DEC2HEX DEC2OCT DECIMAL DEGREES DELTA DOLLAR
  DOLLARDE DOLLARFR EDATE EFFECT ENCODEURL EOMONTH ERF ERFC ERROR.TYPE EVEN EXACT EXP EXPON.DIST FACT FACTDOUBLE FIND
  FISHER FISHERINV FIXED FLOOR FLOOR.MATH FLOOR.PRECISE FV GAMMA GAMMALN GAUSS GESTEP HEX2BIN HEX2DEC HEX2OCT HOUR IFS
  INT IPMT ISBLANK ISERR ISERROR ISEVEN ISLOGICAL ISNA ISNONTEXT ISNUMBER ISO.CEILING ISODD ISOWEEKNUM ISPMT ISTEXT LEFT
  LEN LN LOG LOG10 LOWER MID MINUTE MOD MONTH MROUND N NOMINAL NORM.DIST NORM.INV NORM.S.DIST NORM.S.INV NOT NPER
  NUMBERVALUE OCT2BIN OCT2DEC OCT2HEX ODD PDURATION PERMUT PMT POWER PPMT PROPER PV QUOTIENT RADIANS RANDBETWEEN RATE
  REPLACE REPT RIGHT ROMAN ROUND ROUNDDOWN ROUNDUP RRI SEARCH SEC SECH SECOND SIGN SIN SINH SLN SQRT SQRTPI STANDARDIZE
  SUBSTITUTE SWITCH SYD T TAN TANH TEXT TEXTAFTER TEXTBEFORE TIME TIMEVALUE TRIM TRUNC TYPE UNICHAR UNICODE UPPER VALUE
  VDB WEEKDAY WEEKNUM YEAR YEARFRAC`);

/** Functions whose result may be several values, whatever their arguments are. */
export const ofArrays = names(`
  BYCOL BYROW CHOOSECOLS CHOOSEROWS DROP EXPAND FILTER FREQUENCY GROWTH HSTACK INDIRECT LAMBDA LINEST LOGEST MAKEARRAY
  MAP MINVERSE MMULT MODE.MULT MUNIT OFFSET RANDARRAY REGEXEXTRACT SCAN SEQUENCE SORT SORTBY TAKE TEXTSPLIT TOCOL TOROW
  TRANSPOSE TREND UNIQUE VSTACK WRAPCOLS WRAPROWS`);

/** Functions that return what they are given: of the engine they take several values. */
export const ofChoices = names('CHOOSE IF IFERROR IFNA LARGE LET SMALL');

type OneValue = (index: number) => boolean;
const all = (functions: Iterable<string>, takesOne: OneValue): Record<string, OneValue> =>
  Object.fromEntries([...functions].map((name) => [name, takesOne]));

/** The arguments, counted from 0, of which a function takes one value: with several it is called for each. */
export const oneValue: Readonly<Record<string, OneValue | undefined>> = {
  ...all(ofValues, () => true),
  ...all(['VLOOKUP', 'HLOOKUP'], (index) => index === 0 || index > 1),
  ...all(['LOOKUP', 'MATCH', 'RANK', 'RANK.AVG', 'RANK.EQ', 'XLOOKUP', 'XMATCH'], (index) => index === 0),
  ...all(['AVERAGEIF', 'COUNTIF', 'SUMIF'], (index) => index === 1),
  ...all(['PERCENTILE', 'PERCENTILE.EXC', 'PERCENTILE.INC', 'QUARTILE', 'QUARTILE.INC'], (index) => index === 1),
  ...all(['AVERAGEIFS', 'MAXIFS', 'MINIFS', 'SUMIFS'], (index) => index > 0 && index % 2 === 0),
  ...all(['COUNTIFS'], (index) => index % 2 === 1),
  ...all(['INDEX'], (index) => index > 0),
  ...all(['NETWORKDAYS', 'WORKDAY'], (index) => index < 2),
};

/** Arguments that are texts: of a number they take its text. */
export const texts: Readonly<Record<string, OneValue | undefined>> = {
  ...all(names('CLEAN CODE LEFT LEN LOWER MID PROPER REPT RIGHT TEXTSPLIT TRIM UNICODE UPPER'), (index) => index === 0),
  ...all(names('EXACT FIND SEARCH TEXTAFTER TEXTBEFORE'), (index) => index < 2),
  ...all(['REPLACE'], (index) => index === 0 || index === 3),
  ...all(['SUBSTITUTE'], (index) => index < 3),
  ...all(['CONCAT', 'CONCATENATE'], () => true),
  ...all(['TEXTJOIN'], (index) => index !== 1),
};

/**
 * Functions that leave out texts and truth values in cells, though not those that a formula gives them. The engine takes
 * a single cell for what is in it.
 */
const ofNumbers = names(`
  AVEDEV AVERAGE COUNT DEVSQ GEOMEAN HARMEAN MAX MEDIAN MIN MODE MODE.SNGL PRODUCT STDEV STDEV.P STDEV.S STDEVP SUM
  SUMSQ VAR VAR.P VAR.S VARP`);

/** What functions leave out of cells: also truth values, or texts only. */
export const leftOut: Readonly<Record<string, 'numbers' | 'truths' | undefined>> = {
  ...Object.fromEntries([...ofNumbers].map((name) => [name, 'numbers'])),
  AND: 'truths',
  OR: 'truths',
  XOR: 'truths',
};

/** Arguments whose default is not 0: the engine takes it when their cell is empty, and Excel takes 0. */
export const zeroWhenEmpty: Readonly<Record<string, readonly number[] | undefined>> = {
  ADDRESS: [2, 3],
  DB: [4],
  DDB: [4],
  GROWTH: [3],
  HLOOKUP: [3],
  LINEST: [2],
  LOG: [1],
  LOGEST: [2],
  MATCH: [2],
  'NETWORKDAYS.INTL': [2],
  RANDARRAY: [0, 1, 3],
  SEQUENCE: [0, 1, 2, 3],
  SORT: [1, 2],
  SORTBY: [2],
  SWITCH: [0],
  TREND: [3],
  VDB: [5],
  VLOOKUP: [3],
  WEEKDAY: [1],
  WEEKNUM: [1],
  'WORKDAY.INTL': [2],
  XLOOKUP: [5],
  XMATCH: [3],
};

/** Arguments that are dates or times: the engine does not take the text of one. */
export const dated: Readonly<Record<string, readonly number[] | undefined>> = {
  DATEDIF: [0, 1],
  DAYS: [0, 1],
  HOUR: [0],
  ISOWEEKNUM: [0],
  MINUTE: [0],
  NETWORKDAYS: [0, 1],
  SECOND: [0],
  WEEKDAY: [0],
  WEEKNUM: [0],
  WORKDAY: [0],
};

/** Functions by the calendar for which January and February 1900 are other days to the engine. */
export const ofCalendar = names('DATEDIF ISOWEEKNUM WEEKNUM');

/** An argument that the engine leaves out of account, unless it is TRUE. */
export const ignored: Readonly<Record<string, number | undefined>> = { GROWTH: 3, TREND: 3 };

/** The functions of ours that rewritten formulas call. */
export const calls = {
  begin: 'LEDGERLINE_BEGIN',
  result: 'LEDGERLINE_RESULT',
  single: 'LEDGERLINE_SINGLE',
  spread: 'LEDGERLINE_SPREAD',
  choose: 'LEDGERLINE_CHOOSE',
  numbers: 'LEDGERLINE_NUMBERS',
  formulas: 'LEDGERLINE_FORMULAS',
  shown: 'LEDGERLINE_SHOWN',
  spend: 'LEDGERLINE_SPEND',
  step: 'LEDGERLINE_STEP',
  refuse: 'LEDGERLINE_REFUSE',
  index: 'LEDGERLINE_INDEX',
  offset: 'LEDGERLINE_OFFSET',
  zero: 'LEDGERLINE_ZERO',
  date: 'LEDGERLINE_DATE',
  digits: 'LEDGERLINE_DIGITS',
  typed: 'LEDGERLINE_TYPED',
  text: 'LEDGERLINE_TEXT',
  calendar: 'LEDGERLINE_CALENDAR',
  counted: 'LEDGERLINE_COUNTED',
  numbersOfCell: 'LEDGERLINE_NUMBERS_OF_CELL',
  truthsOfCell: 'LEDGERLINE_TRUTHS_OF_CELL',
  isPattern: 'LEDGERLINE_PATTERN',
  like: 'LEDGERLINE_LIKE',
} as const;
