import { XMLParser } from 'fast-xml-parser';

/*
 * The rules for e-invoices: of EN 16931 (BR-*), of Peppol (PEPPOL-*) and for Dutch suppliers (NL-*). They read the XML
 * only, and use no code that makes e-invoices. Amounts are bigints of 10^-10.
 */

type Node = { name: string; attributes: Record<string, string>; children: Node[]; text: string };

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
});

type Parsed = Record<string, unknown> & { ':@'?: Record<string, string> };

function nodesOf(parsed: readonly Parsed[]): Node[] {
  return parsed.flatMap((entry): Node[] => {
    const name = Object.keys(entry).find((key) => key !== ':@')!;
    if (name === '#text' || name === '?xml') return [];
    const content = entry[name] as Parsed[];
    const text = content.map((child) => ('#text' in child ? String(child['#text']) : '')).join('');
    return [{ name, attributes: entry[':@'] ?? {}, children: nodesOf(content), text }];
  });
}

/** The elements at a path below a node: names without their prefixes. */
function all(node: Node, path: string): Node[] {
  return path
    .split('/')
    .reduce<Node[]>(
      (nodes, step) => nodes.flatMap(({ children }) => children.filter(({ name }) => bare(name) === step)),
      [node],
    );
}
const bare = (name: string): string => name.slice(name.indexOf(':') + 1);
const first = (node: Node, path: string): Node | undefined => all(node, path)[0];
const textAt = (node: Node, path: string): string | undefined => first(node, path)?.text;

function descendants(node: Node): Node[] {
  return [node, ...node.children.flatMap(descendants)];
}

const DECIMALS = 10;
const UNIT = 10n ** BigInt(DECIMALS);
const CENT = UNIT / 100n;

function decimal(text: string | undefined): bigint {
  const match = /^(-?)(\d+)(?:\.(\d{1,10}))?$/.exec(text ?? '');
  if (match === null) throw new Error(`"${text}" is no decimal.`);
  const value = BigInt(match[2]! + (match[3] ?? '').padEnd(DECIMALS, '0'));
  return match[1] === '-' ? -value : value;
}
const amountAt = (node: Node, path: string): bigint =>
  first(node, path) === undefined ? 0n : decimal(textAt(node, path));
const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n);
const abs = (value: bigint): bigint => (value < 0n ? -value : value);

const invoiceOrder =
  'CustomizationID ProfileID ID IssueDate DueDate InvoiceTypeCode Note DocumentCurrencyCode BuyerReference OrderReference BillingReference AdditionalDocumentReference ProjectReference AccountingSupplierParty AccountingCustomerParty Delivery PaymentMeans PaymentTerms AllowanceCharge TaxTotal LegalMonetaryTotal InvoiceLine';
const creditNoteOrder =
  'CustomizationID ProfileID ID IssueDate CreditNoteTypeCode Note DocumentCurrencyCode BuyerReference OrderReference BillingReference AdditionalDocumentReference AccountingSupplierParty AccountingCustomerParty Delivery PaymentMeans PaymentTerms AllowanceCharge TaxTotal LegalMonetaryTotal CreditNoteLine';
