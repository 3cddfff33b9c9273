/*
 * Dutch headings for our columns, and Dutch words for ours. Capitals, accents, spaces and punctuation do not count:
 * `BTW-nummer` is `btwnummer`.
 */

/** Letters and digits of a text, in lower case and without accents. */
export const plainLetters = (text: string): string =>
  text
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');

/** Headings, and the columns they may mean: the first one that a resource has. */
const headings: readonly (readonly [string, string])[] = [
  ['grootboekrekening, grootboekrekeningnummer, grootboeknummer, grootboek', 'Number, LedgerAccountNumber'],
  ['nummer', 'Number'],
  ['rekening, rekeningnummer, rekeningnr, rek nr', 'Number, LedgerAccountNumber, BankAccount_IBAN'],
  ['omschrijving, beschrijving', 'Description, Name'],
  ['naam', 'Name, CustomerName, SupplierName'],
  ['bedrijfsnaam, bedrijf, relatienaam, relatie, projectnaam', 'Name'],
  ['klantnaam, debiteurnaam, naam klant, naam debiteur, klant, debiteur', 'CustomerName, Name'],
  ['leveranciersnaam, crediteurnaam, naam leverancier, leverancier, crediteur', 'SupplierName, Name'],
  ['klantnummer, klantnr, klantcode, debiteurnummer, debiteurennummer, debiteurnr', 'CustomerNumber'],
  ['leveranciersnummer, leveranciernummer, leveranciersnr, crediteurnummer, crediteurnr', 'SupplierNumber'],
  ['boekjaar, jaar', 'FiscalYear'],
  ['rekeningsoort, rekeningtype, soort rekening, type rekening', 'LedgerType'],
  ['balans of winst en verlies, balans of w&v, balans w&v, b/w', 'LedgerType'],
  ['soort, type', 'LedgerType, TaxType'],
  ['debet/credit, debet of credit, d/c, d of c', 'DebetOrCredit'],
  ['straat, straatnaam, adres', 'Address_Street'],
  ['huisnummer, huisnr', 'Address_Unit'],
  ['toevoeging, huisnummertoevoeging', 'Address_UnitAppendix'],
  ['postcode', 'Address_PostalCode'],
  ['plaats, woonplaats, vestigingsplaats, stad', 'Address_City'],
  ['land, landcode', 'Address_CountryCode, Countrycode'],
  ['e-mailadres, mailadres', 'Email, CustomerEmail, SupplierEmail'],
  ['telefoon, telefoonnummer, tel', 'Phone'],
  ['kvk, kvk-nummer, kvk nr, ondernemingsnummer, handelsregisternummer', 'RegistrationNumber'],
  ['btw-nummer, btw nr, btw-id, btw-identificatienummer', 'TaxIdentificationNumber'],
  ['taal', 'Language'],
  ['iban, bankrekening, bankrekeningnummer', 'BankAccount_IBAN'],
  ['bic, swift', 'BankAccount_BIC'],
  ['contactpersoon, achternaam', 'Contact_LastName'],
  ['voornaam', 'Contact_FirstName'],
  ['tussenvoegsel', 'Contact_Preposition'],
  ['geslacht', 'Contact_Sex'],
  ['groep, relatiegroep', 'GroupName'],
  ['artikelnummer, artikelnr, artikelcode, productnummer, productcode, artikel', 'ArticleNumber, ProductNumber'],
  ['ean-code, barcode, streepjescode', 'EAN, ProductEAN'],
  ['artikelnaam, productnaam, artikelomschrijving', 'Name, Description'],
  ['voorraad', 'StockQty'],
  ['minimumvoorraad, minimale voorraad', 'MinimalStockQty'],
  ['inkoopprijs', 'PurchasePrice'],
  ['verkoopprijs, prijs, prijs excl btw, verkoopprijs excl btw, stuksprijs', 'Price, UnitPriceExclTax'],
  ['eenheid', 'Unit'],
  ['artikelgroep, productgroep, categorie', 'Category, Name'],
  ['gearchiveerd, vervallen', 'Archived'],
  ['btw, btw %, btw-percentage, btw-tarief, percentage', 'VATPercentage, TaxPc'],
  ['btw-code', 'TaxCode'],
  ['vrijgesteld', 'TaxExempt'],
  ['kostenplaats', 'CostCenter, Name'],
  ['status, orderstatus', 'OrderStatus, Label'],
  ['factuurnummer, factuurnr, factuur', 'InvoiceNumber, PurchaseInvoiceNumber'],
  ['factuurdatum', 'InvoiceDate'],
  ['orderdatum, besteldatum', 'OrderDate'],
  ['boekdatum', 'EntryDate'],
  ['datum', 'InvoiceDate, OrderDate, EntryDate'],
  ['vervaldatum', 'InvoiceDueDate'],
  ['betaaltermijn, betalingstermijn', 'InvoiceDueDays'],
  ['referentie, kenmerk', 'InvoiceReference, OrderReference'],
  ['opmerking, opmerkingen, notities', 'InvoiceNotes, OrderNotes'],
  ['projectnummer, projectcode, project', 'ProjectNumber, Number'],
  ['ordernummer, bestelnummer', 'OrderNumber, InvoiceForOrderNumber'],
  ['aantal, hoeveelheid', 'Quantity'],
  ['korting, korting %, kortingspercentage', 'DiscountPc'],
  ['bedrag incl btw, bedrag inclusief btw', 'SubTotalInclTax'],
  ['openstaand, openstaand bedrag', 'InvoiceOutstandingAmount'],
  ['betaald', 'Paid'],
  ['magazijn', 'Warehouse'],
  ['partij', 'Batch'],
  ['leverdatum', 'DeliveryDate'],
  ['regelnummer, regel', 'LineNumber'],
  ['betalingskenmerk, gestructureerde mededeling', 'OGM_Belgium'],
];

