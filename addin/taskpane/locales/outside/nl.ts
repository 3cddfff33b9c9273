import { NAMESPACE } from '../../ledgerFormulas/declaration.ts';
import type { OutsideTexts } from './en.ts';

/** The Dutch texts outside the pane. */
export const nl: OutsideTexts = {
  page: {
    title: 'Ledgerline-werkmap',
    subtitle: 'Nagebootst Excel',
    openFile: {
      choose: '.xlsx openen',
      title: (file) => `${file} openen`,
      reading: 'Het bestand wordt gelezen…',
      replaces:
        'De werkmap op deze pagina heeft wijzigingen die niet zijn gedownload. Ze gaan verloren als het bestand wordt geopend.',
      leftOut: 'Het bestand bevat ook wat deze pagina niet bewaart. Een download vanaf hier heeft het niet:',
      leftOutKinds: {
        macros: 'macro’s, die hier niet worden uitgevoerd',
        links: 'koppelingen met andere werkmappen, die niet worden gevolgd',
        connections: 'gegevensverbindingen en query’s, die niet worden gevolgd',
        pivotTables: 'draaitabellen en slicers',
        pictures: 'afbeeldingen en ingesloten bestanden',
        charts: 'andere grafieken dan staaf- en kolomgrafieken',
        conditionalFormats:
          'gegevensbalken en pictogrammen van voorwaardelijke opmaak van na Excel 2007, die eenvoudiger worden',
        filters: 'filters op kleur of pictogram',
        arrayFormulas: 'matrixformules, die gewone formules worden',
        controls: 'formulierbesturingselementen',
        tables: 'tabellen zonder veldnamenrij of met een totaalrij, die gewone cellen worden',
      },
      open: 'Openen',
      failed: {
        notWorkbook: 'Dit bestand is niet geopend: het is geen .xlsx-werkmap, of het is beschadigd.',
        encrypted: 'Dit bestand is niet geopend: het heeft een wachtwoord. Sla het in Excel op zonder wachtwoord.',
        tooLarge: 'Dit bestand is niet geopend: het is te groot voor deze pagina.',
      },
    },
    download: 'Download .xlsx',
    showPane: 'Deelvenster tonen',
    hidePane: 'Deelvenster verbergen',
    pane: 'Ledgerline-deelvenster',
    ribbon: 'Knoppen van Ledgerline',
    nameBox: 'Naamvak',
    formulaBar: 'Formulebalk',
    activeCell: 'Actieve cel',
    keyboardHelp:
      'Tab en de pijltoetsen gaan van cel naar cel. F6 gaat naar het volgende deel van de pagina. Escape en dan Tab verlaat de cellen.',
    leaving: 'Tab verlaat nu de cellen.',
    unsaved: 'Nog niet gedownload',
    notSaved: 'De werkmap kon niet worden gedownload. Er is niets aan veranderd; probeer het opnieuw.',
    grid: (sheet) => `Blad ${sheet}`,
    chart: (title) => `Grafiek: ${title}`,
    editCell: (address) => `Cel ${address} bewerken`,
    corner: 'Alles selecteren',
    sheets: 'Bladen',
    addSheet: 'Blad toevoegen',
    sheetMenu: (sheet) => `Menu van blad ${sheet}`,
    rename: 'Naam wijzigen',
    sheetName: 'Bladnaam',
    remove: 'Verwijderen',
    moveLeft: 'Naar links',
    moveRight: 'Naar rechts',
    hide: 'Verbergen',
    unhide: (sheet) => `${sheet} tonen`,
    confirmDelete: (sheet) => `Blad "${sheet}" verwijderen met alles wat erop staat?`,
    cancel: 'Annuleren',
    columnMenu: (column) => `${column} sorteren en filteren`,
    sortAscending: 'Oplopend sorteren',
    sortDescending: 'Aflopend sorteren',
    filterContains: 'Toon rijen met',
    apply: 'Toepassen',
    clearFilter: 'Filter wissen',
    cells: 'Cellen',
    insertRows: 'Rijen erboven invoegen',
    deleteRows: 'Rijen verwijderen',
    insertColumns: 'Kolommen links invoegen',
    deleteColumns: 'Kolommen verwijderen',
    clearContents: 'Inhoud wissen',
    formatAsTable: 'Opmaken als tabel',
    ready: 'Gereed',
    calculate: 'Berekenen',
    calculateAutomatically: 'Automatisch berekenen',
    enter: 'Invoeren',
    edit: 'Bewerken',
    count: 'Aantal',
    sum: 'Som',
    average: 'Gemiddelde',
    filtered: (shown, all) => `${shown} van ${all} rijen getoond`,
    protectedSheet: 'Dit blad is beveiligd. Hef de beveiliging op om deze cellen te wijzigen.',
    unfitName: 'Een bladnaam heeft 1 tot 31 tekens, geen \\ / ? * [ ] : en geen apostrof aan begin of eind.',
    takenName: 'Er is al een blad met die naam.',
    lastSheet: 'Een werkmap heeft ten minste één zichtbaar blad nodig.',
    tornTable: 'Dat zou een tabel uit elkaar trekken.',
    tornMerge: 'Dat kan niet met een deel van samengevoegde cellen.',
    overlappingTable: 'Een tabel kan een andere tabel niet overlappen.',
    offSheet: 'Gevulde cellen zouden van het blad af schuiven.',
    choices: 'Keuzes voor de cel',
    invalidEntry: 'Deze waarde past niet bij de gegevensvalidatie van de cel.',
    refused: 'Dat doet Excel hier niet.',
    blockOffSheet: 'Het blok past vanaf hier niet op het blad. Er is niets geplakt.',
    pasteTitle: 'Bezig met plakken',
    pasting: (done, all) => `${done.toLocaleString('nl')} van ${all.toLocaleString('nl')} cellen geplakt.`,
    pasteCancelled: 'Geannuleerd. Er is niets geplakt; de cellen zijn zoals ze waren.',
    sorting: {
      title: 'Bezig met sorteren',
      cancelled: 'Geannuleerd. Er is niets gesorteerd; de rijen zijn zoals ze waren.',
    },
    filtering: {
      title: 'Bezig met filteren',
      cancelled: 'Geannuleerd. Er is niets gefilterd; de rijen zijn zoals ze waren.',
    },
    partDone: (part) => `${part.toLocaleString('nl', { style: 'percent' })} gedaan.`,
    undo: {
      nothing: 'Er is niets om ongedaan te maken.',
      sheets: 'Verder terug kan niet: er is een blad toegevoegd of verwijderd, en dat is niet ongedaan te maken.',
      size: 'Verder terug kan niet: er veranderden meer dan twee miljoen cellen tegelijk, en dat is niet ongedaan te maken.',
      steps: 'Verder terug kan niet: wat ervoor kwam, is te lang geleden.',
    },
    redo: { nothing: 'Er is niets om opnieuw te doen.' },
    goToUnknown: 'Dat is geen adres of naam in deze werkmap.',
  },

  manifest: {
    description:
      'Uw boekhouding in Excel: haal grootboekrekeningen, verkoopfacturen en artikelen op naar bladen, en verstuur prijzen en voorraad van artikelen terug vanuit rijen.',
    'Tab.Label': 'Ledgerline',
    'Administration.Label': 'Administratie',
    'Pull.Label': 'Ophalen naar het blad',
    'Books.Label': 'De boeken bekijken',
    'Make.Label': 'Blad maken',
    'Send.Label': 'Versturen vanuit het blad',
    'Open.Label': 'Ledgerline openen',
    'Accounts.Label': 'Grootboekrekeningen',
    'Invoices.Label': 'Verkoopfacturen',
    'Relations.Label': 'Relaties',
    'TaxCodes.Label': 'Btw-codes',
    'MaterialBookings.Label': 'Materiaalboekingen',
    'Exports.Label': 'Relatie-exports',
    'TrialBalance.Label': 'Saldibalans',
    'AccountCard.Label': 'Grootboekkaart',
    'OpenItems.Label': 'Openstaande posten',
    'VatReturn.Label': 'Btw-aangifte',
    'Auditfiles.Label': 'Auditfiles',
    'Products.Label': 'Artikelblad',
    'DocumentSheets.Label': 'Documenten maken',
    'Push.Label': 'Rijen versturen',
    'Functions.Namespace': NAMESPACE,
    'GetStarted.Title': 'Ledgerline is klaar voor gebruik',
    'GetStarted.Description':
      'Kies Ledgerline openen op het tabblad Ledgerline en maak verbinding met uw administratie.',
    'Open.Description':
      'Open het deelvenster om verbinding te maken met een administratie, of om te zien met welke u verbonden bent.',
    'Accounts.Description': 'Haal de grootboekrekeningen van de administratie op naar een blad, of vernieuw ze daar.',
    'Invoices.Description': 'Haal verkoopfacturen op naar een blad, per periode, of vernieuw ze daar.',
    'Relations.Description': 'Haal de klanten en leveranciers op naar een blad zoals ze nu zijn, of vernieuw ze daar.',
    'TaxCodes.Description': 'Haal de btw-codes van inkoop en verkoop op naar een blad, of vernieuw ze daar.',
    'MaterialBookings.Description':
      'Haal de artikelen die op projecten zijn geboekt op naar een blad, of vernieuw ze daar.',
    'Exports.Description': 'Haal de relaties op naar een blad zoals ze zijn geëxporteerd, of download ze als werkmap.',
    'TrialBalance.Description':
      'Haal de saldibalans van een periode op naar een blad, naast die van een andere periode, of ververs die daar.',
    'OpenItems.Description':
      'Haal op wat op een dag openstaat van elk document van klanten en leveranciers, of ververs het in zijn blad.',
    'VatReturn.Description':
      'Haal de btw-aangifte van een maand, kwartaal of jaar op: rubrieken, de regels erachter, controles en listings.',
    'Auditfiles.Description': 'Lees een boekjaar in uit een XML-auditfile van een ander programma.',
    'AccountCard.Description':
      'Haal de boekingen van grootboekrekeningen op naar een blad, met het saldo na elke boeking, of ververs die daar.',
    'Products.Description': 'Maak een blad om nieuwe prijzen en voorraad van artikelen in te vullen.',
    'DocumentSheets.Description':
      'Maak een blad om in te vullen met facturen, orders, inkopen, boekingen of nieuwe artikelen.',
    'Push.Description':
      'Controleer de rijen van een blad en verstuur ze naar de administratie: prijzen en voorraad, documenten of boekingen.',
  },

  /** The functions in cells. */
  functions: {
    BALANCE:
      'Het saldo van grootboekrekeningen aan het eind van een dag of periode. Debet is positief, credit is negatief.',
    TURNOVER: 'Debet min credit van grootboekrekeningen in een periode: omzet is negatief, kosten zijn positief.',
    NAME: 'De naam van een grootboekrekening.',
    OPEN: 'Wat openstaat van een relatie aan het eind van een dag of periode: te ontvangen is positief, te betalen negatief.',
  },

  /** Their parameters; a name has no spaces. */
  parameters: {
    accounts: {
      name: 'rekeningen',
      description:
        'Eén rekening, een lijst (4000|4010), een reeks (4000:4999) of een jokerteken (4*), als tekst, getal of cellen.',
    },
    account: { name: 'rekening', description: 'Het nummer van één rekening.' },
    at: {
      name: 'op',
      description: 'Een jaar (2026), kwartaal (2026-Q1), maand (2026-03) of datum. De laatste dag ervan telt.',
    },
    from: {
      name: 'van',
      description: 'Een jaar (2026), kwartaal (2026-Q1), maand (2026-03) of datum. De eerste dag ervan telt.',
    },
    to: {
      name: 'tot_en_met',
      description: 'Een jaar (2026), kwartaal (2026-Q1), maand (2026-03) of datum. De laatste dag ervan telt.',
    },
    relation: {
      name: 'relatie',
      description: 'Het nummer van een klant of leverancier, een RelationGUID, of een naam.',
    },
    administration: {
      name: 'administratie',
      description: 'Het label of de naam van een verbinding. Weggelaten: de administratie van deze werkmap.',
    },
  },
};