const orders: Record<string, string> = {
  Invoice: invoiceOrder,
  CreditNote: creditNoteOrder,
  Party: 'EndpointID PartyIdentification PartyName PostalAddress PartyTaxScheme PartyLegalEntity Contact',
  PostalAddress: 'StreetName AdditionalStreetName CityName PostalZone CountrySubentity AddressLine Country',
  Address: 'StreetName AdditionalStreetName CityName PostalZone CountrySubentity AddressLine Country',
  PartyTaxScheme: 'CompanyID TaxScheme',
  PartyLegalEntity: 'RegistrationName CompanyID CompanyLegalForm',
  Contact: 'Name Telephone ElectronicMail',
  Delivery: 'ActualDeliveryDate DeliveryLocation DeliveryParty',
  PaymentMeans: 'PaymentMeansCode PaymentDueDate PaymentID PayeeFinancialAccount',
  PayeeFinancialAccount: 'ID Name FinancialInstitutionBranch',
  AllowanceCharge:
    'ChargeIndicator AllowanceChargeReasonCode AllowanceChargeReason MultiplierFactorNumeric Amount BaseAmount TaxCategory',
  TaxSubtotal: 'TaxableAmount TaxAmount TaxCategory',
  TaxCategory: 'ID Percent TaxExemptionReasonCode TaxExemptionReason TaxScheme',
  ClassifiedTaxCategory: 'ID Percent TaxScheme',
  LegalMonetaryTotal:
    'LineExtensionAmount TaxExclusiveAmount TaxInclusiveAmount AllowanceTotalAmount ChargeTotalAmount PrepaidAmount PayableRoundingAmount PayableAmount',
  InvoiceLine: 'ID Note InvoicedQuantity LineExtensionAmount InvoicePeriod AllowanceCharge Item Price',
  CreditNoteLine: 'ID Note CreditedQuantity LineExtensionAmount InvoicePeriod AllowanceCharge Item Price',
  Item: 'Description Name SellersItemIdentification StandardItemIdentification ClassifiedTaxCategory',
  Price: 'PriceAmount BaseQuantity AllowanceCharge',
};
const repeatable = ['AllowanceCharge', 'TaxSubtotal', 'InvoiceLine', 'CreditNoteLine', 'PartyTaxScheme'];

/** Electronic address schemes of Peppol's list. */
const endpointSchemes =
  '0002 0007 0009 0037 0060 0088 0096 0097 0106 0130 0135 0142 0151 0183 0184 0188 0190 0191 0192 0193 0195 0196 0198 0199 0200 0201 0202 0204 0208 0209 0210 0211 0212 0213 0215 0216 0218 0221 0230 9901 9910 9913 9914 9915 9918 9919 9920 9922 9923 9924 9925 9926 9927 9928 9929 9930 9931 9932 9933 9934 9935 9936 9937 9938 9939 9940 9941 9942 9943 9944 9945 9946 9947 9948 9949 9950 9951 9952 9953 9957 9959';
/** Those of Recommendation 20 and 21 that goods and services of shops, growers and offices are counted in. */
const unitCodes =
  'C62 H87 HUR MIN DAY WEE MON QAN ANN KGM GRM TNE LTR MLT CLT MTR CMT MMT KMT MTK MTQ KWH SET PR DZN CEN MIL XBX XPK XPX XRO XBG XBO XCR XCT XBE XPT XPU XBJ XTU XCA XST XKI LS E48';

/** An e-invoice with the parts that several rules read. */
type EInvoice = {
  root: Node;
  isCreditNote: boolean;
  lines: Node[];
  totals: Node;
  /** The VAT totals. */
  vat: Node[];
  /** Allowances and charges of the document. */
  adjustments: Node[];
  seller: Node;
  buyer: Node;
};

type Rule = (name: string, holds: boolean, seen?: unknown) => void;

/** The names of the rules that an e-invoice breaks, each with the value that breaks it. */
export function brokenRules(xml: string): string[] {
  const broken: string[] = [];
  const rule: Rule = (name, holds, seen = '') => {
    if (!holds) broken.push(`${name} ${seen}`.trim());
  };
  const [root] = nodesOf(parser.parse(xml) as Parsed[]) as [Node];
  const isCreditNote = root.name === 'CreditNote';
  const invoice: EInvoice = {
    root,
    isCreditNote,
    lines: all(root, isCreditNote ? 'CreditNoteLine' : 'InvoiceLine'),
    totals: first(root, 'LegalMonetaryTotal')!,
    vat: all(root, 'TaxTotal/TaxSubtotal'),
    adjustments: all(root, 'AllowanceCharge'),
    seller: first(root, 'AccountingSupplierParty/Party')!,
    buyer: first(root, 'AccountingCustomerParty/Party')!,
  };
  checkForm(root, rule);
  checkDocument(invoice, rule);
  checkParties(invoice, rule);
  checkCountryRules(invoice, rule);
  checkPayment(invoice, rule);
  checkSums(invoice, rule);
  checkAdjustments(invoice, rule);
  for (const line of invoice.lines) checkLine(line, isCreditNote, rule);
  checkVat(invoice, rule);
  return broken;
}

