import { NAMESPACE } from '../../ledgerFormulas/declaration.ts';
import type { OutsideTexts } from './en.ts';

const { format } = new Intl.NumberFormat('fr');

/** The French texts outside the pane. */
export const fr: OutsideTexts = {
  page: {
    title: 'Classeur Ledgerline',
    subtitle: 'Excel simulé',
    openFile: {
      choose: 'Ouvrir .xlsx',
      title: (file) => `Ouvrir ${file}`,
      reading: 'Lecture du fichier…',
      replaces:
        'Le classeur de cette page a des modifications qui n’ont pas été téléchargées. Elles sont perdues à l’ouverture du fichier.',
      leftOut: 'Le fichier contient aussi ce que cette page ne garde pas. Un téléchargement d’ici ne l’aura pas :',
      leftOutKinds: {
        macros: 'des macros, qui ne s’exécutent pas ici',
        links: 'des liaisons avec d’autres classeurs, qui ne sont pas suivies',
        connections: 'des connexions de données et des requêtes, qui ne sont pas suivies',
        pivotTables: 'des tableaux croisés dynamiques et des segments',
        pictures: 'des images et des fichiers incorporés',
        charts: 'des graphiques autres qu’en barres ou en colonnes',
        conditionalFormats:
          'les barres de données et icônes de mises en forme conditionnelles postérieures à Excel 2007, qui deviennent plus simples',
        filters: 'des filtres par couleur ou par icône',
        dataTables: 'des tables de données (analyse de scénarios), dont les valeurs restent',
        controls: 'des contrôles de formulaire',
        tables: 'des tableaux sans ligne d’en-tête ou avec une ligne de totaux, qui deviennent des cellules ordinaires',
      },
      open: 'Ouvrir',
      failed: {
        notWorkbook: 'Ce fichier n’a pas été ouvert : ce n’est pas un classeur .xlsx, ou il est endommagé.',
        encrypted: 'Ce fichier n’a pas été ouvert : il a un mot de passe. Enregistrez-le dans Excel sans mot de passe.',
        tooLarge: 'Ce fichier n’a pas été ouvert : il est trop grand pour cette page.',
      },
    },
    download: 'Télécharger .xlsx',
    showPane: 'Afficher le volet',
    hidePane: 'Masquer le volet',
    pane: 'Volet Ledgerline',
    ribbon: 'Boutons de Ledgerline',
    nameBox: 'Zone Nom',
    formulaBar: 'Barre de formule',
    activeCell: 'Cellule active',
    keyboardHelp:
      'Tab et les flèches vont de cellule en cellule. F6 va à la partie suivante de la page. Échap puis Tab quitte les cellules.',
    leaving: 'Tab quitte maintenant les cellules.',
    unsaved: 'Pas encore téléchargé',
    notSaved: 'Le classeur n’a pas pu être téléchargé. Rien n’y a changé ; réessayez.',
    grid: (sheet) => `Feuille ${sheet}`,
    chart: (title) => `Graphique : ${title}`,
    editCell: (address) => `Modifier la cellule ${address}`,
    corner: 'Tout sélectionner',
    sheets: 'Feuilles',
    addSheet: 'Ajouter une feuille',
    sheetMenu: (sheet) => `Menu de la feuille ${sheet}`,
    rename: 'Renommer',
    sheetName: 'Nom de la feuille',
    remove: 'Supprimer',
    moveLeft: 'Vers la gauche',
    moveRight: 'Vers la droite',
    hide: 'Masquer',
    unhide: (sheet) => `Afficher ${sheet}`,
    confirmDelete: (sheet) => `Supprimer la feuille « ${sheet} » avec tout ce qu’elle contient ?`,
    cancel: 'Annuler',
    columnMenu: (column) => `Trier et filtrer ${column}`,
    sortAscending: 'Tri croissant',
    sortDescending: 'Tri décroissant',
    filterContains: 'Afficher les lignes contenant',
    apply: 'Appliquer',
    clearFilter: 'Effacer le filtre',
    cells: 'Cellules',
    insertRows: 'Insérer des lignes au-dessus',
    deleteRows: 'Supprimer les lignes',
    insertColumns: 'Insérer des colonnes à gauche',
    deleteColumns: 'Supprimer les colonnes',
    clearContents: 'Effacer le contenu',
    formatAsTable: 'Mettre sous forme de tableau',
    ready: 'Prêt',
    calculate: 'Calculer',
    calculateAutomatically: 'Calculer automatiquement',
    enter: 'Entrer',
    edit: 'Modifier',
    count: 'Nombre',
    sum: 'Somme',
    average: 'Moyenne',
    filtered: (shown, all) => `${shown} lignes affichées sur ${all}`,
    protectedSheet: 'Cette feuille est protégée. Ôtez la protection pour modifier ces cellules.',
    unfitName: 'Un nom de feuille a de 1 à 31 caractères, sans \\ / ? * [ ] : ni apostrophe au début ou à la fin.',
    takenName: 'Il y a déjà une feuille de ce nom.',
    lastSheet: 'Un classeur a besoin d’au moins une feuille visible.',
    tornTable: 'Cela déchirerait un tableau.',
    tornMerge: 'Cela ne se fait pas avec une partie de cellules fusionnées.',
    overlappingTable: 'Un tableau ne peut pas chevaucher un autre tableau.',
    offSheet: 'Des cellules remplies sortiraient de la feuille.',
    choices: 'Choix pour la cellule',
    invalidEntry: 'Cette valeur ne respecte pas la validation des données de la cellule.',
    refused: 'Excel ne fait pas cela ici.',
    blockOffSheet: 'À partir d’ici, le bloc ne tient pas sur la feuille. Rien n’a été collé.',
    pasteTitle: 'Collage',
    pasting: (done, all) => `${format(done)} cellules collées sur ${format(all)}.`,
    pasteCancelled: 'Annulé. Rien n’a été collé ; les cellules sont comme avant.',
    sorting: { title: 'Tri', cancelled: 'Annulé. Rien n’a été trié ; les lignes sont comme avant.' },
    filtering: { title: 'Filtrage', cancelled: 'Annulé. Rien n’a été filtré ; les lignes sont comme avant.' },
    partDone: (part) => `${part.toLocaleString('fr', { style: 'percent' })} effectués.`,
    undo: {
      nothing: 'Il n’y a rien à annuler.',
      sheets:
        'On ne peut pas remonter plus loin : une feuille a été ajoutée ou supprimée, ce qui ne peut pas être annulé.',
      size: 'On ne peut pas remonter plus loin : plus de deux millions de cellules ont changé à la fois, ce qui ne peut pas être annulé.',
      steps: 'On ne peut pas remonter plus loin : ce qui précède est trop ancien.',
    },
    redo: { nothing: 'Il n’y a rien à rétablir.' },
    goToUnknown: 'Ce n’est ni une adresse ni un nom de ce classeur.',
  },

  manifest: {
    description:
      'Votre comptabilité dans Excel : importez comptes généraux, factures de vente et articles dans des feuilles, et renvoyez prix et stock des articles à partir des lignes.',
    'Tab.Label': 'Ledgerline',
    'Administration.Label': 'Administration',
    'Pull.Label': 'Importer dans la feuille',
    'Books.Label': 'Consulter la comptabilité',
    'Make.Label': 'Créer une feuille',
    'Send.Label': 'Envoyer depuis la feuille',
    'Open.Label': 'Ouvrir Ledgerline',
    'Accounts.Label': 'Comptes généraux',
    'Invoices.Label': 'Factures de vente',
    'Relations.Label': 'Relations',
    'TaxCodes.Label': 'Codes TVA',
    'MaterialBookings.Label': 'Imputations de matériel',
    'Exports.Label': 'Exports des relations',
    'TrialBalance.Label': 'Balance',
    'AccountCard.Label': 'Fiche de compte',
    'OpenItems.Label': 'Postes ouverts',
    'VatReturn.Label': 'Déclaration TVA',
    'Auditfiles.Label': 'Fichiers d’audit',
    'Products.Label': 'Feuille d’articles',
    'DocumentSheets.Label': 'Créer des documents',
    'Push.Label': 'Envoyer des lignes',
    'Functions.Namespace': NAMESPACE,
    'GetStarted.Title': 'Ledgerline est prêt',
    'GetStarted.Description':
      'Choisissez Ouvrir Ledgerline dans l’onglet Ledgerline et connectez-vous à votre administration.',
    'Open.Description':
      'Ouvrez le volet pour vous connecter à une administration, ou pour voir celle à laquelle vous êtes connecté.',
    'Accounts.Description':
      'Importez les comptes généraux de l’administration dans une feuille, ou actualisez-les dans celle-ci.',
    'Invoices.Description':
      'Importez des factures de vente dans une feuille, par période, ou actualisez-les dans celle-ci.',
    'Relations.Description':
      'Importez les clients et les fournisseurs tels qu’ils sont dans une feuille, ou actualisez-les dans celle-ci.',
    'TaxCodes.Description':
      'Importez les codes TVA des achats et des ventes dans une feuille, ou actualisez-les dans celle-ci.',
    'MaterialBookings.Description':
      'Importez les articles imputés à des projets dans une feuille, ou actualisez-les dans celle-ci.',
    'Exports.Description':
      'Importez les relations telles qu’exportées dans une feuille, ou téléchargez-les en classeur.',
    'TrialBalance.Description':
      'Importez la balance d’une période dans une feuille, à côté de celle d’une autre période, ou actualisez-la.',
    'OpenItems.Description':
      'Importez ce qui est ouvert, à une date, de chaque document des clients et fournisseurs, ou actualisez-le.',
    'VatReturn.Description':
      'Importez la déclaration TVA d’un mois, d’un trimestre ou d’une année : grilles, lignes, contrôles et listings.',
    'Auditfiles.Description': 'Reprenez un exercice d’un fichier d’audit XML d’un autre logiciel.',
    'AccountCard.Description':
      'Importez les écritures de comptes généraux dans une feuille, avec le solde après chacune, ou actualisez-les.',
    'Products.Description': 'Créez une feuille à compléter avec les nouveaux prix et le stock des articles.',
    'DocumentSheets.Description':
      'Créez une feuille à remplir avec des factures, commandes, achats, écritures ou nouveaux articles.',
    'Push.Description':
      'Vérifiez les lignes d’une feuille et envoyez-les à l’administration : prix et stock, documents ou écritures.',
  },

  /** The functions in cells. */
  functions: {
    BALANCE: 'Le solde de comptes généraux à la fin d’un jour ou d’une période. Débit positif, crédit négatif.',
    TURNOVER: 'Débit moins crédit de comptes généraux sur une période : produits négatifs, charges positives.',
    NAME: 'Le nom d’un compte général.',
    OPEN: 'Ce qui est ouvert d’une relation à la fin d’un jour ou d’une période : à recevoir positif, à payer négatif.',
  },

  /** Their parameters; a name has no spaces. */
  parameters: {
    accounts: {
      name: 'comptes',
      description:
        'Un compte, une liste (4000|4010), une plage (4000:4999) ou un joker (4*), en texte, nombre ou cellules.',
    },
    account: { name: 'compte', description: 'Le numéro d’un compte.' },
    at: {
      name: 'au',
      description: 'Une année (2026), un trimestre (2026-Q1), un mois (2026-03) ou une date. Son dernier jour compte.',
    },
    from: {
      name: 'de',
      description: 'Une année (2026), un trimestre (2026-Q1), un mois (2026-03) ou une date. Son premier jour compte.',
    },
    to: {
      name: 'jusqu_au',
      description: 'Une année (2026), un trimestre (2026-Q1), un mois (2026-03) ou une date. Son dernier jour compte.',
    },
    relation: { name: 'relation', description: 'Le numéro d’un client ou fournisseur, un RelationGUID ou un nom.' },
    administration: {
      name: 'administration',
      description: 'Le nom d’une connexion ou de son administration. Par défaut : l’administration de ce classeur.',
    },
  },

  guide: {
    columnsOf: (sheet) => `Les colonnes de « ${sheet} »`,
    column: 'Colonne',
    takes: 'Ce qu’elle prend',
    note: 'Explication',
    kinds: {
      text: 'Un texte',
      numbered: 'Un numéro',
      digits: 'Un nombre entier',
      integer: 'Un nombre entier',
      price: 'Un prix',
      amount: 'Un montant',
      decimal: 'Un nombre',
      percentage: 'Un pourcentage',
      date: 'Une date',
    },
    notNegative: 'pas sous 0',
    oneOf: (words) => `Un choix : ${words}`,
    offered: (list) => `à choisir dans la liste « ${list} »`,
    filledByPane: 'Le volet la remplit.',
  },
};
