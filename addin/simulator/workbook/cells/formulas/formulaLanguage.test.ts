import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dutch, english, french } from '../locale.ts';
import { dutchFunctions } from './dutchFunctions.ts';
import { fromEnglish, toEnglish } from './formulaLanguage.ts';
import { frenchFunctions } from './frenchFunctions.ts';

describe('A Dutch formula', () => {
  test.each([
    ['=LENGTE(A1)', '=LEN(A1)'],
    ['=SOM(A1:A3;B2)*1,5', '=SUM(A1:A3,B2)*1.5'],
    ['=ALS(EN(A1>=0,25;B1=WAAR);"ja; zeker";ONWAAR)', '=IF(AND(A1>=0.25,B1=TRUE),"ja; zeker",FALSE)'],
    ['=ALS(WAAR();1;0)', '=IF(TRUE(),1,0)'],
    ["=VERT.ZOEKEN(A2;'Prijs; lijst'!$A$1:$C$9;3;0)", "=VLOOKUP(A2,'Prijs; lijst'!$A$1:$C$9,3,0)"],
    ['=X.ZOEKEN(A2;Blad2!A:A;Blad2!B:B;#N/B)', '=XLOOKUP(A2,Blad2!A:A,Blad2!B:B,#N/A)'],
    ['=SOMMEN.ALS(Tabel1[Bedrag];Tabel1[Soort; btw];"hoog")', '=SUMIFS(Tabel1[Bedrag],Tabel1[Soort; btw],"hoog")'],
    ['=Tabel1[[#Deze rij];[Bedrag]]*2', '=Tabel1[[#This Row],[Bedrag]]*2'],
    ['=AANTALARG(Tabel1[#Kopteksten])', '=COUNTA(Tabel1[#Headers])'],
    ['=[@Bedrag]*0,21', '=[@Bedrag]*0.21'],
    ['=SOM({1\\2,5;3\\4})', '=SUM({1,2.5;3,4})'],
    ['=INDEX({"a\\b"\\WAAR;#N/B\\1};1;2)', '=INDEX({"a\\b",TRUE;#N/A,1},1,2)'],
    ['=NORM.INV(0,5;0;1)', '=NORMINV(0.5,0,1)'],
    ['=SOM(1:3)+1E-3', '=SUM(1:3)+1E-3'],
    ['=btw.hoog+LENGTE ("x")', '=btw.hoog+LEN ("x")'],
    ['=MAX(A1;0)', '=MAX(A1,0)'],
    ['=SOM(#VERW!A1:B2;Blad2!#VERW!)', '=SUM(#REF!A1:B2,Blad2!#REF!)'],
    ["=SOM( $A : B ;'Blad 1:Blad 3'!A1)", "=SUM( $A : B ,'Blad 1:Blad 3'!A1)"],
  ])('%s is stored as %s, and shown as it was typed', (typed, stored) => {
    expect(toEnglish(typed, dutch)).toBe(stored);
    expect(fromEnglish(stored, dutch)).toBe(typed);
  });

  test('may be typed in lower case', () => {
    expect(toEnglish('=als.fout(lengte(a1);onwaar)', dutch)).toBe('=IFERROR(LEN(a1),FALSE)');
  });
});

describe('A French formula', () => {
  test.each([
    ['=SOMME(A1:A3;B2)*1,5', '=SUM(A1:A3,B2)*1.5'],
    ['=SI(ET(A1>=0,25;B1=VRAI);"oui ; non";FAUX)', '=IF(AND(A1>=0.25,B1=TRUE),"oui ; non",FALSE)'],
    ["=RECHERCHEV(A2;'Liste; prix'!$A$1:$C$9;3;0)", "=VLOOKUP(A2,'Liste; prix'!$A$1:$C$9,3,0)"],
    ['=RECHERCHEX(A2;Feuil2!A:A;Feuil2!B:B;#N/A)', '=XLOOKUP(A2,Feuil2!A:A,Feuil2!B:B,#N/A)'],
    ['=SOMME.SI.ENS(Tableau1[Montant];Tableau1[Type; TVA];"a")', '=SUMIFS(Tableau1[Montant],Tableau1[Type; TVA],"a")'],
    ['=Tableau1[[#Cette ligne];[Montant]]*2', '=Tableau1[[#This Row],[Montant]]*2'],
    ['=NBVAL(Tableau1[#En-têtes])', '=COUNTA(Tableau1[#Headers])'],
    ['=SOMME({1.2,5;3.4})', '=SUM({1,2.5;3,4})'],
    ['=INDEX({"a.b".VRAI;#N/A.1};1;2)', '=INDEX({"a.b",TRUE;#N/A,1},1,2)'],
    ['=SIERREUR(#VALEUR!;LIEN_HYPERTEXTE("x"))', '=IFERROR(#VALUE!,HYPERLINK("x"))'],
    ['=AUJOURDHUI()-FIN.MOIS(A1;0)', '=TODAY()-EOMONTH(A1,0)'],
  ])('%s is stored as %s, and shown as it was typed', (typed, stored) => {
    expect(toEnglish(typed, french)).toBe(stored);
    expect(fromEnglish(stored, french)).toBe(typed);
  });
});

test('An English formula is stored as it is', () => {
  expect(toEnglish('=LENGTE(A1)+LEN(A1,1.5)', english)).toBe('=LENGTE(A1)+LEN(A1,1.5)');
  expect(fromEnglish('=LEN(A1)', english)).toBe('=LEN(A1)');
});

describe.each([
  ['Dutch', dutchFunctions],
  ['French', frenchFunctions],
])('The %s names of functions', (_, functions) => {
  test.each([0, 1])('are unique in each language', (side) => {
    const names = functions.map((pair) => pair[side]);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    expect(names.filter((name) => !/^[A-Z][A-Z0-9._]*$/.test(name!))).toEqual([]);
  });

  test('differ from the English ones', () => {
    expect(functions.filter(([first, second]) => first === second)).toEqual([]);
  });
});

test.each([
  ['Dutch', dutch, dutchFunctions],
  ['French', french, frenchFunctions],
])('Any stored formula is the same after a translation into %s and back', (_, locale, functions) => {
  const reference = fc.constantFrom('A1', '$B$2:C9', "'Blad, 1'!A1", 'Sheet2!D4', 'Table1[Amount, net]', 'vat_high');
  const constant = fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true, min: 0 }).map(String),
    fc.constantFrom('TRUE', 'FALSE', '"a, ""b""; c"', '#N/A', '{1,2.5;"x",TRUE}'),
  );
  const { formula } = fc.letrec<{ formula: string }>((tie) => ({
    formula: fc.oneof(
      { maxDepth: 4 },
      reference,
      constant,
      fc
        .tuple(tie('formula'), fc.constantFrom('+', '-', '*', '&', '<=', '<>'), tie('formula'))
        .map((all) => all.join('')),
      fc
        .tuple(
          fc.constantFrom(...functions.map(([name]) => name), 'MAX', 'PI'),
          fc.array(tie('formula'), { maxLength: 3 }),
        )
        .map(([name, args]) => `${name}(${args.join(',')})`),
    ),
  }));
  fc.assert(
    fc.property(formula, (inner) => {
      expect(toEnglish(fromEnglish(`=${inner}`, locale), locale)).toBe(`=${inner}`);
    }),
  );
});