/** Words in cells, and our words for them. */
const words: readonly (readonly [string, string])[] = [
  ['ja, j, waar', 'true'],
  ['nee, neen, n, onwaar', 'false'],
  ['d, debit', 'debet'],
  ['c', 'credit'],
  ['balans, b', 'BalanceSheet'],
  [
    'w&v, v&w, w en v, winst en verlies, verlies en winst, winst- en verliesrekening, verlies- en winst, resultaat',
    'IncomeStatement',
  ],
  ['verkoop', 'Sales'],
  ['inkoop', 'Purchase'],
  ['zakelijk, bedrijf', 'BusinessRelation'],
  ['particulier, privé', 'PrivateRelation'],
  ['nederlands', 'nl'],
  ['frans', 'fr'],
  ['engels', 'en'],
  ['de heer, dhr', 'Man'],
  ['mevrouw, mevr, mw', 'Vrouw'],
  ['offerte', 'final_quote'],
  ['conceptofferte', 'concept_quote'],
  ['bestelling', 'order'],
  ['goederen', '81'],
  ['diensten', '82'],
  ['investeringen, bedrijfsmiddelen', '83'],
];

const byPlainLetters = (table: readonly (readonly [string, string])[]): ReadonlyMap<string, readonly string[]> => {
  const found = new Map<string, readonly string[]>();
  for (const [theirs, ours] of table) {
    for (const one of theirs.split(', ')) {
      const key = plainLetters(one);
      found.set(key, [...(found.get(key) ?? []), ...ours.split(', ')]);
    }
  }
  return found;
};
const columnsOfHeading = byPlainLetters(headings);
const ourWords = byPlainLetters(words);

/** The columns that a heading may mean, the most likely first. */
export const columnsMeant = (heading: string): readonly string[] => columnsOfHeading.get(plainLetters(heading)) ?? [];

/** The word that a text means; the text itself when it means none of them. */
export const wordMeant = (text: string, of: readonly string[]): string =>
  ourWords.get(plainLetters(text))?.find((word) => of.includes(word)) ?? text;

/** The headings that may mean a column. */
export const headingsMeaning = (column: string): string[] =>
  headings.flatMap(([theirs, ours]) => (ours.split(', ').includes(column) ? theirs.split(', ') : []));

let countryNames: ReadonlyMap<string, string> | undefined;

/** The code of a country whose name this is, in Dutch or English; undefined when it is none. */
export function countryMeant(text: string): string | undefined {
  // A code: for files with codes alone the names of all countries are not made.
  if (text.length === 2) return undefined;
  countryNames ??= namesOfCountries();
  return countryNames.get(plainLetters(text));
}

function namesOfCountries(): Map<string, string> {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const names = new Map<string, string>();
  for (const language of ['nl', 'en']) {
    const inLanguage = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' });
    for (const code of letters.flatMap((one) => letters.map((other) => one + other))) {
      // Codes of former countries lead to the present one, under whose own code its name is found.
      const isPresent = Intl.getCanonicalLocales(`und-${code}`)[0] === `und-${code}`;
      const name = isPresent ? inLanguage.of(code) : undefined;
      if (name !== undefined) names.set(plainLetters(name), code);
    }
  }
  return names;
}