/** The elements of UBL in their order, none of them empty, and the forms of values. */
function checkForm(root: Node, rule: Rule): void {
  for (const node of descendants(root)) {
    rule('PEPPOL-EN16931-R008', node.children.length > 0 || node.text.trim() !== '', node.name);
    const order = orders[bare(node.name)]?.split(' ');
    if (order === undefined) continue;
    const places = node.children.map(({ name }) => order.indexOf(bare(name)));
    rule(
      'UBL order',
      places.every((place, index) => place >= 0 && place >= (places[index - 1] ?? 0)),
      node.name,
    );
    const seen = node.children.map(({ name }) => bare(name)).filter((name) => !repeatable.includes(name));
    rule('UBL once', new Set(seen).size === seen.length, node.name);
  }
  for (const node of descendants(root)) {
    if (/Amount$/.test(bare(node.name))) {
      rule('PEPPOL-EN16931-R051', node.attributes.currencyID === 'EUR', node.name);
      if (bare(node.name) !== 'PriceAmount')
        rule('BR-DEC', /^-?\d+\.\d{2}$/.test(node.text), `${node.name} ${node.text}`);
    }
    if (/Date$/.test(bare(node.name))) {
      rule('PEPPOL-EN16931-F001', /^\d{4}-\d{2}-\d{2}$/.test(node.text) && !Number.isNaN(Date.parse(node.text)));
    }
    if (bare(node.name) === 'IdentificationCode') rule('BR-CL-14', /^[A-Z]{2}$/.test(node.text), node.text);
  }
}

/** The document as a whole. */
function checkDocument({ root, isCreditNote, lines, seller, buyer }: EInvoice, rule: Rule): void {
  rule(
    'PEPPOL-EN16931-R004',
    textAt(root, 'CustomizationID') === 'urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0',
  );
  rule('PEPPOL-EN16931-R007', textAt(root, 'ProfileID') === 'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0');
  rule('BR-02', !!textAt(root, 'ID'));
  rule('BR-03', !!textAt(root, 'IssueDate'));
  rule(
    'BR-04',
    textAt(root, isCreditNote ? 'CreditNoteTypeCode' : 'InvoiceTypeCode') === (isCreditNote ? '381' : '380'),
  );
  rule('BR-05', textAt(root, 'DocumentCurrencyCode') === 'EUR');
  rule('PEPPOL-EN16931-R002', all(root, 'Note').length <= 1);
  rule(
    'PEPPOL-EN16931-R003',
    first(root, 'BuyerReference') !== undefined || first(root, 'OrderReference/ID') !== undefined,
  );
  rule('BR-06', !!textAt(seller, 'PartyLegalEntity/RegistrationName'));
  rule('BR-07', !!textAt(buyer, 'PartyLegalEntity/RegistrationName'));
  rule('BR-09', !!textAt(seller, 'PostalAddress/Country/IdentificationCode'));
  rule('BR-11', !!textAt(buyer, 'PostalAddress/Country/IdentificationCode'));
  rule('BR-16', lines.length > 0);
  const ids = lines.map((line) => textAt(line, 'ID'));
  rule('BR-21', ids.every(Boolean) && new Set(ids).size === ids.length);
  rule(
    'BR-CO-26',
    first(seller, 'PartyLegalEntity/CompanyID') !== undefined ||
      first(seller, 'PartyTaxScheme/CompanyID') !== undefined,
  );
}

/** The addresses and numbers of the parties. */
function checkParties({ seller, buyer }: EInvoice, rule: Rule): void {
  for (const [party, name] of [
    [seller, 'PEPPOL-EN16931-R020'],
    [buyer, 'PEPPOL-EN16931-R010'],
  ] as const) {
    const endpoint = first(party, 'EndpointID');
    rule(name, endpoint !== undefined);
    rule('PEPPOL-EN16931-CL008', endpointSchemes.split(' ').includes(endpoint?.attributes.schemeID ?? ''));
    for (const id of [endpoint, first(party, 'PartyLegalEntity/CompanyID')]) {
      if (id?.attributes.schemeID !== '0208') continue;
      const check = 97 - (Number(id.text.slice(0, 8)) % 97);
      rule('PEPPOL-COMMON-R043', /^\d{10}$/.test(id.text) && check === Number(id.text.slice(8)), id.text);
    }
    for (const vatNumber of all(party, 'PartyTaxScheme/CompanyID')) {
      rule('BR-CO-09', /^[A-Z]{2}\w+$/.test(vatNumber.text), vatNumber.text);
    }
    for (const scheme of all(party, 'PartyTaxScheme/TaxScheme/ID')) rule('BR-CO-09 scheme', scheme.text === 'VAT');
  }
}

