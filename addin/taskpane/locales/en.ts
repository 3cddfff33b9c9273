import { type FieldErrorTexts, fieldErrorTexts } from '../../../shared/fieldErrors.ts';
import type { ProblemCode } from '../../../shared/problem.ts';
import { vatRemarkTexts } from '../../../shared/resources/vatReturn/vatRemarkTexts.ts';
import type { WaitReason, WorkbookProblemCode } from '../../excel/workbookProblem.ts';
import type { ServiceWait } from '../fetchWithRetry.ts';
import { enWords } from './enWords.ts';
import { day, ended, quoted } from './quoted.ts';

/*
 * Every English text of the pane and its sheets. It is the type of the other languages: a missing text does not
 * compile. The headings of a table must differ from each other, as Excel requires.
 */

const { format } = new Intl.NumberFormat('en');
/** A price in decimal text. */
const { format: formatPrice } = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 8 });
// Newer browsers format the text exactly, older ones as a number.
const price = (text: string): string => formatPrice(text as Intl.StringNumericLiteral);
const rows = (count: number): string => `${format(count)} ${count === 1 ? 'row' : 'rows'}`;
const documentCount = (count: number): string => `${format(count)} ${count === 1 ? 'document' : 'documents'}`;
const oneOf = (choices: readonly string[]): string =>
  new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(choices);
const forbiddenCharacter = 'contains a character that cannot be sent';

type NamedWait = WaitReason | Extract<ServiceWait, string>;

/** What a price may have been meant as, and the present price. */
type PriceFacts = { date: string; time: string; percentage: string; present: string };

/** The texts of the period of a sheet of the ledger. */
const ledgerPeriod = {
  label: 'Period',
  hint: 'Leave both empty for this fiscal year',
  wrong: 'The end date is before the start date.',
};

