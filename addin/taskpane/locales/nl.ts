import type { PartyDetail } from '../../../shared/fieldErrors.ts';
import type { Messages } from './en.ts';
import { nlWords } from './nlWords.ts';
import { day, ended, quoted } from './quoted.ts';

/* Every Dutch text. */

const { format } = new Intl.NumberFormat('nl');
const { format: formatPrice } = new Intl.NumberFormat('nl', { minimumFractionDigits: 2, maximumFractionDigits: 8 });
// Newer browsers format the text exactly, older ones as a number.
const price = (text: string): string => formatPrice(text as Intl.StringNumericLiteral);
const rows = (count: number): string => `${format(count)} ${count === 1 ? 'rij' : 'rijen'}`;
const documentCount = (count: number): string => `${format(count)} ${count === 1 ? 'document' : 'documenten'}`;
const oneOf = (choices: readonly string[]): string =>
  new Intl.ListFormat('nl', { type: 'disjunction' }).format(choices);
/** The value of a field in Dutch. */
const valueText = (given: string): string =>
  given === '{}' ? 'een object' : given === '[]' ? 'een lijst' : quoted(given);
const forbiddenCharacter = 'bevat een teken dat niet verstuurd kan worden';
const parties = { Customer: 'klant', Supplier: 'leverancier' } as const;
const ofParty = { issuer: 'van de eigen administratie', customer: 'van de klant' } as const;
const partyDetails = {
  name: 'naam',
  street: 'straat',
  postalCode: 'postcode',
  town: 'plaats',
  country: 'land',
  vatNumber: 'btw-nummer',
  companyNumber: 'ondernemingsnummer',
  kvkNumber: 'KvK-nummer (acht cijfers)',
  enterpriseNumber: 'ondernemingsnummer (tien cijfers)',
  iban: 'IBAN',
} as const satisfies Record<PartyDetail, string>;
const sides = { Sales: 'verkoop', Purchase: 'inkoop' } as const;

/** The texts of the period of a sheet of the ledger. */
const ledgerPeriod = {
  label: 'Periode',
  hint: 'Laat beide leeg voor dit boekjaar',
  wrong: 'De einddatum ligt voor de begindatum.',
};

/** `1, 2, 3 en nog 4`. */
const several = (documents: string, more: string): string => (more === '0' ? documents : `${documents} en nog ${more}`);
const control = (rule: string) => (expected: string, declared: string) =>
  `${rule}: ${expected} verwacht, ${declared} aangegeven.`;
const limit = (rule: string) => (most: string, declared: string) =>
  `${rule}: hoogstens ${most}, ${declared} aangegeven.`;