/** The rules for Dutch and Belgian suppliers. */
function checkCountryRules({ root, isCreditNote, totals, seller, buyer }: EInvoice, rule: Rule): void {
  const country = (party: Node) =>
    textAt(party, 'PartyTaxScheme/CompanyID')?.slice(0, 2) ?? textAt(party, 'PostalAddress/Country/IdentificationCode');
  const hasAddress = (party: Node) =>
    ['StreetName', 'CityName', 'PostalZone'].every((name) => first(party, `PostalAddress/${name}`) !== undefined);
  const hasDutchNumber = (party: Node) =>
    all(party, 'PartyLegalEntity/CompanyID').every(({ attributes }) =>
      ['0106', '0190'].includes(attributes.schemeID ?? ''),
    );
  const payable = amountAt(totals, 'PayableAmount');
  if (country(seller) === 'NL') {
    rule('NL-R-001', !isCreditNote || !!textAt(root, 'BillingReference/InvoiceDocumentReference/ID'));
    rule('NL-R-002', hasAddress(seller));
    rule('NL-R-003', hasDutchNumber(seller) && first(seller, 'PartyLegalEntity/CompanyID') !== undefined);
    if (country(buyer) === 'NL') {
      rule('NL-R-004', hasAddress(buyer));
      rule('NL-R-005', hasDutchNumber(buyer));
    }
    rule('NL-R-007', isCreditNote || payable <= 0n || first(root, 'PaymentMeans') !== undefined);
    for (const code of all(root, 'PaymentMeans/PaymentMeansCode')) {
      rule('NL-R-008', ['30', '48', '49', '57', '58', '59'].includes(code.text));
    }
  }
  if (country(seller) === 'BE') {
    rule('Belgian enterprise number', first(seller, 'PartyLegalEntity/CompanyID')?.attributes.schemeID === '0208');
    rule('Belgian address on Peppol', first(seller, 'EndpointID')?.attributes.schemeID === '0208');
  }
}

/** How the invoice is paid. */
function checkPayment({ root, totals }: EInvoice, rule: Rule): void {
  const payable = amountAt(totals, 'PayableAmount');
  for (const means of all(root, 'PaymentMeans')) {
    const iban = textAt(means, 'PayeeFinancialAccount/ID') ?? '';
    rule('BR-61', iban !== '');
    const digits = [...(iban.slice(4) + iban.slice(0, 4))].map((letter) => Number.parseInt(letter, 36)).join('');
    rule('IBAN', BigInt(digits) % 97n === 1n, iban);
  }
  rule(
    'BR-CO-25',
    payable <= 0n || first(root, 'DueDate') !== undefined || first(root, 'PaymentTerms/Note') !== undefined,
  );
}

const isCharge = (node: Node): boolean => textAt(node, 'ChargeIndicator') === 'true';

/** The totals of the document. */
function checkSums({ root, isCreditNote, lines, totals, vat, adjustments }: EInvoice, rule: Rule): void {
  const payable = amountAt(totals, 'PayableAmount');
  const lineSum = sum(lines.map((line) => amountAt(line, 'LineExtensionAmount')));
  const allowances = sum(adjustments.filter((one) => !isCharge(one)).map((one) => amountAt(one, 'Amount')));
  const charges = sum(adjustments.filter(isCharge).map((one) => amountAt(one, 'Amount')));
  const excl = amountAt(totals, 'TaxExclusiveAmount');
  const incl = amountAt(totals, 'TaxInclusiveAmount');
  const tax = amountAt(root, 'TaxTotal/TaxAmount');
  rule('BR-CO-10', amountAt(totals, 'LineExtensionAmount') === lineSum);
  rule('BR-CO-11', amountAt(totals, 'AllowanceTotalAmount') === allowances);
  rule('BR-CO-12', amountAt(totals, 'ChargeTotalAmount') === charges);
  rule('BR-CO-13', excl === lineSum - allowances + charges);
  rule('BR-CO-14', tax === sum(vat.map((one) => amountAt(one, 'TaxAmount'))));
  rule('BR-CO-15', incl === excl + tax);
  rule('BR-CO-16', payable === incl - amountAt(totals, 'PrepaidAmount'));
  rule('BR-CO-18', vat.length > 0);
  rule('PEPPOL-EN16931-R053', all(root, 'TaxTotal').length === 1);
  rule('a credit note credits', !isCreditNote || payable >= 0n);
}

