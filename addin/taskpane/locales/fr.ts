import type { PartyDetail } from '../../../shared/fieldErrors.ts';
import type { Messages } from './en.ts';
import { frWords } from './frWords.ts';
import { day, ended, quoted } from './quoted.ts';

/*
 * Every French text, in the words of Belgian and French accountants. Spaces before : ; ! ? % and inside « » do not
 * break, except in what a sheet has, since that is typed too.
 */

const { format } = new Intl.NumberFormat('fr');
const { format: formatPrice } = new Intl.NumberFormat('fr', { minimumFractionDigits: 2, maximumFractionDigits: 8 });
// Newer browsers format the text exactly, older ones as a number.
const price = (text: string): string => formatPrice(text as Intl.StringNumericLiteral);
/** In French 0 is singular too. */
const isOne = (count: number): boolean => count < 2;
const some = (count: number, one: string, several: string): string =>
  `${format(count)} ${isOne(count) ? one : several}`;
const rows = (count: number): string => some(count, 'ligne', 'lignes');
const documentCount = (count: number): string => some(count, 'document', 'documents');
const oneOf = (choices: readonly string[]): string =>
  new Intl.ListFormat('fr', { type: 'disjunction' }).format(choices);
/** The value of a field in French. */
const valueText = (given: string): string =>
  given === '{}' ? 'un objet' : given === '[]' ? 'une liste' : quoted(given, '« ', ' »');
const forbiddenCharacter = 'contient un caractère qui ne peut pas être envoyé';
const parties = { Customer: 'client', Supplier: 'fournisseur' } as const;
const ofParty = { issuer: 'de votre propre administration', customer: 'du client' } as const;
const partyDetails = {
  name: 'le nom',
  street: 'la rue',
  postalCode: 'le code postal',
  town: 'la localité',
  country: 'le pays',
  vatNumber: 'le numéro de TVA',
  companyNumber: 'le numéro d’entreprise',
  kvkNumber: 'le numéro KvK (huit chiffres)',
  enterpriseNumber: 'le numéro d’entreprise (dix chiffres)',
  iban: 'l’IBAN',
} as const satisfies Record<PartyDetail, string>;
const sides = { Sales: 'les ventes', Purchase: 'les achats' } as const;

/** The texts of the period of a sheet of the ledger. */
const ledgerPeriod = {
  label: 'Période',
  hint: 'Laissez les deux vides pour cet exercice',
  wrong: 'La date de fin précède la date de début.',
};

/** `1, 2, 3 et 4 autres`. */
const several = (documents: string, more: string): string =>
  more === '0' ? documents : `${documents} et ${more} autres`;
const control = (rule: string) => (expected: string, declared: string) =>
  `${rule} : ${expected} attendu, ${declared} déclaré.`;
const limit = (rule: string) => (most: string, declared: string) => `${rule} : au plus ${most}, ${declared} déclaré.`;