export const en = {
  ...enWords,
  language: 'Language',
  languageOfExcel: 'That of Excel',
  title: 'Ledgerline',
  noExcel: {
    title: 'This page works in Excel only',
    explanation: 'It works with the workbook that is open in Excel.',
    todo: 'Open Excel, choose the Ledgerline tab in the ribbon and press one of its buttons.',
  },
  oldExcel: {
    title: 'This Excel is too old',
    todo: 'Ledgerline needs Excel 2021, Microsoft 365 or Excel on the web. Update Excel and open the pane again.',
  },
  storageClosed: 'This browser does not allow the pane to store connections. They are lost when the pane is closed.',

  administration: 'Administration',
  notConnected: 'Not connected',
  switchAdministration: 'Administrations',
  back: 'Back',
  help: 'Help',
  cancel: 'Cancel',
  /** An action and its object, for screen readers. */
  named: (action: string, name: string) => `${action} ${name}`,
  labelled: (label: string, value: string) => `${label}: ${value}`,
  openingWorkbook: 'Reading the workbook…',
  identifying: 'Looking up the administration…',
  loading: 'Loading…',
  /** A sheet of another administration than the one that the pane is connected to. */
  otherAdministration: {
    refresh: 'This sheet is of another administration, so it cannot be refreshed now.',
    push: 'This sheet is of another administration, so it cannot be pushed now.',
    finish: 'This list is of another administration, so it cannot be finished now.',
    use: (name: string) => `Switch to ${name}`,
    connect: (name: string) => `Connect to ${name}`,
    replaced: 'Its key was replaced',
  },
  /** Whether two are the same administration. */
  sameAdministration: {
    earlier: (sheets: readonly string[], label: string, name: string) =>
      `An earlier version made ${sheets.map((sheet) => `“${sheet}”`).join(', ')}, with a connection labelled ${ended(label)} ${sheets.length === 1 ? 'Is it' : 'Are they'} of ${name}? What agrees:`,
    agrees: {
      accounts: (found: number, all: number) =>
        `${format(found)} of ${format(all)} ledger ${all === 1 ? 'account' : 'accounts'}, by number and name`,
      relations: (found: number, all: number) =>
        `${format(found)} of ${format(all)} ${all === 1 ? 'relation' : 'relations'}, by id and name`,
      invoices: (found: number, all: number) =>
        `${format(found)} of ${format(all)} ${all === 1 ? 'invoice' : 'invoices'}, by number and customer`,
      products: (found: number, all: number) =>
        `${format(found)} of ${format(all)} ${all === 1 ? 'product' : 'products'}, by number and name`,
      articleNumbers: (found: number, all: number) =>
        `${format(found)} of ${format(all)} article ${all === 1 ? 'number' : 'numbers'}, without a name`,
    },
    notAll: (all: number) => `(of ${format(all)}, since the service reads them one by one)`,
    verdict: {
      none: 'Nothing could be compared, so only you can tell.',
      shared: 'Other administrations may have the same: this alone does not show that it is this one.',
      doubtful: 'Most of it does not agree. Look whether it is another administration.',
      contradicted: 'Nothing agrees that is of one administration alone, so it is another one.',
    },
    yes: (name: string) => `Yes, of ${name}`,
    no: 'No, of another administration',
    replacedTitle: 'Does this key replace an earlier one?',
    replacedQuestion: 'Its service does not tell whose administration it opens. Compared with the earlier one:',
    replacedYes: 'Same administration',
    replacedNo: 'Another administration',
    comparing: 'Comparing what the two have…',
    comparingSheets: (sheets: readonly string[]) =>
      `Comparing ${sheets.map((sheet) => `“${sheet}”`).join(', ')} with the administration…`,
  },
  mixed: {
    title: 'Put two administrations into one workbook?',
    present: 'This workbook has sheets or formulas of:',
    added: 'You are about to add a sheet of:',
    confirm: 'Add it',
  },
  /** What cannot be done, and why. */
  limits: {
    archived: 'This administration is archived. Its data can be brought in, but nothing in it can be changed.',
    readOnly:
      'This API key may only read. Data can be brought in, but nothing can be pushed. To push, connect with a key that may write.',
    notReading: 'This API key may not read, so nothing can be brought in. Connect with a key that may read.',
  },
  cancelling: 'Cancelling…',
  cancelled: 'Cancelled. The workbook was not changed.',
  /** The reasons for waiting for Excel or the service. */
  waitingFor: {
    CELL_BEING_EDITED: 'A cell is being edited. Press Enter or Escape; the work then continues automatically.',
    OTHER_WORKBOOK: 'Another workbook is active. Return to this one; the work then continues automatically.',
    EXCEL_BUSY: 'Excel is busy. The work continues automatically.',
    SLOW_SERVICE:
      'The service has not responded for a while. It may be slow, or take few requests a minute. The work continues automatically.',
  } satisfies Record<NamedWait, string> as Record<NamedWait, string>,
  waitingForRateLimit: (until: string) =>
    `The service takes no more requests at this moment: its rate limit is reached. The work continues automatically at ${until}.`,

  connect: {
    title: 'Connect an administration',
    explanation:
      'The user name and the API key stay in this browser. They are never written into the workbook, so you can share it safely.',
    username: 'User name',
    usernameHint: 'The e-mail address you sign in with',
    apiKey: 'API key',
    label: 'Label',
    labelHint: 'A name of your own for it; leave empty for its real name',
    labelShared: (label: string) =>
      `Another connection is labelled ${label} too. The two are told apart by their names and colours.`,
    keyReplaced: (name: string) => `You had a connection to ${name}: it has the new key now, and keeps its sheets.`,
    wanted: 'This workbook was used last with an administration that this browser has no connection to:',
    required: 'This field is required.',
    submit: 'Connect',
    checking: 'Checking…',
    refused: 'The user name or the API key is incorrect. Check both and try again.',
    another: 'Connect another administration',
    existing: 'Your administrations',
    active: 'In use',
    use: 'Use',
    rename: 'Rename',
    save: 'Save',
    remove: 'Remove',
    removeQuestion: (label: string) =>
      `Remove the connection ${label}? Its user name and API key are deleted from this browser. Sheets in your workbooks stay.`,
  },

  home: {
    title: 'What do you want to do?',
    firstSteps: 'Your first push in five steps',
    /** The README has the same steps. */
    steps: [
      'Connect to an administration with a user name and an API key.',
      'Choose “Product sheet”, paste article numbers and press “Make the product sheet”.',
      'Type a new sale price or a stock quantity in the rows that should change.',
      'Choose “Push rows”, check the rows that will be sent, and push.',
      'Read the result beside every row; correct refused rows and push again.',
    ],
    demo: 'This is the demo. Connect without an account of your own:',
    demoBooks: { NL: 'Dutch demo books', BE: 'Belgian demo books' },
    pull: 'Bring into the workbook',
    change: 'Make and send',
    books: 'Books',
    underWay: (sheets: readonly string[]) =>
      `A push of ${sheets.map((sheet) => `“${sheet}”`).join(', ')} is under way or was interrupted.`,
    seePush: 'See the push',
    inWorkbook: 'In this workbook',
    nothingYet: 'Tables that you bring in are listed here. You can refresh them.',
    refresh: 'Refresh',
    refreshAll: 'Refresh all',
    markChanges: 'Mark in the sheets what a refresh changes',
    openWithWorkbook: 'Open this pane with this workbook, for everybody who has the add-in',
    /** Of data of an earlier day. */
    stale: 'Not of today',
    pulledAt: (moment: string) => `last refreshed ${moment}`,
    ofExport: (moment: string) => `with the export of ${moment}`,
  },

  accounts: {
    title: 'Ledger accounts',
    summary: 'The chart of accounts of a fiscal year',
    sheet: 'Ledger accounts',
    filters: {
      FiscalYear: {
        label: 'Fiscal year',
        hint: 'Leave empty for the latest',
        wrong: 'Write a year such as 2025, or leave it empty.',
      },
      LedgerType: { label: 'Accounts', all: 'All' },
    },
    further: {},
    submit: 'Bring in ledger accounts',
  },
  taxCodes: {
    title: 'Tax codes',
    summary: 'The VAT codes of purchases and sales',
    sheet: 'Tax codes',
    filters: {},
    further: {},
    submit: 'Bring in tax codes',
  },
  relations: {
    title: 'Relations',
    summary: 'Customers and suppliers as they are now',
    sheet: 'Relation list',
    filters: {
      RelationType: { label: 'Kind of relation', all: 'All' },
      RelationName: { label: 'Name', hint: 'The whole name' },
      RelationNumber: { label: 'Customer or supplier number' },
      RelationEmail: { label: 'E-mail' },
      RelationVAT: { label: 'VAT number' },
      RelationGUID: { label: 'Relation ID', wrong: 'A relation ID has digits only.' },
      SearchOperand: { label: 'Relations that match', all: 'All of these' },
      ChangedSince: { label: 'Changed since' },
      CreatedSince: { label: 'Created since' },
    },
    further: {
      WithContacts: { label: 'With contacts on a separate sheet', sheet: 'Contacts' },
      WithBankAccounts: { label: 'With bank accounts on a separate sheet', sheet: 'Bank accounts' },
      WithCustomFields: { label: 'With custom fields on a separate sheet', sheet: 'Custom fields' },
    },
    submit: 'Bring in relations',
  },
  materialBookings: {
    title: 'Material bookings',
    summary: 'Products that were booked on projects',
    sheet: 'Material bookings',
    filters: {
      Project: { label: 'Project', hint: 'Its number or its name' },
      SelectProjectBy: { label: 'Find the project by', all: 'Either' },
      Warehouse: { label: 'Warehouse' },
      Product_Number: { label: 'Article number' },
    },
    further: {},
    submit: 'Bring in material bookings',
  },
  trialBalance: {
    title: 'Trial balance',
    summary: 'Opening, movements and closing of every account, beside another period',
    sheet: 'Trial balance',
    filters: {
      Period: ledgerPeriod,
      Compared: {
        label: 'Beside it',
        all: 'A year earlier',
        wrong: 'Fill in both dates. The first is not after the last.',
      },
    },
    further: {},
    submit: 'Bring in the trial balance',
  },
  accountCard: {
    title: 'Account card',
    summary: 'The entries on accounts, with the balance after each',
    sheet: 'Account card',
    filters: {
      Accounts: {
        label: 'Ledger accounts',
        hint: 'Numbers, ranges and beginnings, such as 1300, 4000:4999 or 4*. Leave empty for all.',
      },
      Period: ledgerPeriod,
      RelationGUID: { label: 'Relation ID', wrong: 'A relation ID has digits only.' },
      Document: { label: 'Invoice or document number' },
    },
    further: {},
    submit: 'Bring in the account card',
  },
  openItems: {
    title: 'Open items',
    summary: 'What is open of each document of customers and suppliers on a day',
    sheet: 'Open items',
    filters: {
      At: { label: 'On', hint: 'Leave empty for today, also at each refresh' },
      RelationGUID: { label: 'Relation ID', wrong: 'A relation ID has digits only.' },
    },
    further: {},
    submit: 'Bring in open items',
  },
  vatReturn: {
    title: 'VAT return',
    summary: 'The boxes of a period, the lines behind them, checks and listings',
    sheet: 'VAT return',
    filters: {
      Period: { label: 'Month or quarter', wrong: 'Write a year such as 2026.' },
      Rounding: {
        label: 'Whole euros of a Dutch return',
        hint: 'A Belgian return has cents',
        all: 'As the administration has it',
      },
    },
    further: {
      Lines: { sheet: 'VAT lines' },
      Remarks: { sheet: 'VAT remarks' },
      Listing: { sheet: 'VAT listing EU' },
      Clients: { sheet: 'VAT clients' },
    },
    submit: 'Bring in the VAT return',
  },
  /** The sheets of a VAT return. */
  vat: {
    /** What boxes are called in this language; others have their names on the form, in Dutch. */
    boxes: {
      '1a': 'Supplies taxed at the high rate',
      '1b': 'Supplies taxed at the low rate',
      '1c': 'Supplies taxed at other rates, except 0%',
      '1d': 'Private use',
      '1e': 'Supplies taxed at 0% or not taxed with you',
      '2a': 'Supplies for which the VAT is shifted to you',
      '3a': 'Supplies to countries outside the EU',
      '3b': 'Supplies to or services in countries within the EU',
      '3c': 'Installation and distance sales within the EU',
      '4a': 'Supplies from countries outside the EU',
      '4b': 'Supplies from countries within the EU',
      '5b': 'Input VAT',
      '5a': 'VAT owed (1 to 4)',
      '5g': 'Total to pay or to reclaim',
      '00': 'Transactions at 0% or under a special scheme',
      '01': 'Transactions at 6%',
      '02': 'Transactions at 12%',
      '03': 'Transactions at 21%',
      '44': 'Services with VAT owed in another member state',
      '45': 'Transactions with VAT owed by the co-contractor',
      '46': 'Exempt intra-Community supplies',
      '47': 'Other exempt transactions and transactions abroad',
      '48': 'Credit notes for 44 and 46',
      '49': 'Other credit notes on sales',
      '81': 'Goods for resale, raw and auxiliary materials',
      '82': 'Services and miscellaneous goods',
      '83': 'Capital goods',
      '84': 'Credit notes received for 86 and 88',
      '85': 'Other credit notes received',
      '86': 'Intra-Community acquisitions',
      '87': 'Other incoming transactions with reverse-charged VAT',
      '88': 'Intra-Community services with reverse-charged VAT',
      '54': 'VAT on 01, 02 and 03',
      '55': 'VAT on 86 and 88',
      '56': 'VAT on 87, except imports',
      '57': 'VAT on imports with deferred payment',
      '61': 'Corrections in favour of the State',
      '63': 'VAT to pay back on credit notes received',
      '59': 'Deductible VAT',
      '62': 'Corrections in favour of who declares',
      '64': 'VAT to get back on credit notes issued',
      XX: 'Total of 54, 55, 56, 57, 61 and 63',
      YY: 'Total of 59, 62 and 64',
      '71': 'Owed to the State',
      '72': 'Owed by the State',
    } as Readonly<Record<string, string>>,
    year: 'Year',
    quarter: (quarter: number) => `Quarter ${quarter}`,
    wholeYear: 'Whole year',
    noBox: 'In no box: tax codes without a rule',
    notFiled: 'Not filed.',
    filedOn: (date: string) => `Filed on ${date}.`,
    /** @param how as it was chosen, or as the administration has it */
    rounded: (how: string) => `Whole euros: ${how.toLowerCase()}.`,
    hint: 'Select a box in the sheet to see the lines behind it, and a line of a sales invoice to open its PDF.',
    box: (box: string) => `Box ${box}`,
    showLines: 'Show lines',
    showing: 'Filtering the lines…',
    shown: (box: string) => `The sheet with lines shows those of box ${box}. Clear its filter to see all of them.`,
    intervat: {
      title: 'File for Intervat',
      explanation:
        'The return of a month or a quarter as an XML file, which you send in Intervat yourself. Intervat has not checked it.',
      refund: 'Ask to be paid what the State owes',
      noClients: 'No customer belongs in the yearly client listing',
      write: 'Download the file',
      noDownload: 'This Excel cannot download files. Open the workbook in Excel on the web or on Windows for it.',
    },
    filing: 'Filed returns',
    markFiled: 'Mark as filed…',
    computing: 'Computing the return…',
    marking: 'Marking the return as filed…',
    filedAlready: (period: string, date: string) =>
      `The return of ${period} was filed on ${date}, and nothing in it has changed since.`,
    nowFiled: (period: string) =>
      `The return of ${period} is marked as filed. What is entered from now on counts in the next one.`,
    notFiledNow:
      'It was not marked: the books changed meanwhile, or somebody else marked it. Look at the return again.',
    unknownIfFiled: 'Bring in the return again to see whether it was marked as filed.',
    mayNotFile: {
      readOnly: 'This API key may only read, so it cannot mark a return as filed.',
      archived: 'This administration is archived, so no return of it can be marked as filed.',
    },
    fileTitle: (period: string) => `Was the return of ${period} filed?`,
    supplementTitle: (period: string) => `Was a supplement to the return of ${period} filed?`,
    fileText:
      'Ledgerline sends nothing to the tax authorities. What is entered later for this period counts in the next return. This cannot be undone. The figures are:',
    noFigures: 'All boxes are 0.',
    figure: (box: string, part: string, amount: string) => `${box} ${part}: ${amount}`,
    base: 'base',
    tax: 'VAT',
    remarks: (count: number) =>
      `${format(count)} ${count === 1 ? 'remark' : 'remarks'} about this return: see ${count === 1 ? 'its' : 'their'} sheet.`,
    fileConfirm: 'Mark as filed',
    sums: 'Totals count the rows that a filter shows.',
  },
  counterEntry: {
    ...enWords.counterEntry,
    /** @param entry its number on an account card */
    title: (entry: string) => `Entry ${entry}`,
    submit: 'Reverse this entry',
    working: 'Reading the entry…',
    /** The name of its rows in the sheet. */
    description: (journal: string, number: string, date: string) =>
      ['Reversal of', journal, number, date].filter(Boolean).join(' '),
    tax: (code: string) => `VAT code ${code}`,
    added: (sheet: string, row: number) =>
      `The counter-entry is on sheet “${sheet}” from row ${row}. Nothing is booked yet: check it and push it.`,
    there: (sheet: string, row: number) =>
      `Sheet “${sheet}” has this counter-entry already, from row ${row}. Nothing was added.`,
    leftOut: (what: string) => `A journal entry cannot have this, so the counter-entry lacks it: ${what}.`,
    gone: 'This entry is no longer in the books. Refresh the account card.',
    tooLong: (most: number) => `This entry has more than ${most} lines, the most that can be booked here.`,
  },
  ledger: {
    today: 'Today',
    openSign:
      'What is owed to the administration is positive, what it owes negative. Totals count the rows that a filter shows.',
    thisYear: 'This fiscal year',
    sign: 'Balances are positive for debit, negative for credit. Totals count the rows that a filter shows.',
    signOfGroups:
      'Balances are positive for debit, negative for credit. The total counts the rows that a filter shows, subtotals count all.',
    total: 'Total',
    subtotal: 'Subtotal',
    readingItems: (count: number) => `Reading open items, which are written by name: ${format(count)} so far…`,
    /** @param period in words @param other the one beside it */
    beside: (period: string, other: string) => `${period}, beside: ${other.toLowerCase()}`,
    hint: 'Select accounts in a trial balance, a document of open items, or a formula, to bring in the entries behind it.',
    /** @param accounts their numbers */
    selected: (accounts: string) => `Accounts ${accounts}`,
    selectedDocument: (document: string) => `Document ${document}`,
    /** @param address of its cell */
    formula: (address: string) => `Formula in ${address}`,
    showEntries: 'Show entries',
  },
  invoices: {
    title: 'Sales invoices',
    summary: 'Invoices of a period, with or without their lines',
    sheet: 'Sales invoices',
    filters: {
      Period: {
        label: 'Period',
        hint: 'Leave both empty for all invoices',
        wrong: 'The end date is before the start date.',
      },
      InvoiceNumber: {
        label: 'Invoice number',
        hint: 'For one invoice only',
        wrong: 'An invoice number has digits only.',
      },
      OpenOnly: { label: 'Open only' },
    },
    further: { WithLines: { label: 'With invoice lines on a separate sheet', sheet: 'Invoice lines' } },
    withAgeing: 'With an ageing overview (all open invoices) on a separate sheet',
    countedTo: 'Count days overdue to',
    countedToHint: 'Leave empty for today, also at each refresh. Amounts are always those of now.',
    submit: 'Bring in sales invoices',
    onlyAgeing: 'Only the ageing overview',
  },
  ageing: {
    sheet: 'Ageing',
    heading: (administration: string) => `Ageing overview of ${administration}`,
    /** @param moment date and time */
    openInvoices: (count: number, moment: string) =>
      `All open invoices, whatever their date, credits included: ${format(count)}. Amounts outstanding as of ${moment}.`,
    countedTo: (date: string) => `Days overdue are counted to ${date}.`,
    total: 'Total',
    chartTitle: (max: number) => `Outstanding by customer and days overdue: the first ${format(max)} of the table`,
    reading: (count: number) => `Reading the open amounts of the invoices of all dates: ${format(count)} so far…`,
  },
  documents: {
    hint: 'Select a pulled invoice in the sheet to open its PDF or e-invoice.',
    title: (number: string) => `Invoice ${number}`,
    several: (place: number, all: number) => `${format(place)} of ${format(all)} selected`,
    previous: 'Previous',
    next: 'Next',
    pdf: 'PDF',
    pdfOf: (number: string) => `PDF of invoice ${number}`,
    eInvoice: 'E-invoice',
    eInvoiceOf: (number: string) => `E-invoice of invoice ${number}`,
    opening: 'Creating the document…',
    notOpened: 'Cancelled. No document was opened.',
    downloads: (file: string) => `${file} was downloaded.`,
    browser: (file: string) => `${file} was opened in your browser, because this Excel cannot download files.`,
    window: (file: string) => `${file} was opened in a new window, because this Excel cannot download files.`,
    link: 'This Excel can neither download files nor open a window. Open this link, which works once within two minutes:',
    cannotBeCreated: { pdf: 'The PDF cannot be created:', xml: 'The e-invoice cannot be created:' },
    notOffered: 'The service of this administration offers no e-invoices.',
    notFound: (number: string) => `The administration no longer has invoice ${number}. Refresh the sheet.`,
    zip: { pdf: 'PDFs of all selected (zip)', xml: 'E-invoices of all selected (zip)' },
    zipName: { pdf: 'Invoices', xml: 'E-invoices' },
    zipList: 'List.txt',
    zipping: (done: number, all: number) => `${format(done)} of ${documentCount(all)}`,
    zipHolds: (count: number) => `${documentCount(count)} in this zip:`,
    zipped: (file: string, count: number) => `${file} was downloaded, with ${documentCount(count)}.`,
    notIncluded: (count: number) => `${documentCount(count)} not included:`,
    otherDocuments: (count: number) => `And ${format(count)} more, in the list in the zip.`,
    zipFull: {
      documents: 'A zip holds at most 500 documents. Select this one in another zip.',
      bytes: 'A zip holds at most 100 MB. Select this one in another zip.',
    },
    noZip: 'This Excel cannot download a zip. Open the documents one by one, or use Excel on Windows or in a browser.',
    noZipMade: 'Cancelled. No zip was made.',
  },
  auditfiles: {
    title: 'Audit files',
    summary: 'Bring in a year of books from another program, or write one',
    explanation:
      'An XML audit file (XAF 3.2, 3.2.1 or 4.0) has a fiscal year: accounts, relations, VAT codes, opening balance and every entry. You see what a file holds before anything is imported.',
    bringIn: 'Bring in an audit file',
    notImporting:
      'This API key may not import files. Ask for a key with the right to import (administration key issue --scope import), and connect with it.',
    drop: 'Drop an audit file here. Drop all files of one that was split together.',
    notWhole: 'These are not all files of one audit file. Choose the first and every “Vervolgbestand” together.',
    choose: 'Choose a file…',
    sending: (percent: number) => `Sending: ${percent}%`,
    notSent: 'Cancelled. Choose the same file again to send the rest of it.',
    looking: 'Loading the audit files…',
    states: {
      receiving: () => 'Not sent completely. Choose the same file again to send the rest of it.',
      checking: (percent: number) => `Reading what it holds: ${percent}%`,
      checked: () => 'Checked. Nothing was imported.',
      importing: (percent: number) => `Importing: ${percent}%`,
      imported: () => 'Imported',
      withdrawing: () => 'Withdrawing…',
      withdrawn: () => 'Withdrawn',
      failed: () => 'Failed',
    },
    failed: (message: string) => `Failed, and nothing was imported: ${message}`,
    notWithdrawn: (message: string) => `Not withdrawn, and nothing was changed: ${message}`,
    withdraw: 'Withdraw',
    withdrawTitle: 'Withdraw this year?',
    withdrawText: (entries: number, days: string, administration: string) =>
      `${format(entries)} imported ${entries === 1 ? 'entry' : 'entries'} and the imported opening balance of ${days} are removed from ${ended(administration)} What was made here stays, and so do accounts, relations and VAT codes.`,
    import: 'Import',
    erase: 'Erase',
    company: 'Company',
    software: 'Program',
    year: 'Fiscal year',
    period: (first: string, last: string) => `${first} to ${last}`,
    accounts: 'Accounts',
    relations: 'Relations',
    taxCodes: 'VAT codes',
    rowCounts: ({ added, changed, unchanged }: { added: number; changed: number; unchanged: number }) =>
      `${format(added)} new, ${format(changed)} changed, ${format(unchanged)} unchanged`,
    openingBalance: 'Opening balance',
    transactions: 'Transactions',
    none: 'none',
    total: (lines: number, debit: string, credit: string) =>
      `${format(lines)} ${lines === 1 ? 'line' : 'lines'}, debit ${debit}, credit ${credit}`,
    entries: 'Entries',
    entryCounts: ({
      added,
      removed,
      unchanged,
      matched,
    }: Record<'added' | 'removed' | 'unchanged' | 'matched', number>) =>
      `${format(added)} new, ${format(removed)} removed, ${format(unchanged)} unchanged, ${format(matched)} booked here already`,
    refused: (count: number) => `It cannot be imported: ${format(count)} ${count === 1 ? 'problem' : 'problems'}.`,
    problem: (line: number, element: string, message: string) =>
      `Line ${format(line)}: ${element === '' ? '' : `${element}: `}${message}`,
    warned: (count: number) => `${format(count)} ${count === 1 ? 'remark' : 'remarks'} about the file:`,
    differs: (added: number, removed: number) =>
      `Another file of this year was imported before. This one replaces it: ${format(added)} ${added === 1 ? 'entry comes' : 'entries come'}, ${format(removed)} ${removed === 1 ? 'goes' : 'go'}.`,
    more: (count: number) => `and ${format(count)} more`,
    confirmTitle: 'Import this audit file?',
    confirmText: (file: string, administration: string) => `${file} is imported into ${ended(administration)}`,
    replace: (count: number) =>
      `Replace what the earlier file brought (${format(count)} ${count === 1 ? 'entry goes' : 'entries go'})`,
    take: (count: number) =>
      `Import it although it contradicts itself in ${format(count)} ${count === 1 ? 'place' : 'places'}`,
    write: {
      title: 'Write an audit file',
      explanation:
        'A fiscal year of this administration as a file, for an accountant, the tax authority or another program.',
      yearHint: 'The calendar year in which it begins',
      noYear: 'Enter a year, such as 2026.',
      whichYear: (year: string) => `Several fiscal years begin in ${year}. Which one is written?`,
      yearFrom: (first: string) => `The year from ${first}`,
      version: 'Version',
      versions: { '4.0': '4.0', '3.2': '3.2, for programs that cannot read 4.0' },
      write: 'Write the file',
      writing: (percent: number) => `Writing: ${percent}%`,
      cancelled: 'Cancelled. Nothing was downloaded.',
      ready: (file: string, megabytes: string) =>
        `${file} is ready. It has ${megabytes} MB; the checker of the tax authority takes files of at most 5 MB.`,
      one: 'Download one file',
      several: (count: number) => `Download ${format(count)} files of at most 5 MB`,
      zipping: 'Putting the files together…',
      noDownload:
        'This Excel cannot download files. Open the workbook in Excel on the web or on Windows to write an audit file.',
    },
  },
  exports: {
    title: 'Relation exports',
    summary: 'Exported relations, to bring in or to download',
    sheet: 'Relations',
    explanation:
      'Relations are exported on a schedule, and now if you ask for it. An export has the data of the moment when it began. The latest is listed first.',
    looking: 'Loading the exports…',
    again: 'Reload',
    none: 'There is no export yet. Make the first one now, or wait for the next scheduled time, usually at night.',
    notExported:
      'The relations of this administration are not exported. Ask who runs the app to add it to the exports.',
    makeNow: 'Make an export now',
    requested: 'An export was requested. It begins in a moment.',
    making: (count: number) => `Exporting: ${format(count)} ${count === 1 ? 'relation' : 'relations'} so far…`,
    made: (moment: string, count: number) =>
      `The export of ${moment} is complete: ${format(count)} ${count === 1 ? 'relation' : 'relations'}.`,
    stillMaking: 'The pane no longer waits for the export. It is made all the same; reload the list to see it.',
    latest: 'latest',
    published: 'Complete',
    running: 'In progress',
    failed: 'Failed',
    because: (message: string) => `Failed: ${message}`,
    relations: (count: number) => `${format(count)} ${count === 1 ? 'relation' : 'relations'}`,
    soFar: (count: number) => `${format(count)} ${count === 1 ? 'relation' : 'relations'} so far`,
    counts: (added: number, changed: number, vanished: number) =>
      `${format(added)} new, ${format(changed)} changed, ${format(vanished)} removed since the previous export`,
    insert: 'Bring in',
    insertNamed: (moment: string) => `Bring in the relations of ${moment}`,
    download: 'Download',
    downloadNamed: (moment: string) => `Download the workbook of ${moment}`,
    downloading: 'Downloading…',
    notDownloaded: 'Cancelled. Nothing was downloaded.',
  },
  unfinished: {
    new: (sheet: string, moment: string) =>
      `Sheet “${sheet}” has an incomplete list, which began on ${moment} and was interrupted. If another window is still working on it, wait for that.`,
    refresh: (sheet: string, moment: string) =>
      `Sheet “${sheet}” has old and new rows: its refresh began on ${moment} and was interrupted. If another window is still working on it, wait for that.`,
    finish: (sheet: string) => `Finish ${sheet}`,
    remove: (sheet: string) => `Remove ${sheet}`,
    leave: (sheet: string) => `Leave ${sheet} as it is`,
  },
  /** Periods by name: a refresh asks for the period that has the name then. */
  periods: {
    thisMonth: 'this month',
    lastMonth: 'last month',
    thisQuarter: 'this quarter',
    lastQuarter: 'last quarter',
    thisYear: 'this year',
    lastYear: 'last year',
  },
  dates: {
    choose: 'Dates…',
    fromLabel: 'From',
    tillLabel: 'Till',
    from: (date: string) => `from ${date}`,
    till: (date: string) => `till ${date}`,
  },
  /** A list without filters. */
  pulling: (count: number) => `${rows(count)} so far…`,
  pullStarting: 'Sending the request…',
  pulled: {
    made: (count: number, sheet: string) => `${rows(count)} on sheet “${sheet}”.`,
    refreshed: (sheet: string, count: number, added: number, changed: number, removed: number) =>
      `Sheet “${sheet}” is up to date: ${rows(count)}; ${format(added)} new, ${format(changed)} changed, ${format(removed)} removed.`,
    retained: (keys: string) =>
      `No longer in the administration, but not removed because you wrote something beside them: ${keys}. Remove them when you no longer need them.`,
    /** @param count rows with marked cells, of all that changed */
    marked: (count: number, all: number) =>
      count < all ? `The first ${rows(count)} that changed are marked.` : 'What changed is marked in yellow.',
    cut: (count: number) => `Texts that were too long for a cell and were cut: ${format(count)}.`,
    asExported: (moment: string) => `The data are those of the export of ${moment}.`,
    /** @param list the name that the sheet would have had */
    none: (list: string) => `${list}: nothing was found, so no sheet was made.`,
    emptied: (sheet: string, removed: number) =>
      `Sheet “${sheet}” has no rows any more: nothing was found. ${rows(removed)} removed.`,
  },
  columns: {
    title: (sheet: string, shown: number, all: number) => `Columns of “${sheet}”: ${format(shown)} of ${format(all)}`,
    hint: 'The order is that of a new sheet; in one that you have, drag its columns. The sheet remembers them.',
    up: 'Move up',
    down: 'Move down',
    usual: 'As the sheet has them',
  },
  refreshedAll: {
    now: (place: number, all: number, sheet: string) => `${format(place)} of ${format(all)}, “${sheet}”:`,
    done: (sheets: number, added: number, changed: number, removed: number) =>
      `${format(sheets)} ${sheets === 1 ? 'sheet is' : 'sheets are'} up to date: ${format(added)} new ${added === 1 ? 'row' : 'rows'}, ${format(changed)} changed, ${format(removed)} removed.`,
    failed: (sheet: string) => `Sheet “${sheet}” was not refreshed.`,
    left: (sheets: readonly string[]) => `Not refreshed: ${sheets.map((sheet) => `“${sheet}”`).join(', ')}.`,
  },

  products: {
    title: 'Product sheet',
    summary: 'A table to fill in with new prices and stock',
    sheet: 'Products to change',
    mode: 'What a stock quantity means',
    relativeMeaning: 'is added to the stock (5 means five more, -5 five fewer)',
    absoluteMeaning: 'becomes the stock (5 means there are five)',
    modeHint: 'Every row gets this value; you can change it in each row.',
    numbers: 'Article numbers',
    numbersHint:
      'Paste or type one on each line, also with prices and quantities in further columns. Leave empty for an empty table.',
    fromInvoices: 'Add the products of the invoice lines in this workbook',
    fromInvoicesFound: (count: number) =>
      `${format(count)} ${count === 1 ? 'article number' : 'article numbers'} added.`,
    fromInvoicesNone:
      'The workbook has no invoice lines with article numbers. Bring in sales invoices with their lines first.',
    duplicates: (count: number) =>
      count === 1
        ? 'One article number is in more than one row; these rows have a message. Keep one of them before you push.'
        : `${format(count)} article numbers are in more than one row; these rows have a message. Keep one row of each before you push.`,
    submit: 'Make the product sheet',
    making: 'Making the product sheet…',
    made: (sheet: string) => `Sheet “${sheet}” is ready. Fill in the values to change, and leave the others empty.`,
    presentNotRead:
      'The present names, prices and stock were not read: this administration does not list its products, or cannot be reached.',
    madeRows: ({ products, blank, empty }: { products: number; blank: number; empty: number }) =>
      [
        `Rows with a product: ${format(products)}.`,
        blank > 0 ? `Blank rows between them, as pasted: ${format(blank)}.` : '',
        empty > 0 ? `Empty rows below: ${format(empty)}.` : '',
      ]
        .filter(Boolean)
        .join(' '),
    next: 'Push this sheet',
  },
  /** The present values of selected rows, from a service that lists no products. */
  selected: {
    title: 'Present values of selected rows',
    none: 'This service does not list its products. Select rows of the sheet to read their present names, prices and stock.',
    read: (count: number) => (count === 1 ? 'Read 1 selected product' : `Read ${format(count)} selected products`),
    time: (minutes: number) =>
      minutes < 2
        ? 'That takes a minute at most.'
        : `The service allows few requests, so that takes about ${format(minutes)} minutes. You can work in the sheet meanwhile.`,
    progress: (done: number, total: number) =>
      `${format(done)} of ${format(total)} ${total === 1 ? 'product' : 'products'} read.`,
    done: (read: number, missing: number) =>
      missing === 0
        ? `Products read: ${format(read)}.`
        : `Products read: ${format(read)}. Not there: ${format(missing)}; their rows have a message.`,
    cancelled: 'Stopped. What was read is in the sheet.',
    goOn: (count: number) => (count === 1 ? 'Read the 1 that is left' : `Read the ${format(count)} that are left`),
  },
  /** Searching products. */
  search: {
    label: 'Search products',
    hint: 'Part of the name, the article number or the EAN',
    addTitle: 'Add products to the sheet',
    /** @param wasThere whether the sheet had it already */
    addedRow: (article: string, row: number, wasThere: boolean) =>
      wasThere ? `${article} is in row ${row} already.` : `${article} is in row ${row} now.`,
    found: (count: number, isFull: boolean) =>
      count === 0
        ? 'No product found.'
        : `${isFull ? 'The first ' : ''}${format(count)} ${count === 1 ? 'product' : 'products'} found.`,
    add: 'Add',
    added: 'Added',
  },
  /** Columns that are pasted into the article numbers. */
  pasting: {
    title: 'Pasted columns',
    meaning: 'Check what each column is before you make the sheet.',
    column: (place: number) => `Pasted column ${place}`,
    choose: 'Choose…',
    unused: 'Not used',
    read: (count: number, blank: number) =>
      `${rows(count)} with a product${blank === 0 ? '' : `; ${format(blank)} blank ${blank === 1 ? 'line keeps its' : 'lines keep their'} place`}.`,
    noProduct: 'Choose the column with the article numbers or the EANs.',
    undecided: 'Choose what each pasted column is, or “Not used”.',
    twice: (heading: string) => `Two columns are chosen as “${heading}”. Keep one of them.`,
    noNumber: (heading: string, value: string, line: number, count: number) =>
      `${heading}: “${value}” on line ${format(line)} is no number, or can be read in two ways${count === 1 ? '' : `, and so ${count === 2 ? 'is' : 'are'} ${format(count - 1)} more`}. Correct it, or leave the column out.`,
  },

  /** Sheets whose rows become documents or new products. */
  documentSheets: {
    title: 'Make documents',
    summary: 'A sheet to fill in with invoices, orders, purchases or new products',
    kind: 'What to make',
    kinds: {
      salesInvoiceRows: { name: 'Sales invoices', sheet: 'Invoices to make' },
      orderRows: { name: 'Orders and quotes', sheet: 'Orders to make' },
      salesTransactionRows: { name: 'Sales to book', sheet: 'Sales to book' },
      purchaseTransactionRows: { name: 'Purchase invoices to book', sheet: 'Purchases to book' },
      newProductRows: { name: 'New products', sheet: 'Products to add' },
      journalEntryRows: { name: 'Journal entries', sheet: 'Entries to book' },
    },
    explanation:
      'Columns with * are needed. Lists of customers, VAT codes and the like are read now, and offered in the cells.',
    submit: 'Make the sheet',
    making: 'Reading the lists to choose from…',
    made: (sheet: string) => `Sheet “${sheet}” is ready. Fill it in, then check and push it.`,
    next: 'Push this sheet',
    listsSheet: 'Ledgerline lists',
    lists: {
      customers: 'Customers',
      suppliers: 'Suppliers',
      salesTaxCodes: 'VAT codes of sales',
      purchaseTaxCodes: 'VAT codes of purchases',
      taxCodes: 'VAT codes',
      accounts: 'Ledger accounts',
      units: 'Units',
      orderStatuses: 'Order statuses',
    },
  },
  /** The push of such a sheet. */
  documentPush: {
    /** @param reason why something could not be read */
    notRead: (reason: string) => `Not everything could be checked, and totals may be missing. ${reason}`,
    noEInvoice: (count: number) =>
      `${count === 1 ? 'One invoice' : `${format(count)} invoices`} could be made, but not sent as an e-invoice (Peppol):`,
    /** @param count of the invoices, of which the first are named */
    lacksForEInvoice: (reason: string, names: readonly string[], count: number) =>
      `${names.join(', ')}${count > names.length ? `, and ${format(count - names.length)} more` : ''}: ${reason}`,
    eInvoicesLookedAt: (count: number) => `For e-invoices, the first ${format(count)} were looked at.`,
    effects: {
      title: 'Effect on the trial balance (debit less credit)',
      titleOfYears: (from: string, to: string) =>
        `Effect on the trial balance from ${from} to ${to}, which is in several fiscal years (debit less credit)`,
      account: 'Account',
      before: 'Now',
      change: 'Change',
      after: 'After',
    },
    ready: (count: number) => `${format(count)} ${count === 1 ? 'document' : 'documents'} ready to send`,
    total: (excl: string, incl: string) => `Together ${excl} excl. VAT, ${incl} incl. VAT`,
    totalPart: (count: number) =>
      `Without ${format(count)} ${count === 1 ? 'document' : 'documents'} whose total the administration computes`,
    bad: (count: number) => `${format(count)} ${count === 1 ? 'cell' : 'cells'} to correct`,
    goTo: (address: string) => `Go to ${address}`,
    held: (count: number) => `${format(count)} held back: the outcome of an earlier push is unknown`,
    lookAgain: 'Look again',
    lookingAgain: 'Looking in the books…',
    lookedAgain: (found: number) =>
      found === 0 ? 'Nothing was found. Look into the books yourself.' : `Found: ${format(found)}.`,
    sendHeld: (count: number) =>
      count === 1
        ? 'It is not in the books: send it again'
        : `They are not in the books: send these ${format(count)} again`,
    repeated: (count: number) =>
      `${format(count)} not sent: ${count === 1 ? 'it says' : 'they say'} what was made before, or ${count === 1 ? 'was' : 'were'} changed since`,
    sendRepeated: (count: number) =>
      count === 1 ? 'It is another one: make it' : `They are other ones: make these ${format(count)}`,
    applied: (count: number) => `${format(count)} made before, not sent again`,
    nothing: 'There is nothing to send. Fill in rows, then check again.',
    submit: (count: number, name: string) =>
      `Push ${format(count)} ${count === 1 ? 'document' : 'documents'} to ${name}`,
    confirmText: (count: number, name: string) =>
      `${format(count)} ${count === 1 ? 'document' : 'documents'} will be made in the administration ${ended(name)} This cannot be undone from here.`,
    confirmHeld: (count: number) =>
      `Warning: ${format(count)} may be in the books already. If so, ${count === 1 ? 'it is' : 'they are'} made a second time.`,
    confirmRepeated: (count: number) => `Warning: ${format(count)} may be made a second time.`,
    confirms: {
      mails: (count: number) => `${format(count)} ${count === 1 ? 'is' : 'are'} mailed to the customer`,
      periodicInvoices: (count: number) => `${format(count)} ${count === 1 ? 'begins' : 'begin'} periodic invoices`,
    },
    hiddenToo: (count: number) => `Also send ${format(count)} with hidden rows`,
    severalAtOnce: 'Send several at a time: faster, but their numbers need not follow the order of the rows',
    onlyFirst: (max: number) => `Only the first ${format(max)} are sent now. Push again for the others.`,
    preview: 'Documents',
    more: (count: number) => `and ${format(count)} more`,
  },
  push: {
    title: 'Push rows',
    summary: 'Send the rows of a sheet: prices and stock, documents or journal entries',
    below: (first: number, last: number) =>
      first === last
        ? `Row ${first} is below the table and not part of it, so it is not sent.`
        : `Rows ${first} to ${last} are below the table and not part of it, so they are not sent.`,
    includeRows: (count: number): string =>
      count === 1 ? 'Include the row in the table' : 'Include the rows in the table',
    copied: (sheet: string) =>
      `Sheet “${sheet}” looks like a copy of a sheet to push, or another program saved it. It has no record of the pushes of the original.`,
    adoptCopy: (sheet: string, name: string) => `Use ${sheet} as a sheet of ${name}`,
    copyOfWhom: (name: string) => `Nothing in it says whose it is. What of it ${name} has:`,
    none: 'There is no sheet to push in this workbook yet.',
    make: 'Make a product sheet',
    sheet: 'Sheet to push',
    check: 'Check the rows again',
    checking: 'Reading the sheet…',
    defaultMode: 'Rows without a value in “Stock change”',
    found: 'Rows to send',
    ready: (count: number) => `${rows(count)} ready to send`,
    relativeCount: (count: number) => `${format(count)} with Relative stock (added)`,
    absoluteCount: (count: number) => `${format(count)} with Absolute stock (set)`,
    withoutStock: (count: number) => `${format(count)} without a stock change`,
    bad: (count: number) => `${rows(count)} with errors, not sent`,
    held: (count: number) => `${rows(count)} held back`,
    repeated: (count: number) =>
      `${rows(count)} with a quantity that was added before, not sent. Undo may have restored it.`,
    repeatAgain: (count: number) =>
      count === 1
        ? 'This is another delivery: add it again'
        : `These are other deliveries: add these ${format(count)} again`,
    confirmRepeated: (count: number, moment: string) =>
      `Warning: for ${rows(count)} the same quantity was added before, last on ${moment}. It will be added again.`,
    unchanged: (count: number) => `${rows(count)} without changes`,
    rowIssue: (row: number, message: string) => `Row ${row}: ${message}`,
    more: (count: number) => `and ${format(count)} more; every row has its own message.`,
    nothing: 'There is nothing to send. Fill in a new price or stock, then check again.',
    submit: (count: number, label: string) => `Push ${rows(count)} to ${label}`,
    confirmTitle: (label: string) => `Push to ${label}?`,
    confirmText: (count: number, label: string) =>
      `${rows(count)} will change products in the administration ${ended(label)} This cannot be undone from here.`,
    newProducts: (count: number) => (count === 1 ? '1 row makes a new product.' : `${rows(count)} make new products.`),
    newProduct: 'New product',
    makeCategories: 'Make categories that do not exist yet',
    preview: 'Changes',
    previewMore: (count: number) => `and ${rows(count)} more`,
    totalAdded: (quantity: string) => `Total added to stocks: ${quantity}`,
    totalPrices: (raised: number, lowered: number) =>
      `Sale prices raised: ${format(raised)}; lowered: ${format(lowered)}`,
    hiddenRows: (hidden: number, all: number) =>
      `${all === 1 ? 'The row' : `${format(hidden)} of these ${rows(all)}`} ${hidden === 1 ? 'is' : 'are'} hidden, by a filter or by hand. Which rows are sent?`,
    visibleOnly: (count: number) => `Only visible rows: ${rows(count)}`,
    hiddenToo: (count: number) => `Hidden rows too: ${rows(count)}`,
    hiddenFound: (count: number) => `${format(count)} of them hidden, by a filter or by hand`,
    unusualFound: (count: number) =>
      `${rows(count)} with a price that may be a mistake: not sent until you tick ${count === 1 ? 'it' : 'them'} before the push.`,
    unusualTitle: (count: number) => `Held back: ${rows(count)}`,
    unusualMeaning: 'These prices may be mistakes. A row is sent only if you tick it.',
    unusualAll: (count: number) => (count === 1 ? 'This price is right' : `All ${format(count)} prices are right`),
    unusualMore: (count: number) =>
      `and ${rows(count)} more, ${count === 1 ? 'which is ticked with the others only' : 'which are ticked together only'}`,
    presentReadOn: (moment: string) => `Present values as read on ${moment}, or later.`,
    notRead: { price: 'present price not read', stock: 'present stock not read' },
    confirmFirst: 'This is your first push to this administration from this browser.',
    confirm: 'Push',
    confirmGoesOn:
      'When the service has accepted the push, it continues without this pane. The results are written to the sheet while the pane is open.',
    confirmUnknown: (count: number) =>
      `Warning: for ${rows(count)} it is unknown whether the stock was added. If it was, it will be added a second time.`,
    confirmUnread:
      'Warning: the other pushes could not be read, so one of them may have added these quantities already. Cancel and try again to look.',
    confirmElsewhere: (count: number) =>
      `Warning: ${rows(count)} with Relative stock ${count === 1 ? 'is' : 'are'} for products that were changed after this sheet was made, by a push that this workbook has no record of. If the workbook was closed without saving, the quantities may have been added already.`,
    onlyFirst: (max: number) => `Only the first ${format(max)} rows are sent now. Push again for the others.`,
    asApplied: (count: number) =>
      `${rows(count)} applied before and unchanged since, not sent. Clear the status of such a row to send it again.`,
    preparing: 'Preparing the sheet…',
    progress: (done: number, total: number) => `${format(done)} of ${rows(total)}`,
    pace: (count: number) => `${rows(count)} a minute`,
    expectedEnd: (moment: string) => `expected to end at ${moment}`,
    beginning: 'Sending the push to the service…',
    queued: 'Waiting in the queue.',
    quiet: 'No row was processed in the last minute: the administration is busy. The push continues automatically.',
    keepOpen: 'Keep this pane open until the service has accepted the push.',
    goesOn:
      'You may close the pane or Excel: the push continues. Save the workbook, and open this pane in it later to see the results.',
    resumesLater:
      'You may close the pane or Excel: the service has this push, and works on it whenever it can. Save the workbook, and open this pane in it later to see the results.',
    unreachable: 'The service cannot be reached.',
    /** @param problem why there is no response */
    notConfirmed: (problem: string) =>
      `${problem} It has not confirmed this push yet. The request is repeated automatically.`,
    retrying: (problem: string) => `${problem} The request for results is repeated automatically.`,
    stop: 'Stop the push',
    stopMeaning: 'Applied rows stay applied. Rows that were not sent yet are not changed.',
    stopping: 'Stopping: waiting for rows that were sent already…',
    resume: 'Continue with the results',
    abandon: 'Abandon the results',
    abandonMeaning: 'Rows without a result become Unknown.',
    elsewhere: (label: string) =>
      `The rows of this sheet are being pushed to ${ended(label)} Connect to it to see the results.`,
    notOffered: 'The service at this address does not accept pushes, so nothing was sent.',
    notKnown: 'The service does not know this push, or no longer: it stores results for a limited time.',
    of: (moment: string) => `Push of ${moment}`,
    retry: (count: number) =>
      count === 1 ? 'Try the refused or unknown row again' : `Try the ${format(count)} refused and unknown rows again`,
    others: 'Other pushes to this administration',
    /** @param by the user name and the label of the key; "" when it is not known */
    other: (moment: string, by: string) => (by === '' ? moment : `${moment}, by ${by}`),
    allActivity: 'All activity',
    showRows: 'Rows',
    allRows: (count: number) => `All rows (${format(count)})`,
    failedRows: (count: number) => `Refused and unknown (${format(count)})`,
    rowsFrom: (first: number, last: number, total: number) =>
      `Rows ${format(first)} to ${format(last)} of ${format(total)}`,
    previousRows: 'Previous rows',
    nextRows: 'Next rows',
    noSuchRows: 'There are no such rows.',
    sentRow: (row: number) => `Row ${row}`,
    readingRows: (count: number, total: number) => `${format(count)} of ${rows(total)} read…`,
    done: 'Done',
    stoppedAt: (done: number, total: number) => `Stopped at ${format(done)} of ${rows(total)}`,
    stoppedLate: 'The push could not be stopped: every row had been sent.',
    stateCounts: {
      waiting: (count: number) => `${format(count)} waiting`,
      applied: (count: number) => `${format(count)} applied`,
      refused: (count: number) => `${format(count)} refused`,
      unknown: (count: number) => `${format(count)} unknown`,
      cancelled: (count: number) => `${format(count)} not sent`,
    },
    missing: (keys: string) => `Rows no longer in the sheet, whose result could not be written: ${keys}.`,
    changed: (keys: string) =>
      `Not sent, because no row of the sheet had this name any more when the push began: ${keys}.`,
    seeRows: 'Every row of the sheet has its result.',
  },

  rowMessage: {
    ...enWords.rowMessage,
    madeBefore: 'Made by an earlier push.',
    madeOtherwise: (expected: string) =>
      `Added to the administration. Its total differs from that of the sheet, ${price(expected)}: look at it.`,
    unknownMade: 'The response was lost, so it may or may not be in the books. It is not sent again unasked.',
    heldMade:
      'Held back: it may be in the books already. Look again from the pane, or look into the books; then send it from the pane, or clear the status.',
    sameAsMade: 'Not sent: exactly the same was made before. If it is another one, make it from the pane.',
    changedSinceMade:
      'Not sent: it was made already, and its rows were changed since. If it is another one, make it from the pane, or clear the status.',
    applied: 'Changed in the administration.',
    made: 'Added to the administration.',
    appliedCleared: (quantity: string) =>
      `Changed in the administration: ${quantity} added. The quantity was cleared, so that it is not added again.`,
    unknownRelative:
      'The response was lost, so the stock may or may not have changed. Check the product. Clear this status to send the row again, or clear the quantity.',
    unknown: 'The response was lost, so the product may or may not have changed. Push again to be sure.',
    held: 'Held back: the result of an earlier push is unknown. Check the product, then clear the status or the quantity.',
    repeated:
      'Not sent: this quantity was added before. If it is another delivery, add it again from the pane; otherwise clear it.',
    cancelled: 'Not sent: the push was stopped before this row.',
    refusedBefore: 'Refused by the latest push. Send the row again to see the reason.',
    refusedWhole: 'Not sent: the service refused the whole push.',
    stoppedUnauthorized: 'Not sent: the user name or the API key was refused.',
    stoppedForbidden: 'Not sent: the administration is archived, or this API key may only read.',
    notApplied: 'The service accepted the request but changed nothing.',
    noSuchProduct: 'The administration has no product with this number. To add it, choose Yes under “New product”.',
    unusual: (prices: string) => `Not sent: ${prices}. Correct it, or tick this row in the pane when you push.`,
  },
  /** Why a price is held back. */
  priceDoubts: {
    of: (heading: string, value: string, reasons: string) => `${heading} ${price(value)}: ${reasons}`,
    date: ({ date }: PriceFacts) => `the cell is formatted as a date, ${date}`,
    time: ({ time }: PriceFacts) => `the cell is formatted as a time, ${time}`,
    percentage: ({ percentage }: PriceFacts) => `the cell is formatted as a percentage, ${percentage}%`,
    likeDate: ({ date }: PriceFacts) => `looks like the date ${date}`,
    likeTime: ({ time }: PriceFacts) => `looks like the time ${time}`,
    likePercentage: ({ percentage }: PriceFacts) => `looks like ${percentage}%`,
    zero: (_: PriceFacts) => 'the price becomes 0',
    tenfold: ({ present }: PriceFacts) => `ten times the present price of ${price(present)}, or more`,
    tenth: ({ present }: PriceFacts) => `a tenth of the present price of ${price(present)}, or less`,
  },
  cell: {
    at: (heading: string, address: string, text: string) => `${heading} (${address}): ${text}`,
    line: (heading: string, line: number) => `${heading}, line ${line}`,
    noDocument: 'fill in the document that the row is a line of',
    sameInDocument: 'expected the same as in the first row of the document, or nothing',
    date: (value: string) => `expected a date such as 31-12-2026, found “${value}”`,
    ambiguousDate: (value: string) => `“${value}” can be read in two ways; type it with hyphens, the day first`,
    notDate: 'the number is not formatted as a date; type a date',
    choice: (words: readonly string[], value: string) => `expected ${oneOf(words)}, found “${value}”`,
    field: (heading: string, text: string) => `${heading}: ${text}`,
    noProduct: 'Fill in an article number or an EAN.',
    error: (value: string) => `the formula returns ${value}; correct it or type a value`,
    number: (value: string) => `expected a number such as 12.50, found “${value}”`,
    ambiguous: (value: string) => `“${value}” can be read in two ways; type it as a number`,
    lostDigits: 'the number has lost digits; format the cell as text and type it again',
    padded: 'the cell shows zeros that its number does not have; format it as text and type it again',
    naturesOfText: {
      date: 'the cell is formatted as a date; format it as text and type it again',
      time: 'the cell is formatted as a time; format it as text and type it again',
      percentage: 'the cell is formatted as a percentage; format it as text and type it again',
      boolean: 'the cell contains TRUE or FALSE; type a text',
    },
    natures: {
      date: 'the cell is formatted as a date; format it as a number and type it again',
      time: 'the cell is formatted as a time; format it as a number and type it again',
      percentage: 'the cell is formatted as a percentage; format it as a number and type it again',
      boolean: 'the cell contains TRUE or FALSE; type a number',
    },
    negativePrice: 'a price or a percentage cannot be less than 0',
    yesOrNo: (value: string) => `expected Yes or No, found “${value}”`,
  },

  /** What a VAT return says of itself. */
  vatRemarks: vatRemarkTexts,
  remarkValues: { text: (value: string) => value, amount: price, day },
  /** What a cell of a column says of itself when it is selected. */
  columnNotes: {
    Document:
      'A number or name of your own. Rows with the same one are lines of one document; the other fields of the document stand in one of its rows, or in all of them.',
    CustomerNumber: 'Choose a customer, or type the number. Leave empty to name the customer by name or e-mail.',
    SupplierNumber: 'Choose a supplier, or type the number. Leave empty to name the supplier by name or e-mail.',
    InvoiceDate: 'Leave empty for today.',
    OrderDate: 'Leave empty for today.',
    UnitPriceExclTax: 'Not needed where the amount with VAT is filled in, or the article price is used.',
    TaxCode: 'Leave empty for the VAT of the article.',
    InvoiceNumber: 'Leave empty for the next number.',
    EmailToCustomer: 'With Yes the invoice is mailed, some time after it is made. The pane asks before it sends.',
    PeriodicInvoiceTemplate: 'With Yes the rows become a template, and invoices are made from it in its rhythm.',
    GeneralStatus: 'Leave empty for an order.',
    IsTextLine: 'With Yes the row is text without an amount.',
    CategoryName: 'An existing category, or a new one with Yes under “Make category”.',
  },
  /** The notes of a column that means something else on one sheet. */
  columnNotesOf: {
    salesTransactionRows: { TaxCode: 'Choose a code of sales. Leave empty only where “VAT %” is filled in.' },
    purchaseTransactionRows: { TaxCode: 'Choose a code of purchases. Leave empty only where “VAT %” is filled in.' },
    newProductRows: { TaxCode: 'Choose a code of sales. Leave empty where “VAT % of product” is filled in.' },
    journalEntryRows: {
      Document:
        'A number or name of your own. Rows with the same one are lines of one entry, which has as much debit as credit.',
      EntryDate: 'Leave empty for today.',
      Journal: 'Leave empty for the general journal.',
      EntryNumber: 'Leave empty for the next number.',
      Debit: 'An amount on one side of the row: either debit or credit.',
      CustomerNumber: 'The customer whom the row is about: choose one, or type the number.',
      SupplierNumber: 'The supplier whom the row is about: choose one, or type the number.',
      TaxCode:
        'Only on a row that is VAT itself, or with “VAT amount” on a row of what is taxed. The amount that is taxed is under “VAT base”.',
      TaxAmount:
        'Leave empty on a row that is VAT itself. On a row of what is taxed it is the VAT of that row: 0 at 0 %.',
    },
  },
  activity: {
    title: 'Activity',
    summary: 'What was pushed, exported and brought in',
    service: 'Recorded by the service',
    seenByKeys: 'Everyone with a key of this administration sees this. Pushes are stored for a limited time.',
    seenByKey: 'Only this API key sees this. Pushes are stored for a limited time.',
    workbook: 'Recorded in this workbook',
    seenInFile: 'Everyone who has this file sees this. The service does not record what is brought in.',
    looking: 'Loading the pushes…',
    pushes: 'Pushes',
    noPushes: 'Nothing was pushed in the time that the service remembers.',
    noPulls: 'Nothing was brought into this workbook yet.',
    insert: 'Bring into a sheet',
    insertNamed: (moment: string) => `Bring into a sheet: push of ${moment}`,
    ofSheet: (sheet: string) => `from sheet “${sheet}” of this workbook`,
    older: 'Show older ones',
    allExports: 'All exports',
    sheet: (moment: string) => `Push ${moment}`,
    before: {
      newThing: 'Did not exist',
      unchanged: 'Not changed',
      empty: 'Empty',
      unknown: 'Not recorded',
    },
    changed: (before: string, after: string) => `${after} (before: ${before === '' ? 'nothing' : before})`,
    pull: (moment: string, sheet: string) => `${moment}: sheet “${sheet}”`,
    made: (count: number) => `new, ${rows(count)}`,
    refreshed: (counts: { rows: number; added: number; changed: number; removed: number }) =>
      `refreshed, ${rows(counts.rows)}: ${format(counts.added)} new, ${format(counts.changed)} changed, ${format(counts.removed)} removed`,
  },
  headings: {
    ...enWords.headings,
    pushedRows: {
      Row: 'Row',
      What: 'Made with',
      Status: 'Status',
      Message: 'Message',
      Field: 'Field',
      Before: 'Before',
      Sent: 'Sent',
      Difference: 'Difference',
      Place: 'Place',
    },
    accounts: {
      Number: 'Number',
      Name: 'Name',
      FiscalYear: 'Fiscal year',
      LedgerType: 'Type',
      DebetOrCredit: 'Debit or credit',
      Countrycode: 'Country',
    },
    invoices: {
      InvoiceNumber: 'Invoice number',
      InvoiceType: 'Module',
      InvoiceDate: 'Invoice date',
      InvoiceDueDate: 'Due date',
      CustomerNumber: 'Customer number',
      CustomerName: 'Customer',
      InvoiceTotalExclTax: 'Total excl. VAT',
      InvoiceTaxAmount: 'VAT',
      InvoiceTotalInclTax: 'Total incl. VAT',
      InvoiceOutstandingAmount: 'Outstanding',
      DiscountPc: 'Discount %',
      InvoiceReference: 'Reference',
      InvoiceIsSent: 'Sent',
      ProjectNumber: 'Project number',
      ProjectName: 'Project',
      OGM_Belgium: 'Structured remittance (OGM)',
      InvoiceNotes: 'Notes',
      PackingSlipNotes: 'Packing slip notes',
      PeriodicInvoiceTemplate: 'Periodic template',
      ContactName: 'Contact',
      ContactEmail: 'Contact e-mail',
      ContactPhone: 'Contact phone',
      BillingStreet: 'Billing street',
      BillingPostalCode: 'Billing postal code',
      BillingCity: 'Billing city',
      BillingCountry: 'Billing country',
      ShippingStreet: 'Delivery street',
      ShippingPostalCode: 'Delivery postal code',
      ShippingCity: 'Delivery city',
      ShippingCountry: 'Delivery country',
    },
    ageing: {
      CustomerNumber: 'Customer number',
      CustomerName: 'Customer',
      NotDue: 'Not due',
      Days1To30: '1-30 days',
      Days31To60: '31-60 days',
      Days61To90: '61-90 days',
      DaysOver90: 'Over 90 days',
      Total: 'Outstanding',
    },
    invoiceLines: {
      InvoiceNumber: 'Invoice number',
      Line: 'Line',
      InvoiceType: 'Module',
      InvoiceDate: 'Invoice date',
      CustomerName: 'Customer',
      ProductNumber: 'Article number',
      ProductEAN: 'EAN',
      Description: 'Description',
      Quantity: 'Quantity',
      UnitPriceExclTax: 'Price excl. VAT',
      DiscountPc: 'Discount %',
      SubTotalExclTax: 'Subtotal excl. VAT',
      SubTotalInclTax: 'Subtotal incl. VAT',
      SubTotalInclTaxExclDiscount: 'Subtotal before discount',
      TaxPc: 'VAT %',
      TaxCode: 'VAT code',
      LedgerAccountNumber: 'Ledger account',
      CostCenter: 'Cost centre',
      DeliveryDate: 'Delivery date',
      Warehouse: 'Warehouse',
      Shelf: 'Shelf',
      Batch: 'Batch',
      IsTextLine: 'Text line',
      TextLineCategory: 'Text line category',
      PurchaseClassification: 'Purchase classification',
      UseArticlePrice: 'Article price used',
    },
    relations: {
      RelationGUID: 'Relation ID',
      Name: 'Name',
      CustomerNumber: 'Customer number',
      SupplierNumber: 'Supplier number',
      PrivateOrBusiness: 'Business or private',
      TaxIdentificationNumber: 'VAT number',
      RegistrationNumber: 'Registration number',
      Email: 'E-mail',
      Phone: 'Phone',
      Address_Street: 'Street',
      Address_Unit: 'House number',
      Address_UnitAppendix: 'Addition',
      Address_PostalCode: 'Postal code',
      Address_City: 'City',
      Address_CountryCode: 'Country',
      GroupName: 'Group',
      IsCustomer: 'Customer',
      IsSupplier: 'Supplier',
      IsOther: 'Other',
      CreatedOn: 'Created on',
      ChangedOn: 'Changed on',
    },
    taxCodes: {
      TaxCode: 'VAT code',
      TaxType: 'Purchase or sales',
      TaxPc: 'VAT %',
      Name: 'Name',
      TaxExempt: 'Exempt',
    },
    relationContacts: {
      RelationGUID: 'Relation ID',
      Line: 'Line',
      RelationName: 'Relation',
      FirstName: 'First name',
      Preposition: 'Prefix',
      LastName: 'Last name',
      FamilyName: 'Family name',
      Sex: 'Sex',
      Email: 'E-mail',
      Phone: 'Phone',
      DefaultContact: 'Main contact',
      ContactNotes: 'Notes',
    },
    relationBankAccounts: {
      RelationGUID: 'Relation ID',
      Line: 'Line',
      RelationName: 'Relation',
      IBAN: 'IBAN',
      BIC: 'BIC',
      Name: 'Account holder',
      Place: 'City',
      UseForExcasso: 'Used to pay',
      SkipIBANCheck: 'IBAN not checked',
    },
    relationCustomFields: {
      RelationGUID: 'Relation ID',
      Line: 'Line',
      RelationName: 'Relation',
      Label: 'Field',
      Value: 'Value',
      FieldType: 'Type',
      TypeOfRelation: 'Role',
    },
    materialBookings: {
      ProjectNumber: 'Project number',
      ProjectName: 'Project',
      Product_Number: 'Article number',
      Product_Name: 'Article',
      Quantity: 'Quantity',
      EntryDate: 'Booked on',
      Place: 'Serial',
      Product_PurchasePrice: 'Purchase price',
      Description: 'Description',
      Warehouse: 'Warehouse',
      Shelf: 'Shelf',
      Batch: 'Batch',
      Product_SupplierName: 'Supplier',
      Product_SupplierNumber: 'Supplier number',
      CustomerNumber: 'Customer number',
      CustomerName: 'Customer',
      ProjectDescription: 'Project description',
      CustomFields: 'Custom fields',
    },
    trialBalance: {
      Number: 'Number',
      Name: 'Name',
      LedgerType: 'Type',
      Opening: 'Opening',
      Debit: 'Debit',
      Credit: 'Credit',
      Closing: 'Closing',
      Movement: 'Movement',
      MovementBefore: 'Movement to compare',
      YearBefore: 'Closing to compare',
    },
    accountCard: {
      Date: 'Date',
      Journal: 'Journal',
      EntryNumber: 'Entry number',
      Account: 'Account',
      AccountName: 'Account name',
      Description: 'Description',
      Debit: 'Debit',
      Credit: 'Credit',
      Balance: 'Balance',
      InvoiceNumber: 'Document',
      RelationName: 'Relation',
      CostCenter: 'Cost center',
      TaxCode: 'VAT code',
      TaxBase: 'VAT base',
      TaxAmount: 'VAT amount',
      Entry: 'Entry ID',
      Line: 'Line',
    },
    vatReturn: {
      Box: 'Box',
      Description: 'Description',
      DeclaredBase: 'Base to declare',
      DeclaredTax: 'VAT to declare',
      Base: 'Base to the cent',
      Tax: 'VAT to the cent',
    },
    vatLines: {
      Box: 'Box',
      Base: 'Base',
      Tax: 'VAT',
      Kind: 'Kind',
      InvoiceNumber: 'Document',
      Date: 'Date',
      RelationName: 'Relation',
      VatNumber: 'VAT number',
      Country: 'Country',
      TaxCode: 'VAT code',
      DocumentBase: 'Base on document',
      DocumentTax: 'VAT on document',
      IsLate: 'Entered late',
      Key: 'Line ID',
    },
    vatRemarks: { Remark: 'Remark', Code: 'Code' },
    vatListing: {
      VatNumber: 'VAT number',
      RelationName: 'Relation',
      Nature: 'Nature',
      Letter: 'Letter',
      Amount: 'Amount',
    },
    vatClients: {
      VatNumber: 'VAT number',
      RelationName: 'Relation',
      Turnover: 'Turnover',
      Tax: 'VAT',
    },
    openItems: {
      RelationName: 'Relation',
      Number: 'Number',
      Account: 'Account',
      AccountName: 'Account name',
      Document: 'Document',
      Date: 'Date',
      DueDate: 'Due date',
      DaysOverdue: 'Days overdue',
      Debit: 'Debit',
      Credit: 'Credit',
      Open: 'Open',
      RelationGUID: 'Relation ID',
      InvoiceNumber: 'Sales invoice',
    },
  },

  /** What is wrong with a formula, and the books behind formulas. */
  formulas: {
    problems: {
      noAccount: 'Give an account, such as 4000, 4000|4010, 4000:4999 or 4*.',
      wrongAccount: (given: string) => `${quoted(given)} is no account. Write 4000, 4000|4010, 4000:4999 or 4*.`,
      reversedRange: (given: string) => `The first account of ${quoted(given)} comes after the last.`,
      unknownAccount: (number: string) => `There is no account ${quoted(number)}.`,
      oneAccount: 'Give the number of one account.',
      noPeriod: 'Give a period, such as 2026, 2026-Q1, 2026-03 or a date.',
      wrongPeriod: (given: string) => `${quoted(given)} is no period. Write 2026, 2026-Q1, 2026-03 or a date.`,
      reversedPeriod: 'The period begins after its end.',
      noRelation: 'Give the number, RelationGUID or name of a relation.',
      unknownRelation: (given: string) => `Nothing was ever booked for a relation ${quoted(given)}.`,
      severalRelations: (given: string) =>
        `Several relations are called ${quoted(given)}. Give the RelationGUID of one.`,
      noAdministration: 'This workbook has no administration yet. Open Ledgerline and connect to one.',
      notConnected: (name: string) =>
        `This browser has no connection to ${quoted(name)}. Open Ledgerline and connect to it.`,
      severalAdministrations: (name: string) =>
        `Several connections are called ${quoted(name)}. Change the label of one.`,
      noLedger: (name: string) => `${quoted(name)} has no ledger that can be read.`,
      nothingBehind: 'There are no entries behind this cell.',
      ofOther: (name: string) => `This formula has the figures of ${name}. Connect to that administration first.`,
      notOnCard: (most: string) =>
        `An account card has at most ${most} accounts, with numbers without spaces and commas.`,
      changing: 'The books are changing now. Recalculate in a moment.',
    },
    old: (name: string, moment: string) =>
      `The figures of ${name} in formulas are of ${moment}: it cannot be reached now.`,
    noFigures: (name: string) => `Formulas could not get the figures of ${ended(name)}`,
    recalculate: 'Recalculate formulas',
    ofOther: (name: string) => `Formulas in this workbook have the figures of ${name}.`,
    use: (name: string) => `Use ${name} in formulas`,
    nameChanged: (name: string, meant: string, now: string) =>
      `${quoted(name)} in the formulas of this workbook is ${meant}. A connection to ${now} is called so now.`,
    nameMeans: (now: string, name: string) => `Use ${now} for ${quoted(name)}`,
  },

  problems: {
    booksChanged: 'The books changed while they were read, so nothing was brought in. Try again.',
    offline: 'The administration cannot be reached. Check your network and try again.',
    unreadableFile: 'The file cannot be read: it was changed, moved or removed after you chose it. Choose it again.',
    rateLimit: (seconds: string) =>
      `The service is busy. Try again in ${seconds} ${seconds === '1' ? 'second' : 'seconds'}.`,
    unexpected: (detail: string) => `Something unexpected went wrong: ${detail}`,
    service: {
      INVALID_REQUEST: 'The administration refused the request.',
      INVALID_JSON: 'The administration could not read the request.',
      NOT_APPLIED: 'The administration did not apply this and gave no reason.',
      UNAUTHORIZED: 'The user name or the API key was refused. Connect again with the correct ones.',
      FORBIDDEN: 'The administration does not allow this: it is archived, or this API key may only read.',
      NOT_FOUND: 'The administration does not have the requested data.',
      METHOD_NOT_ALLOWED: 'The service does not support this.',
      CONFLICT: 'The administration already has something else with this name.',
      BODY_TOO_LARGE: 'The request is too large.',
      UNSUPPORTED_MEDIA_TYPE: 'The service could not read the request.',
      RATE_LIMIT: 'The service is busy. Try again in a minute.',
      INTERNAL: 'Something went wrong in the service. Try again later.',
      NOT_IMPLEMENTED: 'The service does not support this yet.',
      REMOTE_FAILED: 'The administration behind the service failed. Try again later.',
      OUTCOME_UNKNOWN: 'It is unknown whether this was applied. Check the administration before you send it again.',
      UNAVAILABLE: 'This is not available now. Try again later.',
      REMOTE_TIMEOUT: 'The administration took too long to respond. Try again later.',
    } satisfies Record<ProblemCode, string> as Record<ProblemCode, string>,
    workbook: {
      CELL_BEING_EDITED: 'A cell is being edited. Press Enter or Escape and try again.',
      OTHER_WORKBOOK: 'Another workbook is active. Return to this one and try again.',
      EXCEL_BUSY: 'Excel is busy. Wait a moment and try again.',
      INTERRUPTED: 'Excel interrupted this. Check the sheet and try again.',
      EXCEL_FAILED: 'Excel could not do this. If several sheets are selected, click one of their tabs and try again.',
      PROTECTED: 'The sheet or the workbook is protected. Remove the protection (Review tab) and try again.',
      FILTERED: 'A filter prevents this. Clear the filter of the table and try again.',
      IN_THE_WAY: 'Cells beside or below the table prevent this. Move them and try again.',
      TOO_LARGE: 'This is more than Excel accepts at once. Choose a shorter period.',
      TABLE_GONE: 'The table no longer exists. Bring it in or make it again.',
      COLUMN_GONE: 'The table lacks a required column. Undo its deletion, or delete the sheet and start again. Column',
      NO_HEADERS: 'The table has no header row. Turn it on (tab Table Design) and try again.',
      ROWS_MOVED: 'The rows kept moving. Do not sort or edit the table for a moment, and try again.',
      COUNTS_FROM_1904:
        'This workbook counts its dates from 1904, which would make every date four years too early or too late. Turn that off (File, Options, Advanced; on a Mac Preferences, Calculation), look at the dates that are there, and try again.',
      MEMORY_CUT:
        'This workbook cannot store the data of the push, so nothing was sent. Push fewer rows, or use another workbook.',
      CHANGED_ELSEWHERE:
        'Another window or a colleague is working on the push of this sheet. Let it finish, or close that pane and continue here.',
      EXCEL_TOO_OLD: 'This version of Excel cannot do this. Update Excel and try again.',
      UNEXPECTED: 'Excel could not do this',
    } satisfies Record<WorkbookProblemCode, string> as Record<WorkbookProblemCode, string>,
  },

  /** The errors of fields: some have other texts in the pane than from the service. */
  fieldErrors: {
    ...fieldErrorTexts,
    NOT_DECIMAL: ({ given }) => `expected a number such as 12.50, found ${quoted(given)}`,
    TOO_MANY_DIGITS: ({ max }) => `at most ${max} digits before the decimals`,
    TEXT_TOO_LONG: ({ max, length }) => `at most ${max} characters, there are ${length}`,
    TEXT_WITH_NUL: () => forbiddenCharacter,
    TEXT_WITH_HALF_CHARACTER: () => forbiddenCharacter,
    NO_SUCH_ARTICLE_NUMBER: ({ articleNumber }) => `no product has “${articleNumber}”`,
    NO_SUCH_EAN: ({ ean }) => `no product has “${ean}”`,
    EAN_OF_ANOTHER: ({ other }) => `belongs to another product, ${other}`,
    PRODUCT_TAKEN: ({ value }) => `a product has “${value}” already`,
    NOT_DATE: ({ given }) => `expected a date such as 31-12-2026, found ${quoted(given)}`,
    REQUIRED_PARTY: ({ role }) => `fill in the number, the name or the e-mail address of the ${role.toLowerCase()}`,
    REQUIRED_PRODUCT: () => 'fill in an article number or an EAN on a line that is not a text line',
    REQUIRED_PRICE: () => 'fill in a price or an amount of the line, unless the article price is used',
    REQUIRED_TAX: () => 'fill in a VAT percentage or a VAT code',
    REQUIRED_TAX_OF_ARTICLE: ({ articleNumber }) =>
      `fill in a VAT percentage or a VAT code: article ${articleNumber} has none of its own`,
    REQUIRED_FILE: () => 'the address or the content of the file is required',
    REQUIRED_FILE_NAME: () => 'is required with the content of a file',
    REQUIRED_DUE_DATE: () => 'fill in a date such as 31-12-2026, or the days to pay in',
    REQUIRED_PRODUCT_NAME: () => 'fill in an article number or an EAN',
    BEFORE_STARTING_DATE: () => 'expected a date not before the starting date',
    TWO_DISCOUNTS: () => 'fill in a discount as an amount or as a percentage, not both',
    CUSTOMER_OR_SUPPLIER: () => 'name either a customer or a supplier, not both',
    TAX_WITH_BASE: () => 'fill in both VAT code and VAT base on a row of VAT',
    NO_SUCH_CATEGORY: ({ name }) => `there is no category “${name}”; the question before a push can make it`,
    STOCK_TOO_LARGE: ({ max }) => `at most ${max} digits before the decimals`,
  } satisfies FieldErrorTexts as FieldErrorTexts,
};

export type Messages = typeof en;