/** Allowances and charges of the document and of its lines. */
function checkAdjustments({ lines, adjustments }: EInvoice, rule: Rule): void {
  for (const one of [...adjustments, ...lines.flatMap((line) => all(line, 'AllowanceCharge'))]) {
    const amount = amountAt(one, 'Amount');
    rule('an adjustment is not below zero', amount > 0n, amount);
    rule('PEPPOL-EN16931-R043', ['true', 'false'].includes(textAt(one, 'ChargeIndicator') ?? ''));
    rule('BR-33', !!textAt(one, 'AllowanceChargeReason') || !!textAt(one, 'AllowanceChargeReasonCode'));
    const code = textAt(one, 'AllowanceChargeReasonCode');
    rule('PEPPOL-EN16931-CL002', code === undefined || (!isCharge(one) && code === '95'), code);
    const [share, base] = [first(one, 'MultiplierFactorNumeric'), first(one, 'BaseAmount')];
    rule('PEPPOL-EN16931-R041/R042', (share === undefined) === (base === undefined));
    if (share !== undefined && base !== undefined) {
      const expected = (decimal(base.text) * decimal(share.text)) / (100n * UNIT);
      rule('PEPPOL-EN16931-R040', abs(expected - amount) <= 2n * CENT, `${share.text}% of ${base.text}`);
    }
  }
  for (const one of adjustments) rule('BR-32', !!textAt(one, 'TaxCategory/ID'));
  for (const one of adjustments) checkCategory(first(one, 'TaxCategory'), rule, 'allowance');
}

function checkLine(line: Node, isCreditNote: boolean, rule: Rule): void {
  const quantity = first(line, isCreditNote ? 'CreditedQuantity' : 'InvoicedQuantity');
  rule('BR-22', quantity !== undefined);
  rule('BR-CL-23', unitCodes.split(' ').includes(quantity?.attributes.unitCode ?? ''), quantity?.attributes.unitCode);
  rule('BR-25', !!textAt(line, 'Item/Name'));
  const price = amountAt(line, 'Price/PriceAmount');
  rule('BR-27', price >= 0n && first(line, 'Price/PriceAmount') !== undefined);
  const base = first(line, 'Price/BaseQuantity');
  rule('PEPPOL-EN16931-R121', base === undefined || decimal(base.text) > 0n);
  rule('PEPPOL-EN16931-R130', base === undefined || base.attributes.unitCode === quantity?.attributes.unitCode);
  const net = amountAt(line, 'LineExtensionAmount');
  const adjustments = all(line, 'AllowanceCharge');
  const adjusted = sum(adjustments.map((one) => (isCharge(one) ? amountAt(one, 'Amount') : -amountAt(one, 'Amount'))));
  // Both sides are multiplied by the base quantity, so that nothing is divided.
  const baseQuantity = base === undefined ? UNIT : decimal(base.text);
  const off = decimal(quantity?.text) * price - (net - adjusted) * baseQuantity;
  rule('PEPPOL-EN16931-R120', abs(off) <= 2n * CENT * baseQuantity, `${net} of ${quantity?.text}`);
  for (const ean of all(line, 'Item/StandardItemIdentification/ID')) rule('BR-64', ean.attributes.schemeID === '0160');
  checkCategory(first(line, 'Item/ClassifiedTaxCategory'), rule, 'line');
}

/** The category and the rate of VAT, for which there is one total. */
const vatKeyOf = (category: Node | undefined): string =>
  `${category && textAt(category, 'ID')} ${(category && textAt(category, 'Percent')) ?? ''}`;

