import { type FieldErrorTexts, fieldErrorTexts } from '../../../shared/fieldErrors.ts';
import type { ProblemCode } from '../../../shared/problem.ts';
import type { WaitReason, WorkbookProblemCode } from '../../excel/workbookProblem.ts';
import type { ServiceWait } from '../fetchWithRetry.ts';
import { ended, quoted } from './quoted.ts';

/*
 * Every English text of the pane, its sheets, the workbook page and the manifest. It is the type of the other languages:
 * a missing text does not compile. The headings of a table must differ from each other, as Excel requires.
 */

const { format } = new Intl.NumberFormat('en');
/** A price in decimal text. */
const { format: formatPrice } = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 8 });
const price = (text: string): string => formatPrice(Number(text));
const rows = (count: number): string => `${format(count)} ${count === 1 ? 'row' : 'rows'}`;
/** `2, 4 and 7` */
const list = (numbers: readonly number[]): string => new Intl.ListFormat('en-GB').format(numbers.map(String));
const forbiddenCharacter = 'contains a character that cannot be sent';

/** What a price may have been meant as, and the present price. */
type PriceFacts = { date: string; time: string; percentage: string; present: string };

export const en = {
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
  cancel: 'Cancel',
  /** An action and its object, for screen readers. */
  named: (action: string, name: string) => `${action} ${name}`,
  openingWorkbook: 'Reading the workbook…',
  identifying: 'Looking up the administration…',
  tryAgain: 'Try again',
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
        `${format(found)} of ${format(all)} ledger accounts, by number and name`,
      relations: (found: number, all: number) => `${format(found)} of ${format(all)} relations, by id and name`,
      invoices: (found: number, all: number) => `${format(found)} of ${format(all)} invoices, by number and customer`,
      products: (found: number, all: number) => `${format(found)} of ${format(all)} products, by number and name`,
    },
    nothingCompared: 'Nothing could be compared, so only you can tell.',
    contradicted: 'Nothing agrees, so it is another administration.',
    yes: (name: string) => `Yes, of ${name}`,
    no: 'No, of another administration',
    replacedTitle: 'Does this key replace an earlier one?',
    replacedQuestion: 'Its service does not tell whose administration it opens. Compared with the earlier one:',
    replacedYes: 'Same administration',
    replacedNo: 'Another administration',
    comparing: 'Comparing ledger accounts and relations…',
  },
  mixed: {
    title: 'Put two administrations into one workbook?',
    present: 'This workbook has sheets of:',
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
    RATE_LIMIT:
      'The service takes no more requests at this moment: its rate limit is reached. The work continues automatically.',
    SLOW_SERVICE:
      'The service has not responded for a while. It may be slow, or take few requests a minute. The work continues automatically.',
  } satisfies Record<WaitReason | ServiceWait, string> as Record<WaitReason | ServiceWait, string>,

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
      'Choose “Push products”, check the rows that will be sent, and push.',
      'Read the result beside every row; correct refused rows and push again.',
    ],
    demo: 'This is the demo. Connect without an account of your own:',
    demoBooks: { NL: 'Dutch demo books', BE: 'Belgian demo books' },
    pull: 'Bring into the workbook',
    change: 'Change products',
    inWorkbook: 'In this workbook',
    nothingYet: 'Tables that you bring in are listed here. You can refresh them.',
    refresh: 'Refresh',
    pulledAt: (moment: string) => `last refreshed ${moment}`,
    ofExport: (moment: string) => `with the export of ${moment}`,
  },

  accounts: {
    title: 'Ledger accounts',
    summary: 'The chart of accounts of a fiscal year',
    sheet: 'Ledger accounts',
    year: 'Fiscal year',
    yearHint: 'Leave empty for the latest',
    yearWrong: 'Write a year such as 2025, or leave it empty.',
    type: 'Accounts',
    all: 'All',
    balanceSheet: 'Balance sheet',
    incomeStatement: 'Income statement',
    submit: 'Bring in ledger accounts',
  },
  invoices: {
    title: 'Sales invoices',
    summary: 'Invoices of a period, with or without their lines',
    sheet: 'Sales invoices',
    linesSheet: 'Invoice lines',
    from: 'From',
    till: 'Till',
    periodHint: 'Leave both empty for all invoices',
    periodWrong: 'The end date is before the start date.',
    withLines: 'With invoice lines on a separate sheet',
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
  pulling: (count: number) => `${rows(count)} so far…`,
  pullStarting: 'Sending the request…',
  pulled: {
    made: (count: number, sheet: string) => `${rows(count)} on sheet “${sheet}”.`,
    refreshed: (sheet: string, count: number, added: number, changed: number, removed: number) =>
      `Sheet “${sheet}” is up to date: ${rows(count)}; ${format(added)} new, ${format(changed)} changed, ${format(removed)} removed.`,
    retained: (keys: string) =>
      `No longer in the administration, but not removed because you wrote something beside them: ${keys}. Remove them when you no longer need them.`,
    cut: (count: number) => `Texts that were too long for a cell and were cut: ${format(count)}.`,
    asExported: (moment: string) => `The data are those of the export of ${moment}.`,
    /** @param list the name that the sheet would have had */
    none: (list: string) => `${list}: nothing was found, so no sheet was made.`,
    emptied: (sheet: string, removed: number) =>
      `Sheet “${sheet}” has no rows any more: nothing was found. ${rows(removed)} removed.`,
  },

  products: {
    title: 'Product sheet',
    summary: 'A table to fill in with new prices and stock',
    sheet: 'Products to change',
    mode: 'What a stock quantity means',
    relative: 'Relative',
    absolute: 'Absolute',
    relativeMeaning: 'is added to the stock (5 means five more, -5 five fewer)',
    absoluteMeaning: 'becomes the stock (5 means there are five)',
    modeHint: 'Every row gets this value; you can change it in each row.',
    numbers: 'Article numbers',
    numbersHint:
      'Paste or type one on each line, also with prices and quantities in further columns. Leave empty for an empty table.',
    fromInvoices: 'Add the products of the invoice lines in this workbook',
    fromInvoicesFound: (count: number) => `${format(count)} article numbers added.`,
    fromInvoicesNone:
      'The workbook has no invoice lines with article numbers. Bring in sales invoices with their lines first.',
    duplicates: (count: number) =>
      count === 1
        ? 'One article number is in more than one row; these rows have a message. Keep one of them before you push.'
        : `${format(count)} article numbers are in more than one row; these rows have a message. Keep one row of each before you push.`,
    submit: 'Make the product sheet',
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
    progress: (done: number, total: number) => `${format(done)} of ${format(total)} products read.`,
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

  push: {
    title: 'Push products',
    summary: 'Send the prices and stock of a product sheet',
    below: (first: number, last: number) =>
      first === last
        ? `Row ${first} is below the table and not part of it, so it is not sent.`
        : `Rows ${first} to ${last} are below the table and not part of it, so they are not sent.`,
    includeRows: (count: number): string =>
      count === 1 ? 'Include the row in the table' : 'Include the rows in the table',
    copied: (sheet: string) =>
      `Sheet “${sheet}” looks like a copy of a product sheet. It has no record of the pushes of the original.`,
    adoptCopy: (sheet: string, name: string) => `Use ${sheet} as a product sheet of ${name}`,
    none: 'There is no product sheet in this workbook yet.',
    make: 'Make a product sheet',
    sheet: 'Product sheet',
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
      `${format(hidden)} of these ${format(all)} rows are hidden, by a filter or by hand. Which rows are sent?`,
    visibleOnly: (count: number) => `Only visible rows: ${rows(count)}`,
    hiddenToo: (count: number) => `Hidden rows too: ${rows(count)}`,
    hiddenFound: (count: number) => `${format(count)} of them hidden, by a filter or by hand`,
    unusualFound: (count: number) =>
      `${rows(count)} with a price that may be a mistake: not sent until you tick ${count === 1 ? 'it' : 'them'} before the push.`,
    unusualTitle: (count: number) => `Held back: ${rows(count)}`,
    unusualMeaning: 'These prices may be mistakes. A row is sent only if you tick it.',
    unusualAll: (count: number) => (count === 1 ? 'This price is right' : `All ${format(count)} prices are right`),
    unusualMore: (count: number) => `and ${rows(count)} more, which are ticked together only`,
    presentReadOn: (moment: string) => `Present values as read on ${moment}, or later.`,
    notRead: { price: 'present price not read', stock: 'present stock not read' },
    confirmFirst: 'This is your first push to this administration from this browser.',
    confirm: 'Push',
    confirmGoesOn:
      'When the service has accepted the push, it continues without this pane. The results are written to the sheet while the pane is open.',
    confirmUnknown: (count: number) =>
      `Warning: for ${rows(count)} it is unknown whether the stock was added. If it was, it will be added a second time.`,
    confirmElsewhere: (count: number) =>
      `Warning: ${rows(count)} with Relative stock ${count === 1 ? 'is' : 'are'} for products that were changed after this sheet was made, by a push that this workbook has no record of. If the workbook was closed without saving, the quantities may have been added already.`,
    onlyFirst: (max: number) => `Only the first ${format(max)} rows are sent now. Push again for the others.`,
    asApplied: (count: number) =>
      `${rows(count)} applied before and unchanged since, not sent. Clear the status of such a row to send it again.`,
    preparing: 'Preparing the sheet…',
    progress: (done: number, total: number) => `${format(done)} of ${format(total)} rows`,
    pace: (count: number) => `${format(count)} rows a minute`,
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
    olderPushes: (count: number) => (count === 1 ? 'Show 1 older push' : `Show ${format(count)} older pushes`),
    showRows: 'Rows',
    allRows: (count: number) => `All rows (${format(count)})`,
    failedRows: (count: number) => `Refused and unknown (${format(count)})`,
    rowsFrom: (first: number, last: number, total: number) =>
      `Rows ${format(first)} to ${format(last)} of ${format(total)}`,
    previousRows: 'Previous rows',
    nextRows: 'Next rows',
    noSuchRows: 'There are no such rows.',
    sentRow: (row: number) => `Row ${row}`,
    readingRows: (count: number, total: number) => `${format(count)} of ${format(total)} rows read…`,
    done: 'Done',
    stoppedAt: (done: number, total: number) => `Stopped at ${format(done)} of ${format(total)} rows`,
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
      `Not sent, because their article number or EAN was changed before the push began: ${keys}.`,
    seeRows: 'Every row of the sheet has its result.',
  },

  status: { waiting: 'Waiting', applied: 'Applied', refused: 'Refused', unknown: 'Unknown', notSent: 'Not sent' },
  rowMessage: {
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
    notApplied: 'The service accepted the request but changed nothing.',
    twice: (numbers: readonly number[]) => `Rows ${list(numbers)} are for the same product. Keep one of them.`,
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
    field: (heading: string, text: string) => `${heading}: ${text}`,
    noProduct: 'Fill in an article number or an EAN.',
    error: (address: string, value: string) => `the formula in ${address} returns ${value}; correct it or type a value`,
    number: (value: string) => `expected a number such as 12.50, found “${value}”`,
    ambiguous: (value: string) => `“${value}” can be read in two ways; type it as a number`,
    lostDigits: 'the number has lost digits; format the cell as text and type it again',
    natures: {
      date: (address: string) => `${address} is formatted as a date; format it as a number and type it again`,
      time: (address: string) => `${address} is formatted as a time; format it as a number and type it again`,
      percentage: (address: string) =>
        `${address} is formatted as a percentage; format it as a number and type it again`,
      boolean: (address: string) => `${address} contains TRUE or FALSE; type a number`,
    },
    negativePrice: 'a price or a percentage cannot be less than 0',
    mode: (value: string) => `expected Relative or Absolute, found “${value}”`,
    yesOrNo: (value: string) => `expected Yes or No, found “${value}”`,
  },
  yes: 'Yes',
  no: 'No',

  /** The words for codes of the interface in sheets. */
  codes: {
    BalanceSheet: 'Balance sheet',
    IncomeStatement: 'Income statement',
    debet: 'Debit',
    credit: 'Credit',
    BOOKKEEPING: 'Bookkeeping',
    INVOICING: 'Invoicing',
    BusinessRelation: 'Business',
    PrivateRelation: 'Private',
  },
  headings: {
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
    products: {
      ArticleNumber: 'Article number',
      EAN: 'EAN',
      NewProduct: 'New product',
      NewName: 'New name',
      CategoryName: 'Category',
      NewSalePrice: 'New sale price',
      NewPurchasePrice: 'New purchase price',
      NewStockQty: 'Stock quantity',
      StockUpdateMode: 'Stock change',
      NewStockMutationComment: 'Stock comment',
      NewVATPercentage: 'New VAT %',
      NewUnit: 'New unit',
      NewDescription: 'New description',
      Archived: 'Archived',
      Status: 'Status',
      Message: 'Message',
      StockQty: 'Stock now',
      Price: 'Sale price now',
      ChangedOn: 'Changed on',
      Name: 'Name now',
      Unit: 'Unit now',
      VATPercentage: 'VAT % now',
      PurchasePrice: 'Purchase price now',
      ReadOn: 'Read on',
    },
  },

  problems: {
    offline: 'The administration cannot be reached. Check your network and try again.',
    rateLimit: (seconds: string) => `The service is busy. Try again in ${seconds} seconds.`,
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
      ROWS_MOVED: 'The rows kept moving. Do not sort or edit the table for a moment, and try again.',
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
    NO_SUCH_CATEGORY: ({ name }) => `there is no category “${name}”; the question before a push can make it`,
    STOCK_TOO_LARGE: ({ max }) => `at most ${max} digits before the decimals`,
  } satisfies FieldErrorTexts as FieldErrorTexts,

  page: {
    title: 'Ledgerline workbook',
    subtitle: 'Simulated Excel',
    openFile: {
      choose: 'Open .xlsx',
      title: (file: string) => `Open ${file}`,
      reading: 'Reading the file…',
      replaces: 'The workbook on this page has changes that were not downloaded. They are lost when the file opens.',
      leftOut: 'The file also has what this page does not keep. A download from here will not have it:',
      leftOutKinds: {
        macros: 'macros, which do not run here',
        links: 'links to other workbooks, which are not followed',
        connections: 'data connections and queries, which are not followed',
        pivotTables: 'pivot tables and slicers',
        pictures: 'pictures and embedded files',
        comments: 'comments and notes',
        charts: 'charts other than of bars or columns',
        conditionalFormats: 'conditional formats',
        arrayFormulas: 'array formulas, which become ordinary ones',
        controls: 'form controls',
        tables: 'tables without a header row or with a totals row, which become ordinary cells',
      },
      open: 'Open it',
      failed: {
        notWorkbook: 'This file was not opened: it is not an .xlsx workbook, or it is damaged.',
        encrypted: 'This file was not opened: it has a password. Save it in Excel without one.',
        tooLarge: 'This file was not opened: it is too large for this page.',
      },
    },
    download: 'Download .xlsx',
    showPane: 'Show pane',
    hidePane: 'Hide pane',
    pane: 'Ledgerline pane',
    ribbon: 'Buttons of Ledgerline',
    nameBox: 'Name box',
    formulaBar: 'Formula bar',
    activeCell: 'Active cell',
    keyboardHelp:
      'Tab and the arrow keys go from cell to cell. F6 goes to the next part of the page. Escape and then Tab leaves the cells.',
    leaving: 'Tab now leaves the cells.',
    unsaved: 'Not downloaded yet',
    notSaved: 'The workbook could not be downloaded. Nothing in it changed; try again.',
    grid: (sheet: string) => `Sheet ${sheet}`,
    chart: (title: string) => `Chart: ${title}`,
    editCell: (address: string) => `Edit cell ${address}`,
    corner: 'Select all',
    sheets: 'Sheets',
    addSheet: 'Add sheet',
    sheetMenu: (sheet: string) => `Menu of sheet ${sheet}`,
    rename: 'Rename',
    sheetName: 'Sheet name',
    remove: 'Delete',
    moveLeft: 'Move left',
    moveRight: 'Move right',
    hide: 'Hide',
    unhide: (sheet: string) => `Show ${sheet}`,
    confirmDelete: (sheet: string) => `Delete sheet "${sheet}" with everything on it?`,
    cancel: 'Cancel',
    columnMenu: (column: string) => `Sort and filter ${column}`,
    sortAscending: 'Sort ascending',
    sortDescending: 'Sort descending',
    filterContains: 'Show rows containing',
    apply: 'Apply',
    clearFilter: 'Clear filter',
    cells: 'Cells',
    insertRows: 'Insert rows above',
    deleteRows: 'Delete rows',
    insertColumns: 'Insert columns left',
    deleteColumns: 'Delete columns',
    clearContents: 'Clear contents',
    formatAsTable: 'Format as table',
    ready: 'Ready',
    enter: 'Enter',
    edit: 'Edit',
    count: 'Count',
    sum: 'Sum',
    average: 'Average',
    filtered: (shown: number, all: number) => `${shown} of ${all} rows shown`,
    protectedSheet: 'This sheet is protected. Unprotect it to change these cells.',
    unfitName: 'A sheet name has 1 to 31 characters, none of \\ / ? * [ ] : and no apostrophe at its ends.',
    takenName: 'There is already a sheet with that name.',
    lastSheet: 'A workbook needs at least one visible sheet.',
    tornTable: 'That would tear a table apart.',
    overlappingTable: "A table can't overlap another table.",
    offSheet: 'Cells with content would be pushed off the sheet.',
    choices: 'Choices for the cell',
    invalidEntry: 'This value does not match the data validation of the cell.',
    refused: 'Excel does not do that here.',
    blockOffSheet: 'The block does not fit on the sheet from here. Nothing was pasted.',
    pasteTitle: 'Pasting',
    pasting: (done: number, all: number) => `${done.toLocaleString('en')} of ${all.toLocaleString('en')} cells pasted.`,
    pasteCancelled: 'Cancelled. Nothing was pasted; the cells are as they were.',
    undo: {
      nothing: 'There is nothing to undo.',
      sheets: 'Undo goes no further back: a sheet was added or deleted, which cannot be undone.',
      size: 'Undo goes no further back: more than two million cells changed at once, which cannot be undone.',
      steps: 'Undo goes no further back: what came before is too long ago.',
    },
    redo: { nothing: 'There is nothing to do again.' },
    goToUnknown: 'That is no address or name in this workbook.',
  },

  manifest: {
    description:
      'Your bookkeeping in Excel: pull ledger accounts, sales invoices and products into sheets, and push product prices and stock back from rows.',
    'Tab.Label': 'Ledgerline',
    'Administration.Label': 'Administration',
    'Pull.Label': 'Pull into the sheet',
    'Send.Label': 'Push from the sheet',
    'Open.Label': 'Open Ledgerline',
    'Accounts.Label': 'Ledger accounts',
    'Invoices.Label': 'Sales invoices',
    'Exports.Label': 'Relation exports',
    'Products.Label': 'Product sheet',
    'Push.Label': 'Push products',
    'GetStarted.Title': 'Ledgerline is ready',
    'GetStarted.Description': 'Choose Open Ledgerline on the Ledgerline tab and connect to your administration.',
    'Open.Description': 'Open the pane to connect to an administration, or to see the one you are connected to.',
    'Accounts.Description': 'Pull the ledger accounts of the administration into a sheet, or refresh them there.',
    'Invoices.Description': 'Pull sales invoices into a sheet, by period, or refresh them there.',
    'Exports.Description': 'Pull the relations into a sheet as they were exported, or download them as a workbook.',
    'Products.Description': 'Make a sheet to fill in with new prices and stock of products.',
    'Push.Description':
      'Check the changed rows of the product sheet and push their prices and stock to the administration.',
  },
};

export type Messages = typeof en;