export const fr: Messages = {
  ...frWords,
  language: 'Langue',
  languageOfExcel: 'Celle d’Excel',
  title: 'Ledgerline',
  noExcel: {
    title: 'Cette page ne fonctionne que dans Excel',
    explanation: 'Elle travaille avec le classeur ouvert dans Excel.',
    todo: 'Ouvrez Excel, choisissez l’onglet Ledgerline du ruban et cliquez sur un de ses boutons.',
  },
  oldExcel: {
    title: 'Cette version d’Excel est trop ancienne',
    todo: 'Ledgerline demande Excel 2021, Microsoft 365 ou Excel pour le web. Mettez Excel à jour et rouvrez le volet.',
  },
  storageClosed:
    'Ce navigateur ne permet pas au volet de conserver des connexions. Elles sont perdues à la fermeture du volet.',

  administration: 'Administration',
  notConnected: 'Non connecté',
  switchAdministration: 'Administrations',
  back: 'Retour',
  help: 'Aide',
  cancel: 'Annuler',
  named: (action, name) => `${action} ${name}`,
  labelled: (label, value) => `${label} : ${value}`,
  openingWorkbook: 'Lecture du classeur…',
  identifying: 'Recherche de l’administration…',
  loading: 'Chargement…',
  otherAdministration: {
    refresh: 'Cette feuille appartient à une autre administration et ne peut pas être actualisée maintenant.',
    push: 'Cette feuille appartient à une autre administration et ne peut pas être envoyée maintenant.',
    finish: 'Cette liste appartient à une autre administration et ne peut pas être terminée maintenant.',
    use: (name) => `Passer à ${name}`,
    connect: (name) => `Se connecter à ${name}`,
    replaced: 'Sa clé a été remplacée',
  },
  sameAdministration: {
    earlier: (sheets, label, name) =>
      `Une version antérieure a créé ${sheets.map((sheet) => `« ${sheet} »`).join(', ')}, avec une connexion nommée « ${label} ». ${sheets.length === 1 ? 'Cette feuille appartient-elle' : 'Ces feuilles appartiennent-elles'} à ${name} ? Ce qui concorde :`,
    agrees: {
      accounts: (found, all) =>
        `${some(found, 'compte général', 'comptes généraux')} sur ${format(all)}, par numéro et nom`,
      relations: (found, all) => `${some(found, 'relation', 'relations')} sur ${format(all)}, par identifiant et nom`,
      invoices: (found, all) => `${some(found, 'facture', 'factures')} sur ${format(all)}, par numéro et client`,
      products: (found, all) => `${some(found, 'article', 'articles')} sur ${format(all)}, par numéro et nom`,
      articleNumbers: (found, all) =>
        `${some(found, 'numéro d’article', 'numéros d’article')} sur ${format(all)}, sans nom`,
    },
    notAll: (all) => `(sur ${format(all)} : le service les lit un par un)`,
    verdict: {
      none: 'Rien n’a pu être comparé : vous seul pouvez le savoir.',
      shared: 'D’autres administrations peuvent avoir les mêmes : cela seul ne montre pas que c’est celle-ci.',
      doubtful: 'La plupart ne concorde pas. Voyez si c’est une autre administration.',
      contradicted: 'Rien de ce qui est propre à une administration ne concorde : c’en est donc une autre.',
    },
    yes: (name) => `Oui, à ${name}`,
    no: 'Non, à une autre administration',
    replacedTitle: 'Cette clé en remplace-t-elle une autre ?',
    replacedQuestion: 'Le service n’indique pas quelle administration elle ouvre. Comparée à la précédente :',
    replacedYes: 'La même administration',
    replacedNo: 'Une autre administration',
    comparing: 'Comparaison de ce que les deux contiennent…',
    comparingSheets: (sheets) =>
      `Comparaison de ${sheets.map((sheet) => `« ${sheet} »`).join(', ')} avec l’administration…`,
  },
  mixed: {
    title: 'Deux administrations dans un même classeur ?',
    present: 'Ce classeur contient des feuilles ou des formules de :',
    added: 'Vous allez ajouter une feuille de :',
    confirm: 'Ajouter',
  },
  limits: {
    archived:
      'Cette administration est archivée. Ses données peuvent être importées, mais rien ne peut y être modifié.',
    readOnly:
      'Cette clé API ne permet que la lecture. Pour envoyer, connectez-vous avec une clé qui permet l’écriture.',
    notReading:
      'Cette clé API ne permet pas la lecture : rien ne peut être importé. Connectez-vous avec une clé qui la permet.',
  },
  cancelling: 'Annulation…',
  cancelled: 'Annulé. Le classeur n’a pas été modifié.',
  waitingFor: {
    CELL_BEING_EDITED:
      'Une cellule est en cours de modification. Appuyez sur Entrée ou Échap ; le travail reprend ensuite automatiquement.',
    OTHER_WORKBOOK: 'Un autre classeur est actif. Revenez à celui-ci ; le travail reprend ensuite automatiquement.',
    EXCEL_BUSY: 'Excel est occupé. Le travail reprend automatiquement.',
    SLOW_SERVICE:
      'Le service ne répond pas : il est peut-être lent, ou accepte peu de demandes par minute. Le travail reprend automatiquement.',
  },
  waitingForRateLimit: (until) => `La limite du service est atteinte. Le travail reprend automatiquement à ${until}.`,

  connect: {
    title: 'Connecter une administration',
    explanation:
      'Le nom d’utilisateur et la clé API restent dans ce navigateur, jamais dans le classeur : vous pouvez le partager.',
    username: 'Nom d’utilisateur',
    usernameHint: 'L’adresse e-mail de votre compte',
    apiKey: 'Clé API',
    label: 'Nom',
    labelHint: 'Laissez vide pour le nom réel',
    labelShared: (label) =>
      `Une autre connexion porte aussi le nom « ${label} ». Leur nom réel et leur couleur les distinguent.`,
    keyReplaced: (name) =>
      `Vous aviez déjà une connexion à ${name} : elle a maintenant la nouvelle clé, et garde ses feuilles.`,
    wanted:
      'Ce classeur a servi en dernier lieu avec une administration à laquelle ce navigateur n’a pas de connexion :',
    required: 'Ce champ est obligatoire.',
    submit: 'Se connecter',
    checking: 'Vérification…',
    refused: 'Le nom d’utilisateur ou la clé API est incorrect. Vérifiez les deux et réessayez.',
    another: 'Connecter une autre administration',
    existing: 'Vos administrations',
    active: 'Utilisée',
    use: 'Utiliser',
    rename: 'Renommer',
    save: 'Enregistrer',
    remove: 'Supprimer',
    removeQuestion: (label) =>
      `Supprimer la connexion ${label} ? Son nom d’utilisateur et sa clé API sont effacés de ce navigateur. Les feuilles de vos classeurs restent.`,
  },

  home: {
    title: 'Que voulez-vous faire ?',
    firstSteps: 'Premier envoi en cinq étapes',
    steps: [
      'Connectez-vous à une administration avec un nom d’utilisateur et une clé API.',
      'Choisissez « Feuille d’articles », collez des numéros d’article et cliquez sur « Créer la feuille d’articles ».',
      'Tapez un nouveau prix de vente ou une quantité de stock dans les lignes à modifier.',
      'Choisissez « Envoyer des lignes », vérifiez les lignes à envoyer, puis envoyez-les.',
      'Lisez le résultat à côté de chaque ligne ; corrigez les lignes refusées et envoyez-les à nouveau.',
    ],
    demo: 'Ceci est la démo. Connectez-vous sans compte personnel :',
    demoBooks: { NL: 'Démo néerlandaise', BE: 'Démo belge' },
    pull: 'Importer dans le classeur',
    change: 'Créer et envoyer',
    books: 'Comptabilité',
    underWay: (sheets) =>
      `Un envoi de ${sheets.map((sheet) => `« ${sheet} »`).join(', ')} est en cours ou a été interrompu.`,
    seePush: 'Voir l’envoi',
    inWorkbook: 'Dans ce classeur',
    nothingYet: 'Les tableaux que vous importez apparaissent ici. Vous pouvez les actualiser.',
    refresh: 'Actualiser',
    refreshAll: 'Tout actualiser',
    markChanges: 'Marquer dans les feuilles ce qu’une actualisation change',
    openWithWorkbook: 'Ouvrir ce volet avec ce classeur, chez tous ceux qui ont le complément',
    stale: 'Pas d’aujourd’hui',
    pulledAt: (moment) => `dernière actualisation : ${moment}`,
    ofExport: (moment) => `avec l’export du ${moment}`,
  },

  accounts: {
    title: 'Comptes généraux',
    summary: 'Le plan comptable d’un exercice',
    sheet: 'Comptes généraux',
    filters: {
      FiscalYear: {
        label: 'Exercice',
        hint: 'Laissez vide pour le dernier',
        wrong: 'Écrivez une année comme 2025, ou laissez vide.',
      },
      LedgerType: { label: 'Comptes', all: 'Tous' },
    },
    further: {},
    submit: 'Importer les comptes généraux',
  },
  taxCodes: {
    title: 'Codes TVA',
    summary: 'Les codes TVA des achats et des ventes',
    sheet: 'Codes TVA',
    filters: {},
    further: {},
    submit: 'Importer les codes TVA',
  },
  relations: {
    title: 'Relations',
    summary: 'Clients et fournisseurs tels qu’ils sont maintenant',
    sheet: 'Liste des relations',
    filters: {
      RelationType: { label: 'Type de relation', all: 'Toutes' },
      RelationName: { label: 'Nom', hint: 'Le nom entier' },
      RelationNumber: { label: 'Numéro de client ou de fournisseur' },
      RelationEmail: { label: 'E-mail' },
      RelationVAT: { label: 'Numéro de TVA' },
      RelationGUID: { label: 'ID de la relation', wrong: 'L’ID d’une relation n’a que des chiffres.' },
      SearchOperand: { label: 'Relations qui remplissent', all: 'Toutes les conditions' },
      ChangedSince: { label: 'Modifiées depuis' },
      CreatedSince: { label: 'Créées depuis' },
    },
    further: {
      WithContacts: { label: 'Avec les personnes de contact sur une feuille séparée', sheet: 'Personnes de contact' },
      WithBankAccounts: { label: 'Avec les comptes bancaires sur une feuille séparée', sheet: 'Comptes bancaires' },
      WithCustomFields: { label: 'Avec les champs libres sur une feuille séparée', sheet: 'Champs libres' },
    },
    submit: 'Importer les relations',
  },
  materialBookings: {
    title: 'Imputations de matériel',
    summary: 'Les articles imputés à des projets',
    sheet: 'Imputations de matériel',
    filters: {
      Project: { label: 'Projet', hint: 'Le numéro ou le nom' },
      SelectProjectBy: { label: 'Chercher le projet par', all: 'Les deux' },
      Warehouse: { label: 'Entrepôt' },
      Product_Number: { label: 'Numéro d’article' },
    },
    further: {},
    submit: 'Importer les imputations de matériel',
  },
  trialBalance: {
    title: 'Balance des comptes',
    summary: 'Ouverture, mouvements et clôture de chaque compte, à côté d’une autre période',
    sheet: 'Balance des comptes',
    filters: {
      Period: ledgerPeriod,
      Compared: {
        label: 'À côté',
        all: 'Un an plus tôt',
        wrong: 'Remplissez les deux dates. La première n’est pas après la dernière.',
      },
    },
    further: {},
    submit: 'Importer la balance',
  },
  accountCard: {
    title: 'Fiche de compte',
    summary: 'Les écritures sur des comptes, avec le solde après chacune',
    sheet: 'Fiche de compte',
    filters: {
      Accounts: {
        label: 'Comptes',
        hint: 'Des numéros, des plages et des débuts, comme 1300, 4000:4999 ou 4*. Laissez vide pour tous.',
      },
      Period: ledgerPeriod,
      RelationGUID: { label: 'ID de la relation', wrong: 'Un ID de relation ne contient que des chiffres.' },
      Document: { label: 'Numéro de facture ou de pièce' },
    },
    further: {},
    submit: 'Importer la fiche de compte',
  },
  openItems: {
    title: 'Postes ouverts',
    summary: 'Ce qui est ouvert, à une date, de chaque document des clients et fournisseurs',
    sheet: 'Postes ouverts',
    filters: {
      At: { label: 'Au', hint: 'Laissez vide pour aujourd’hui, aussi à chaque actualisation' },
      RelationGUID: { label: 'ID de la relation', wrong: 'Un ID de relation ne contient que des chiffres.' },
    },
    further: {},
    submit: 'Importer les postes ouverts',
  },
  vatReturn: {
    title: 'Déclaration TVA',
    summary: 'Les grilles d’une période, les lignes derrière elles, les contrôles et les listings',
    sheet: 'Déclaration TVA',
    filters: {
      Period: { label: 'Mois ou trimestre', wrong: 'Écrivez une année, par exemple 2026.' },
      Rounding: {
        label: 'Euros entiers d’une déclaration néerlandaise',
        hint: 'Une déclaration belge a des centimes',
        all: 'Comme dans l’administration',
      },
    },
    further: {
      Lines: { sheet: 'Lignes TVA' },
      Remarks: { sheet: 'Remarques TVA' },
      Listing: { sheet: 'Listing TVA UE' },
      Clients: { sheet: 'Clients TVA' },
    },
    submit: 'Importer la déclaration TVA',
  },
  vat: {
    boxes: {
      '1a': 'Opérations au taux élevé',
      '1b': 'Opérations au taux réduit',
      '1c': 'Opérations à d’autres taux, sauf 0 %',
      '1d': 'Usage privé',
      '1e': 'Opérations à 0 % ou non taxées chez vous',
      '2a': 'Opérations dont la TVA est reportée sur vous',
      '3a': 'Livraisons vers des pays hors de l’UE',
      '3b': 'Livraisons et services vers des pays de l’UE',
      '3c': 'Installation et ventes à distance dans l’UE',
      '4a': 'Opérations en provenance de pays hors de l’UE',
      '4b': 'Opérations en provenance de pays de l’UE',
      '5b': 'TVA en amont',
      '5a': 'TVA due (1 à 4)',
      '5g': 'Total à payer ou à récupérer',
      '00': 'Opérations soumises à un régime particulier ou à 0 %',
      '01': 'Opérations à 6 %',
      '02': 'Opérations à 12 %',
      '03': 'Opérations à 21 %',
      '44': 'Services pour lesquels la TVA est due dans un autre État membre',
      '45': 'Opérations pour lesquelles la TVA est due par le cocontractant',
      '46': 'Livraisons intracommunautaires exemptées',
      '47': 'Autres opérations exemptées et opérations à l’étranger',
      '48': 'Notes de crédit relatives aux grilles 44 et 46',
      '49': 'Autres notes de crédit sur ventes',
      '81': 'Marchandises, matières premières et auxiliaires',
      '82': 'Services et biens divers',
      '83': 'Biens d’investissement',
      '84': 'Notes de crédit reçues relatives aux grilles 86 et 88',
      '85': 'Autres notes de crédit reçues',
      '86': 'Acquisitions intracommunautaires',
      '87': 'Autres opérations à l’entrée avec report de perception',
      '88': 'Services intracommunautaires avec report de perception',
      '54': 'TVA sur 01, 02 et 03',
      '55': 'TVA sur 86 et 88',
      '56': 'TVA sur 87, sauf importations',
      '57': 'TVA sur importations avec report de perception',
      '61': 'Régularisations en faveur de l’État',
      '63': 'TVA à reverser sur notes de crédit reçues',
      '59': 'TVA déductible',
      '62': 'Régularisations en faveur du déclarant',
      '64': 'TVA à récupérer sur notes de crédit délivrées',
      XX: 'Total de 54, 55, 56, 57, 61 et 63',
      YY: 'Total de 59, 62 et 64',
      '71': 'Dû à l’État',
      '72': 'Dû par l’État',
    },
    year: 'Année',
    quarter: (quarter: number) => `Trimestre ${quarter}`,
    wholeYear: 'Toute l’année',
    noBox: 'Dans aucune grille : codes TVA sans règle',
    notFiled: 'Pas introduite.',
    filedOn: (date: string) => `Introduite le ${date}.`,
    rounded: (how: string) => `Euros entiers : ${how.toLowerCase()}.`,
    hint: 'Sélectionnez une grille dans la feuille pour voir les lignes derrière elle, et une ligne d’une facture de vente pour ouvrir son PDF.',
    box: (box) => `Grille ${box}`,
    showLines: 'Voir les lignes',
    showing: 'Filtrage des lignes…',
    shown: (box) => `La feuille des lignes montre celles de la grille ${box}. Effacez son filtre pour les voir toutes.`,
    intervat: {
      title: 'Fichier pour Intervat',
      explanation:
        'La déclaration d’un mois ou d’un trimestre en fichier XML, que vous déposez vous-même dans Intervat. Intervat ne l’a pas contrôlé.',
      refund: 'Demander le remboursement de ce que doit l’État',
      noClients: 'Aucun client ne figure dans le listing annuel',
      write: 'Télécharger le fichier',
      noDownload:
        'Cet Excel ne peut pas télécharger de fichiers. Ouvrez pour cela le classeur dans Excel sur le web ou sous Windows.',
    },
    filing: 'Déclarations introduites',
    markFiled: 'Marquer comme introduite…',
    computing: 'Calcul de la déclaration…',
    marking: 'Marquage de la déclaration…',
    filedAlready: (period, date) =>
      `La déclaration de ${period} a été introduite le ${date}, et rien n’y a changé depuis.`,
    nowFiled: (period) =>
      `La déclaration de ${period} est marquée comme introduite. Ce qui est encodé désormais compte dans la suivante.`,
    notFiledNow:
      'Elle n’a pas été marquée : la comptabilité a changé entre-temps, ou quelqu’un d’autre l’a marquée. Revoyez la déclaration.',
    unknownIfFiled: 'Importez à nouveau la déclaration pour voir si elle est marquée comme introduite.',
    mayNotFile: {
      readOnly: 'Cette clé API ne peut que lire, et pas marquer une déclaration comme introduite.',
      archived: 'Cette administration est archivée : ses déclarations ne peuvent pas être marquées comme introduites.',
    },
    fileTitle: (period) => `La déclaration de ${period} a-t-elle été introduite ?`,
    supplementTitle: (period) => `Un supplément à la déclaration de ${period} a-t-il été introduit ?`,
    fileText:
      'Ledgerline n’envoie rien à l’administration fiscale. Ce qui est encodé plus tard pour cette période compte dans la déclaration suivante. C’est irréversible. Les chiffres :',
    noFigures: 'Toutes les grilles sont à 0.',
    figure: (box, part, amount) => `${box} ${part} : ${amount}`,
    base: 'base',
    tax: 'TVA',
    remarks: (count) =>
      `${format(count)} ${count === 1 ? 'remarque' : 'remarques'} sur cette déclaration : voir ${count === 1 ? 'sa' : 'leur'} feuille.`,
    fileConfirm: 'Marquer comme introduite',
    sums: 'Les totaux comptent les lignes qu’un filtre montre.',
  },
  counterEntry: {
    ...frWords.counterEntry,
    title: (entry) => `Écriture ${entry}`,
    submit: 'Extourner cette écriture',
    working: 'Lecture de l’écriture…',
    description: (journal, number, date) => ['Extourne de', journal, number, date].filter(Boolean).join(' '),
    tax: (code) => `code TVA ${code}`,
    added: (sheet, row) =>
      `L’extourne est sur la feuille « ${sheet} » à partir de la ligne ${row}. Rien n’est encore comptabilisé : vérifiez-la et envoyez-la.`,
    there: (sheet, row) =>
      `La feuille « ${sheet} » a déjà cette extourne, à partir de la ligne ${row}. Rien n’a été ajouté.`,
    leftOut: (what) => `Une écriture ne peut pas comporter ceci, qui manque donc à l’extourne : ${what}.`,
    gone: 'Cette écriture n’est plus dans les livres. Actualisez la fiche de compte.',
    tooLong: (most) => `Cette écriture a plus de ${most} lignes, le maximum qui peut être comptabilisé ici.`,
  },
  ledger: {
    today: 'Aujourd’hui',
    openSign:
      'Ce qui est dû à l’administration est positif, ce qu’elle doit est négatif. Les totaux comptent les lignes qu’un filtre montre.',
    thisYear: 'Cet exercice',
    sign: 'Les soldes sont positifs au débit, négatifs au crédit. Les totaux comptent les lignes qu’un filtre montre.',
    signOfGroups:
      'Les soldes sont positifs au débit, négatifs au crédit. Le total compte les lignes qu’un filtre montre, les sous-totaux les comptent toutes.',
    total: 'Total',
    subtotal: 'Sous-total',
    readingItems: (count) => `Lecture des postes ouverts, qui sont écrits par nom : ${format(count)} jusqu’ici…`,
    beside: (period, other) => `${period}, à côté : ${other.toLowerCase()}`,
    hint: 'Sélectionnez des comptes d’une balance, un document de postes ouverts ou une formule pour importer les écritures correspondantes.',
    selected: (accounts) => `Comptes ${accounts}`,
    selectedDocument: (document) => `Document ${document}`,
    formula: (address) => `Formule en ${address}`,
    showEntries: 'Voir les écritures',
  },
  invoices: {
    title: 'Factures de vente',
    summary: 'Les factures d’une période, avec ou sans leurs lignes',
    sheet: 'Factures de vente',
    filters: {
      Period: {
        label: 'Période',
        hint: 'Laissez les deux vides pour toutes les factures',
        wrong: 'La date de fin précède la date de début.',
      },
      InvoiceNumber: {
        label: 'Numéro de facture',
        hint: 'Seulement pour une facture',
        wrong: 'Un numéro de facture n’a que des chiffres.',
      },
      OpenOnly: { label: 'Seulement les factures ouvertes' },
    },
    further: {
      WithLines: { label: 'Avec les lignes de facture sur une feuille séparée', sheet: 'Lignes de facture' },
    },
    withAgeing: 'Avec une balance âgée (toutes les factures ouvertes) sur une feuille séparée',
    countedTo: 'Compter les jours de retard jusqu’au',
    countedToHint:
      'Laissez vide pour aujourd’hui, aussi à chaque actualisation. Les montants sont toujours ceux de maintenant.',
    submit: 'Importer les factures de vente',
    onlyAgeing: 'Seulement la balance âgée',
  },
  ageing: {
    sheet: 'Balance âgée',
    heading: (administration) => `Balance âgée de ${administration}`,
    openInvoices: (count, moment) =>
      `Toutes les factures ouvertes, de toute date, notes de crédit comprises : ${format(count)}. Montants ouverts au ${moment}.`,
    countedTo: (date) => `Les jours de retard sont comptés jusqu’au ${date}.`,
    total: 'Total',
    chartTitle: (max) => `Montants ouverts par client et jours de retard : les ${format(max)} premiers du tableau`,
    reading: (count) => `Lecture des montants ouverts des factures de toutes les dates : ${format(count)} jusqu’ici…`,
  },
  documents: {
    hint: 'Sélectionnez dans la feuille une facture importée pour ouvrir son PDF ou sa facture électronique.',
    title: (number) => `Facture ${number}`,
    several: (place, all) => `${format(place)} sur ${format(all)} sélectionnées`,
    previous: 'Précédente',
    next: 'Suivante',
    pdf: 'PDF',
    pdfOf: (number) => `PDF de la facture ${number}`,
    eInvoice: 'Facture électronique',
    eInvoiceOf: (number) => `Facture électronique de la facture ${number}`,
    opening: 'Création du document…',
    notOpened: 'Annulé. Aucun document n’a été ouvert.',
    downloads: (file) => `${file} a été téléchargé.`,
    browser: (file) =>
      `${file} a été ouvert dans votre navigateur, parce que cet Excel ne peut pas télécharger de fichiers.`,
    window: (file) =>
      `${file} a été ouvert dans une nouvelle fenêtre, parce que cet Excel ne peut pas télécharger de fichiers.`,
    link: 'Cet Excel ne peut ni télécharger de fichiers ni ouvrir de fenêtre. Ouvrez ce lien une seule fois, dans les deux minutes :',
    cannotBeCreated: { pdf: 'Le PDF ne peut pas être créé :', xml: 'La facture électronique ne peut pas être créée :' },
    notOffered: 'Le service de cette administration n’offre pas de factures électroniques.',
    notFound: (number) => `L’administration n’a plus la facture ${number}. Actualisez la feuille.`,
    zip: { pdf: 'PDF de toutes les factures sélectionnées (zip)', xml: 'Factures électroniques de la sélection (zip)' },
    zipName: { pdf: 'Factures', xml: 'Factures électroniques' },
    zipList: 'Liste.txt',
    zipping: (done, all) => `${documentCount(done)} sur ${format(all)}`,
    zipHolds: (count) => `${documentCount(count)} dans ce zip :`,
    zipped: (file, count) => `${file} a été téléchargé, avec ${documentCount(count)}.`,
    notIncluded: (count) => `${documentCount(count)} non repris :`,
    otherDocuments: (count) => `Et ${format(count)} de plus, dans la liste du zip.`,
    zipFull: {
      documents: 'Un zip contient au plus 500 documents. Sélectionnez celui-ci pour un autre zip.',
      bytes: 'Un zip contient au plus 100 Mo. Sélectionnez celui-ci pour un autre zip.',
    },
    noZip:
      'Cet Excel ne peut pas télécharger de zip. Ouvrez les documents un par un, ou Excel sous Windows ou sur le web.',
    noZipMade: 'Annulé. Aucun zip n’a été créé.',
  },
  auditfiles: {
    title: 'Fichiers d’audit',
    summary: 'Reprendre un exercice d’un autre logiciel, ou en écrire un',
    explanation:
      'Un fichier d’audit XML (XAF 3.2, 3.2.1 ou 4.0) contient un exercice : comptes, relations, codes TVA, bilan d’ouverture et toutes les écritures. Vous verrez son contenu avant la reprise.',
    bringIn: 'Reprendre un fichier d’audit',
    notImporting:
      'Cette clé API ne peut pas reprendre de fichiers. Demandez une clé avec ce droit (administration key issue --scope import).',
    drop: 'Déposez un fichier d’audit ici. S’il a été divisé, déposez tous ses fichiers ensemble.',
    notWhole:
      'Ce ne sont pas tous les fichiers d’un fichier d’audit. Choisissez le premier et chaque « Vervolgbestand » ensemble.',
    choose: 'Choisir un fichier…',
    sending: (percent) => `Envoi : ${percent} %`,
    notSent: 'Annulé. Choisissez le même fichier pour en envoyer le reste.',
    looking: 'Chargement des fichiers d’audit…',
    states: {
      receiving: () => 'Envoi incomplet. Choisissez le même fichier pour en envoyer le reste.',
      checking: (percent) => `Lecture de son contenu : ${percent} %`,
      checked: () => 'Contrôlé. Rien n’a été repris.',
      importing: (percent) => `Reprise : ${percent} %`,
      imported: () => 'Repris',
      withdrawing: () => 'Retrait…',
      withdrawn: () => 'Retiré',
      failed: () => 'Échec',
    },
    failed: (message) => `Échec, rien n’a été repris : ${message}`,
    notWithdrawn: (message) => `Pas retiré, et rien n’a changé : ${message}`,
    withdraw: 'Retirer',
    withdrawTitle: 'Retirer cet exercice ?',
    withdrawText: (entries, days, administration) =>
      `${format(entries)} ${entries === 1 ? 'écriture reprise' : 'écritures reprises'} et le bilan d’ouverture repris de ${days} sont supprimés de « ${administration} ». Ce qui a été fait ici reste, ainsi que les comptes, les relations et les codes TVA.`,
    import: 'Reprendre',
    erase: 'Effacer',
    company: 'Entreprise',
    software: 'Logiciel',
    year: 'Exercice',
    period: (first, last) => `du ${first} au ${last}`,
    accounts: 'Comptes',
    relations: 'Relations',
    taxCodes: 'Codes TVA',
    rowCounts: ({ added, changed, unchanged }) =>
      `${some(added, 'ajout', 'ajouts')}, ${some(changed, 'modification', 'modifications')}, ${format(unchanged)} sans changement`,
    openingBalance: 'Bilan d’ouverture',
    transactions: 'Transactions',
    none: 'aucun',
    total: (lines, debit, credit) => `${rows(lines)}, débit ${debit}, crédit ${credit}`,
    entries: 'Écritures',
    entryCounts: ({ added, removed, unchanged, matched }) =>
      `${some(added, 'nouvelle', 'nouvelles')}, ${some(removed, 'supprimée', 'supprimées')}, ${some(unchanged, 'inchangée', 'inchangées')}, ${some(matched, 'déjà comptabilisée ici', 'déjà comptabilisées ici')}`,
    refused: (count) => `Il ne peut pas être repris : ${some(count, 'problème', 'problèmes')}.`,
    problem: (line, element, message) => `Ligne ${format(line)} : ${element === '' ? '' : `${element} : `}${message}`,
    warned: (count) => `${some(count, 'remarque', 'remarques')} sur le fichier :`,
    differs: (added, removed) =>
      `Un autre fichier de cet exercice a été repris auparavant. Celui-ci le remplace : ${some(added, 'écriture ajoutée', 'écritures ajoutées')}, ${some(removed, 'supprimée', 'supprimées')}.`,
    more: (count) => `et ${format(count)} de plus`,
    confirmTitle: 'Reprendre ce fichier d’audit ?',
    confirmText: (file, administration) => `${file} est repris dans l’administration ${administration}.`,
    replace: (count) =>
      `Remplacer ce que le fichier précédent a apporté (${some(count, 'écriture disparaît', 'écritures disparaissent')})`,
    take: (count) => `Le reprendre bien qu’il se contredise à ${some(count, 'endroit', 'endroits')}`,
    write: {
      title: 'Écrire un fichier d’audit',
      explanation: 'Un exercice de cette administration en fichier, pour un comptable, le fisc ou un autre logiciel.',
      yearHint: 'L’année civile où il commence',
      noYear: 'Entrez une année, comme 2026.',
      whichYear: (year) => `Plusieurs exercices commencent en ${year}. Lequel écrire ?`,
      yearFrom: (first) => `L’exercice à partir du ${first}`,
      version: 'Version',
      versions: { '4.0': '4.0', '3.2': '3.2, pour les logiciels qui ne lisent pas la 4.0' },
      write: 'Écrire le fichier',
      writing: (percent) => `Écriture : ${percent} %`,
      cancelled: 'Annulé. Rien n’a été téléchargé.',
      ready: (file, megabytes) =>
        `${file} est prêt. Il fait ${megabytes} Mo ; le contrôleur du fisc prend 5 Mo au plus.`,
      one: 'Télécharger un seul fichier',
      several: (count) => `Télécharger ${format(count)} fichiers de 5 Mo au plus`,
      zipping: 'Les fichiers sont réunis…',
      noDownload:
        'Cet Excel ne peut pas télécharger de fichiers. Ouvrez le classeur dans Excel sur le web ou sous Windows.',
    },
  },
  exports: {
    title: 'Exports des relations',
    summary: 'Les relations exportées, à importer ou à télécharger',
    sheet: 'Relations',
    explanation:
      'Les relations sont exportées à heures fixes, et sur demande. Un export contient les données de son début. Le plus récent est en tête.',
    looking: 'Chargement des exports…',
    again: 'Recharger',
    none: 'Il n’y a pas encore d’export. Faites le premier maintenant, ou attendez l’heure prévue, d’habitude la nuit.',
    notExported:
      'Les relations de cette administration ne sont pas exportées. Demandez-le au gestionnaire de l’application.',
    makeNow: 'Exporter maintenant',
    requested: 'Un export a été demandé. Il commence dans un instant.',
    making: (count) => `Export en cours : ${some(count, 'relation', 'relations')} jusqu’ici…`,
    made: (moment, count) => `L’export du ${moment} est complet : ${some(count, 'relation', 'relations')}.`,
    stillMaking: 'Le volet n’attend plus l’export. Il se fait quand même ; rechargez la liste pour le voir.',
    latest: 'dernier',
    published: 'Complet',
    running: 'En cours',
    failed: 'Échoué',
    because: (message) => `Échoué : ${message}`,
    relations: (count) => some(count, 'relation', 'relations'),
    soFar: (count) => `${some(count, 'relation', 'relations')} jusqu’ici`,
    counts: (added, changed, vanished) =>
      `${some(added, 'nouvelle', 'nouvelles')}, ${some(changed, 'modifiée', 'modifiées')}, ${some(vanished, 'supprimée', 'supprimées')} depuis l’export précédent`,
    insert: 'Importer',
    insertNamed: (moment) => `Importer les relations du ${moment}`,
    download: 'Télécharger',
    downloadNamed: (moment) => `Télécharger le classeur du ${moment}`,
    downloading: 'Téléchargement…',
    notDownloaded: 'Annulé. Rien n’a été téléchargé.',
  },
  unfinished: {
    new: (sheet, moment) =>
      `La feuille « ${sheet} » contient une liste incomplète : l’importation du ${moment} a été interrompue. Une autre fenêtre y travaille peut-être encore.`,
    refresh: (sheet, moment) =>
      `La feuille « ${sheet} » contient d’anciennes et de nouvelles lignes : l’actualisation du ${moment} a été interrompue. Une autre fenêtre y travaille peut-être encore.`,
    finish: (sheet) => `Terminer ${sheet}`,
    remove: (sheet) => `Supprimer ${sheet}`,
    leave: (sheet) => `Laisser ${sheet} en l’état`,
  },
  periods: {
    thisMonth: 'ce mois',
    lastMonth: 'mois dernier',
    thisQuarter: 'ce trimestre',
    lastQuarter: 'trimestre dernier',
    thisYear: 'cette année',
    lastYear: 'année dernière',
  },
  dates: {
    choose: 'Dates…',
    fromLabel: 'Du',
    tillLabel: 'Au',
    from: (date) => `à partir du ${date}`,
    till: (date) => `jusqu’au ${date}`,
  },
  pulling: (count) => `${rows(count)} jusqu’ici…`,
  pullStarting: 'Envoi de la demande…',
  pulled: {
    made: (count, sheet) => `${rows(count)} sur la feuille « ${sheet} ».`,
    refreshed: (sheet, count, added, changed, removed) =>
      `La feuille « ${sheet} » est à jour : ${rows(count)} ; ${some(added, 'nouvelle', 'nouvelles')}, ${some(changed, 'modifiée', 'modifiées')}, ${some(removed, 'supprimée', 'supprimées')}.`,
    retained: (keys) =>
      `Disparues de l’administration, mais gardées, car vous avez écrit à côté : ${keys}. Supprimez ces lignes quand elles ne servent plus.`,
    marked: (count, all) =>
      count < all
        ? `Les premières lignes modifiées sont marquées : ${format(count)}.`
        : 'Ce qui a changé est marqué en jaune.',
    cut: (count) => `Textes trop longs pour une cellule, qui ont été coupés : ${format(count)}.`,
    asExported: (moment) => `Les données sont celles de l’export du ${moment}.`,
    none: (list) => `${list} : rien n’a été trouvé, donc aucune feuille n’a été créée.`,
    emptied: (sheet, removed) =>
      `La feuille « ${sheet} » n’a plus de lignes : rien n’a été trouvé. ${some(removed, 'ligne supprimée', 'lignes supprimées')}.`,
  },
  columns: {
    title: (sheet, shown, all) => `Colonnes de « ${sheet} » : ${format(shown)} sur ${format(all)}`,
    hint: 'L’ordre est celui d’une nouvelle feuille ; dans une feuille existante, faites glisser ses colonnes. La feuille les retient.',
    up: 'Monter',
    down: 'Descendre',
    usual: 'Comme dans la feuille',
  },
  refreshedAll: {
    now: (place, all, sheet) => `${format(place)} sur ${format(all)}, « ${sheet} » :`,
    done: (sheets, added, changed, removed) =>
      `${some(sheets, 'feuille est à jour', 'feuilles sont à jour')} : ${some(added, 'nouvelle ligne', 'nouvelles lignes')}, ${some(changed, 'modifiée', 'modifiées')}, ${some(removed, 'supprimée', 'supprimées')}.`,
    failed: (sheet) => `La feuille « ${sheet} » n’a pas été actualisée.`,
    left: (sheets) => `Non actualisées : ${sheets.map((sheet) => `« ${sheet} »`).join(', ')}.`,
  },

  products: {
    title: 'Feuille d’articles',
    summary: 'Un tableau à compléter avec les nouveaux prix et le stock',
    sheet: 'Articles à modifier',
    mode: 'Ce que signifie une quantité de stock',
    relativeMeaning: 's’ajoute au stock (5 : cinq de plus, -5 : cinq de moins)',
    absoluteMeaning: 'devient le stock (5 : il y en a cinq)',
    modeHint: 'Chaque ligne reçoit cette valeur ; vous pouvez la modifier par ligne.',
    numbers: 'Numéros d’article',
    numbersHint:
      'Collez-les ou tapez-les, un par ligne, au besoin avec prix et quantités dans d’autres colonnes. Laissez vide pour un tableau vide.',
    fromInvoices: 'Ajouter les articles des lignes de facture de ce classeur',
    fromInvoicesFound: (count) => some(count, 'numéro d’article ajouté.', 'numéros d’article ajoutés.'),
    fromInvoicesNone:
      'Le classeur n’a pas de lignes de facture avec des numéros d’article. Importez d’abord des factures de vente avec lignes.',
    duplicates: (count) =>
      count === 1
        ? 'Un numéro d’article figure sur plusieurs lignes ; elles portent un message. N’en gardez qu’une avant d’envoyer.'
        : `${format(count)} numéros d’article figurent sur plusieurs lignes ; elles portent un message. N’en gardez qu’une de chacun avant d’envoyer.`,
    submit: 'Créer la feuille d’articles',
    making: 'Création de la feuille d’articles…',
    made: (sheet) =>
      `La feuille « ${sheet} » est prête. Remplissez les valeurs à modifier et laissez les autres vides.`,
    presentNotRead:
      'Les noms, prix et stocks actuels n’ont pas été lus : cette administration ne donne pas la liste de ses articles, ou est injoignable.',
    madeRows: ({ products, blank, empty }) =>
      [
        `Lignes avec un article : ${format(products)}.`,
        blank > 0 ? `Lignes vides entre elles, comme collées : ${format(blank)}.` : '',
        empty > 0 ? `Lignes vides en dessous : ${format(empty)}.` : '',
      ]
        .filter(Boolean)
        .join(' '),
    next: 'Envoyer cette feuille',
  },
  selected: {
    title: 'Valeurs actuelles des lignes sélectionnées',
    none: 'Ce service ne liste pas ses articles. Sélectionnez des lignes de la feuille pour lire leurs noms, prix et stocks actuels.',
    read: (count) => (count === 1 ? 'Lire 1 article sélectionné' : `Lire ${format(count)} articles sélectionnés`),
    time: (minutes) =>
      minutes < 2
        ? 'Cela prend une minute au plus.'
        : `Le service permet peu de demandes : cela prend environ ${format(minutes)} minutes. Vous pouvez travailler dans la feuille entre-temps.`,
    progress: (done, total) => `${some(done, 'article lu', 'articles lus')} sur ${format(total)}.`,
    done: (read, missing) =>
      missing === 0
        ? `Articles lus : ${format(read)}.`
        : `Articles lus : ${format(read)}. Introuvables : ${format(missing)} ; leurs lignes portent un message.`,
    cancelled: 'Arrêté. Ce qui a été lu est dans la feuille.',
    goOn: (count) => (count === 1 ? 'Lire l’article restant' : `Lire les ${format(count)} articles restants`),
  },
  search: {
    label: 'Chercher des articles',
    hint: 'Une partie du nom, le numéro d’article ou l’EAN',
    addTitle: 'Ajouter des articles à la feuille',
    addedRow: (article, row, wasThere) =>
      wasThere ? `${article} est déjà à la ligne ${row}.` : `${article} est maintenant à la ligne ${row}.`,
    found: (count, isFull) =>
      count === 0
        ? 'Aucun article trouvé.'
        : isFull
          ? `Les ${format(count)} premiers articles trouvés.`
          : some(count, 'article trouvé.', 'articles trouvés.'),
    add: 'Ajouter',
    added: 'Ajouté',
  },
  pasting: {
    title: 'Colonnes collées',
    meaning: 'Vérifiez ce qu’est chaque colonne avant de créer la feuille.',
    column: (place) => `Colonne collée ${place}`,
    choose: 'Choisir…',
    unused: 'Non utilisée',
    read: (count, blank) =>
      `${rows(count)} avec un article${blank === 0 ? '' : ` ; ${some(blank, 'ligne vide garde sa', 'lignes vides gardent leur')} place`}.`,
    noProduct: 'Choisissez la colonne des numéros d’article ou des EAN.',
    undecided: 'Choisissez ce qu’est chaque colonne collée, ou « Non utilisée ».',
    twice: (heading) => `Deux colonnes sont choisies comme « ${heading} ». N’en gardez qu’une.`,
    noNumber: (heading, value, line, count) =>
      `${heading} : « ${value} » à la ligne ${format(line)} n’est pas un nombre, ou peut se lire de deux façons${count === 1 ? '' : `, comme ${format(count - 1)} ${count === 2 ? 'autre' : 'autres'}`}. Corrigez-le, ou laissez la colonne de côté.`,
  },

  documentSheets: {
    title: 'Créer des documents',
    summary: 'Une feuille à remplir avec des factures, commandes, achats ou nouveaux articles',
    kind: 'Que créer',
    kinds: {
      salesInvoiceRows: { name: 'Factures de vente', sheet: 'Factures à créer' },
      orderRows: { name: 'Commandes et devis', sheet: 'Commandes à créer' },
      salesTransactionRows: { name: 'Ventes à comptabiliser', sheet: 'Ventes à comptabiliser' },
      purchaseTransactionRows: { name: 'Achats à comptabiliser', sheet: 'Achats à comptabiliser' },
      newProductRows: { name: 'Nouveaux articles', sheet: 'Articles à ajouter' },
      journalEntryRows: { name: 'Écritures', sheet: 'Écritures à comptabiliser' },
    },
    explanation:
      'Les colonnes avec * sont nécessaires. Les listes de clients, de codes TVA, etc. sont lues maintenant et proposées dans les cellules.',
    submit: 'Créer la feuille',
    making: 'Lecture des listes de choix…',
    made: (sheet) => `La feuille « ${sheet} » est prête. Remplissez-la, puis contrôlez-la et envoyez-la.`,
    next: 'Envoyer cette feuille',
    listsSheet: 'Listes Ledgerline',
    lists: {
      customers: 'Clients',
      suppliers: 'Fournisseurs',
      salesTaxCodes: 'Codes TVA des ventes',
      purchaseTaxCodes: 'Codes TVA des achats',
      taxCodes: 'Codes TVA',
      accounts: 'Comptes généraux',
      units: 'Unités',
      orderStatuses: 'Statuts de commande',
    },
  },
  documentPush: {
    /** @param reason why something could not be read */
    notRead: (reason) => `Tout n’a pas pu être vérifié, et des totaux peuvent manquer. ${reason}`,
    noEInvoice: (count) =>
      count === 1
        ? 'Une facture peut être établie, mais pas envoyée comme facture électronique (Peppol) :'
        : `${format(count)} factures peuvent être établies, mais pas envoyées comme factures électroniques (Peppol) :`,
    lacksForEInvoice: (reason, names, count) =>
      `${names.join(', ')}${count > names.length ? `, et ${format(count - names.length)} autres` : ''} : ${reason}`,
    eInvoicesLookedAt: (count) => `Pour les factures électroniques, les ${format(count)} premières ont été examinées.`,
    effects: {
      title: 'Effet sur la balance (débit moins crédit)',
      titleOfYears: (from, to) =>
        `Effet sur la balance du ${from} au ${to}, sur plusieurs exercices (débit moins crédit)`,
      account: 'Compte',
      before: 'Actuel',
      change: 'Changement',
      after: 'Après',
    },
    ready: (count) => `${some(count, 'document prêt', 'documents prêts')} à envoyer`,
    total: (excl, incl) => `Ensemble ${excl} hors TVA, ${incl} TVA comprise`,
    totalPart: (count) => `Sans ${some(count, 'document', 'documents')} dont l’administration calcule le total`,
    bad: (count) => `${some(count, 'cellule', 'cellules')} à corriger`,
    goTo: (address) => `Aller à ${address}`,
    held: (count) => `${some(count, 'retenu', 'retenus')} : le résultat d’un envoi précédent est inconnu`,
    lookAgain: 'Chercher à nouveau',
    lookingAgain: 'Recherche dans les livres…',
    lookedAgain: (found) =>
      found === 0 ? 'Rien n’a été trouvé. Vérifiez vous-même dans les livres.' : `Trouvés : ${format(found)}.`,
    sendHeld: (count) => `Absent des livres : envoyer à nouveau (${format(count)})`,
    repeated: (count) =>
      `${some(count, 'non envoyé', 'non envoyés')} : déjà créé à l’identique, ou modifié depuis sa création`,
    sendRepeated: (count) => `C’est un autre document : le créer (${format(count)})`,
    applied: (count) => `${some(count, 'créé auparavant', 'créés auparavant')}, pas envoyé à nouveau`,
    nothing: 'Il n’y a rien à envoyer. Remplissez des lignes, puis contrôlez à nouveau.',
    submit: (count, name) => `Envoyer ${some(count, 'document', 'documents')} à ${name}`,
    confirmText: (count, name) =>
      `${some(count, 'document sera créé', 'documents seront créés')} dans l’administration ${name}. Cela ne peut pas être annulé d’ici.`,
    confirmHeld: (count) =>
      `Attention : ${some(count, 'document est peut-être déjà dans les livres', 'documents sont peut-être déjà dans les livres')}, et serait créé une seconde fois.`,
    confirmRepeated: (count) => `Attention : ${some(count, 'document', 'documents')} peut-être créé une seconde fois.`,
    confirms: {
      mails: (count) => `${some(count, 'est envoyé', 'sont envoyés')} au client par e-mail`,
      periodicInvoices: (count) => `${some(count, 'commence', 'commencent')} des factures périodiques`,
    },
    hiddenToo: (count) => `Envoyer aussi ${format(count)} avec des lignes masquées`,
    severalAtOnce:
      'Envoyer plusieurs à la fois : plus rapide, mais les numéros peuvent ne pas suivre l’ordre des lignes',
    onlyFirst: (max) => `Seuls les ${format(max)} premiers sont envoyés maintenant. Envoyez à nouveau pour les autres.`,
    preview: 'Documents',
    more: (count) => `et ${format(count)} de plus`,
  },
  push: {
    title: 'Envoyer des lignes',
    summary: 'Envoyer les lignes d’une feuille : prix et stock, documents ou écritures',
    below: (first, last) =>
      first === last
        ? `La ligne ${first} est sous le tableau et n’en fait pas partie : elle n’est pas envoyée.`
        : `Les lignes ${first} à ${last} sont sous le tableau et n’en font pas partie : elles ne sont pas envoyées.`,
    includeRows: (count) => (count === 1 ? 'Inclure la ligne dans le tableau' : 'Inclure les lignes dans le tableau'),
    copied: (sheet) =>
      `La feuille « ${sheet} » ressemble à la copie d’une feuille à envoyer, ou vient d’un autre programme. Les envois n’y sont pas conservés.`,
    adoptCopy: (sheet, name) => `Utiliser ${sheet} comme feuille de ${name}`,
    copyOfWhom: (name) => `Rien n’y dit à qui elle est. Ce que ${name} en contient :`,
    none: 'Il n’y a pas encore de feuille à envoyer dans ce classeur.',
    make: 'Créer une feuille d’articles',
    sheet: 'Feuille à envoyer',
    check: 'Vérifier les lignes à nouveau',
    checking: 'Lecture de la feuille…',
    defaultMode: 'Lignes sans valeur sous « Mutation de stock »',
    found: 'Lignes à envoyer',
    ready: (count) => some(count, 'ligne prête à envoyer', 'lignes prêtes à envoyer'),
    relativeCount: (count) => `${format(count)} avec stock relatif (ajouté)`,
    absoluteCount: (count) => `${format(count)} avec stock absolu (fixé)`,
    withoutStock: (count) => `${format(count)} sans mutation de stock`,
    bad: (count) => some(count, 'ligne avec des erreurs, non envoyée', 'lignes avec des erreurs, non envoyées'),
    held: (count) => some(count, 'ligne retenue', 'lignes retenues'),
    repeated: (count) =>
      `${some(count, 'ligne avec une quantité déjà ajoutée, non envoyée', 'lignes avec une quantité déjà ajoutée, non envoyées')}. La commande Annuler l’a peut-être remise.`,
    repeatAgain: (count) =>
      count === 1
        ? 'C’est une autre livraison : ajouter à nouveau'
        : `Ce sont d’autres livraisons : ajouter ces ${format(count)} à nouveau`,
    confirmRepeated: (count, moment) =>
      `Attention : pour ${rows(count)}, la même quantité a déjà été ajoutée, la dernière fois le ${moment}. Elle sera ajoutée à nouveau.`,
    unchanged: (count) => `${rows(count)} sans modification`,
    rowIssue: (row, message) => `Ligne ${row} : ${message}`,
    more: (count) => `et ${some(count, 'autre', 'autres')} ; chaque ligne a son propre message.`,
    nothing: 'Il n’y a rien à envoyer. Remplissez un nouveau prix ou un stock, puis vérifiez à nouveau.',
    submit: (count, label) => `Envoyer ${rows(count)} à ${label}`,
    confirmTitle: (label) => `Envoyer à ${label} ?`,
    confirmText: (count, label) =>
      `${some(count, 'ligne modifiera', 'lignes modifieront')} des articles de l’administration « ${label} ». Cela ne peut pas être annulé d’ici.`,
    newProducts: (count) =>
      count === 1 ? '1 ligne crée un nouvel article.' : `${rows(count)} créent de nouveaux articles.`,
    newProduct: 'Nouvel article',
    makeCategories: 'Créer les groupes d’articles qui n’existent pas encore',
    preview: 'Modifications',
    previewMore: (count) => `et ${rows(count)} de plus`,
    totalAdded: (quantity) => `Total ajouté aux stocks : ${quantity}`,
    totalPrices: (raised, lowered) => `Prix de vente augmentés : ${format(raised)} ; baissés : ${format(lowered)}`,
    hiddenRows: (hidden, all) =>
      `${all === 1 ? 'La ligne' : `${format(hidden)} de ces ${rows(all)}`} ${hidden === 1 ? 'est masquée' : 'sont masquées'}, par un filtre ou à la main. Quelles lignes sont envoyées ?`,
    visibleOnly: (count) => `Seulement les lignes visibles : ${rows(count)}`,
    hiddenToo: (count) => `Aussi les lignes masquées : ${rows(count)}`,
    hiddenFound: (count) => `dont ${some(count, 'masquée', 'masquées')}, par un filtre ou à la main`,
    unusualFound: (count) =>
      `${rows(count)} avec un prix qui est peut-être une erreur : non ${isOne(count) ? 'envoyée tant que vous ne la cochez' : 'envoyées tant que vous ne les cochez'} pas avant l’envoi.`,
    unusualTitle: (count) => `Retenu : ${rows(count)}`,
    unusualMeaning: 'Ces prix sont peut-être des erreurs. Une ligne n’est envoyée que si vous la cochez.',
    unusualAll: (count) => (count === 1 ? 'Ce prix est correct' : `Les ${format(count)} prix sont corrects`),
    unusualMore: (count) =>
      `et ${rows(count)} de plus, à cocher seulement ${count === 1 ? 'avec les autres' : 'ensemble'}`,
    presentReadOn: (moment) => `Valeurs actuelles lues le ${moment} ou plus tard.`,
    notRead: { price: 'prix actuel non lu', stock: 'stock actuel non lu' },
    confirmFirst: 'C’est votre premier envoi à cette administration depuis ce navigateur.',
    confirm: 'Envoyer',
    confirmGoesOn:
      'Une fois accepté par le service, l’envoi continue sans ce volet. Les résultats arrivent dans la feuille tant qu’il est ouvert.',
    confirmUnknown: (count) =>
      `Attention : pour ${rows(count)}, on ne sait pas si le stock a été ajouté. Si oui, il sera ajouté une deuxième fois.`,
    confirmUnread:
      'Attention : les autres envois n’ont pas pu être lus, et ont peut-être déjà ajouté ces quantités. Annulez et réessayez.',
    confirmElsewhere: (count) =>
      `Attention : ${some(count, 'ligne avec stock relatif concerne', 'lignes avec stock relatif concernent')} des articles modifiés après la création de cette feuille, par un envoi que ce classeur ne connaît pas. S’il a été fermé sans enregistrer, les quantités ont peut-être déjà été ajoutées.`,
    onlyFirst: (max) =>
      `Seules les ${format(max)} premières lignes sont envoyées maintenant. Envoyez à nouveau pour les autres.`,
    asApplied: (count) =>
      `${some(count, 'ligne déjà traitée et inchangée depuis, non envoyée', 'lignes déjà traitées et inchangées depuis, non envoyées')}. Videz le statut d’une telle ligne pour la renvoyer.`,
    preparing: 'Préparation de la feuille…',
    progress: (done, total) => `${rows(done)} sur ${format(total)}`,
    pace: (count) => `${rows(count)} par minute`,
    expectedEnd: (moment) => `fin prévue à ${moment}`,
    beginning: 'L’envoi part vers le service…',
    queued: 'Dans la file d’attente.',
    quiet: 'Aucune ligne traitée depuis une minute : l’administration est occupée. L’envoi continue.',
    keepOpen: 'Laissez ce volet ouvert jusqu’à ce que le service ait accepté l’envoi.',
    goesOn:
      'Vous pouvez fermer le volet ou Excel : l’envoi continue. Enregistrez le classeur, et rouvrez-y ce volet pour voir les résultats.',
    resumesLater:
      'Vous pouvez fermer le volet ou Excel : le service y travaille dès qu’il le peut. Enregistrez le classeur, et rouvrez-y ce volet pour voir les résultats.',
    unreachable: 'Le service est injoignable.',
    notConfirmed: (problem) =>
      `${problem} Il n’a pas encore confirmé cet envoi. La demande est répétée automatiquement.`,
    retrying: (problem) => `${problem} La demande des résultats est répétée automatiquement.`,
    stop: 'Arrêter l’envoi',
    stopMeaning: 'Les lignes traitées restent traitées. Celles qui ne sont pas encore envoyées ne changent rien.',
    stopping: 'Arrêt : les lignes déjà envoyées sont attendues…',
    resume: 'Continuer avec les résultats',
    abandon: 'Abandonner les résultats',
    abandonMeaning: 'Les lignes sans résultat deviennent Inconnu.',
    elsewhere: (label) =>
      `Les lignes de cette feuille sont en cours d’envoi à « ${label} ». Connectez-vous-y pour voir les résultats.`,
    notOffered: 'Le service à cette adresse n’accepte pas d’envois : rien n’a été envoyé.',
    notKnown: 'Le service ne connaît pas cet envoi, ou plus : il conserve les résultats un certain temps.',
    of: (moment) => `Envoi du ${moment}`,
    retry: (count) =>
      count === 1
        ? 'Réessayer la ligne refusée ou inconnue'
        : `Réessayer les ${format(count)} lignes refusées et inconnues`,
    others: 'Autres envois à cette administration',
    other: (moment, by) => (by === '' ? moment : `${moment}, par ${by}`),
    allActivity: 'Toute l’activité',
    showRows: 'Lignes',
    allRows: (count) => `Toutes les lignes (${format(count)})`,
    failedRows: (count) => `Refusées et inconnues (${format(count)})`,
    rowsFrom: (first, last, total) => `Lignes ${format(first)} à ${format(last)} sur ${format(total)}`,
    previousRows: 'Lignes précédentes',
    nextRows: 'Lignes suivantes',
    noSuchRows: 'Il n’y a pas de telles lignes.',
    sentRow: (row) => `Ligne ${row}`,
    readingRows: (count, total) => `${some(count, 'ligne lue', 'lignes lues')} sur ${format(total)}…`,
    done: 'Terminé',
    stoppedAt: (done, total) => `Arrêté à ${rows(done)} sur ${format(total)}`,
    stoppedLate: 'L’envoi n’a pas pu être arrêté : toutes les lignes étaient envoyées.',
    stateCounts: {
      waiting: (count) => `${format(count)} en attente`,
      applied: (count) => some(count, 'traitée', 'traitées'),
      refused: (count) => some(count, 'refusée', 'refusées'),
      unknown: (count) => some(count, 'inconnue', 'inconnues'),
      cancelled: (count) => some(count, 'non envoyée', 'non envoyées'),
    },
    missing: (keys) => `Lignes qui ne sont plus dans la feuille, dont le résultat n’a pas pu être écrit : ${keys}.`,
    changed: (keys) =>
      `Non envoyé, parce qu’aucune ligne de la feuille ne portait plus ce nom au début de l’envoi : ${keys}.`,
    seeRows: 'Chaque ligne de la feuille a son résultat.',
  },

  rowMessage: {
    ...frWords.rowMessage,
    madeBefore: 'Créé par un envoi précédent.',
    madeOtherwise: (expected) =>
      `Ajouté à l’administration. Son total diffère de celui de la feuille, ${price(expected)} : vérifiez-le.`,
    unknownMade: 'La réponse s’est perdue ; il est peut-être dans les livres. Il n’est renvoyé que sur demande.',
    heldMade:
      'Retenu : il est peut-être déjà dans les livres. Cherchez à nouveau dans le volet, ou regardez dans les livres ; envoyez-le ensuite depuis le volet, ou videz le statut.',
    sameAsMade: 'Non envoyé : exactement le même a déjà été créé. Si c’en est un autre, créez-le depuis le volet.',
    changedSinceMade:
      'Non envoyé : il a déjà été créé, et ses lignes ont changé depuis. Si c’en est un autre, créez-le depuis le volet, ou videz le statut.',
    applied: 'Modifié dans l’administration.',
    made: 'Ajouté à l’administration.',
    appliedCleared: (quantity) =>
      `Modifié dans l’administration : ${quantity.replace('.', ',')} ajouté. La quantité a été vidée, pour ne pas être ajoutée à nouveau.`,
    unknownRelative:
      'La réponse s’est perdue ; le stock a peut-être changé. Vérifiez l’article. Videz ce statut pour renvoyer la ligne, ou videz la quantité.',
    unknown: 'La réponse s’est perdue ; l’article a peut-être changé. Envoyez à nouveau pour en être sûr.',
    held: 'Retenu : le résultat d’un envoi précédent est inconnu. Vérifiez l’article, puis videz le statut ou la quantité.',
    repeated:
      'Non envoyé : cette quantité a déjà été ajoutée. Si c’est une autre livraison, ajoutez-la à nouveau depuis le volet ; sinon, videz-la.',
    cancelled: 'Non envoyé : l’envoi a été arrêté avant cette ligne.',
    refusedBefore: 'Refusé par le dernier envoi. Envoyez la ligne à nouveau pour voir la raison.',
    refusedWhole: 'Non envoyé : le service a refusé tout l’envoi.',
    stoppedUnauthorized: 'Non envoyé : le nom d’utilisateur ou la clé API a été refusé.',
    stoppedForbidden: 'Non envoyé : l’administration est archivée, ou cette clé API ne permet que la lecture.',
    notApplied: 'Le service a accepté la demande mais n’a rien modifié.',
    noSuchProduct:
      'L’administration n’a pas d’article avec ce numéro. Pour l’ajouter, choisissez Oui sous « Nouvel article ».',
    unusual: (prices) =>
      `Non envoyé : ${prices}. Corrigez le prix, ou cochez cette ligne dans le volet lors de l’envoi.`,
  },
  priceDoubts: {
    of: (heading, value, reasons) => `${heading} ${price(value)} : ${reasons}`,
    date: ({ date }) => `la cellule a un format de date, ${date}`,
    time: ({ time }) => `la cellule a un format d’heure, ${time}`,
    percentage: ({ percentage }) => `la cellule a un format de pourcentage, ${percentage.replace('.', ',')} %`,
    likeDate: ({ date }) => `ressemble à la date ${date}`,
    likeTime: ({ time }) => `ressemble à l’heure ${time}`,
    likePercentage: ({ percentage }) => `ressemble à ${percentage.replace('.', ',')} %`,
    zero: () => 'le prix devient 0',
    tenfold: ({ present }) => `dix fois le prix actuel de ${price(present)}, ou plus`,
    tenth: ({ present }) => `un dixième du prix actuel de ${price(present)}, ou moins`,
  },
  cell: {
    at: (heading, address, text) => `${heading} (${address}) : ${text}`,
    line: (heading, line) => `${heading}, ligne ${line}`,
    noDocument: 'remplissez le document dont la ligne fait partie',
    sameInDocument: 'attendu la même chose que sur la première ligne du document, ou rien',
    date: (value) => `attendu une date comme 31-12-2026, trouvé « ${value} »`,
    ambiguousDate: (value) => `« ${value} » peut se lire de deux façons ; tapez-la avec des tirets, le jour d’abord`,
    notDate: 'le nombre n’a pas de format de date ; tapez une date',
    choice: (words, value) => `attendu ${oneOf(words)}, trouvé « ${value} »`,
    field: (heading, text) => `${heading} : ${text}`,
    noProduct: 'Remplissez un numéro d’article ou un EAN.',
    error: (value) => `la formule donne ${value} ; corrigez-la ou tapez une valeur`,
    number: (value) => `un nombre comme 12,50 est attendu, « ${value} » a été trouvé`,
    ambiguous: (value) => `« ${value} » peut se lire de deux façons ; tapez-le comme nombre`,
    lostDigits: 'le nombre a perdu des chiffres ; donnez à la cellule le format texte et tapez-le à nouveau',
    padded: 'la cellule montre des zéros que le nombre n’a pas ; donnez-lui un format de texte et tapez à nouveau',
    naturesOfText: {
      date: 'la cellule a un format de date ; donnez-lui un format de texte et tapez à nouveau',
      time: 'la cellule a un format d’heure ; donnez-lui un format de texte et tapez à nouveau',
      percentage: 'la cellule a un format de pourcentage ; donnez-lui un format de texte et tapez à nouveau',
      boolean: 'la cellule contient VRAI ou FAUX ; tapez un texte',
    },
    natures: {
      date: 'la cellule a un format de date ; donnez-lui un format de nombre et tapez à nouveau',
      time: 'la cellule a un format d’heure ; donnez-lui un format de nombre et tapez à nouveau',
      percentage: 'la cellule a un format de pourcentage ; donnez-lui un format de nombre et tapez à nouveau',
      boolean: 'la cellule contient VRAI ou FAUX ; tapez un nombre',
    },
    negativePrice: 'un prix ou un pourcentage ne peut pas être inférieur à 0',
    yesOrNo: (value) => `Oui ou Non est attendu, « ${value} » a été trouvé`,
  },

  /** Ce qu’une déclaration TVA dit d’elle-même. */
  remarkValues: { text: (value) => value, amount: price, day },
  vatRemarks: {
    UNMAPPED: (side, taxCode, base, tax, documents, more) => {
      const kind = side === 'Sales' ? 'vente' : 'achat';
      const what = taxCode === '' ? `Lignes de ${kind} sans code TVA` : `Le code TVA « ${taxCode} » de ${kind}`;
      return `${what} : aucune grille n’est connue pour ${base} avec ${tax} de TVA, dans ${several(documents, more)}.`;
    },
    DOUBTFUL: (_side, taxCode, doubt) => `${taxCode} : ${doubt}`,
    NOT_BOOKED: (documents, more) =>
      `Comptabilisés avec ce que la facture porte seulement, alors que la déclaration a aussi ce qui est dû et déductible : ${several(documents, more)}.`,
    BASE_DERIVED: (documents, more) =>
      `Écritures avec TVA et sans sa base, qui suit du pourcentage : ${several(documents, more)}.`,
    KIND_DERIVED: (count) =>
      count === '1'
        ? '1 achat n’a pas de nature (81 à 83) : elle a été déduite de son compte.'
        : `${count} achats n’ont pas de nature (81 à 83) : elle a été déduite de leurs comptes.`,
    NO_VAT_NUMBER: (name, document) => `${name} n’a pas de numéro de TVA : ${document} ne porte pas de TVA.`,
    NO_EU_NUMBER: (name, vatNumber, document) =>
      `Le numéro de TVA ${vatNumber} de ${name} n’est d’aucun autre pays de l’UE : ${document} figure dans le listing.`,
    UNUSUAL_RATE: (document, tax, base) =>
      `${document} : ${tax} de TVA sur ${base} n’est pas un taux habituel à cette date.`,
    CARRIED: (box, amount) =>
      `La grille ${box} serait ${amount} : elle est 0, et le reste compte dans la période suivante.`,
    LISTING_DIFFERS: (boxes, declared, listed) => `${boxes} : ${declared}, le listing dans l’UE : ${listed}.`,
    ACCOUNTS_DIFFER: (moved, expected) =>
      `Les comptes de TVA ont bougé de ${moved} dans la période, les documents de la déclaration de ${expected}.`,
    ENTRY_DIFFERS: (date, document, moved, expected) =>
      `${date} ${document} : les comptes de TVA ont bougé de ${moved}, la déclaration a ${expected}.`,
    LATE: (count, tax, due) =>
      `${count} ${count === '1' ? 'document a' : 'documents ont'} une date dans une période dont la déclaration était introduite, avec ${tax} de TVA à payer : ${
        due === 'supplement'
          ? 'c’est au-dessus de la limite pour la déclaration suivante : introduisez un supplément'
          : count === '1'
            ? 'il compte dans celle-ci'
            : 'ils comptent dans celle-ci'
      }.`,
    CHANGED: (box, part, filed, now) =>
      `La grille ${box} (${part === 'base' ? 'base' : 'TVA'}) a été introduite comme ${filed}, et serait ${now} aujourd’hui.`,
    DOCUMENT_CHANGED: (document, date, box, part, filed, now) =>
      `${document} du ${date} : ${filed} a été introduit dans la grille ${box} (${part === 'base' ? 'base' : 'TVA'}), et ce serait ${now} aujourd’hui.`,
    LATE_DOCUMENT: (document, date, tax, countsOn) =>
      `${document} du ${date} a été encodé après l’introduction de cette déclaration : sa TVA à payer, ${tax}, compte dans celle du ${countsOn}.`,
    CORRECTION: (tax, due, ofChanges) =>
      `Depuis l’introduction de cette déclaration, la TVA à payer a changé de ${tax} : ${
        due === 'supplement'
          ? 'c’est au-dessus de la limite pour la déclaration suivante : introduisez un supplément'
          : due === 'late'
            ? 'la déclaration suivante l’a d’elle-même'
            : due === 'both'
              ? `la déclaration suivante a d’elle-même ce qui est venu après ; corrigez-y les autres ${ofChanges}`
              : 'corrigez-la dans la déclaration suivante'
      }.`,
    MORE: (count, code) => `Encore ${count} comme celles de ${code}.`,
    CONTROL_O: control('54 par rapport à 6 % de 01, 12 % de 02 et 21 % de 03'),
    CONTROL_P: control('55 par rapport à 21 % de 84, 86 et 88'),
    CONTROL_Q: control('56 et 57 par rapport à 21 % de 85 et 87'),
    CONTROL_S: limit('59 par rapport à la moitié de 81 à 85'),
    CONTROL_T: limit('63 par rapport à 21 % de 85'),
    CONTROL_U: limit('64 par rapport à 21 % de 49'),
  },
  columnNotes: {
    Document:
      'Un numéro ou un nom à vous. Les lignes qui ont le même forment un seul document ; ses autres champs figurent sur une de ses lignes, ou sur toutes.',
    CustomerNumber:
      'Choisissez un client, ou tapez son numéro. Laissez vide pour le désigner par son nom ou son e-mail.',
    SupplierNumber:
      'Choisissez un fournisseur, ou tapez son numéro. Laissez vide pour le désigner par son nom ou son e-mail.',
    InvoiceDate: 'Laissez vide pour aujourd’hui.',
    OrderDate: 'Laissez vide pour aujourd’hui.',
    UnitPriceExclTax: 'Inutile si le montant TVA comprise est rempli, ou si le prix de l’article est utilisé.',
    TaxCode: 'Laissez vide pour la TVA de l’article.',
    InvoiceNumber: 'Laissez vide pour le numéro suivant.',
    EmailToCustomer:
      'Avec Oui, la facture est envoyée par e-mail quelque temps après sa création. Le volet le demande avant l’envoi.',
    PeriodicInvoiceTemplate: 'Avec Oui, les lignes deviennent un modèle, dont des factures sont créées à son rythme.',
    GeneralStatus: 'Laissez vide pour une commande.',
    IsTextLine: 'Avec Oui, la ligne est un texte sans montant.',
    CategoryName: 'Une catégorie existante, ou une nouvelle avec Oui sous « Créer la catégorie ».',
  },
  columnNotesOf: {
    salesTransactionRows: { TaxCode: 'Choisissez un code des ventes. Ne laissez vide que si « TVA % » est rempli.' },
    purchaseTransactionRows: { TaxCode: 'Choisissez un code des achats. Ne laissez vide que si « TVA % » est rempli.' },
    newProductRows: { TaxCode: 'Choisissez un code des ventes. Laissez vide si « TVA % du produit » est rempli.' },
    journalEntryRows: {
      Document:
        'Un numéro ou un nom à vous. Les lignes qui ont le même forment une écriture, dont débit et crédit sont égaux.',
      EntryDate: 'Laissez vide pour aujourd’hui.',
      Journal: 'Laissez vide pour le journal des opérations diverses.',
      EntryNumber: 'Laissez vide pour le numéro suivant.',
      Debit: 'Un montant d’un seul côté de la ligne : débit ou crédit.',
      CustomerNumber: 'Le client que la ligne concerne : choisissez-le, ou tapez le numéro.',
      SupplierNumber: 'Le fournisseur que la ligne concerne : choisissez-le, ou tapez le numéro.',
      TaxCode:
        'Seulement sur une ligne de TVA, ou avec « Montant TVA » sur une ligne de ce qui est imposé. Le montant imposé est sous « Base TVA ».',
      TaxAmount:
        'Laissez vide sur une ligne de TVA. Sur une ligne de ce qui est imposé, c’est la TVA de cette ligne : 0 à 0 %.',
    },
  },
  activity: {
    title: 'Activité',
    summary: 'Ce qui a été envoyé, exporté et importé',
    service: 'Enregistré par le service',
    seenByKeys:
      'Toute personne qui a une clé de cette administration voit ceci. Les envois sont conservés un temps limité.',
    seenByKey: 'Seule cette clé API voit ceci. Les envois sont conservés un temps limité.',
    workbook: 'Enregistré dans ce classeur',
    seenInFile: 'Toute personne qui a ce fichier voit ceci. Le service n’enregistre pas ce qui est importé.',
    looking: 'Chargement des envois…',
    pushes: 'Envois',
    noPushes: 'Rien n’a été envoyé pendant la durée que le service retient.',
    noPulls: 'Rien n’a encore été importé dans ce classeur.',
    insert: 'Mettre dans une feuille',
    insertNamed: (moment) => `Mettre dans une feuille : envoi du ${moment}`,
    ofSheet: (sheet) => `de la feuille « ${sheet} » de ce classeur`,
    older: 'Afficher les plus anciens',
    allExports: 'Tous les exports',
    sheet: (moment) => `Envoi ${moment}`,
    before: {
      newThing: 'N’existait pas',
      unchanged: 'Non modifié',
      empty: 'Vide',
      unknown: 'Non enregistré',
    },
    changed: (before, after) => `${after} (avant : ${before === '' ? 'rien' : before})`,
    pull: (moment, sheet) => `${moment} : feuille « ${sheet} »`,
    made: (count) => `nouvelle, ${rows(count)}`,
    refreshed: (counts) =>
      `actualisée, ${rows(counts.rows)} : ${format(counts.added)} nouvelles, ${format(counts.changed)} modifiées, ${format(counts.removed)} retirées`,
  },
  headings: {
    ...frWords.headings,
    pushedRows: {
      Row: 'Ligne',
      What: 'Créé avec',
      Status: 'Statut',
      Message: 'Message',
      Field: 'Champ',
      Before: 'Avant',
      Sent: 'Envoyé',
      Difference: 'Différence',
      Place: 'Place',
    },
    accounts: {
      Number: 'Numéro',
      Name: 'Nom',
      FiscalYear: 'Exercice',
      LedgerType: 'Type',
      DebetOrCredit: 'Débit ou crédit',
      Countrycode: 'Pays',
    },
    invoices: {
      InvoiceNumber: 'Numéro de facture',
      InvoiceType: 'Module',
      InvoiceDate: 'Date de facture',
      InvoiceDueDate: 'Échéance',
      CustomerNumber: 'Numéro de client',
      CustomerName: 'Client',
      InvoiceTotalExclTax: 'Total HTVA',
      InvoiceTaxAmount: 'TVA',
      InvoiceTotalInclTax: 'Total TVAC',
      InvoiceOutstandingAmount: 'Solde ouvert',
      DiscountPc: 'Remise %',
      InvoiceReference: 'Référence',
      InvoiceIsSent: 'Envoyée',
      ProjectNumber: 'Numéro de projet',
      ProjectName: 'Projet',
      OGM_Belgium: 'Communication structurée (OGM)',
      InvoiceNotes: 'Remarques',
      PackingSlipNotes: 'Remarques bon de livraison',
      PeriodicInvoiceTemplate: 'Modèle périodique',
      ContactName: 'Personne de contact',
      ContactEmail: 'E-mail du contact',
      ContactPhone: 'Téléphone du contact',
      BillingStreet: 'Rue de facturation',
      BillingPostalCode: 'Code postal de facturation',
      BillingCity: 'Localité de facturation',
      BillingCountry: 'Pays de facturation',
      ShippingStreet: 'Rue de livraison',
      ShippingPostalCode: 'Code postal de livraison',
      ShippingCity: 'Localité de livraison',
      ShippingCountry: 'Pays de livraison',
    },
    ageing: {
      CustomerNumber: 'Numéro de client',
      CustomerName: 'Client',
      NotDue: 'Non échu',
      Days1To30: '1-30 jours',
      Days31To60: '31-60 jours',
      Days61To90: '61-90 jours',
      DaysOver90: 'Plus de 90 jours',
      Total: 'Solde ouvert',
    },
    invoiceLines: {
      InvoiceNumber: 'Numéro de facture',
      Line: 'Ligne',
      InvoiceType: 'Module',
      InvoiceDate: 'Date de facture',
      CustomerName: 'Client',
      ProductNumber: 'Numéro d’article',
      ProductEAN: 'EAN',
      Description: 'Description',
      Quantity: 'Quantité',
      UnitPriceExclTax: 'Prix HTVA',
      DiscountPc: 'Remise %',
      SubTotalExclTax: 'Sous-total HTVA',
      SubTotalInclTax: 'Sous-total TVAC',
      SubTotalInclTaxExclDiscount: 'Sous-total avant remise',
      TaxPc: 'TVA %',
      TaxCode: 'Code TVA',
      LedgerAccountNumber: 'Compte général',
      CostCenter: 'Centre de coûts',
      DeliveryDate: 'Date de livraison',
      Warehouse: 'Entrepôt',
      Shelf: 'Rayon',
      Batch: 'Lot',
      IsTextLine: 'Ligne de texte',
      TextLineCategory: 'Type de ligne de texte',
      PurchaseClassification: 'Classification d’achat',
      UseArticlePrice: 'Prix de l’article utilisé',
    },
    relations: {
      RelationGUID: 'ID de la relation',
      Name: 'Nom',
      CustomerNumber: 'Numéro de client',
      SupplierNumber: 'Numéro de fournisseur',
      PrivateOrBusiness: 'Professionnel ou particulier',
      TaxIdentificationNumber: 'Numéro de TVA',
      RegistrationNumber: 'Numéro d’entreprise',
      Email: 'E-mail',
      Phone: 'Téléphone',
      Address_Street: 'Rue',
      Address_Unit: 'Numéro de maison',
      Address_UnitAppendix: 'Boîte',
      Address_PostalCode: 'Code postal',
      Address_City: 'Localité',
      Address_CountryCode: 'Pays',
      GroupName: 'Groupe',
      IsCustomer: 'Client',
      IsSupplier: 'Fournisseur',
      IsOther: 'Autre',
      CreatedOn: 'Créée le',
      ChangedOn: 'Modifiée le',
    },
    taxCodes: {
      TaxCode: 'Code TVA',
      TaxType: 'Achat ou vente',
      TaxPc: 'TVA %',
      Name: 'Nom',
      TaxExempt: 'Exonéré',
    },
    relationContacts: {
      RelationGUID: 'ID de la relation',
      Line: 'Ligne',
      RelationName: 'Relation',
      FirstName: 'Prénom',
      Preposition: 'Particule',
      LastName: 'Nom',
      FamilyName: 'Nom de famille',
      Sex: 'Sexe',
      Email: 'E-mail',
      Phone: 'Téléphone',
      DefaultContact: 'Contact principal',
      ContactNotes: 'Remarques',
    },
    relationBankAccounts: {
      RelationGUID: 'ID de la relation',
      Line: 'Ligne',
      RelationName: 'Relation',
      IBAN: 'IBAN',
      BIC: 'BIC',
      Name: 'Titulaire',
      Place: 'Localité',
      UseForExcasso: 'Pour les paiements',
      SkipIBANCheck: 'IBAN non contrôlé',
    },
    relationCustomFields: {
      RelationGUID: 'ID de la relation',
      Line: 'Ligne',
      RelationName: 'Relation',
      Label: 'Champ',
      Value: 'Valeur',
      FieldType: 'Type',
      TypeOfRelation: 'Rôle',
    },
    materialBookings: {
      ProjectNumber: 'Numéro de projet',
      ProjectName: 'Projet',
      Product_Number: 'Numéro d’article',
      Product_Name: 'Article',
      Quantity: 'Quantité',
      EntryDate: 'Imputé le',
      Place: 'Numéro d’ordre',
      Product_PurchasePrice: 'Prix d’achat',
      Description: 'Description',
      Warehouse: 'Entrepôt',
      Shelf: 'Rayon',
      Batch: 'Lot',
      Product_SupplierName: 'Fournisseur',
      Product_SupplierNumber: 'Numéro de fournisseur',
      CustomerNumber: 'Numéro de client',
      CustomerName: 'Client',
      ProjectDescription: 'Description du projet',
      CustomFields: 'Champs libres',
    },
    trialBalance: {
      Number: 'Numéro',
      Name: 'Nom',
      LedgerType: 'Type',
      Opening: 'Ouverture',
      Debit: 'Débit',
      Credit: 'Crédit',
      Closing: 'Clôture',
      Movement: 'Mouvement',
      MovementBefore: 'Mouvement à comparer',
      YearBefore: 'Clôture à comparer',
    },
    accountCard: {
      Date: 'Date',
      Journal: 'Journal',
      EntryNumber: 'Numéro d’écriture',
      Account: 'Compte',
      AccountName: 'Nom du compte',
      Description: 'Libellé',
      Debit: 'Débit',
      Credit: 'Crédit',
      Balance: 'Solde',
      InvoiceNumber: 'Pièce',
      RelationName: 'Relation',
      CostCenter: 'Centre de coûts',
      TaxCode: 'Code TVA',
      TaxBase: 'Base TVA',
      TaxAmount: 'Montant TVA',
      Entry: 'ID de l’écriture',
      Line: 'Ligne',
    },
    vatReturn: {
      Box: 'Grille',
      Description: 'Description',
      DeclaredBase: 'Base à déclarer',
      DeclaredTax: 'TVA à déclarer',
      Base: 'Base au centime',
      Tax: 'TVA au centime',
    },
    vatLines: {
      Box: 'Grille',
      Base: 'Base',
      Tax: 'TVA',
      Kind: 'Nature',
      InvoiceNumber: 'Document',
      Date: 'Date',
      RelationName: 'Relation',
      VatNumber: 'Numéro de TVA',
      Country: 'Pays',
      TaxCode: 'Code TVA',
      DocumentBase: 'Base du document',
      DocumentTax: 'TVA du document',
      IsLate: 'Encodé en retard',
      Key: 'ID de ligne',
    },
    vatRemarks: { Remark: 'Remarque', Code: 'Code' },
    vatListing: {
      VatNumber: 'Numéro de TVA',
      RelationName: 'Relation',
      Nature: 'Nature',
      Letter: 'Lettre',
      Amount: 'Montant',
    },
    vatClients: {
      VatNumber: 'Numéro de TVA',
      RelationName: 'Relation',
      Turnover: 'Chiffre d’affaires',
      Tax: 'TVA',
    },
    openItems: {
      RelationName: 'Relation',
      Number: 'Numéro',
      Account: 'Compte',
      AccountName: 'Nom du compte',
      Document: 'Document',
      Date: 'Date',
      DueDate: 'Échéance',
      DaysOverdue: 'Jours de retard',
      Debit: 'Débit',
      Credit: 'Crédit',
      Open: 'Solde ouvert',
      RelationGUID: 'ID de la relation',
      InvoiceNumber: 'Facture de vente',
    },
  },

  formulas: {
    problems: {
      noAccount: 'Indiquez un compte, comme 4000, 4000|4010, 4000:4999 ou 4*.',
      wrongAccount: (given) => `${quoted(given)} n’est pas un compte. Écrivez 4000, 4000|4010, 4000:4999 ou 4*.`,
      reversedRange: (given) => `Le premier compte de ${quoted(given)} vient après le dernier.`,
      unknownAccount: (number) => `Il n’y a pas de compte ${quoted(number)}.`,
      oneAccount: 'Indiquez le numéro d’un seul compte.',
      noPeriod: 'Indiquez une période, comme 2026, 2026-Q1, 2026-03 ou une date.',
      wrongPeriod: (given) => `${quoted(given)} n’est pas une période. Écrivez 2026, 2026-Q1, 2026-03 ou une date.`,
      reversedPeriod: 'La période commence après sa fin.',
      noRelation: 'Indiquez le numéro, le RelationGUID ou le nom d’une relation.',
      unknownRelation: (given) => `Rien n’a jamais été comptabilisé pour une relation ${quoted(given)}.`,
      severalRelations: (given) =>
        `Plusieurs relations s’appellent ${quoted(given)}. Indiquez le RelationGUID de l’une d’elles.`,
      noAdministration:
        'Ce classeur n’a pas encore d’administration. Ouvrez Ledgerline et connectez-vous à une administration.',
      notConnected: (name) =>
        `Ce navigateur n’a pas de connexion à ${quoted(name)}. Ouvrez Ledgerline et connectez-vous-y.`,
      severalAdministrations: (name) => `Plusieurs connexions s’appellent ${quoted(name)}. Renommez l’une d’elles.`,
      noLedger: (name) => `${quoted(name)} n’a pas de grand livre qui puisse être lu.`,
      nothingBehind: 'Il n’y a pas d’écritures derrière cette cellule.',
      ofOther: (name) => `Cette formule donne les chiffres de ${name}. Connectez-vous d’abord à cette administration.`,
      notOnCard: (most) =>
        `Une fiche de compte comporte au plus ${most} comptes, aux numéros sans espaces ni virgules.`,
      changing: 'La comptabilité change. Recalculez dans un instant.',
    },
    old: (name, moment) =>
      `Les chiffres de ${name} dans les formules datent du ${moment} : l’administration est injoignable pour l’instant.`,
    noFigures: (name) => `Les formules n’ont pas pu obtenir les chiffres de ${ended(name)}`,
    recalculate: 'Recalculer les formules',
    ofOther: (name) => `Les formules de ce classeur ont les chiffres de ${name}.`,
    use: (name) => `Utiliser ${name} dans les formules`,
    nameChanged: (name, meant, now) =>
      `${quoted(name)} dans les formules de ce classeur est ${meant}. Une connexion à ${now} s’appelle ainsi désormais.`,
    nameMeans: (now, name) => `Utiliser ${now} pour ${quoted(name)}`,
  },

  problems: {
    booksChanged: 'La comptabilité a changé pendant sa lecture : rien n’a été importé. Réessayez.',
    offline: 'L’administration est injoignable. Vérifiez votre réseau et réessayez.',
    unreadableFile: 'Le fichier a été modifié, déplacé ou supprimé après votre choix. Choisissez-le à nouveau.',
    rateLimit: (seconds) =>
      `Le service est occupé. Réessayez dans ${seconds} ${seconds === '1' ? 'seconde' : 'secondes'}.`,
    unexpected: (detail) => `Une erreur inattendue s’est produite : ${detail}`,
    service: {
      INVALID_REQUEST: 'L’administration a refusé la demande.',
      INVALID_JSON: 'L’administration n’a pas pu lire la demande.',
      NOT_APPLIED: 'L’administration n’a pas exécuté ceci et n’a pas donné de raison.',
      UNAUTHORIZED:
        'Le nom d’utilisateur ou la clé API est refusé. Connectez-vous à nouveau avec les données correctes.',
      FORBIDDEN: 'L’administration ne le permet pas : elle est archivée, ou cette clé API ne permet que la lecture.',
      NOT_FOUND: 'L’administration n’a pas les données demandées.',
      METHOD_NOT_ALLOWED: 'Le service ne le permet pas.',
      CONFLICT: 'L’administration a déjà autre chose sous ce nom.',
      BODY_TOO_LARGE: 'La demande est trop grande.',
      UNSUPPORTED_MEDIA_TYPE: 'Le service n’a pas pu lire la demande.',
      RATE_LIMIT: 'Le service est occupé. Réessayez dans une minute.',
      INTERNAL: 'Une erreur s’est produite dans le service. Réessayez plus tard.',
      NOT_IMPLEMENTED: 'Le service ne le permet pas encore.',
      REMOTE_FAILED: 'L’administration derrière le service a échoué. Réessayez plus tard.',
      OUTCOME_UNKNOWN: 'On ne sait pas si ceci a été exécuté. Vérifiez l’administration avant de l’envoyer à nouveau.',
      UNAVAILABLE: 'Ceci n’est pas disponible maintenant. Réessayez plus tard.',
      REMOTE_TIMEOUT: 'L’administration a mis trop de temps à répondre. Réessayez plus tard.',
    },
    workbook: {
      CELL_BEING_EDITED: 'Une cellule est en cours de modification. Appuyez sur Entrée ou Échap et réessayez.',
      OTHER_WORKBOOK: 'Un autre classeur est actif. Revenez à celui-ci et réessayez.',
      EXCEL_BUSY: 'Excel est occupé. Attendez un instant et réessayez.',
      INTERRUPTED: 'Excel a interrompu ceci. Vérifiez la feuille et réessayez.',
      EXCEL_FAILED:
        'Excel n’a pas pu le faire. Si plusieurs feuilles sont sélectionnées, cliquez sur un de leurs onglets et réessayez.',
      PROTECTED: 'La feuille ou le classeur est protégé. Ôtez la protection (onglet Révision) et réessayez.',
      FILTERED: 'Un filtre l’empêche. Effacez le filtre du tableau et réessayez.',
      IN_THE_WAY: 'Des cellules à côté ou en dessous du tableau l’empêchent. Déplacez-les et réessayez.',
      TOO_LARGE: 'C’est plus qu’Excel n’accepte à la fois. Choisissez une période plus courte.',
      TABLE_GONE: 'Le tableau n’existe plus. Importez-le à nouveau ou recréez-le.',
      COLUMN_GONE:
        'Il manque au tableau une colonne obligatoire. Annulez sa suppression, ou supprimez la feuille et recommencez. Colonne',
      NO_HEADERS: 'Le tableau n’a pas de ligne d’en-tête. Activez-la (onglet Création de tableau) et réessayez.',
      ROWS_MOVED: 'Les lignes se déplaçaient sans cesse. Laissez le tableau un moment, et réessayez.',
      COUNTS_FROM_1904:
        'Ce classeur compte les dates à partir de 1904 : chacune serait décalée de quatre ans. Désactivez cette option (Fichier, Options, Options avancées ; sur un Mac Préférences, Calcul), vérifiez les dates déjà présentes et réessayez.',
      MEMORY_CUT:
        'Ce classeur ne peut pas conserver les données de l’envoi : rien n’a été envoyé. Envoyez moins de lignes, ou d’un autre classeur.',
      CHANGED_ELSEWHERE:
        'Une autre fenêtre ou un collègue travaille à l’envoi de cette feuille. Attendez, ou fermez l’autre volet et continuez ici.',
      EXCEL_TOO_OLD: 'Cette version d’Excel ne peut pas le faire. Mettez Excel à jour et réessayez.',
      UNEXPECTED: 'Excel n’a pas pu le faire',
    },
  },

  fieldErrors: {
    REQUIRED_TEXT: () => 'obligatoire : un texte',
    REQUIRED_DECIMAL: () => 'obligatoire : un nombre',
    REQUIRED_WHOLE_NUMBER: () => 'obligatoire : un nombre entier',
    REQUIRED_BOOLEAN: () => 'obligatoire : vrai ou faux',
    REQUIRED_DATE: () => 'obligatoire : une date comme jj-mm-aaaa',
    REQUIRED_COUNTRY: () => 'obligatoire : un code de pays de deux lettres (ISO 3166)',
    REQUIRED_CHOICE: ({ choices }) => `obligatoire : ${oneOf(choices)}`,
    REQUIRED_LIST: () => 'obligatoire : une liste',
    REQUIRED_OBJECT: () => 'obligatoire : un objet',
    NOT_TEXT: ({ given }) => `un texte est attendu, ${valueText(given)} a été trouvé`,
    TEXT_TOO_LONG: ({ max, length }) => `${max} caractères au plus, il y en a ${length}`,
    TEXT_WITH_NUL: () => forbiddenCharacter,
    TEXT_WITH_HALF_CHARACTER: () => forbiddenCharacter,
    NOT_DECIMAL: ({ given }) => `un nombre comme 12,50 est attendu, ${valueText(given)} a été trouvé`,
    TOO_MANY_DIGITS: ({ max }) => `${max} chiffres au plus avant les décimales`,
    TOO_LOW: ({ min, given }) => `${min} au moins, ${valueText(given)} a été trouvé`,
    TOO_HIGH: ({ max, given }) => `${max} au plus, ${valueText(given)} a été trouvé`,
    NOT_WHOLE_NUMBER: ({ given }) => `un nombre entier est attendu, ${valueText(given)} a été trouvé`,
    NOT_BETWEEN: ({ min, max, given }) =>
      `un nombre entier de ${min} à ${max} est attendu, ${valueText(given)} a été trouvé`,
    NOT_BOOLEAN: ({ given }) => `vrai ou faux est attendu, ${valueText(given)} a été trouvé`,
    NOT_DATE: ({ given }) => `une date comme jj-mm-aaaa est attendue, ${valueText(given)} a été trouvé`,
    NOT_COUNTRY: ({ given }) => `un code de pays de deux lettres est attendu, ${valueText(given)} a été trouvé`,
    NOT_CHOICE: ({ choices, given }) => `${oneOf(choices)} est attendu, ${valueText(given)} a été trouvé`,
    NOT_LIST: ({ given }) => `une liste est attendue, ${valueText(given)} a été trouvé`,
    TOO_MANY_ITEMS: ({ max, count }) => `une liste de ${max} au plus, il y en a ${count}`,
    NOT_OBJECT: ({ given }) => `un objet est attendu, ${valueText(given)} a été trouvé`,
    NOT_JSON_OBJECT: () => 'un objet JSON est attendu',

    REQUIRED_LINES: () => 'obligatoire : une liste de lignes',
    NOT_LINES: () => 'une liste de lignes est attendue',
    NO_LINES: () => 'au moins une ligne est attendue',
    TOO_MANY_LINES: ({ max }) => `${max} lignes au plus`,
    TOO_MANY_ATTACHMENTS: ({ max }) => `${max} annexes au plus`,
    REQUIRED_PARTY: ({ role }) => `le numéro, le nom ou l’adresse e-mail du ${parties[role]} est obligatoire`,
    REQUIRED_PRODUCT: () =>
      'un numéro d’article ou un EAN est obligatoire sur une ligne qui n’est pas une ligne de texte',
    REQUIRED_PRICE: () => 'un prix ou un total de ligne est obligatoire, sauf si le prix de l’article s’applique',
    REQUIRED_TAX: () => 'un pourcentage de TVA ou un code TVA est obligatoire',
    REQUIRED_TAX_OF_ARTICLE: ({ articleNumber }) =>
      `un pourcentage de TVA ou un code TVA est obligatoire : l’article ${articleNumber} n’a pas de TVA lui-même`,
    REQUIRED_FILE: () => 'l’adresse ou le contenu du fichier est obligatoire',
    REQUIRED_FILE_NAME: () => 'obligatoire avec le contenu d’un fichier',
    REQUIRED_DUE_DATE: () => 'une date comme jj-mm-aaaa est attendue, ou un délai de paiement en jours',
    REQUIRED_FOR_TEMPLATE: () => 'obligatoire pour une facture périodique',
    REQUIRED_FREQUENCY: () => 'obligatoire pour une facture périodique : un nombre entier à partir de 1',
    REQUIRED_ACCOUNT: ({ side }) =>
      `obligatoire : l’administration n’a pas de compte de ${side === 'revenue' ? 'produits' : 'charges'} par défaut`,
    BEFORE_STARTING_DATE: () => 'une date qui ne précède pas la date de début est attendue',
    TWO_DISCOUNTS: () => 'donnez un montant ou un pourcentage de remise, pas les deux',
    NEGATIVE_DISCOUNT: ({ given }) =>
      `0 au moins sur une ligne qui n’est pas négative, ${valueText(given)} a été trouvé`,
    DEBIT_OR_CREDIT: () => 'donnez un montant supérieur à 0 au débit ou au crédit, pas aux deux',
    NOT_BALANCED: ({ side, missing }) =>
      `le débit et le crédit doivent être égaux : il manque ${missing} au ${side === 'debit' ? 'débit' : 'crédit'}`,
    CUSTOMER_OR_SUPPLIER: () => 'nommez un client ou un fournisseur, pas les deux',
    TAX_WITH_BASE: () => 'donnez le code TVA et la base ensemble sur une ligne de TVA',
    DISCOUNT_OVER_LINE: ({ max, given }) =>
      `pas plus que la ligne, ${max} TVA comprise, ${valueText(given)} a été trouvé`,
    AMOUNTS_TOO_LARGE: () => 'le prix, la quantité ou la remise est trop grand',
    TOTAL_TOO_LARGE: () => 'le total a plus de 13 chiffres avant les décimales',
    DUE_DATE_TOO_LATE: () => 'l’échéance doit précéder l’an 10000',
    NOT_OGM: ({ ogm }) =>
      `douze chiffres dont les deux derniers sont le contrôle sont attendus, « ${ogm} » a été trouvé`,
    NUMBER_TOO_LONG: ({ number }) => `18 chiffres au plus, ${number} a été trouvé`,
    INVOICE_NUMBER_TAKEN: ({ number }) => `il y a déjà une facture avec le numéro ${number}`,
    OUTSIDE_BOOKING_DATES: ({ date, first, last }) =>
      `on ne comptabilise que du ${first} au ${last}, ${date} a été trouvé`,
    PERIOD_FILED: ({ date, period }) => `la déclaration TVA de ${period} est déposée, ${date} a été trouvé`,
    PERIOD_CLOSED: ({ date, until }) => `les livres sont clôturés jusqu’au ${until}, ${date} a été trouvé`,
    TEMPLATE_STARTS_TOO_EARLY: ({ first, date }) =>
      `une facture périodique commence au plus un an avant aujourd’hui : une date à partir du ${first} est attendue, ${date} a été trouvé`,
    TEMPLATE_COPIES_TOO_MUCH: ({ what, copies, copied, max }) =>
      `toutes les factures de l’année à venir ont ensemble au plus ${max} ${what === 'characters' ? 'caractères de textes' : 'octets d’annexes'}, il y en aurait ${copied} dans ${copies} factures`,
    NOT_ON_TEMPLATE: () => 'laissez ceci vide : les dates des factures périodiques suivent leur date de début',
    NOT_BEFORE_FIRST_DATE: () =>
      'laissez ceci vide : cela concerne une seule facture, et aucune n’est faite aujourd’hui',
    ONLY_IN_BELGIUM: () => 'laissez ceci vide : seules les administrations belges l’ont',
    ADDRESS_TYPE_TWICE: ({ type }) => `au plus une adresse du type ${type}`,
    EMPTY_ADDRESS: () => 'l’adresse est vide',
    NO_SUCH_PARTY_NUMBER: ({ role, number }) => `aucun ${parties[role]} n’a le numéro ${number}`,
    NO_SUCH_PARTY: ({ role, name }) => `aucun ${parties[role]} ne s’appelle « ${name} »`,
    NO_SUCH_PROJECT: ({ project }) => `il n’y a pas de projet « ${project} »`,
    NO_SUCH_PROJECT_NUMBER: ({ project }) => `aucun projet n’a le numéro « ${project} »`,
    NO_SUCH_PROJECT_NAME: ({ project }) => `aucun projet ne s’appelle « ${project} »`,
    NO_SUCH_ACCOUNT: ({ number }) => `il n’y a pas de compte général « ${number} »`,
    NO_SUCH_TAX_CODE: ({ side, code }) => `il n’y a pas de code TVA « ${code} » pour ${sides[side]}`,
    UNKNOWN_TAX_CODE: ({ code }) => `il n’y a pas de code TVA « ${code} »`,
    NO_SUCH_TAX_CODE_OF: ({ side, percentage, code }) =>
      `le code TVA « ${code} » n’est pas un code de ${percentage} % pour ${sides[side]}`,
    NO_SUCH_TAX_PERCENTAGE: ({ side, percentage }) => `il n’y a pas de code TVA de ${percentage} % pour ${sides[side]}`,

    FILE_NAME_TOO_LONG: ({ max }) => `${max} caractères au plus`,
    FILE_NAME_ENDING: ({ endings }) => `un nom de fichier qui finit par ${oneOf(endings)} est attendu`,
    NOT_BASE64: () => 'du base64 est attendu',
    FILE_EMPTY: () => 'le fichier est vide',
    FILE_TOO_LARGE: ({ megabytes }) => `le fichier dépasse ${megabytes} Mo`,
    FILES_UNPACK_TOO_LARGE: () =>
      'les documents Office de la demande sont trop grands une fois décompressés : envoyez-en moins à la fois',
    FILE_OF_ANOTHER_KIND: ({ kind }) => `le contenu n’est pas celui d’un fichier .${kind}`,

    REQUIRED_PRODUCT_NAME: () => 'un numéro d’article ou un EAN est obligatoire, pour dire quel article',
    NO_SUCH_ARTICLE_NUMBER: ({ articleNumber }) => `aucun article n’a « ${articleNumber} »`,
    NO_SUCH_EAN: ({ ean }) => `aucun article n’a « ${ean} »`,
    EAN_OF_ANOTHER: ({ other }) => `appartient à un autre article, ${other}`,
    ARTICLE_WITH_ANOTHER_EAN: ({ ean, articleNumber }) => `l’article « ${articleNumber} » a un autre EAN que ${ean}`,
    PRODUCT_TAKEN: ({ value }) => `il y a déjà un article avec « ${value} »`,
    STOCK_TOO_LARGE: ({ max }) => `${max} chiffres au plus avant les décimales`,
    NO_SUCH_CATEGORY: ({ name }) =>
      `il n’y a pas de groupe d’articles « ${name} » ; la question avant l’envoi peut le créer`,
    NO_SUCH_CUSTOM_FIELD: ({ label }) => `il n’y a pas de champ libre « ${label} » pour les articles`,
    CUSTOM_FIELD_OF_ANOTHER_TYPE: ({ type, label }) => `le champ libre « ${label} » est du type ${type}`,
    REQUIRED_CUSTOM_VALUE: ({ type }) => `obligatoire pour un champ libre du type ${type}`,

    NOT_ROWS: () => 'une liste de lignes est attendue',
    NO_ROWS: () => 'au moins une ligne est attendue',
    TOO_MANY_ROWS: ({ max, count }) => `${max} lignes au plus, il y en a ${count}`,
    NO_ROW_NUMBER: () => 'le numéro de la ligne est attendu, un nombre entier qu’aucune autre ligne n’a',
    ROW_NUMBER_TWICE: ({ row, index }) => `ligne ${row} : ce numéro est aussi celui de rows[${index}]`,
    NOT_ONE_REQUEST: ({ row }) =>
      `ligne ${row} : une modification, un nouvel article ou un document est attendu, et un seul`,
    NOT_PUSHED: ({ row }) => `ligne ${row} : une modification, un nouvel article ou un document est attendu`,
    NOT_CONFIRMED: ({ mails, periodicInvoices }) =>
      `confirmez d’abord : ${mails} lignes envoient du courrier à des clients, ${periodicInvoices} lignes commencent des factures périodiques`,
    PRODUCT_TWICE: ({ rows }) => `l’article figure aussi à la ligne ${rows.join(', ')} ; n’en gardez qu’une`,
    INVOICE_NUMBER_TWICE: ({ value, rows }) =>
      `le numéro de facture ${value} figure aussi à la ligne ${rows.join(', ')} ; n’en gardez qu’une`,
    ROW_REFUSED: ({ row }) => `la ligne ${row} est refusée`,
    NOT_CURSOR: () => 'le curseur d’une réponse précédente est attendu',

    REQUIRED_OF_PARTY: ({ party, detail }) => `${partyDetails[detail]} ${ofParty[party]} manque`,
    NOT_COUNTRY_OF_PARTY: ({ party, given }) =>
      `le pays ${ofParty[party]} doit être un code de deux lettres de la norme ISO 3166, « ${given} » a été trouvé`,
    NOT_VAT_NUMBER: ({ party, given }) =>
      `le numéro de TVA ${ofParty[party]} commence par les lettres du pays et a des chiffres de contrôle exacts ; « ${given} » a été trouvé`,
    NO_PEPPOL_ADDRESS: ({ detail }) =>
      `${detail === '' ? '' : `${partyDetails[detail]} ou `}le numéro de TVA du client manque : c’est l’adresse sur Peppol. Un particulier n’en a pas`,
    REQUIRED_FOR_INTRA_EU: () => 'le numéro de TVA du client manque : c’est une livraison vers un autre pays de l’UE',
    REQUIRED_FOR_REVERSE_CHARGE: () => 'le numéro de TVA du client manque : la TVA est reportée sur le client',
    E_INVOICE_OF_DRAFT: () => 'la facture est encore un brouillon ; rendez-la d’abord définitive',
    NO_LINE_WITH_AMOUNT: () => 'la facture n’a pas de ligne avec un montant',
    UNIT_WITHOUT_PEPPOL_CODE: ({ articleNumber, unit }) =>
      `Peppol ne connaît pas l’unité « ${unit} » de l’article ${articleNumber} ; utilisez par exemple pièce, heure, kg ou boîte`,
    REQUIRED_CREDITED_INVOICE: () =>
      'mettez le numéro de la facture créditée dans la référence : une note de crédit néerlandaise doit la nommer',
    LINES_OUTSIDE_SCOPE_AMONG_OTHERS: () =>
      'des lignes hors TVA ne peuvent pas figurer avec d’autres lignes sur une même facture électronique',
    DOCUMENT_TEXTS_TOO_LONG: ({ max, length }) =>
      `les textes ont ensemble ${max} caractères au plus, il y en a ${length}`,
    NOT_PERIOD: ({ given }) =>
      `un exercice comme 2026, un trimestre comme 2026-Q1, un mois comme 2026-03 ou un jour est attendu, et non ${valueText(given)}`,
    NOT_FISCAL_YEAR: ({ given }) =>
      `un exercice par l’année où il commence comme 2026, ou par le mois comme 2026-07, est attendu, et non ${valueText(given)}`,
    NOT_VAT_PERIOD: ({ given }) =>
      `une année comme 2026, un trimestre comme 2026-Q3 ou un mois comme 2026-07 est attendu, et non ${valueText(given)}`,
    NOT_BELGIAN_RETURN: () => 'seule une déclaration belge donne un fichier pour Intervat',
    NOT_MONTH_OR_QUARTER: ({ given }) => `un mois ou un trimestre est attendu, et non ${valueText(given)}`,
    BOX_BELOW_ZERO: ({ amount }) =>
      `un fichier pour Intervat n’a pas de montant inférieur à zéro, et il y a ${valueText(amount)}`,
    NEEDED_FOR_INTERVAT: () => 'un fichier pour Intervat en a besoin, et l’administration ne l’a pas',
    NOT_PERIODS: ({ given }) =>
      `deux périodes comme 2026-01..2026-Q1, ou une comme ..2026, sont attendues, et non ${valueText(given)}`,
    PERIOD_BEFORE_START: ({ from, to }) =>
      `une période qui se termine le ${from} ou plus tard est attendue, et non une période qui se termine le ${to}`,
    NOT_PAGE_MARK: () => 'ce que la page précédente indique comme « next » est attendu',
    SAID_BY_SERVICE: ({ words }) => `le service dit : « ${words} »`,
  },
};