/** The VAT totals, and the categories that the parties may use. */
function checkVat(invoice: EInvoice, rule: Rule): void {
  const { root, lines, vat, seller, buyer } = invoice;
  const keys = vat.map((one) => vatKeyOf(first(one, 'TaxCategory')));
  rule('one VAT total for each category and rate', new Set(keys).size === keys.length, keys.join());
  for (const one of vat) checkVatTotal(one, invoice, rule);
  for (const line of lines) rule('BR-CO-18 line', keys.includes(vatKeyOf(first(line, 'Item/ClassifiedTaxCategory'))));
  const categories = new Set(vat.map((one) => textAt(one, 'TaxCategory/ID')!));
  const [sellerVat, buyerVat] = [seller, buyer].map((party) => textAt(party, 'PartyTaxScheme/CompanyID'));
  if (categories.has('O')) {
    rule('BR-O-02', sellerVat === undefined && buyerVat === undefined);
    rule('BR-O-11', categories.size === 1);
  } else {
    rule('BR-S/Z/E/AE/IC/G-02', sellerVat !== undefined);
  }
  if (categories.has('AE')) rule('BR-AE-02', !!buyerVat || !!textAt(buyer, 'PartyLegalEntity/CompanyID'));
  if (categories.has('K')) {
    rule('BR-IC-02', !!buyerVat);
    rule('BR-IC-11', !!textAt(root, 'Delivery/ActualDeliveryDate'));
    rule('BR-IC-12', !!textAt(root, 'Delivery/DeliveryLocation/Address/Country/IdentificationCode'));
  }
}

function checkVatTotal(one: Node, { lines, adjustments }: EInvoice, rule: Rule): void {
  const category = first(one, 'TaxCategory')!;
  const key = vatKeyOf(category);
  const id = textAt(category, 'ID')!;
  const base = amountAt(one, 'TaxableAmount');
  const ofLines = lines.filter((line) => vatKeyOf(first(line, 'Item/ClassifiedTaxCategory')) === key);
  const ofDocument = adjustments.filter((adjustment) => vatKeyOf(first(adjustment, 'TaxCategory')) === key);
  const expected =
    sum(ofLines.map((line) => amountAt(line, 'LineExtensionAmount'))) +
    sum(ofDocument.map((adjustment) => (isCharge(adjustment) ? 1n : -1n) * amountAt(adjustment, 'Amount')));
  rule(`BR-${id === 'K' ? 'IC' : id}-08`, base === expected, `${base} instead of ${expected}`);
  rule(`BR-${id === 'K' ? 'IC' : id}-01`, ofLines.length > 0, key);
  checkCategory(category, rule, 'total');
  // The official rule allows a difference of one euro. This one allows four cents, for the tax codes and kinds of
  // prices in one total.
  const rate = id === 'O' ? 0n : decimal(textAt(category, 'Percent'));
  const off = abs(base * rate - amountAt(one, 'TaxAmount') * 100n * UNIT);
  rule('BR-CO-17', off <= 4n * CENT * 100n * UNIT, `${base} at ${rate}`);
  if (id !== 'S') rule(`BR-${id === 'K' ? 'IC' : id}-09`, amountAt(one, 'TaxAmount') === 0n);
  const reason = textAt(category, 'TaxExemptionReason') ?? textAt(category, 'TaxExemptionReasonCode');
  rule(`BR-${id}-10`, (reason === undefined) === (id === 'S' || id === 'Z'), id);
  const code = { AE: 'VATEX-EU-AE', K: 'VATEX-EU-IC', G: 'VATEX-EU-G', O: 'VATEX-EU-O' }[id];
  rule('PEPPOL-EN16931-P0104..P0107', textAt(category, 'TaxExemptionReasonCode') === code, id);
}

/** Categories and their rates: above zero for the standard one, none outside the scope of VAT, zero for the others. */
function checkCategory(category: Node | undefined, rule: Rule, where: string): void {
  rule('BR-CO-04', category !== undefined, where);
  if (category === undefined) return;
  const id = textAt(category, 'ID')!;
  const percent = textAt(category, 'Percent');
  rule('BR-CL-17/18', ['S', 'Z', 'E', 'AE', 'K', 'G', 'O'].includes(id), id);
  if (id === 'O') rule('BR-O-05', percent === undefined, where);
  else if (id === 'S') rule('BR-S-05', percent !== undefined && decimal(percent) > 0n, where);
  else rule(`BR-${id}-05`, percent === '0', where);
  rule('VAT scheme', textAt(category, 'TaxScheme/ID') === 'VAT', where);
}