export const nl: Messages = {
  ...nlWords,
  language: 'Taal',
  languageOfExcel: 'Die van Excel',
  title: 'Ledgerline',
  noExcel: {
    title: 'Deze pagina werkt alleen in Excel',
    explanation: 'Ze werkt met de werkmap die in Excel openstaat.',
    todo: 'Open Excel, kies het tabblad Ledgerline in het lint en druk op een van de knoppen.',
  },
  oldExcel: {
    title: 'Deze Excel is te oud',
    todo: 'Ledgerline werkt met Excel 2021, Microsoft 365 en Excel op het web. Werk Excel bij en open het deelvenster opnieuw.',
  },
  storageClosed:
    'In deze browser mag het deelvenster geen verbindingen bewaren. Ze gaan verloren als u het deelvenster sluit.',

  administration: 'Administratie',
  notConnected: 'Niet verbonden',
  switchAdministration: 'Administraties',
  back: 'Terug',
  help: 'Uitleg',
  cancel: 'Annuleren',
  named: (action, name) => `${name} ${action.toLowerCase()}`,
  labelled: (label, value) => `${label}: ${value}`,
  openingWorkbook: 'Bezig met lezen van de werkmap…',
  identifying: 'Bezig met opzoeken van de administratie…',
  loading: 'Laden…',
  otherAdministration: {
    refresh: 'Dit blad is van een andere administratie en kan nu niet worden vernieuwd.',
    push: 'Dit blad is van een andere administratie en kan nu niet worden verstuurd.',
    finish: 'Deze lijst is van een andere administratie en kan nu niet worden afgemaakt.',
    use: (name) => `Wisselen naar ${name}`,
    connect: (name) => `Verbinden met ${name}`,
    replaced: 'De sleutel is vervangen',
  },
  sameAdministration: {
    earlier: (sheets, label, name) =>
      `Een eerdere versie maakte ${sheets.map((sheet) => `“${sheet}”`).join(', ')}, met een verbinding die ${label} heet. ${sheets.length === 1 ? 'Is dit blad' : 'Zijn deze bladen'} van ${name}? Wat overeenkomt:`,
    agrees: {
      accounts: (found, all) =>
        `${format(found)} van ${format(all)} ${all === 1 ? 'grootboekrekening' : 'grootboekrekeningen'}, op nummer en naam`,
      relations: (found, all) =>
        `${format(found)} van ${format(all)} ${all === 1 ? 'relatie' : 'relaties'}, op kenmerk en naam`,
      invoices: (found, all) =>
        `${format(found)} van ${format(all)} ${all === 1 ? 'factuur' : 'facturen'}, op nummer en klant`,
      products: (found, all) =>
        `${format(found)} van ${format(all)} ${all === 1 ? 'artikel' : 'artikelen'}, op nummer en naam`,
      articleNumbers: (found, all) =>
        `${format(found)} van ${format(all)} ${all === 1 ? 'artikelnummer' : 'artikelnummers'}, zonder naam`,
    },
    notAll: (all) => `(van ${format(all)}: de dienst leest ze een voor een)`,
    verdict: {
      none: 'Er viel niets te vergelijken, dus alleen u kunt het weten.',
      shared: 'Andere administraties kunnen hetzelfde hebben: hieruit alleen blijkt niet dat het deze is.',
      doubtful: 'Het meeste komt niet overeen. Kijk of het een andere administratie is.',
      contradicted: 'Niets dat van één administratie alleen is komt overeen, dus het is een andere.',
    },
    yes: (name) => `Ja, van ${name}`,
    no: 'Nee, van een andere administratie',
    replacedTitle: 'Vervangt deze sleutel een eerdere?',
    replacedQuestion: 'De dienst vertelt niet welke administratie de sleutel opent. Vergeleken met de eerdere:',
    replacedYes: 'Dezelfde administratie',
    replacedNo: 'Een andere administratie',
    comparing: 'Bezig met vergelijken van wat beide hebben…',
    comparingSheets: (sheets) =>
      `Bezig met vergelijken van ${sheets.map((sheet) => `“${sheet}”`).join(', ')} met de administratie…`,
  },
  mixed: {
    title: 'Twee administraties in één werkmap?',
    present: 'Deze werkmap heeft bladen of formules van:',
    added: 'U staat op het punt een blad toe te voegen van:',
    confirm: 'Toevoegen',
  },
  limits: {
    archived: 'Deze administratie is gearchiveerd. U kunt de gegevens ophalen, maar er kan niets in worden gewijzigd.',
    readOnly:
      'Deze API-sleutel mag alleen lezen. U kunt gegevens ophalen, maar niets versturen. Maak daarvoor verbinding met een sleutel die mag schrijven.',
    notReading:
      'Deze API-sleutel mag niet lezen, dus er kan niets worden opgehaald. Maak verbinding met een sleutel die mag lezen.',
  },
  cancelling: 'Bezig met annuleren…',
  cancelled: 'Geannuleerd. De werkmap is niet gewijzigd.',
  waitingFor: {
    CELL_BEING_EDITED: 'Er wordt een cel bewerkt. Druk op Enter of Escape; het werk gaat daarna automatisch verder.',
    OTHER_WORKBOOK: 'Een andere werkmap is actief. Ga terug naar deze; het werk gaat daarna automatisch verder.',
    EXCEL_BUSY: 'Excel is bezig. Het werk gaat automatisch verder.',
    SLOW_SERVICE:
      'De dienst reageert al even niet. Misschien is ze traag, of neemt ze weinig verzoeken per minuut aan. Het werk gaat automatisch verder.',
  },
  waitingForRateLimit: (until) =>
    `De dienst neemt nu geen verzoeken meer aan: haar limiet is bereikt. Het werk gaat om ${until} automatisch verder.`,

  connect: {
    title: 'Een administratie verbinden',
    explanation:
      'De gebruikersnaam en de API-sleutel blijven in deze browser. Ze komen nooit in de werkmap, die u dus gerust kunt delen.',
    username: 'Gebruikersnaam',
    usernameHint: 'Het e-mailadres waarmee u inlogt',
    apiKey: 'API-sleutel',
    label: 'Naam',
    labelHint: 'Een eigen naam ervoor; laat leeg voor de echte naam',
    labelShared: (label) =>
      `Een andere verbinding heet ook ${ended(label)} U herkent de twee aan hun echte naam en hun kleur.`,
    keyReplaced: (name) => `U had al een verbinding met ${name}: die heeft nu de nieuwe sleutel, en houdt haar bladen.`,
    wanted: 'Deze werkmap is het laatst gebruikt met een administratie waarmee deze browser geen verbinding heeft:',
    required: 'Dit veld is verplicht.',
    submit: 'Verbinden',
    checking: 'Bezig met controleren…',
    refused: 'De gebruikersnaam of de API-sleutel is onjuist. Controleer beide en probeer het opnieuw.',
    another: 'Nog een administratie verbinden',
    existing: 'Uw administraties',
    active: 'In gebruik',
    use: 'Gebruiken',
    rename: 'Hernoemen',
    save: 'Opslaan',
    remove: 'Verwijderen',
    removeQuestion: (label) =>
      `De verbinding ${label} verwijderen? De gebruikersnaam en de API-sleutel worden uit deze browser gewist. Bladen in uw werkmappen blijven.`,
  },

  home: {
    title: 'Wat wilt u doen?',
    firstSteps: 'Versturen in vijf stappen',
    steps: [
      'Maak verbinding met een administratie, met een gebruikersnaam en een API-sleutel.',
      'Kies “Artikelblad”, plak artikelnummers en druk op “Artikelblad maken”.',
      'Typ een nieuwe verkoopprijs of een voorraadaantal in de rijen die moeten wijzigen.',
      'Kies “Rijen versturen”, controleer de rijen die verstuurd worden, en verstuur ze.',
      'Lees het resultaat naast elke rij; verbeter geweigerde rijen en verstuur opnieuw.',
    ],
    demo: 'Dit is de demo. Maak verbinding zonder eigen account:',
    demoBooks: { NL: 'Nederlandse demo', BE: 'Belgische demo' },
    pull: 'In de werkmap halen',
    change: 'Maken en versturen',
    books: 'Boekhouding',
    underWay: (sheets) =>
      `Een verzending van ${sheets.map((sheet) => `“${sheet}”`).join(', ')} loopt nog of werd afgebroken.`,
    seePush: 'De verzending bekijken',
    inWorkbook: 'In deze werkmap',
    nothingYet: 'Tabellen die u ophaalt staan hier. U kunt ze vernieuwen.',
    refresh: 'Vernieuwen',
    refreshAll: 'Alles vernieuwen',
    markChanges: 'Markeer in de bladen wat vernieuwen verandert',
    openWithWorkbook: 'Dit deelvenster openen met deze werkmap, bij iedereen die de invoegtoepassing heeft',
    stale: 'Niet van vandaag',
    pulledAt: (moment) => `laatst vernieuwd ${moment}`,
    ofExport: (moment) => `met de export van ${moment}`,
  },

  accounts: {
    title: 'Grootboekrekeningen',
    summary: 'Het rekeningschema van een boekjaar',
    sheet: 'Grootboekrekeningen',
    filters: {
      FiscalYear: {
        label: 'Boekjaar',
        hint: 'Laat leeg voor het laatste',
        wrong: 'Schrijf een jaar zoals 2025, of laat het leeg.',
      },
      LedgerType: { label: 'Rekeningen', all: 'Alle' },
    },
    further: {},
    submit: 'Grootboekrekeningen ophalen',
  },
  taxCodes: {
    title: 'Btw-codes',
    summary: 'De btw-codes van inkoop en verkoop',
    sheet: 'Btw-codes',
    filters: {},
    further: {},
    submit: 'Btw-codes ophalen',
  },
  relations: {
    title: 'Relaties',
    summary: 'Klanten en leveranciers zoals ze nu zijn',
    sheet: 'Relatielijst',
    filters: {
      RelationType: { label: 'Soort relatie', all: 'Alle' },
      RelationName: { label: 'Naam', hint: 'De hele naam' },
      RelationNumber: { label: 'Klant- of leveranciersnummer' },
      RelationEmail: { label: 'E-mail' },
      RelationVAT: { label: 'Btw-nummer' },
      RelationGUID: { label: 'Relatie-ID', wrong: 'Een relatie-ID heeft alleen cijfers.' },
      SearchOperand: { label: 'Relaties die voldoen aan', all: 'Alle voorwaarden' },
      ChangedSince: { label: 'Gewijzigd sinds' },
      CreatedSince: { label: 'Gemaakt sinds' },
    },
    further: {
      WithContacts: { label: 'Met contactpersonen op een apart blad', sheet: 'Contactpersonen' },
      WithBankAccounts: { label: 'Met bankrekeningen op een apart blad', sheet: 'Bankrekeningen' },
      WithCustomFields: { label: 'Met vrije velden op een apart blad', sheet: 'Vrije velden' },
    },
    submit: 'Relaties ophalen',
  },
  materialBookings: {
    title: 'Materiaalboekingen',
    summary: 'Artikelen die op projecten zijn geboekt',
    sheet: 'Materiaalboekingen',
    filters: {
      Project: { label: 'Project', hint: 'Het nummer of de naam' },
      SelectProjectBy: { label: 'Project zoeken op', all: 'Beide' },
      Warehouse: { label: 'Magazijn' },
      Product_Number: { label: 'Artikelnummer' },
    },
    further: {},
    submit: 'Materiaalboekingen ophalen',
  },
  trialBalance: {
    title: 'Saldibalans',
    summary: 'Beginstand, mutaties en eindstand van elke grootboekrekening, naast een andere periode',
    sheet: 'Saldibalans',
    filters: {
      Period: ledgerPeriod,
      Compared: {
        label: 'Ernaast',
        all: 'Een jaar eerder',
        wrong: 'Vul beide datums in. De eerste is niet na de laatste.',
      },
    },
    further: {},
    submit: 'Saldibalans ophalen',
  },
  accountCard: {
    title: 'Grootboekkaart',
    summary: 'De boekingen op grootboekrekeningen, met het saldo na elke boeking',
    sheet: 'Grootboekkaart',
    filters: {
      Accounts: {
        label: 'Grootboekrekeningen',
        hint: 'Nummers, reeksen en beginletters, zoals 1300, 4000:4999 of 4*. Laat leeg voor alle.',
      },
      Period: ledgerPeriod,
      RelationGUID: { label: 'Relatie-ID', wrong: 'Een relatie-ID bestaat alleen uit cijfers.' },
      Document: { label: 'Factuur- of stuknummer' },
    },
    further: {},
    submit: 'Grootboekkaart ophalen',
  },
  openItems: {
    title: 'Openstaande posten',
    summary: 'Wat op een dag openstaat van elk document van klanten en leveranciers',
    sheet: 'Openstaande posten',
    filters: {
      At: { label: 'Op', hint: 'Laat leeg voor vandaag, ook bij elke vernieuwing' },
      RelationGUID: { label: 'Relatie-ID', wrong: 'Een relatie-ID bestaat alleen uit cijfers.' },
    },
    further: {},
    submit: 'Openstaande posten ophalen',
  },
  vatReturn: {
    title: 'Btw-aangifte',
    summary: 'De rubrieken van een periode, de regels erachter, controles en listings',
    sheet: 'Btw-aangifte',
    filters: {
      Period: { label: 'Maand of kwartaal', wrong: 'Schrijf een jaar zoals 2026.' },
      Rounding: {
        label: 'Hele euro’s van een Nederlandse aangifte',
        hint: 'Een Belgische aangifte heeft centen',
        all: 'Zoals de administratie het heeft',
      },
    },
    further: {
      Lines: { sheet: 'Btw-regels' },
      Remarks: { sheet: 'Btw-opmerkingen' },
      Listing: { sheet: 'Btw-listing EU' },
      Clients: { sheet: 'Btw-klanten' },
    },
    submit: 'Btw-aangifte ophalen',
  },
  vat: {
    boxes: {},
    year: 'Jaar',
    quarter: (quarter: number) => `Kwartaal ${quarter}`,
    wholeYear: 'Heel het jaar',
    noBox: 'In geen rubriek: btw-codes zonder regel',
    notFiled: 'Niet ingediend.',
    filedOn: (date: string) => `Ingediend op ${date}.`,
    rounded: (how: string) => `Hele euro’s: ${how.toLowerCase()}.`,
    hint: 'Selecteer een rubriek in het blad om de regels erachter te zien, en een regel van een verkoopfactuur om haar pdf te openen.',
    box: (box) => `Rubriek ${box}`,
    showLines: 'Regels tonen',
    showing: 'De regels worden gefilterd…',
    shown: (box) => `Het blad met regels toont die van rubriek ${box}. Wis zijn filter om ze allemaal te zien.`,
    intervat: {
      title: 'Bestand voor Intervat',
      explanation:
        'De aangifte van een maand of een kwartaal als XML-bestand, dat u zelf in Intervat indient. Intervat heeft het niet gecontroleerd.',
      refund: 'Terugbetaling vragen van wat de Staat verschuldigd is',
      noClients: 'Geen klant hoort in de jaarlijkse klantenlisting',
      write: 'Bestand downloaden',
      noDownload:
        'Deze Excel kan geen bestanden downloaden. Open de werkmap daarvoor in Excel op het web of op Windows.',
    },
    filing: 'Ingediende aangiften',
    markFiled: 'Als ingediend markeren…',
    computing: 'De aangifte wordt berekend…',
    marking: 'De aangifte wordt als ingediend gemarkeerd…',
    filedAlready: (period, date) =>
      `De aangifte van ${period} is ingediend op ${date}, en sindsdien is er niets in veranderd.`,
    nowFiled: (period) =>
      `De aangifte van ${period} is als ingediend gemarkeerd. Wat vanaf nu wordt ingevoerd, telt in de volgende.`,
    notFiledNow:
      'Ze is niet gemarkeerd: de boeken veranderden intussen, of iemand anders heeft haar gemarkeerd. Bekijk de aangifte opnieuw.',
    unknownIfFiled: 'Haal de aangifte opnieuw op om te zien of ze als ingediend is gemarkeerd.',
    mayNotFile: {
      readOnly: 'Deze API-sleutel mag alleen lezen en kan dus geen aangifte als ingediend markeren.',
      archived: 'Deze administratie is gearchiveerd, dus geen aangifte ervan kan als ingediend worden gemarkeerd.',
    },
    fileTitle: (period) => `Is de aangifte van ${period} ingediend?`,
    supplementTitle: (period) => `Is een suppletie op de aangifte van ${period} ingediend?`,
    fileText:
      'Ledgerline stuurt niets naar de belastingdienst. Wat later voor deze periode wordt ingevoerd, telt in de volgende aangifte. Dit kan niet ongedaan worden gemaakt. De cijfers zijn:',
    noFigures: 'Alle rubrieken zijn 0.',
    figure: (box, part, amount) => `${box} ${part}: ${amount}`,
    base: 'grondslag',
    tax: 'btw',
    remarks: (count) =>
      `${format(count)} ${count === 1 ? 'opmerking' : 'opmerkingen'} over deze aangifte: zie ${count === 1 ? 'haar' : 'hun'} blad.`,
    fileConfirm: 'Als ingediend markeren',
    sums: 'Totalen tellen de rijen die een filter toont.',
  },
  counterEntry: {
    ...nlWords.counterEntry,
    title: (entry) => `Boeking ${entry}`,
    submit: 'Deze boeking tegenboeken',
    working: 'De boeking wordt gelezen…',
    description: (journal, number, date) => ['Tegenboeking van', journal, number, date].filter(Boolean).join(' '),
    tax: (code) => `btw-code ${code}`,
    added: (sheet, row) =>
      `De tegenboeking staat op blad “${sheet}” vanaf rij ${row}. Er is nog niets geboekt: controleer haar en verstuur haar.`,
    there: (sheet, row) => `Blad “${sheet}” heeft deze tegenboeking al, vanaf rij ${row}. Er is niets toegevoegd.`,
    leftOut: (what) => `Een memoriaalboeking kan dit niet hebben, dus de tegenboeking mist het: ${what}.`,
    gone: 'Deze boeking staat niet meer in de boeken. Vernieuw de grootboekkaart.',
    tooLong: (most) => `Deze boeking heeft meer dan ${most} regels, het hoogste aantal dat hier geboekt kan worden.`,
  },
  ledger: {
    today: 'Vandaag',
    openSign:
      'Wat de administratie te vorderen heeft is positief, wat ze schuldig is negatief. Totalen tellen de rijen die een filter toont.',
    thisYear: 'Dit boekjaar',
    sign: 'Saldi zijn positief voor debet, negatief voor credit. Totalen tellen de rijen die een filter toont.',
    signOfGroups:
      'Saldi zijn positief voor debet, negatief voor credit. Het totaal telt de rijen die een filter toont, subtotalen tellen alle.',
    total: 'Totaal',
    subtotal: 'Subtotaal',
    readingItems: (count) => `Openstaande posten lezen, die op naam worden geschreven: ${format(count)} tot nu toe…`,
    beside: (period, other) => `${period}, ernaast: ${other.toLowerCase()}`,
    hint: 'Selecteer rekeningen in een saldibalans, een document van openstaande posten of een formule om de boekingen erachter op te halen.',
    selected: (accounts) => `Rekeningen ${accounts}`,
    selectedDocument: (document) => `Document ${document}`,
    formula: (address) => `Formule in ${address}`,
    showEntries: 'Boekingen tonen',
  },
  invoices: {
    title: 'Verkoopfacturen',
    summary: 'De facturen van een periode, met of zonder regels',
    sheet: 'Verkoopfacturen',
    filters: {
      Period: {
        label: 'Periode',
        hint: 'Laat beide leeg voor alle facturen',
        wrong: 'De einddatum ligt voor de begindatum.',
      },
      InvoiceNumber: {
        label: 'Factuurnummer',
        hint: 'Alleen voor één factuur',
        wrong: 'Een factuurnummer heeft alleen cijfers.',
      },
      OpenOnly: { label: 'Alleen openstaande' },
    },
    further: { WithLines: { label: 'Met factuurregels op een apart blad', sheet: 'Factuurregels' } },
    withAgeing: 'Met een ouderdomsoverzicht (alle openstaande facturen) op een apart blad',
    countedTo: 'Dagen te laat tellen tot',
    countedToHint: 'Laat leeg voor vandaag, ook bij elke vernieuwing. Bedragen zijn altijd die van nu.',
    submit: 'Verkoopfacturen ophalen',
    onlyAgeing: 'Alleen het ouderdomsoverzicht',
  },
  ageing: {
    sheet: 'Ouderdom',
    heading: (administration) => `Ouderdomsoverzicht van ${administration}`,
    openInvoices: (count, moment) =>
      `Alle openstaande facturen, van welke datum ook, credits meegeteld: ${format(count)}. Bedragen openstaand op ${moment}.`,
    countedTo: (date) => `Het aantal dagen te laat is geteld tot ${date}.`,
    total: 'Totaal',
    chartTitle: (max) => `Openstaand per klant en dagen te laat: de eerste ${format(max)} van de tabel`,
    reading: (count) => `De openstaande bedragen van de facturen van alle datums lezen: ${format(count)} tot nu toe…`,
  },
  documents: {
    hint: 'Selecteer een opgehaalde factuur in het blad om haar pdf of e-factuur te openen.',
    title: (number) => `Factuur ${number}`,
    several: (place, all) => `${format(place)} van ${format(all)} geselecteerd`,
    previous: 'Vorige',
    next: 'Volgende',
    pdf: 'Pdf',
    pdfOf: (number) => `Pdf van factuur ${number}`,
    eInvoice: 'E-factuur',
    eInvoiceOf: (number) => `E-factuur van factuur ${number}`,
    opening: 'Het document wordt gemaakt…',
    notOpened: 'Geannuleerd. Er is geen document geopend.',
    downloads: (file) => `${file} is gedownload.`,
    browser: (file) => `${file} is geopend in uw browser, omdat deze Excel geen bestanden kan downloaden.`,
    window: (file) => `${file} is geopend in een nieuw venster, omdat deze Excel geen bestanden kan downloaden.`,
    link: 'Deze Excel kan geen bestanden downloaden en geen venster openen. Open deze koppeling, die binnen twee minuten één keer werkt:',
    cannotBeCreated: { pdf: 'De pdf kan niet worden gemaakt:', xml: 'De e-factuur kan niet worden gemaakt:' },
    notOffered: 'De dienst van deze administratie biedt geen e-facturen.',
    notFound: (number) => `De administratie heeft factuur ${number} niet meer. Vernieuw het blad.`,
    zip: { pdf: 'Pdf’s van alle geselecteerde (zip)', xml: 'E-facturen van alle geselecteerde (zip)' },
    zipName: { pdf: 'Facturen', xml: 'E-facturen' },
    zipList: 'Lijst.txt',
    zipping: (done, all) => `${format(done)} van ${documentCount(all)}`,
    zipHolds: (count) => `${documentCount(count)} in deze zip:`,
    zipped: (file, count) => `${file} is gedownload, met ${documentCount(count)}.`,
    notIncluded: (count) => `${documentCount(count)} niet opgenomen:`,
    otherDocuments: (count) => `En nog ${format(count)}, in de lijst in de zip.`,
    zipFull: {
      documents: 'Een zip bevat hoogstens 500 documenten. Neem dit document in een andere zip op.',
      bytes: 'Een zip bevat hoogstens 100 MB. Neem dit document in een andere zip op.',
    },
    noZip:
      'Deze Excel kan geen zip downloaden. Open de documenten een voor een, of gebruik Excel op Windows of in een browser.',
    noZipMade: 'Geannuleerd. Er is geen zip gemaakt.',
  },
  auditfiles: {
    title: 'Auditfiles',
    summary: 'Een boekjaar uit een ander programma inlezen, of een boekjaar schrijven',
    explanation:
      'Een XML-auditfile (XAF 3.2, 3.2.1 of 4.0) bevat een boekjaar: rekeningen, relaties, btw-codes, beginbalans en elke boeking. U ziet wat een bestand bevat voordat er iets wordt ingelezen.',
    bringIn: 'Een auditfile inlezen',
    notImporting:
      'Deze API-sleutel mag geen bestanden inlezen. Vraag een sleutel met het recht om in te lezen (administration key issue --scope import), en maak daarmee verbinding.',
    drop: 'Sleep een auditfile hierheen. Is hij gesplitst, sleep dan alle bestanden tegelijk.',
    notWhole: 'Dit zijn niet alle bestanden van één auditfile. Kies het eerste en elk “Vervolgbestand” tegelijk.',
    choose: 'Bestand kiezen…',
    sending: (percent) => `Versturen: ${percent}%`,
    notSent: 'Geannuleerd. Kies hetzelfde bestand opnieuw om de rest te versturen.',
    looking: 'De auditfiles worden opgehaald…',
    states: {
      receiving: () => 'Niet helemaal verstuurd. Kies hetzelfde bestand opnieuw om de rest te versturen.',
      checking: (percent) => `De inhoud wordt gelezen: ${percent}%`,
      checked: () => 'Gecontroleerd. Er is niets ingelezen.',
      importing: (percent) => `Inlezen: ${percent}%`,
      imported: () => 'Ingelezen',
      withdrawing: () => 'Intrekken…',
      withdrawn: () => 'Ingetrokken',
      failed: () => 'Mislukt',
    },
    failed: (message) => `Mislukt, en er is niets ingelezen: ${message}`,
    notWithdrawn: (message) => `Niet ingetrokken, en er is niets gewijzigd: ${message}`,
    withdraw: 'Intrekken',
    withdrawTitle: 'Dit jaar intrekken?',
    withdrawText: (entries, days, administration) =>
      `${format(entries)} ingelezen ${entries === 1 ? 'boeking' : 'boekingen'} en de ingelezen beginbalans van ${days} worden verwijderd uit ${ended(administration)} Wat hier gemaakt is blijft, en ook rekeningen, relaties en btw-codes blijven.`,
    import: 'Inlezen',
    erase: 'Wissen',
    company: 'Bedrijf',
    software: 'Programma',
    year: 'Boekjaar',
    period: (first, last) => `${first} tot en met ${last}`,
    accounts: 'Rekeningen',
    relations: 'Relaties',
    taxCodes: 'Btw-codes',
    rowCounts: ({ added, changed, unchanged }) =>
      `${format(added)} nieuw, ${format(changed)} gewijzigd, ${format(unchanged)} ongewijzigd`,
    openingBalance: 'Beginbalans',
    transactions: 'Transacties',
    none: 'geen',
    total: (lines, debit, credit) =>
      `${format(lines)} ${lines === 1 ? 'regel' : 'regels'}, debet ${debit}, credit ${credit}`,
    entries: 'Boekingen',
    entryCounts: ({ added, removed, unchanged, matched }) =>
      `${format(added)} nieuw, ${format(removed)} verwijderd, ${format(unchanged)} ongewijzigd, ${format(matched)} hier al geboekt`,
    refused: (count) => `Het kan niet worden ingelezen: ${format(count)} ${count === 1 ? 'probleem' : 'problemen'}.`,
    problem: (line, element, message) => `Regel ${format(line)}: ${element === '' ? '' : `${element}: `}${message}`,
    warned: (count) => `${format(count)} ${count === 1 ? 'opmerking' : 'opmerkingen'} over het bestand:`,
    differs: (added, removed) =>
      `Van dit jaar is eerder een ander bestand ingelezen. Dit bestand vervangt het: er ${added === 1 ? 'komt 1 boeking' : `komen ${format(added)} boekingen`} bij, er ${removed === 1 ? 'gaat' : 'gaan'} er ${format(removed)} weg.`,
    more: (count) => `en nog ${format(count)}`,
    confirmTitle: 'Deze auditfile inlezen?',
    confirmText: (file, administration) => `${file} wordt ingelezen in ${ended(administration)}`,
    replace: (count) =>
      `Vervang wat het eerdere bestand bracht (${format(count)} ${count === 1 ? 'boeking gaat' : 'boekingen gaan'} weg)`,
    take: (count) =>
      `Lees het in, hoewel het zichzelf op ${format(count)} ${count === 1 ? 'plaats' : 'plaatsen'} tegenspreekt`,
    write: {
      title: 'Een auditfile schrijven',
      explanation:
        'Een boekjaar van deze administratie als bestand, voor een accountant, de Belastingdienst of een ander programma.',
      yearHint: 'Het kalenderjaar waarin het begint',
      noYear: 'Vul een jaar in, zoals 2026.',
      whichYear: (year) => `In ${year} beginnen meerdere boekjaren. Welk wordt geschreven?`,
      yearFrom: (first) => `Het boekjaar vanaf ${first}`,
      version: 'Versie',
      versions: { '4.0': '4.0', '3.2': '3.2, voor programma’s die 4.0 niet lezen' },
      write: 'Bestand schrijven',
      writing: (percent) => `Schrijven: ${percent}%`,
      cancelled: 'Geannuleerd. Er is niets gedownload.',
      ready: (file, megabytes) =>
        `${file} is klaar. Het is ${megabytes} MB; het controleprogramma van de Belastingdienst neemt bestanden van ten hoogste 5 MB.`,
      one: 'Eén bestand downloaden',
      several: (count) => `${format(count)} bestanden van ten hoogste 5 MB downloaden`,
      zipping: 'De bestanden worden samengevoegd…',
      noDownload:
        'Deze Excel kan geen bestanden downloaden. Open de werkmap in Excel op het web of op Windows om een auditfile te schrijven.',
    },
  },
  exports: {
    title: 'Relatie-exports',
    summary: 'Geëxporteerde relaties, om op te halen of te downloaden',
    sheet: 'Relaties',
    explanation:
      'Relaties worden op vaste tijden geëxporteerd, en nu als u daarom vraagt. Een export bevat de gegevens van het moment waarop hij begon. De laatste staat bovenaan.',
    looking: 'Exports worden geladen…',
    again: 'Opnieuw laden',
    none: 'Er is nog geen export. Maak nu de eerste, of wacht op het volgende vaste tijdstip, meestal ’s nachts.',
    notExported:
      'De relaties van deze administratie worden niet geëxporteerd. Vraag de beheerder van de app om haar aan de exports toe te voegen.',
    makeNow: 'Nu een export maken',
    requested: 'Een export is aangevraagd. Hij begint zo.',
    making: (count) => `Exporteren: tot nu toe ${format(count)} ${count === 1 ? 'relatie' : 'relaties'}…`,
    made: (moment, count) =>
      `De export van ${moment} is compleet: ${format(count)} ${count === 1 ? 'relatie' : 'relaties'}.`,
    stillMaking:
      'Het deelvenster wacht niet meer op de export. Hij wordt toch gemaakt; laad de lijst opnieuw om hem te zien.',
    latest: 'laatste',
    published: 'Compleet',
    running: 'In uitvoering',
    failed: 'Mislukt',
    because: (message) => `Mislukt: ${message}`,
    relations: (count) => `${format(count)} ${count === 1 ? 'relatie' : 'relaties'}`,
    soFar: (count) => `tot nu toe ${format(count)} ${count === 1 ? 'relatie' : 'relaties'}`,
    counts: (added, changed, vanished) =>
      `${format(added)} nieuw, ${format(changed)} gewijzigd, ${format(vanished)} verwijderd sinds de vorige export`,
    insert: 'Ophalen',
    insertNamed: (moment) => `Ophalen: de relaties van ${moment}`,
    download: 'Downloaden',
    downloadNamed: (moment) => `Downloaden: de werkmap van ${moment}`,
    downloading: 'Bezig met downloaden…',
    notDownloaded: 'Geannuleerd. Er is niets gedownload.',
  },
  unfinished: {
    new: (sheet, moment) =>
      `Blad “${sheet}” heeft een onvolledige lijst: het ophalen begon op ${moment} en werd afgebroken. Is een ander venster er nog mee bezig, wacht daar dan op.`,
    refresh: (sheet, moment) =>
      `Blad “${sheet}” heeft oude en nieuwe rijen: het vernieuwen begon op ${moment} en werd afgebroken. Is een ander venster er nog mee bezig, wacht daar dan op.`,
    finish: (sheet) => `${sheet} afmaken`,
    remove: (sheet) => `${sheet} verwijderen`,
    leave: (sheet) => `${sheet} zo laten`,
  },
  periods: {
    thisMonth: 'deze maand',
    lastMonth: 'vorige maand',
    thisQuarter: 'dit kwartaal',
    lastQuarter: 'vorig kwartaal',
    thisYear: 'dit jaar',
    lastYear: 'vorig jaar',
  },
  dates: {
    choose: 'Datums…',
    fromLabel: 'Van',
    tillLabel: 'Tot en met',
    from: (date) => `vanaf ${date}`,
    till: (date) => `t-m ${date}`,
  },
  pulling: (count) => `Tot nu toe ${rows(count)}…`,
  pullStarting: 'Het verzoek wordt verstuurd…',
  pulled: {
    made: (count, sheet) => `${rows(count)} op blad “${sheet}”.`,
    refreshed: (sheet, count, added, changed, removed) =>
      `Blad “${sheet}” is bijgewerkt: ${rows(count)}; ${format(added)} nieuw, ${format(changed)} gewijzigd, ${format(removed)} verwijderd.`,
    retained: (keys) =>
      `Niet meer in de administratie, maar niet verwijderd omdat u er iets naast schreef: ${keys}. Verwijder ze als u ze niet meer nodig hebt.`,
    marked: (count, all) =>
      count < all ? `De eerste ${rows(count)} die veranderden zijn gemarkeerd.` : 'Wat veranderde is geel gemarkeerd.',
    cut: (count) => `Teksten die te lang waren voor een cel en zijn ingekort: ${format(count)}.`,
    asExported: (moment) => `De gegevens zijn die van de export van ${moment}.`,
    none: (list) => `${list}: er is niets gevonden, dus is er geen blad gemaakt.`,
    emptied: (sheet, removed) =>
      `Blad “${sheet}” heeft geen rijen meer: er is niets gevonden. ${rows(removed)} verwijderd.`,
  },
  columns: {
    title: (sheet, shown, all) => `Kolommen van “${sheet}”: ${format(shown)} van ${format(all)}`,
    hint: 'De volgorde is die van een nieuw blad; in een blad dat u hebt sleept u de kolommen. Het blad onthoudt ze.',
    up: 'Omhoog',
    down: 'Omlaag',
    usual: 'Zoals het blad ze heeft',
  },
  refreshedAll: {
    now: (place, all, sheet) => `${format(place)} van ${format(all)}, “${sheet}”:`,
    done: (sheets, added, changed, removed) =>
      `${format(sheets)} ${sheets === 1 ? 'blad is' : 'bladen zijn'} bijgewerkt: ${format(added)} nieuwe ${added === 1 ? 'rij' : 'rijen'}, ${format(changed)} gewijzigd, ${format(removed)} verwijderd.`,
    failed: (sheet) => `Blad “${sheet}” is niet vernieuwd.`,
    left: (sheets) => `Niet vernieuwd: ${sheets.map((sheet) => `“${sheet}”`).join(', ')}.`,
  },

  products: {
    title: 'Artikelblad',
    summary: 'Een tabel om nieuwe prijzen en voorraad in te vullen',
    sheet: 'Artikelen wijzigen',
    mode: 'Wat een voorraadaantal betekent',
    relativeMeaning: 'komt bij de voorraad (5 is vijf erbij, -5 vijf eraf)',
    absoluteMeaning: 'wordt de voorraad (5 is: er zijn er vijf)',
    modeHint: 'Elke rij krijgt deze waarde; u kunt haar per rij wijzigen.',
    numbers: 'Artikelnummers',
    numbersHint:
      'Plak of typ ze, een per regel, eventueel met prijzen en aantallen in volgende kolommen. Laat leeg voor een lege tabel.',
    fromInvoices: 'De artikelen van de factuurregels in deze werkmap toevoegen',
    fromInvoicesFound: (count) => `${format(count)} ${count === 1 ? 'artikelnummer' : 'artikelnummers'} toegevoegd.`,
    fromInvoicesNone:
      'De werkmap heeft geen factuurregels met artikelnummers. Haal eerst verkoopfacturen met regels op.',
    duplicates: (count) =>
      count === 1
        ? 'Eén artikelnummer staat op meer dan een rij; die rijen hebben een melding. Houd er een over voordat u verstuurt.'
        : `${format(count)} artikelnummers staan op meer dan een rij; die rijen hebben een melding. Houd van elk een rij over voordat u verstuurt.`,
    submit: 'Artikelblad maken',
    making: 'Artikelblad maken…',
    made: (sheet) => `Blad “${sheet}” is klaar. Vul de nieuwe waarden in en laat de andere leeg.`,
    presentNotRead:
      'De huidige namen, prijzen en voorraad zijn niet gelezen: deze administratie noemt haar artikelen niet, of is niet te bereiken.',
    madeRows: ({ products, blank, empty }) =>
      [
        `Rijen met een artikel: ${format(products)}.`,
        blank > 0 ? `Lege rijen ertussen, zoals geplakt: ${format(blank)}.` : '',
        empty > 0 ? `Lege rijen eronder: ${format(empty)}.` : '',
      ]
        .filter(Boolean)
        .join(' '),
    next: 'Dit blad versturen',
  },
  selected: {
    title: 'Huidige waarden van geselecteerde rijen',
    none: 'Deze dienst geeft geen lijst van haar artikelen. Selecteer rijen van het blad om de huidige namen, prijzen en voorraad ervan te lezen.',
    read: (count) => (count === 1 ? '1 geselecteerd artikel lezen' : `${format(count)} geselecteerde artikelen lezen`),
    time: (minutes) =>
      minutes < 2
        ? 'Dat duurt hoogstens een minuut.'
        : `De dienst laat weinig verzoeken toe, dus dat duurt ongeveer ${format(minutes)} minuten. U kunt intussen in het blad werken.`,
    progress: (done, total) => `${format(done)} van ${format(total)} ${total === 1 ? 'artikel' : 'artikelen'} gelezen.`,
    done: (read, missing) =>
      missing === 0
        ? `Artikelen gelezen: ${format(read)}.`
        : `Artikelen gelezen: ${format(read)}. Niet gevonden: ${format(missing)}; hun rijen hebben een melding.`,
    cancelled: 'Gestopt. Wat gelezen was staat in het blad.',
    goOn: (count) =>
      count === 1 ? 'Het overgebleven artikel lezen' : `De ${format(count)} overgebleven artikelen lezen`,
  },
  search: {
    label: 'Artikelen zoeken',
    hint: 'Een deel van de naam, het artikelnummer of de EAN',
    addTitle: 'Artikelen toevoegen aan het blad',
    addedRow: (article, row, wasThere) =>
      wasThere ? `${article} staat al in rij ${row}.` : `${article} staat nu in rij ${row}.`,
    found: (count, isFull) =>
      count === 0
        ? 'Geen artikel gevonden.'
        : isFull
          ? `De eerste ${format(count)} gevonden artikelen.`
          : `${format(count)} ${count === 1 ? 'artikel' : 'artikelen'} gevonden.`,
    add: 'Toevoegen',
    added: 'Toegevoegd',
  },
  pasting: {
    title: 'Geplakte kolommen',
    meaning: 'Controleer wat elke kolom is voordat u het blad maakt.',
    column: (place) => `Geplakte kolom ${place}`,
    choose: 'Kies…',
    unused: 'Niet gebruikt',
    read: (count, blank) =>
      `${rows(count)} met een artikel${blank === 0 ? '' : `; ${format(blank)} lege ${blank === 1 ? 'regel houdt haar' : 'regels houden hun'} plaats`}.`,
    noProduct: 'Kies de kolom met de artikelnummers of de EAN’s.',
    undecided: 'Kies wat elke geplakte kolom is, of “Niet gebruikt”.',
    twice: (heading) => `Twee kolommen zijn gekozen als “${heading}”. Houd er een over.`,
    noNumber: (heading, value, line, count) =>
      `${heading}: “${value}” op regel ${format(line)} is geen getal, of kan op twee manieren gelezen worden${count === 1 ? '' : `, en zo nog ${format(count - 1)}`}. Verbeter het, of laat de kolom weg.`,
  },

  documentSheets: {
    title: 'Documenten maken',
    summary: 'Een blad om in te vullen met facturen, orders, inkopen of nieuwe artikelen',
    kind: 'Wat te maken',
    kinds: {
      salesInvoiceRows: { name: 'Verkoopfacturen', sheet: 'Te maken facturen' },
      orderRows: { name: 'Orders en offertes', sheet: 'Te maken orders' },
      salesTransactionRows: { name: 'Te boeken verkopen', sheet: 'Te boeken verkopen' },
      purchaseTransactionRows: { name: 'Te boeken inkoopfacturen', sheet: 'Te boeken inkopen' },
      newProductRows: { name: 'Nieuwe artikelen', sheet: 'Toe te voegen artikelen' },
      journalEntryRows: { name: 'Memoriaalboekingen', sheet: 'Te boeken boekingen' },
    },
    explanation:
      'Kolommen met * zijn nodig. Lijsten van klanten, btw-codes en dergelijke worden nu gelezen, en in de cellen aangeboden.',
    submit: 'Blad maken',
    making: 'Keuzelijsten lezen…',
    made: (sheet) => `Blad “${sheet}” is klaar. Vul het in, controleer het en verstuur het.`,
    next: 'Dit blad versturen',
    listsSheet: 'Ledgerline-lijsten',
    lists: {
      customers: 'Klanten',
      suppliers: 'Leveranciers',
      salesTaxCodes: 'Btw-codes verkoop',
      purchaseTaxCodes: 'Btw-codes inkoop',
      taxCodes: 'Btw-codes',
      accounts: 'Grootboekrekeningen',
      units: 'Eenheden',
      orderStatuses: 'Orderstatussen',
    },
  },
  documentPush: {
    /** @param reason why something could not be read */
    notRead: (reason) => `Niet alles kon worden gecontroleerd, en totalen kunnen ontbreken. ${reason}`,
    noEInvoice: (count) =>
      `${count === 1 ? 'Eén factuur kan' : `${format(count)} facturen kunnen`} worden gemaakt, maar niet als e-factuur (Peppol) worden verstuurd:`,
    lacksForEInvoice: (reason, names, count) =>
      `${names.join(', ')}${count > names.length ? `, en nog ${format(count - names.length)}` : ''}: ${reason}`,
    eInvoicesLookedAt: (count) => `Voor e-facturen is gekeken naar de eerste ${format(count)}.`,
    effects: {
      title: 'Gevolg voor de proef- en saldibalans (debet min credit)',
      titleOfYears: (from, to) =>
        `Gevolg voor de proef- en saldibalans van ${from} t/m ${to}, over meer dan één boekjaar (debet min credit)`,
      account: 'Rekening',
      before: 'Nu',
      change: 'Wijziging',
      after: 'Straks',
    },
    ready: (count) => `${format(count)} ${count === 1 ? 'document' : 'documenten'} klaar om te versturen`,
    total: (excl, incl) => `Samen ${excl} excl. btw, ${incl} incl. btw`,
    totalPart: (count) =>
      `Zonder ${format(count)} ${count === 1 ? 'document waarvan' : 'documenten waarvan'} de administratie het totaal berekent`,
    bad: (count) => `${format(count)} ${count === 1 ? 'cel' : 'cellen'} te verbeteren`,
    goTo: (address) => `Ga naar ${address}`,
    held: (count) => `${format(count)} tegengehouden: het resultaat van een eerdere verzending is onbekend`,
    lookAgain: 'Opnieuw opzoeken',
    lookingAgain: 'Er wordt in de boeken gezocht…',
    lookedAgain: (found) => (found === 0 ? 'Niets gevonden. Kijk zelf in de boeken.' : `Gevonden: ${format(found)}.`),
    sendHeld: (count) =>
      count === 1
        ? 'Het staat niet in de boeken: opnieuw versturen'
        : `Ze staan niet in de boeken: deze ${format(count)} opnieuw versturen`,
    repeated: (count) =>
      `${format(count)} niet verstuurd: ${count === 1 ? 'zegt' : 'zeggen'} wat eerder is gemaakt, of ${count === 1 ? 'is' : 'zijn'} sindsdien gewijzigd`,
    sendRepeated: (count) => (count === 1 ? 'Het is een ander: maken' : `Het zijn andere: deze ${format(count)} maken`),
    applied: (count) => `${format(count)} eerder gemaakt, niet opnieuw verstuurd`,
    nothing: 'Er is niets te versturen. Vul rijen in, en controleer opnieuw.',
    submit: (count, name) => `${format(count)} ${count === 1 ? 'document' : 'documenten'} versturen naar ${name}`,
    confirmText: (count, name) =>
      `${count === 1 ? '1 document wordt' : `${format(count)} documenten worden`} gemaakt in de administratie ${ended(name)} Dit kan hier niet ongedaan worden gemaakt.`,
    confirmHeld: (count) =>
      `Let op: ${format(count)} ${count === 1 ? 'staat' : 'staan'} misschien al in de boeken, en ${count === 1 ? 'wordt' : 'worden'} dan een tweede keer gemaakt.`,
    confirmRepeated: (count) =>
      `Let op: ${format(count)} ${count === 1 ? 'wordt' : 'worden'} misschien een tweede keer gemaakt.`,
    confirms: {
      mails: (count) => `${format(count)} ${count === 1 ? 'wordt' : 'worden'} naar de klant gemaild`,
      periodicInvoices: (count) => `${format(count)} ${count === 1 ? 'begint' : 'beginnen'} periodieke facturen`,
    },
    hiddenToo: (count) => `Ook ${format(count)} met verborgen rijen versturen`,
    severalAtOnce: 'Meer tegelijk versturen: sneller, maar de nummers volgen misschien niet de volgorde van de rijen',
    onlyFirst: (max) => `Alleen de eerste ${format(max)} worden nu verstuurd. Verstuur opnieuw voor de andere.`,
    preview: 'Documenten',
    more: (count) => `en nog ${format(count)}`,
  },
  push: {
    title: 'Rijen versturen',
    summary: 'De rijen van een blad doorgeven: prijzen en voorraad, documenten of boekingen',
    below: (first, last) =>
      first === last
        ? `Rij ${first} staat onder de tabel en hoort er niet bij; ze wordt dus niet verstuurd.`
        : `Rijen ${first} tot en met ${last} staan onder de tabel en horen er niet bij; ze worden dus niet verstuurd.`,
    includeRows: (count) => (count === 1 ? 'De rij in de tabel opnemen' : 'De rijen in de tabel opnemen'),
    copied: (sheet) =>
      `Blad “${sheet}” lijkt een kopie van een blad om te versturen, of is door een ander programma bewaard. De verzendingen van het origineel zijn er niet in bewaard.`,
    adoptCopy: (sheet, name) => `${sheet} als blad van ${name} gebruiken`,
    copyOfWhom: (name) => `Niets erin zegt van wie het is. Wat ${name} ervan heeft:`,
    none: 'Er is nog geen blad om te versturen in deze werkmap.',
    make: 'Artikelblad maken',
    sheet: 'Te versturen blad',
    check: 'De rijen opnieuw controleren',
    checking: 'Het blad wordt gelezen…',
    defaultMode: 'Rijen zonder waarde in “Voorraadwijziging”',
    found: 'Te versturen rijen',
    ready: (count) => `${rows(count)} klaar om te versturen`,
    relativeCount: (count) => `${format(count)} met relatieve voorraad (erbij)`,
    absoluteCount: (count) => `${format(count)} met absolute voorraad (vast)`,
    withoutStock: (count) => `${format(count)} zonder voorraadwijziging`,
    bad: (count) => `${rows(count)} met fouten, niet verstuurd`,
    held: (count) => `${rows(count)} tegengehouden`,
    repeated: (count) =>
      `${rows(count)} met een aantal dat al eerder is toegevoegd, niet verstuurd. Ongedaan maken kan het hebben teruggezet.`,
    repeatAgain: (count) =>
      count === 1
        ? 'Dit is een andere levering: opnieuw toevoegen'
        : `Dit zijn andere leveringen: deze ${format(count)} opnieuw toevoegen`,
    confirmRepeated: (count, moment) =>
      `Let op: voor ${rows(count)} is hetzelfde aantal al eerder toegevoegd, het laatst op ${moment}. Het wordt opnieuw toegevoegd.`,
    unchanged: (count) => `${rows(count)} zonder wijziging`,
    rowIssue: (row, message) => `Rij ${row}: ${message}`,
    more: (count) => `en nog ${format(count)}; elke rij heeft een eigen melding.`,
    nothing: 'Er is niets te versturen. Vul een nieuwe prijs of voorraad in en controleer opnieuw.',
    submit: (count, label) => `${rows(count)} versturen naar ${label}`,
    confirmTitle: (label) => `Versturen naar ${label}?`,
    confirmText: (count, label) =>
      `${rows(count)} ${count === 1 ? 'wijzigt' : 'wijzigen'} artikelen in de administratie ${ended(label)} Dat kan hier niet ongedaan worden gemaakt.`,
    newProducts: (count) => (count === 1 ? '1 rij maakt een nieuw artikel.' : `${rows(count)} maken nieuwe artikelen.`),
    newProduct: 'Nieuw artikel',
    makeCategories: 'Artikelgroepen maken die er nog niet zijn',
    preview: 'Wijzigingen',
    previewMore: (count) => `en nog ${rows(count)}`,
    totalAdded: (quantity) => `Totaal toegevoegd aan voorraden: ${quantity}`,
    totalPrices: (raised, lowered) => `Verkoopprijzen omhoog: ${format(raised)}; omlaag: ${format(lowered)}`,
    hiddenRows: (hidden, all) =>
      `${all === 1 ? 'De rij' : `${format(hidden)} van deze ${rows(all)}`} ${hidden === 1 ? 'is' : 'zijn'} verborgen, door een filter of met de hand. Welke rijen worden verstuurd?`,
    visibleOnly: (count) => `Alleen zichtbare rijen: ${rows(count)}`,
    hiddenToo: (count) => `Ook verborgen rijen: ${rows(count)}`,
    hiddenFound: (count) => `${format(count)} daarvan verborgen, door een filter of met de hand`,
    unusualFound: (count) =>
      `${rows(count)} met een prijs die een vergissing kan zijn: niet verstuurd tot u ${count === 1 ? 'haar' : 'ze'} voor het versturen aanvinkt.`,
    unusualTitle: (count) => `Tegengehouden: ${rows(count)}`,
    unusualMeaning: 'Deze prijzen kunnen vergissingen zijn. Een rij wordt alleen verstuurd als u haar aanvinkt.',
    unusualAll: (count) => (count === 1 ? 'Deze prijs klopt' : `Alle ${format(count)} prijzen kloppen`),
    unusualMore: (count) =>
      `en nog ${rows(count)}, die alleen ${count === 1 ? 'met de andere aangevinkt wordt' : 'samen aangevinkt worden'}`,
    presentReadOn: (moment) => `Huidige waarden zoals gelezen op ${moment}, of later.`,
    notRead: { price: 'huidige prijs niet gelezen', stock: 'huidige voorraad niet gelezen' },
    confirmFirst: 'Dit is uw eerste verzending naar deze administratie vanuit deze browser.',
    confirm: 'Versturen',
    confirmGoesOn:
      'Als de dienst de verzending heeft aangenomen, gaat ze door zonder dit deelvenster. De resultaten komen in het blad zolang het deelvenster openstaat.',
    confirmUnknown: (count) =>
      `Let op: voor ${rows(count)} is onbekend of de voorraad is toegevoegd. Zo ja, dan wordt ze een tweede keer toegevoegd.`,
    confirmUnread:
      'Let op: de andere verzendingen konden niet worden gelezen. Misschien heeft een ervan deze aantallen al toegevoegd. Annuleer en probeer opnieuw om te kijken.',
    confirmElsewhere: (count) =>
      `Let op: ${rows(count)} met relatieve voorraad ${count === 1 ? 'gaat' : 'gaan'} over artikelen die gewijzigd zijn nadat dit blad is gemaakt, door een verzending die niet in deze werkmap is bewaard. Is de werkmap gesloten zonder op te slaan, dan kunnen de aantallen al toegevoegd zijn.`,
    onlyFirst: (max) =>
      `Alleen de eerste ${format(max)} rijen worden nu verstuurd. Verstuur daarna opnieuw voor de andere.`,
    asApplied: (count) =>
      `${rows(count)} al verwerkt en sindsdien niet gewijzigd, niet verstuurd. Maak de status van zo’n rij leeg om haar opnieuw te versturen.`,
    preparing: 'Het blad wordt voorbereid…',
    progress: (done, total) => `${format(done)} van ${rows(total)}`,
    pace: (count) => `${rows(count)} per minuut`,
    expectedEnd: (moment) => `verwacht einde: ${moment}`,
    beginning: 'De verzending gaat naar de dienst…',
    queued: 'Wacht in de wachtrij.',
    quiet:
      'In de laatste minuut is geen rij verwerkt: de administratie is bezig. De verzending gaat automatisch verder.',
    keepOpen: 'Laat dit deelvenster open tot de dienst de verzending heeft aangenomen.',
    goesOn:
      'U mag het deelvenster of Excel sluiten: de verzending gaat door. Sla de werkmap op en open later dit deelvenster erin om de resultaten te zien.',
    resumesLater:
      'U mag het deelvenster of Excel sluiten: de dienst heeft deze verzending en werkt eraan zodra dat kan. Sla de werkmap op en open later dit deelvenster erin om de resultaten te zien.',
    unreachable: 'De dienst is niet bereikbaar.',
    notConfirmed: (problem) =>
      `${problem} Ze heeft deze verzending nog niet bevestigd. Het verzoek wordt automatisch herhaald.`,
    retrying: (problem) => `${problem} Het verzoek om resultaten wordt automatisch herhaald.`,
    stop: 'De verzending stoppen',
    stopMeaning: 'Verwerkte rijen blijven verwerkt. Rijen die nog niet verstuurd zijn, worden niet gewijzigd.',
    stopping: 'Bezig met stoppen: de al verstuurde rijen worden afgewacht…',
    resume: 'Verder met de resultaten',
    abandon: 'De resultaten opgeven',
    abandonMeaning: 'Rijen zonder resultaat worden Onbekend.',
    elsewhere: (label) =>
      `De rijen van dit blad worden naar ${label} verstuurd. Maak daar verbinding mee om de resultaten te zien.`,
    notOffered: 'De dienst op dit adres neemt geen verzendingen aan, dus er is niets verstuurd.',
    notKnown: 'De dienst kent deze verzending niet, of niet meer: resultaten worden een beperkte tijd bewaard.',
    of: (moment) => `Verzending van ${moment}`,
    retry: (count) =>
      count === 1
        ? 'De geweigerde of onbekende rij opnieuw proberen'
        : `De ${format(count)} geweigerde en onbekende rijen opnieuw proberen`,
    others: 'Andere verzendingen naar deze administratie',
    other: (moment, by) => (by === '' ? moment : `${moment}, door ${by}`),
    allActivity: 'Alle activiteit',
    showRows: 'Rijen',
    allRows: (count) => `Alle rijen (${format(count)})`,
    failedRows: (count) => `Geweigerd en onbekend (${format(count)})`,
    rowsFrom: (first, last, total) => `Rij ${format(first)} tot en met ${format(last)} van ${format(total)}`,
    previousRows: 'Vorige rijen',
    nextRows: 'Volgende rijen',
    noSuchRows: 'Zulke rijen zijn er niet.',
    sentRow: (row) => `Rij ${row}`,
    readingRows: (count, total) => `${format(count)} van ${rows(total)} gelezen…`,
    done: 'Klaar',
    stoppedAt: (done, total) => `Gestopt bij ${format(done)} van ${rows(total)}`,
    stoppedLate: 'De verzending kon niet worden gestopt: alle rijen waren al verstuurd.',
    stateCounts: {
      waiting: (count) => `${format(count)} ${count === 1 ? 'wacht' : 'wachten'}`,
      applied: (count) => `${format(count)} verwerkt`,
      refused: (count) => `${format(count)} geweigerd`,
      unknown: (count) => `${format(count)} onbekend`,
      cancelled: (count) => `${format(count)} niet verstuurd`,
    },
    missing: (keys) =>
      `Rijen die niet meer in het blad staan, zodat hun resultaat niet kon worden geschreven: ${keys}.`,
    changed: (keys) => `Niet verstuurd, omdat geen rij van het blad nog zo heette toen de verzending begon: ${keys}.`,
    seeRows: 'Elke rij van het blad heeft haar resultaat.',
  },

  rowMessage: {
    ...nlWords.rowMessage,
    madeBefore: 'Gemaakt door een eerdere verzending.',
    madeOtherwise: (expected) =>
      `Toegevoegd aan de administratie. Het totaal verschilt van dat van het blad, ${price(expected)}: kijk het na.`,
    unknownMade:
      'Het antwoord is verloren gegaan, dus misschien staat het in de boeken. Het wordt niet ongevraagd opnieuw verstuurd.',
    heldMade:
      'Tegengehouden: het staat misschien al in de boeken. Zoek het opnieuw op in het deelvenster, of kijk in de boeken; verstuur het dan in het deelvenster, of maak de status leeg.',
    sameAsMade:
      'Niet verstuurd: precies hetzelfde is eerder gemaakt. Is het een ander, maak het dan in het deelvenster.',
    changedSinceMade:
      'Niet verstuurd: het is al gemaakt, en de rijen zijn sindsdien gewijzigd. Is het een ander, maak het dan in het deelvenster, of maak de status leeg.',
    applied: 'Gewijzigd in de administratie.',
    made: 'Toegevoegd aan de administratie.',
    appliedCleared: (quantity) =>
      `Gewijzigd in de administratie: ${quantity.replace('.', ',')} toegevoegd. Het aantal is leeggemaakt, zodat het niet opnieuw wordt toegevoegd.`,
    unknownRelative:
      'Het antwoord ging verloren; de voorraad is misschien gewijzigd. Controleer het artikel. Maak deze status leeg om de rij opnieuw te versturen, of maak het aantal leeg.',
    unknown: 'Het antwoord ging verloren; het artikel is misschien gewijzigd. Verstuur opnieuw om zeker te zijn.',
    held: 'Tegengehouden: het resultaat van een eerdere verzending is onbekend. Controleer het artikel en maak dan de status of het aantal leeg.',
    repeated:
      'Niet verstuurd: dit aantal is al eerder toegevoegd. Is het een andere levering, voeg het dan vanuit het deelvenster opnieuw toe; maak het anders leeg.',
    cancelled: 'Niet verstuurd: de verzending is voor deze rij gestopt.',
    refusedBefore: 'Geweigerd door de laatste verzending. Verstuur de rij opnieuw om de reden te zien.',
    refusedWhole: 'Niet verstuurd: de dienst weigerde de hele verzending.',
    stoppedUnauthorized: 'Niet verstuurd: de gebruikersnaam of de API-sleutel werd geweigerd.',
    stoppedForbidden: 'Niet verstuurd: de administratie is gearchiveerd, of deze API-sleutel mag alleen lezen.',
    notApplied: 'De dienst nam het verzoek aan maar wijzigde niets.',
    noSuchProduct:
      'De administratie heeft geen artikel met dit nummer. Kies Ja onder “Nieuw artikel” om het toe te voegen.',
    unusual: (prices) =>
      `Niet verstuurd: ${prices}. Verbeter de prijs, of vink deze rij bij het versturen in het deelvenster aan.`,
  },
  priceDoubts: {
    of: (heading, value, reasons) => `${heading} ${price(value)}: ${reasons}`,
    date: ({ date }) => `de cel is opgemaakt als datum, ${date}`,
    time: ({ time }) => `de cel is opgemaakt als tijd, ${time}`,
    percentage: ({ percentage }) => `de cel is opgemaakt als percentage, ${percentage.replace('.', ',')}%`,
    likeDate: ({ date }) => `lijkt de datum ${date}`,
    likeTime: ({ time }) => `lijkt het tijdstip ${time}`,
    likePercentage: ({ percentage }) => `lijkt ${percentage.replace('.', ',')}%`,
    zero: () => 'de prijs wordt 0',
    tenfold: ({ present }) => `tien keer de huidige prijs van ${price(present)}, of meer`,
    tenth: ({ present }) => `een tiende van de huidige prijs van ${price(present)}, of minder`,
  },
  cell: {
    at: (heading, address, text) => `${heading} (${address}): ${text}`,
    line: (heading, line) => `${heading}, regel ${line}`,
    noDocument: 'vul het document in waarvan de rij een regel is',
    sameInDocument: 'verwacht hetzelfde als in de eerste rij van het document, of niets',
    date: (value) => `verwacht een datum zoals 31-12-2026, er staat “${value}”`,
    ambiguousDate: (value) => `“${value}” kan op twee manieren worden gelezen; typ het met streepjes, de dag eerst`,
    notDate: 'het getal heeft geen datumopmaak; typ een datum',
    choice: (words, value) => `verwacht ${oneOf(words)}, er staat “${value}”`,
    field: (heading, text) => `${heading}: ${text}`,
    noProduct: 'Vul een artikelnummer of een EAN in.',
    error: (value) => `de formule geeft ${value}; herstel haar of typ een waarde`,
    number: (value) => `verwacht een getal zoals 12,50, er staat “${value}”`,
    ambiguous: (value) => `“${value}” kan op twee manieren gelezen worden; typ het als getal`,
    lostDigits: 'het getal heeft cijfers verloren; maak er een tekstcel van en typ het opnieuw',
    padded: 'de cel toont nullen die het getal niet heeft; maak er een tekstcel van en typ het opnieuw',
    naturesOfText: {
      date: 'de cel is opgemaakt als datum; maak er tekst van en typ het opnieuw',
      time: 'de cel is opgemaakt als tijd; maak er tekst van en typ het opnieuw',
      percentage: 'de cel is opgemaakt als percentage; maak er tekst van en typ het opnieuw',
      boolean: 'de cel bevat WAAR of ONWAAR; typ een tekst',
    },
    natures: {
      date: 'de cel is opgemaakt als datum; maak er een getal van en typ het opnieuw',
      time: 'de cel is opgemaakt als tijd; maak er een getal van en typ het opnieuw',
      percentage: 'de cel is opgemaakt als percentage; maak er een getal van en typ het opnieuw',
      boolean: 'de cel bevat WAAR of ONWAAR; typ een getal',
    },
    negativePrice: 'een prijs of percentage kan niet minder dan 0 zijn',
    yesOrNo: (value) => `verwacht Ja of Nee, er staat “${value}”`,
  },

  /** Wat een btw-aangifte over zichzelf zegt. */
  remarkValues: { text: (value) => value, amount: price, day },
  vatRemarks: {
    UNMAPPED: (side, taxCode, base, tax, documents, more) => {
      const kind = side === 'Sales' ? 'verkoop' : 'inkoop';
      const what = taxCode === '' ? `Regels van ${kind} zonder btw-code` : `De btw-code “${taxCode}” van ${kind}`;
      return `${what}: er is geen rubriek bekend voor ${base} met ${tax} btw, in ${several(documents, more)}.`;
    },
    DOUBTFUL: (_side, taxCode, doubt) => `${taxCode}: ${doubt}`,
    NOT_BOOKED: (documents, more) =>
      `Alleen geboekt met wat de factuur berekent, terwijl de aangifte ook heeft wat verschuldigd en aftrekbaar is: ${several(documents, more)}.`,
    BASE_DERIVED: (documents, more) =>
      `Boekingen met btw en zonder grondslag, die uit het percentage volgt: ${several(documents, more)}.`,
    KIND_DERIVED: (count) =>
      count === '1'
        ? '1 inkoop heeft geen soort (81 tot 83): die is afgeleid van zijn rekening.'
        : `${count} inkopen hebben geen soort (81 tot 83): die is afgeleid van hun rekeningen.`,
    NO_VAT_NUMBER: (name, document) => `${name} heeft geen btw-nummer: ${document} berekent geen btw.`,
    NO_EU_NUMBER: (name, vatNumber, document) =>
      `Het btw-nummer van ${name}, ${vatNumber}, is van geen ander EU-land: ${document} staat in de listing binnen de EU.`,
    UNUSUAL_RATE: (document, tax, base) =>
      `${document}: ${tax} btw over ${base} is geen gebruikelijk tarief op die datum.`,
    CARRIED: (box, amount) => `Rooster ${box} zou ${amount} zijn: het is 0, en de rest telt in de volgende periode.`,
    LISTING_DIFFERS: (boxes, declared, listed) => `${boxes}: ${declared}, de listing binnen de EU: ${listed}.`,
    ACCOUNTS_DIFFER: (moved, expected) =>
      `De btw-rekeningen bewogen in de periode met ${moved}, de documenten van de aangifte met ${expected}.`,
    ENTRY_DIFFERS: (date, document, moved, expected) =>
      `${date} ${document}: de btw-rekeningen bewogen met ${moved}, de aangifte heeft ${expected}.`,
    LATE: (count, tax, due) =>
      `${count} ${count === '1' ? 'document heeft' : 'documenten hebben'} een datum in een periode waarvan de aangifte al was ingediend, met ${tax} te betalen btw: ${
        due === 'supplement'
          ? 'dat is boven de grens voor de volgende aangifte: dien een suppletie in'
          : count === '1'
            ? 'het telt in deze'
            : 'ze tellen in deze'
      }.`,
    CHANGED: (box, part, filed, now) =>
      `Rubriek ${box} (${part === 'base' ? 'grondslag' : 'btw'}) is ingediend als ${filed}, en zou nu ${now} zijn.`,
    DOCUMENT_CHANGED: (document, date, box, part, filed, now) =>
      `${document} van ${date}: in rubriek ${box} (${part === 'base' ? 'grondslag' : 'btw'}) is ${filed} ingediend, en dat zou nu ${now} zijn.`,
    LATE_DOCUMENT: (document, date, tax, countsOn) =>
      `${document} van ${date} is ingevoerd nadat deze aangifte was ingediend: de te betalen btw, ${tax}, telt in de aangifte van ${countsOn}.`,
    CORRECTION: (tax, due, ofChanges) =>
      `Sinds deze aangifte is ingediend, is de te betalen btw met ${tax} veranderd: ${
        due === 'supplement'
          ? 'dat is boven de grens voor de volgende aangifte: dien een suppletie in'
          : due === 'late'
            ? 'de volgende aangifte heeft het vanzelf'
            : due === 'both'
              ? `de volgende aangifte heeft vanzelf wat later kwam; verbeter daarin de overige ${ofChanges}`
              : 'verbeter het in de volgende aangifte'
      }.`,
    MORE: (count, code) => `Nog ${count} zoals die van ${code}.`,
    CONTROL_O: control('54 tegenover 6% van 01, 12% van 02 en 21% van 03'),
    CONTROL_P: control('55 tegenover 21% van 84, 86 en 88'),
    CONTROL_Q: control('56 en 57 tegenover 21% van 85 en 87'),
    CONTROL_S: limit('59 tegenover de helft van 81 tot 85'),
    CONTROL_T: limit('63 tegenover 21% van 85'),
    CONTROL_U: limit('64 tegenover 21% van 49'),
  },
  columnNotes: {
    Document:
      'Een eigen nummer of naam. Rijen met dezelfde zijn regels van één document; de andere velden van het document staan in een van zijn rijen, of in alle.',
    CustomerNumber: 'Kies een klant, of typ het nummer. Laat leeg om de klant met naam of e-mail te noemen.',
    SupplierNumber:
      'Kies een leverancier, of typ het nummer. Laat leeg om de leverancier met naam of e-mail te noemen.',
    InvoiceDate: 'Laat leeg voor vandaag.',
    OrderDate: 'Laat leeg voor vandaag.',
    UnitPriceExclTax: 'Niet nodig waar het bedrag met btw is ingevuld, of de artikelprijs wordt gebruikt.',
    TaxCode: 'Laat leeg voor de btw van het artikel.',
    InvoiceNumber: 'Laat leeg voor het volgende nummer.',
    EmailToCustomer:
      'Met Ja wordt de factuur gemaild, enige tijd nadat ze is gemaakt. Het deelvenster vraagt het voor het versturen.',
    PeriodicInvoiceTemplate: 'Met Ja worden de rijen een sjabloon, waarvan facturen in het ritme worden gemaakt.',
    GeneralStatus: 'Laat leeg voor een order.',
    IsTextLine: 'Met Ja is de rij tekst zonder bedrag.',
    CategoryName: 'Een bestaande categorie, of een nieuwe met Ja onder “Categorie aanmaken”.',
  },
  columnNotesOf: {
    salesTransactionRows: { TaxCode: 'Kies een code van verkoop. Alleen leeg laten waar “Btw %” is ingevuld.' },
    purchaseTransactionRows: { TaxCode: 'Kies een code van inkoop. Alleen leeg laten waar “Btw %” is ingevuld.' },
    newProductRows: { TaxCode: 'Kies een code van verkoop. Leeg laten waar “Btw % van product” is ingevuld.' },
    journalEntryRows: {
      Document:
        'Een eigen nummer of naam. Rijen met hetzelfde nummer zijn regels van één boeking, met evenveel debet als credit.',
      EntryDate: 'Leeg laten voor vandaag.',
      Journal: 'Leeg laten voor het memoriaal.',
      EntryNumber: 'Leeg laten voor het volgende nummer.',
      Debit: 'Een bedrag aan één kant van de rij: debet of credit.',
      CustomerNumber: 'De klant waar de rij over gaat: kies er een, of typ het nummer.',
      SupplierNumber: 'De leverancier waar de rij over gaat: kies er een, of typ het nummer.',
      TaxCode:
        'Alleen op een rij die zelf btw is, of met “Bedrag btw” op een rij van wat belast is. Het belaste bedrag staat onder “Grondslag btw”.',
      TaxAmount:
        'Leeg laten op een rij die zelf btw is. Op een rij van wat belast is, is het de btw van die rij: 0 bij 0 %.',
    },
  },
  activity: {
    title: 'Activiteit',
    summary: 'Wat is verstuurd, geëxporteerd en opgehaald',
    service: 'Vastgelegd door de dienst',
    seenByKeys: 'Iedereen met een sleutel van deze administratie ziet dit. Verzendingen worden beperkte tijd bewaard.',
    seenByKey: 'Alleen deze API-sleutel ziet dit. Verzendingen worden beperkte tijd bewaard.',
    workbook: 'Vastgelegd in deze werkmap',
    seenInFile: 'Iedereen die dit bestand heeft ziet dit. De dienst legt niet vast wat er wordt opgehaald.',
    looking: 'De verzendingen worden opgehaald…',
    pushes: 'Verzendingen',
    noPushes: 'Er is niets verstuurd in de tijd die de dienst onthoudt.',
    noPulls: 'Er is nog niets in deze werkmap opgehaald.',
    insert: 'In een blad zetten',
    insertNamed: (moment) => `In een blad zetten: verzending van ${moment}`,
    ofSheet: (sheet) => `vanaf blad “${sheet}” van deze werkmap`,
    older: 'Oudere tonen',
    allExports: 'Alle exports',
    sheet: (moment) => `Verzending ${moment}`,
    before: {
      newThing: 'Bestond niet',
      unchanged: 'Niet gewijzigd',
      empty: 'Leeg',
      unknown: 'Niet vastgelegd',
    },
    changed: (before, after) => `${after} (eerst: ${before === '' ? 'niets' : before})`,
    pull: (moment, sheet) => `${moment}: blad “${sheet}”`,
    made: (count) => `nieuw, ${rows(count)}`,
    refreshed: (counts) =>
      `vernieuwd, ${rows(counts.rows)}: ${format(counts.added)} nieuw, ${format(counts.changed)} gewijzigd, ${format(counts.removed)} verwijderd`,
  },
  headings: {
    ...nlWords.headings,
    pushedRows: {
      Row: 'Rij',
      What: 'Gemaakt met',
      Status: 'Status',
      Message: 'Melding',
      Field: 'Veld',
      Before: 'Eerst',
      Sent: 'Verstuurd',
      Difference: 'Verschil',
      Place: 'Plaats',
    },
    accounts: {
      Number: 'Nummer',
      Name: 'Naam',
      FiscalYear: 'Boekjaar',
      LedgerType: 'Soort',
      DebetOrCredit: 'Debet of credit',
      Countrycode: 'Land',
    },
    invoices: {
      InvoiceNumber: 'Factuurnummer',
      InvoiceType: 'Module',
      InvoiceDate: 'Factuurdatum',
      InvoiceDueDate: 'Vervaldatum',
      CustomerNumber: 'Klantnummer',
      CustomerName: 'Klant',
      InvoiceTotalExclTax: 'Totaal excl. btw',
      InvoiceTaxAmount: 'Btw',
      InvoiceTotalInclTax: 'Totaal incl. btw',
      InvoiceOutstandingAmount: 'Openstaand',
      DiscountPc: 'Korting %',
      InvoiceReference: 'Referentie',
      InvoiceIsSent: 'Verzonden',
      ProjectNumber: 'Projectnummer',
      ProjectName: 'Project',
      OGM_Belgium: 'Gestructureerde mededeling (OGM)',
      InvoiceNotes: 'Opmerkingen',
      PackingSlipNotes: 'Opmerkingen pakbon',
      PeriodicInvoiceTemplate: 'Periodiek sjabloon',
      ContactName: 'Contactpersoon',
      ContactEmail: 'E-mail contact',
      ContactPhone: 'Telefoon contact',
      BillingStreet: 'Factuur straat',
      BillingPostalCode: 'Factuur postcode',
      BillingCity: 'Factuur plaats',
      BillingCountry: 'Factuur land',
      ShippingStreet: 'Levering straat',
      ShippingPostalCode: 'Levering postcode',
      ShippingCity: 'Levering plaats',
      ShippingCountry: 'Levering land',
    },
    ageing: {
      CustomerNumber: 'Klantnummer',
      CustomerName: 'Klant',
      NotDue: 'Niet vervallen',
      Days1To30: '1-30 dagen',
      Days31To60: '31-60 dagen',
      Days61To90: '61-90 dagen',
      DaysOver90: 'Meer dan 90 dagen',
      Total: 'Openstaand',
    },
    invoiceLines: {
      InvoiceNumber: 'Factuurnummer',
      Line: 'Regel',
      InvoiceType: 'Module',
      InvoiceDate: 'Factuurdatum',
      CustomerName: 'Klant',
      ProductNumber: 'Artikelnummer',
      ProductEAN: 'EAN',
      Description: 'Omschrijving',
      Quantity: 'Aantal',
      UnitPriceExclTax: 'Prijs excl. btw',
      DiscountPc: 'Korting %',
      SubTotalExclTax: 'Subtotaal excl. btw',
      SubTotalInclTax: 'Subtotaal incl. btw',
      SubTotalInclTaxExclDiscount: 'Subtotaal voor korting',
      TaxPc: 'Btw %',
      TaxCode: 'Btw-code',
      LedgerAccountNumber: 'Grootboekrekening',
      CostCenter: 'Kostenplaats',
      DeliveryDate: 'Leverdatum',
      Warehouse: 'Magazijn',
      Shelf: 'Schap',
      Batch: 'Partij',
      IsTextLine: 'Tekstregel',
      TextLineCategory: 'Soort tekstregel',
      PurchaseClassification: 'Inkoopclassificatie',
      UseArticlePrice: 'Artikelprijs gebruikt',
    },
    relations: {
      RelationGUID: 'Relatie-ID',
      Name: 'Naam',
      CustomerNumber: 'Klantnummer',
      SupplierNumber: 'Leveranciersnummer',
      PrivateOrBusiness: 'Zakelijk of particulier',
      TaxIdentificationNumber: 'Btw-nummer',
      RegistrationNumber: 'Inschrijvingsnummer',
      Email: 'E-mail',
      Phone: 'Telefoon',
      Address_Street: 'Straat',
      Address_Unit: 'Huisnummer',
      Address_UnitAppendix: 'Toevoeging',
      Address_PostalCode: 'Postcode',
      Address_City: 'Plaats',
      Address_CountryCode: 'Land',
      GroupName: 'Groep',
      IsCustomer: 'Klant',
      IsSupplier: 'Leverancier',
      IsOther: 'Overig',
      CreatedOn: 'Aangemaakt op',
      ChangedOn: 'Gewijzigd op',
    },
    taxCodes: {
      TaxCode: 'Btw-code',
      TaxType: 'Inkoop of verkoop',
      TaxPc: 'Btw %',
      Name: 'Naam',
      TaxExempt: 'Vrijgesteld',
    },
    relationContacts: {
      RelationGUID: 'Relatie-ID',
      Line: 'Regel',
      RelationName: 'Relatie',
      FirstName: 'Voornaam',
      Preposition: 'Tussenvoegsel',
      LastName: 'Achternaam',
      FamilyName: 'Familienaam',
      Sex: 'Geslacht',
      Email: 'E-mail',
      Phone: 'Telefoon',
      DefaultContact: 'Hoofdcontact',
      ContactNotes: 'Notities',
    },
    relationBankAccounts: {
      RelationGUID: 'Relatie-ID',
      Line: 'Regel',
      RelationName: 'Relatie',
      IBAN: 'IBAN',
      BIC: 'BIC',
      Name: 'Rekeninghouder',
      Place: 'Plaats',
      UseForExcasso: 'Voor betalingen',
      SkipIBANCheck: 'IBAN niet gecontroleerd',
    },
    relationCustomFields: {
      RelationGUID: 'Relatie-ID',
      Line: 'Regel',
      RelationName: 'Relatie',
      Label: 'Veld',
      Value: 'Waarde',
      FieldType: 'Soort',
      TypeOfRelation: 'Rol',
    },
    materialBookings: {
      ProjectNumber: 'Projectnummer',
      ProjectName: 'Project',
      Product_Number: 'Artikelnummer',
      Product_Name: 'Artikel',
      Quantity: 'Aantal',
      EntryDate: 'Geboekt op',
      Place: 'Volgnummer',
      Product_PurchasePrice: 'Inkoopprijs',
      Description: 'Omschrijving',
      Warehouse: 'Magazijn',
      Shelf: 'Stelling',
      Batch: 'Partij',
      Product_SupplierName: 'Leverancier',
      Product_SupplierNumber: 'Leveranciersnummer',
      CustomerNumber: 'Klantnummer',
      CustomerName: 'Klant',
      ProjectDescription: 'Projectomschrijving',
      CustomFields: 'Vrije velden',
    },
    trialBalance: {
      Number: 'Nummer',
      Name: 'Naam',
      LedgerType: 'Soort',
      Opening: 'Beginstand',
      Debit: 'Debet',
      Credit: 'Credit',
      Closing: 'Eindstand',
      Movement: 'Mutatie',
      MovementBefore: 'Mutatie ter vergelijking',
      YearBefore: 'Eindstand ter vergelijking',
    },
    accountCard: {
      Date: 'Datum',
      Journal: 'Dagboek',
      EntryNumber: 'Boekingsnummer',
      Account: 'Rekening',
      AccountName: 'Naam van de rekening',
      Description: 'Omschrijving',
      Debit: 'Debet',
      Credit: 'Credit',
      Balance: 'Saldo',
      InvoiceNumber: 'Stuk',
      RelationName: 'Relatie',
      CostCenter: 'Kostenplaats',
      TaxCode: 'Btw-code',
      TaxBase: 'Btw-grondslag',
      TaxAmount: 'Btw-bedrag',
      Entry: 'Boeking-ID',
      Line: 'Regel',
    },
    vatReturn: {
      Box: 'Rubriek',
      Description: 'Omschrijving',
      DeclaredBase: 'Aan te geven grondslag',
      DeclaredTax: 'Aan te geven btw',
      Base: 'Grondslag op de cent',
      Tax: 'Btw op de cent',
    },
    vatLines: {
      Box: 'Rubriek',
      Base: 'Grondslag',
      Tax: 'Btw',
      Kind: 'Soort',
      InvoiceNumber: 'Document',
      Date: 'Datum',
      RelationName: 'Relatie',
      VatNumber: 'Btw-nummer',
      Country: 'Land',
      TaxCode: 'Btw-code',
      DocumentBase: 'Grondslag op document',
      DocumentTax: 'Btw op document',
      IsLate: 'Te laat ingevoerd',
      Key: 'Regel-ID',
    },
    vatRemarks: { Remark: 'Opmerking', Code: 'Code' },
    vatListing: {
      VatNumber: 'Btw-nummer',
      RelationName: 'Relatie',
      Nature: 'Aard',
      Letter: 'Letter',
      Amount: 'Bedrag',
    },
    vatClients: {
      VatNumber: 'Btw-nummer',
      RelationName: 'Relatie',
      Turnover: 'Omzet',
      Tax: 'Btw',
    },
    openItems: {
      RelationName: 'Relatie',
      Number: 'Nummer',
      Account: 'Rekening',
      AccountName: 'Naam rekening',
      Document: 'Document',
      Date: 'Datum',
      DueDate: 'Vervaldatum',
      DaysOverdue: 'Dagen te laat',
      Debit: 'Debet',
      Credit: 'Credit',
      Open: 'Openstaand',
      RelationGUID: 'Relatie-ID',
      InvoiceNumber: 'Verkoopfactuur',
    },
  },

  formulas: {
    problems: {
      noAccount: 'Geef een rekening, zoals 4000, 4000|4010, 4000:4999 of 4*.',
      wrongAccount: (given) => `${quoted(given)} is geen rekening. Schrijf 4000, 4000|4010, 4000:4999 of 4*.`,
      reversedRange: (given) => `De eerste rekening van ${quoted(given)} komt na de laatste.`,
      unknownAccount: (number) => `Er is geen rekening ${quoted(number)}.`,
      oneAccount: 'Geef het nummer van één rekening.',
      noPeriod: 'Geef een periode, zoals 2026, 2026-Q1, 2026-03 of een datum.',
      wrongPeriod: (given) => `${quoted(given)} is geen periode. Schrijf 2026, 2026-Q1, 2026-03 of een datum.`,
      reversedPeriod: 'De periode begint na haar einde.',
      noRelation: 'Geef het nummer, de RelationGUID of de naam van een relatie.',
      unknownRelation: (given) => `Op een relatie ${quoted(given)} is nooit geboekt.`,
      severalRelations: (given) => `Meer relaties heten ${quoted(given)}. Geef de RelationGUID van één.`,
      noAdministration:
        'Deze werkmap heeft nog geen administratie. Open Ledgerline en maak verbinding met een administratie.',
      notConnected: (name) =>
        `Deze browser heeft geen verbinding met ${quoted(name)}. Open Ledgerline en maak er verbinding mee.`,
      severalAdministrations: (name) => `Meer verbindingen heten ${quoted(name)}. Hernoem er een.`,
      noLedger: (name) => `${quoted(name)} heeft geen grootboek dat gelezen kan worden.`,
      nothingBehind: 'Achter deze cel staan geen boekingen.',
      ofOther: (name) => `Deze formule heeft de cijfers van ${name}. Maak eerst verbinding met die administratie.`,
      notOnCard: (most) =>
        `Een grootboekkaart heeft hooguit ${most} rekeningen, met nummers zonder spaties en komma’s.`,
      changing: 'De boeken veranderen nu. Herbereken over een ogenblik.',
    },
    old: (name, moment) =>
      `De cijfers van ${name} in formules zijn van ${moment}: de administratie is nu niet bereikbaar.`,
    noFigures: (name) => `Formules konden de cijfers van ${name} niet krijgen.`,
    recalculate: 'Formules herberekenen',
    ofOther: (name) => `Formules in deze werkmap hebben de cijfers van ${name}.`,
    use: (name) => `${name} in formules gebruiken`,
    nameChanged: (name, meant, now) =>
      `${quoted(name)} in de formules van deze werkmap is ${meant}. Zo heet nu een verbinding met ${now}.`,
    nameMeans: (now, name) => `${now} voor ${quoted(name)} gebruiken`,
  },

  problems: {
    booksChanged: 'De boeken veranderden terwijl ze werden gelezen, dus er is niets opgehaald. Probeer het opnieuw.',
    offline: 'De administratie is niet te bereiken. Controleer uw netwerk en probeer het opnieuw.',
    unreadableFile:
      'Het bestand kan niet worden gelezen: het is gewijzigd, verplaatst of verwijderd nadat u het koos. Kies het opnieuw.',
    rateLimit: (seconds) =>
      `De dienst is bezig. Probeer het over ${seconds} ${seconds === '1' ? 'seconde' : 'seconden'} opnieuw.`,
    unexpected: (detail) => `Er ging iets onverwachts mis: ${detail}`,
    service: {
      INVALID_REQUEST: 'De administratie weigerde het verzoek.',
      INVALID_JSON: 'De administratie kon het verzoek niet lezen.',
      NOT_APPLIED: 'De administratie voerde dit niet uit en gaf geen reden.',
      UNAUTHORIZED:
        'De gebruikersnaam of de API-sleutel wordt geweigerd. Maak opnieuw verbinding met de juiste gegevens.',
      FORBIDDEN: 'De administratie staat dit niet toe: zij is gearchiveerd, of deze API-sleutel mag alleen lezen.',
      NOT_FOUND: 'De administratie heeft de gevraagde gegevens niet.',
      METHOD_NOT_ALLOWED: 'De dienst ondersteunt dit niet.',
      CONFLICT: 'De administratie heeft al iets anders met deze naam.',
      BODY_TOO_LARGE: 'Het verzoek is te groot.',
      UNSUPPORTED_MEDIA_TYPE: 'De dienst kon het verzoek niet lezen.',
      RATE_LIMIT: 'De dienst is bezig. Probeer het over een minuut opnieuw.',
      INTERNAL: 'Er ging iets mis in de dienst. Probeer het later opnieuw.',
      NOT_IMPLEMENTED: 'De dienst ondersteunt dit nog niet.',
      REMOTE_FAILED: 'De administratie achter de dienst faalde. Probeer het later opnieuw.',
      OUTCOME_UNKNOWN:
        'Het is onbekend of dit is verwerkt. Controleer de administratie voordat u het opnieuw verstuurt.',
      UNAVAILABLE: 'Dit is nu niet beschikbaar. Probeer het later opnieuw.',
      REMOTE_TIMEOUT: 'De administratie deed er te lang over. Probeer het later opnieuw.',
    },
    workbook: {
      CELL_BEING_EDITED: 'Er wordt een cel bewerkt. Druk op Enter of Escape en probeer het opnieuw.',
      OTHER_WORKBOOK: 'Een andere werkmap is actief. Ga terug naar deze en probeer het opnieuw.',
      EXCEL_BUSY: 'Excel is bezig. Wacht even en probeer het opnieuw.',
      INTERRUPTED: 'Excel heeft dit onderbroken. Controleer het blad en probeer het opnieuw.',
      EXCEL_FAILED:
        'Excel kon dit niet doen. Zijn er meer bladen geselecteerd? Klik dan op een van hun tabs en probeer het opnieuw.',
      PROTECTED:
        'Het blad of de werkmap is beveiligd. Hef de beveiliging op (tabblad Controleren) en probeer het opnieuw.',
      FILTERED: 'Een filter verhindert dit. Wis het filter van de tabel en probeer het opnieuw.',
      IN_THE_WAY: 'Cellen naast of onder de tabel verhinderen dit. Verplaats ze en probeer het opnieuw.',
      TOO_LARGE: 'Dit is meer dan Excel in één keer aanneemt. Kies een kortere periode.',
      TABLE_GONE: 'De tabel bestaat niet meer. Haal haar opnieuw op of maak een nieuwe.',
      COLUMN_GONE:
        'De tabel mist een verplichte kolom. Maak het verwijderen ongedaan, of verwijder het blad en begin opnieuw. Kolom',
      NO_HEADERS: 'De tabel heeft geen veldnamenrij. Zet die aan (tabblad Tabelontwerp) en probeer het opnieuw.',
      ROWS_MOVED: 'De rijen verplaatsten zich steeds. Sorteer en bewerk de tabel even niet, en probeer het opnieuw.',
      COUNTS_FROM_1904:
        'Deze werkmap telt datums vanaf 1904, waardoor elke datum vier jaar te vroeg of te laat zou worden. Zet dat uit (Bestand, Opties, Geavanceerd; op een Mac Voorkeuren, Berekening), controleer de datums die er al staan en probeer het opnieuw.',
      MEMORY_CUT:
        'Deze werkmap kan de gegevens van de verzending niet bewaren; er is niets verstuurd. Verstuur minder rijen, of gebruik een andere werkmap.',
      CHANGED_ELSEWHERE:
        'Een ander venster of een collega werkt aan de verzending van dit blad. Wacht tot die klaar is, of sluit dat deelvenster en ga hier verder.',
      EXCEL_TOO_OLD: 'Deze versie van Excel kan dit niet. Werk Excel bij en probeer het opnieuw.',
      UNEXPECTED: 'Excel kon dit niet doen',
    },
  },

  fieldErrors: {
    REQUIRED_TEXT: () => 'verplicht: tekst',
    REQUIRED_DECIMAL: () => 'verplicht: een getal',
    REQUIRED_WHOLE_NUMBER: () => 'verplicht: een geheel getal',
    REQUIRED_BOOLEAN: () => 'verplicht: waar of onwaar',
    REQUIRED_DATE: () => 'verplicht: een datum als dd-mm-jjjj',
    REQUIRED_COUNTRY: () => 'verplicht: een landcode van twee letters (ISO 3166)',
    REQUIRED_CHOICE: ({ choices }) => `verplicht: ${oneOf(choices)}`,
    REQUIRED_LIST: () => 'verplicht: een lijst',
    REQUIRED_OBJECT: () => 'verplicht: een object',
    NOT_TEXT: ({ given }) => `verwacht tekst, er staat ${valueText(given)}`,
    TEXT_TOO_LONG: ({ max, length }) => `hoogstens ${max} tekens, het zijn er ${length}`,
    TEXT_WITH_NUL: () => forbiddenCharacter,
    TEXT_WITH_HALF_CHARACTER: () => forbiddenCharacter,
    NOT_DECIMAL: ({ given }) => `verwacht een getal zoals 12,50, er staat ${valueText(given)}`,
    TOO_MANY_DIGITS: ({ max }) => `hoogstens ${max} cijfers voor de decimalen`,
    TOO_LOW: ({ min, given }) => `ten minste ${min}, er staat ${valueText(given)}`,
    TOO_HIGH: ({ max, given }) => `hoogstens ${max}, er staat ${valueText(given)}`,
    NOT_WHOLE_NUMBER: ({ given }) => `verwacht een geheel getal, er staat ${valueText(given)}`,
    NOT_BETWEEN: ({ min, max, given }) =>
      `verwacht een geheel getal van ${min} tot ${max}, er staat ${valueText(given)}`,
    NOT_BOOLEAN: ({ given }) => `verwacht waar of onwaar, er staat ${valueText(given)}`,
    NOT_DATE: ({ given }) => `verwacht een datum als dd-mm-jjjj, er staat ${valueText(given)}`,
    NOT_COUNTRY: ({ given }) => `verwacht een landcode van twee letters, er staat ${valueText(given)}`,
    NOT_CHOICE: ({ choices, given }) => `verwacht ${oneOf(choices)}, er staat ${valueText(given)}`,
    NOT_LIST: ({ given }) => `verwacht een lijst, er staat ${valueText(given)}`,
    TOO_MANY_ITEMS: ({ max, count }) => `een lijst van hoogstens ${max}, het zijn er ${count}`,
    NOT_OBJECT: ({ given }) => `verwacht een object, er staat ${valueText(given)}`,
    NOT_JSON_OBJECT: () => 'verwacht een JSON-object',

    REQUIRED_LINES: () => 'verplicht: een lijst van regels',
    NOT_LINES: () => 'verwacht een lijst van regels',
    NO_LINES: () => 'verwacht ten minste één regel',
    TOO_MANY_LINES: ({ max }) => `hoogstens ${max} regels`,
    TOO_MANY_ATTACHMENTS: ({ max }) => `hoogstens ${max} bijlagen`,
    REQUIRED_PARTY: ({ role }) => `nummer, naam of e-mailadres van de ${parties[role]} is verplicht`,
    REQUIRED_PRODUCT: () => 'artikelnummer of EAN is verplicht op een regel die geen tekstregel is',
    REQUIRED_PRICE: () => 'een prijs of een regeltotaal is verplicht, tenzij de artikelprijs geldt',
    REQUIRED_TAX: () => 'een btw-percentage of btw-code is verplicht',
    REQUIRED_TAX_OF_ARTICLE: ({ articleNumber }) =>
      `een btw-percentage of btw-code is verplicht: artikel ${articleNumber} heeft zelf geen btw`,
    REQUIRED_FILE: () => 'het adres of de inhoud van het bestand is verplicht',
    REQUIRED_FILE_NAME: () => 'verplicht bij de inhoud van een bestand',
    REQUIRED_DUE_DATE: () => 'verwacht een datum als dd-mm-jjjj, of een betaaltermijn in dagen',
    REQUIRED_FOR_TEMPLATE: () => 'verplicht voor een periodieke factuur',
    REQUIRED_FREQUENCY: () => 'verplicht voor een periodieke factuur: een geheel getal vanaf 1',
    REQUIRED_ACCOUNT: ({ side }) =>
      `verplicht: de administratie heeft geen standaard${side === 'revenue' ? 'opbrengsten' : 'kosten'}rekening`,
    BEFORE_STARTING_DATE: () => 'verwacht een datum niet voor de begindatum',
    TWO_DISCOUNTS: () => 'geef een kortingsbedrag of een kortingspercentage, niet allebei',
    NEGATIVE_DISCOUNT: ({ given }) => `ten minste 0 op een regel die niet negatief is, er staat ${valueText(given)}`,
    DEBIT_OR_CREDIT: () => 'vul een bedrag boven 0 in bij debet of bij credit, niet bij allebei',
    NOT_BALANCED: ({ side, missing }) =>
      `debet en credit moeten gelijk zijn: er ontbreekt ${missing} ${side === 'debit' ? 'debet' : 'credit'}`,
    CUSTOMER_OR_SUPPLIER: () => 'noem een klant of een leverancier, niet allebei',
    TAX_WITH_BASE: () => 'vul op een btw-regel zowel de btw-code als de grondslag in',
    DISCOUNT_OVER_LINE: ({ max, given }) => `niet meer dan de regel, ${max} met btw, er staat ${valueText(given)}`,
    AMOUNTS_TOO_LARGE: () => 'prijs, aantal of korting is te groot',
    TOTAL_TOO_LARGE: () => 'het totaal heeft meer dan 13 cijfers voor de decimalen',
    DUE_DATE_TOO_LATE: () => 'de vervaldatum moet voor het jaar 10000 liggen',
    NOT_OGM: ({ ogm }) => `verwacht twaalf cijfers waarvan de laatste twee de controle zijn, er staat “${ogm}”`,
    NUMBER_TOO_LONG: ({ number }) => `hoogstens 18 cijfers, er staat ${number}`,
    INVOICE_NUMBER_TAKEN: ({ number }) => `er is al een factuur met nummer ${number}`,
    NOT_PERIOD: ({ given }) =>
      `verwacht een boekjaar als 2026, een kwartaal als 2026-Q1, een maand als 2026-03 of een dag als 2026-03-31, niet ${given}`,
    NOT_FISCAL_YEAR: ({ given }) =>
      `verwacht een boekjaar met het jaar waarin het begint, als 2026, of met de maand, als 2026-07, niet ${valueText(given)}`,
    NOT_VAT_PERIOD: ({ given }) =>
      `verwacht een jaar als 2026, een kwartaal als 2026-Q3 of een maand als 2026-07, niet ${given}`,
    NOT_BELGIAN_RETURN: () => 'alleen een Belgische aangifte is een bestand voor Intervat',
    NOT_MONTH_OR_QUARTER: ({ given }) => `verwacht een maand of een kwartaal, niet ${given}`,
    BOX_BELOW_ZERO: ({ amount }) => `een bestand voor Intervat kent geen bedragen onder nul, er staat ${amount}`,
    NEEDED_FOR_INTERVAT: () => 'een bestand voor Intervat heeft dit nodig, en de administratie heeft het niet',
    NOT_PERIODS: ({ given }) => `verwacht twee perioden als 2026-01..2026-Q1, of één als ..2026, niet ${given}`,
    PERIOD_BEFORE_START: ({ from, to }) =>
      `verwacht een periode die op ${from} of later eindigt, niet een die op ${to} eindigt`,
    NOT_PAGE_MARK: () => 'verwacht wat de vorige pagina als next heeft',
    OUTSIDE_BOOKING_DATES: ({ date, first, last }) =>
      `er wordt alleen geboekt van ${first} tot en met ${last}, er staat ${date}`,
    PERIOD_FILED: ({ date, period }) => `de btw-aangifte van ${period} is ingediend, er staat ${date}`,
    PERIOD_CLOSED: ({ date, until }) => `de boeken zijn afgesloten tot en met ${until}, er staat ${date}`,
    TEMPLATE_STARTS_TOO_EARLY: ({ first, date }) =>
      `een periodieke factuur begint hoogstens een jaar voor vandaag: verwacht een datum vanaf ${first}, er staat ${date}`,
    TEMPLATE_COPIES_TOO_MUCH: ({ what, copies, copied, max }) =>
      `alle facturen van het komende jaar samen hebben hoogstens ${max} ${what === 'characters' ? 'tekens aan teksten' : 'bytes aan bijlagen'}, dit worden er ${copied} in ${copies} facturen`,
    NOT_ON_TEMPLATE: () => 'laat dit leeg: de datums van periodieke facturen volgen uit hun begindatum',
    NOT_BEFORE_FIRST_DATE: () => 'laat dit leeg: het hoort bij één factuur, en vandaag wordt er geen gemaakt',
    ONLY_IN_BELGIUM: () => 'laat dit leeg: alleen Belgische administraties hebben het',
    ADDRESS_TYPE_TWICE: ({ type }) => `hoogstens één adres van de soort ${type}`,
    EMPTY_ADDRESS: () => 'het adres is leeg',
    NO_SUCH_PARTY_NUMBER: ({ role, number }) => `geen ${parties[role]} heeft nummer ${number}`,
    NO_SUCH_PARTY: ({ role, name }) => `geen ${parties[role]} heet “${name}”`,
    NO_SUCH_PROJECT: ({ project }) => `er is geen project “${project}”`,
    NO_SUCH_PROJECT_NUMBER: ({ project }) => `geen project heeft nummer “${project}”`,
    NO_SUCH_PROJECT_NAME: ({ project }) => `geen project heet “${project}”`,
    NO_SUCH_ACCOUNT: ({ number }) => `er is geen grootboekrekening “${number}”`,
    NO_SUCH_TAX_CODE: ({ side, code }) => `er is geen btw-code “${code}” voor ${sides[side]}`,
    UNKNOWN_TAX_CODE: ({ code }) => `er is geen btw-code “${code}”`,
    NO_SUCH_TAX_CODE_OF: ({ side, percentage, code }) =>
      `btw-code “${code}” is geen code van ${percentage}% voor ${sides[side]}`,
    NO_SUCH_TAX_PERCENTAGE: ({ side, percentage }) => `er is geen btw-code van ${percentage}% voor ${sides[side]}`,

    FILE_NAME_TOO_LONG: ({ max }) => `hoogstens ${max} tekens`,
    FILE_NAME_ENDING: ({ endings }) => `verwacht een bestandsnaam die eindigt op ${oneOf(endings)}`,
    NOT_BASE64: () => 'verwacht base64',
    FILE_EMPTY: () => 'het bestand is leeg',
    FILE_TOO_LARGE: ({ megabytes }) => `het bestand is groter dan ${megabytes} MB`,
    FILES_UNPACK_TOO_LARGE: () =>
      'de Office-documenten van het verzoek worden uitgepakt te groot: stuur er minder tegelijk',
    FILE_OF_ANOTHER_KIND: ({ kind }) => `de inhoud is niet die van een .${kind}-bestand`,

    REQUIRED_PRODUCT_NAME: () => 'artikelnummer of EAN is verplicht, om te zeggen welk artikel',
    NO_SUCH_ARTICLE_NUMBER: ({ articleNumber }) => `geen artikel heeft “${articleNumber}”`,
    NO_SUCH_EAN: ({ ean }) => `geen artikel heeft “${ean}”`,
    EAN_OF_ANOTHER: ({ other }) => `hoort bij een ander artikel, ${other}`,
    ARTICLE_WITH_ANOTHER_EAN: ({ ean, articleNumber }) => `artikel “${articleNumber}” heeft een andere EAN dan ${ean}`,
    PRODUCT_TAKEN: ({ value }) => `er is al een artikel met “${value}”`,
    STOCK_TOO_LARGE: ({ max }) => `hoogstens ${max} cijfers voor de decimalen`,
    NO_SUCH_CATEGORY: ({ name }) => `er is geen artikelgroep “${name}”; de vraag voor het versturen kan haar maken`,
    NO_SUCH_CUSTOM_FIELD: ({ label }) => `er is geen vrij veld “${label}” voor artikelen`,
    CUSTOM_FIELD_OF_ANOTHER_TYPE: ({ type, label }) => `vrij veld “${label}” is van de soort ${type}`,
    REQUIRED_CUSTOM_VALUE: ({ type }) => `verplicht voor een vrij veld van de soort ${type}`,

    NOT_ROWS: () => 'verwacht een lijst van rijen',
    NO_ROWS: () => 'verwacht ten minste één rij',
    TOO_MANY_ROWS: ({ max, count }) => `hoogstens ${max} rijen, het zijn er ${count}`,
    NO_ROW_NUMBER: () => 'verwacht het nummer van de rij, een geheel getal dat geen andere rij heeft',
    ROW_NUMBER_TWICE: ({ row, index }) => `rij ${row}: het nummer staat ook bij rows[${index}]`,
    NOT_ONE_REQUEST: ({ row }) => `rij ${row}: verwacht één wijziging, één nieuw artikel of één document`,
    NOT_PUSHED: ({ row }) => `rij ${row}: verwacht een wijziging, een nieuw artikel of een document`,
    NOT_CONFIRMED: ({ mails, periodicInvoices }) =>
      `bevestig eerst: ${mails} rijen sturen post naar klanten, ${periodicInvoices} rijen beginnen periodieke facturen`,
    PRODUCT_TWICE: ({ rows }) => `het artikel staat ook in rij ${rows.join(', ')}; houd er één over`,
    INVOICE_NUMBER_TWICE: ({ value, rows }) =>
      `factuurnummer ${value} staat ook in rij ${rows.join(', ')}; houd er één over`,
    ROW_REFUSED: ({ row }) => `rij ${row} is geweigerd`,
    NOT_CURSOR: () => 'verwacht de cursor van een eerder antwoord',

    REQUIRED_OF_PARTY: ({ party, detail }) => `${partyDetails[detail]} ${ofParty[party]} ontbreekt`,
    NOT_COUNTRY_OF_PARTY: ({ party, given }) =>
      `het land ${ofParty[party]} moet een code van twee letters uit ISO 3166 zijn, er staat “${given}”`,
    NOT_VAT_NUMBER: ({ party, given }) =>
      `het btw-nummer ${ofParty[party]} begint met de letters van het land en heeft kloppende controlecijfers; er staat “${given}”`,
    NO_PEPPOL_ADDRESS: ({ detail }) =>
      `het ${detail === '' ? '' : `${partyDetails[detail]} of `}btw-nummer van de klant ontbreekt: dat is het adres op Peppol. Een particulier heeft er geen`,
    REQUIRED_FOR_INTRA_EU: () => 'het btw-nummer van de klant ontbreekt: het is een levering naar een ander EU-land',
    REQUIRED_FOR_REVERSE_CHARGE: () => 'het btw-nummer van de klant ontbreekt: de btw is naar de klant verlegd',
    E_INVOICE_OF_DRAFT: () => 'de factuur is nog een concept; maak haar eerst definitief',
    NO_LINE_WITH_AMOUNT: () => 'de factuur heeft geen regel met een bedrag',
    UNIT_WITHOUT_PEPPOL_CODE: ({ articleNumber, unit }) =>
      `Peppol kent de eenheid “${unit}” van artikel ${articleNumber} niet; gebruik bijvoorbeeld stuk, uur, kg of doos`,
    REQUIRED_CREDITED_INVOICE: () =>
      'zet het nummer van de gecrediteerde factuur in de referentie: een Nederlandse creditnota moet die noemen',
    LINES_OUTSIDE_SCOPE_AMONG_OTHERS: () =>
      'regels die buiten de btw vallen, kunnen niet met andere regels op één e-factuur',
    DOCUMENT_TEXTS_TOO_LONG: ({ max, length }) =>
      `de teksten zijn samen hoogstens ${max} tekens, het zijn er ${length}`,
    SAID_BY_SERVICE: ({ words }) => `de dienst zegt: “${words}”`,
  },
};
