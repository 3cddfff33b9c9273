import type { ForeignParties } from './parties.ts';

/** Amounts on accounts in whole euros: positive is debit. */
type Amounts = readonly (readonly [account: string, euros: bigint])[];

/** Entries of every month. Those of the bank stand on a statement, against its account. */
type MonthlyEntry = { day: number; journal: string; description: string; lines: Amounts };

/** Where the other party is. */
type Place = 'domestic' | 'neighbour' | keyof ForeignParties;

/** A purchase: below zero it is a credit note. The kind is the Belgian one: goods, services or investments. */
export type PlannedPurchase = { from: Place; euros: bigint; account: string; kind: string; code: string; text: string };

/** A sale of the quarter with every case of VAT; its amount is that of another sale. */
type PlannedSale = { to: Place; isCredit: boolean; account: string; code: string; text: string };

/** The cells of lines of text, between bars. */
const rowsOf = (text: string): string[][] =>
  text
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()));

/** Amounts as they are written: `4100 2400, 1690 -2400`. */
const amountsOf = (text: string): Amounts =>
  text
    .trim()
    .split(/,\s+/)
    .map((pair) => pair.split(' '))
    .map(([account = '', euros = '']) => [account, BigInt(euros)]);

const monthlyOf = (text: string): MonthlyEntry[] =>
  rowsOf(text).map(([day, journal = '', description = '', amounts = '']) => ({
    day: Number(day),
    journal,
    description,
    lines: amountsOf(amounts),
  }));

const purchasesOf = (text: string): PlannedPurchase[] =>
  rowsOf(text).map(([from, euros = '', account = '', kind = '', code = '', description = '']) => ({
    from: from as Place,
    euros: BigInt(euros),
    account,
    kind,
    code,
    text: description,
  }));

const salesOf = (text: string): PlannedSale[] =>
  rowsOf(text).map(([to, sign, account = '', code = '', description = '']) => ({
    to: to as Place,
    isCredit: sign === 'credit',
    account,
    code,
    text: description,
  }));

/** What the books of a demo administration hold beside its usual sales. */
export const bookPlans = {
  NL: {
    bank: '1100',
    /** Where VAT that was declared is paid from. */
    vatToPay: '1560',
    /** Of the first fiscal year. */
    opening: amountsOf(`
      0210 48000, 0215 -14400, 0320 26500, 0325 -9300, 0410 61200, 0415 -20400, 1000 650, 1100 58240, 3010 9870,
      3020 24310, 3030 17600, 0500 -18000, 0530 -114370, 0710 -66250, 1710 -3650
    `),
    /** On a day of the month, or its last. */
    monthly: monthlyOf(`
       1 | memorial | Huur bedrijfsruimte           | 4100 2400, 1690 -2400
       1 | bank     | Huur bedrijfsruimte           | 1690 2400
      25 | memorial | Lonen van de maand            | 4000 8400, 4020 1550, 1700 -6300, 1710 -3650
      25 | bank     | Nettolonen                    | 1700 6300
      28 | bank     | Loonheffing                   | 1710 3650
      28 | bank     | Aflossing en rente banklening | 0710 1250, 9010 270
      31 | bank     | Bankkosten                    | 4540 24
      31 | memorial | Afschrijvingen van de maand   | 4720 400, 0215 -400, 4730 260, 0325 -260, 4740 850, 0415 -850
    `),
    /** Invoices of every month. */
    costs: purchasesOf(`
      domestic | 310 | 4530 | 82 | 0% - Inkoop vrijgesteld | Verzekering
      domestic | 620 | 4110 | 82 | 21% - Inkoop hoog       | Gas en stroom
      domestic | 145 | 4410 | 82 | 21% - Inkoop hoog       | Telefoon en internet
      domestic | 330 | 4260 | 82 | 21% - Inkoop hoog       | Verpakking
      domestic | 540 | 7040 | 81 | 21% - Inkoop hoog       | Transport
      domestic | 380 | 4300 | 82 | 21% - Inkoop hoog       | Brandstof
      domestic | 275 | 4500 | 82 | 21% - Inkoop hoog       | Accountant
    `),
    /** Goods of every month: euros of each hundred of its sales. */
    goods: purchasesOf(`
      domestic | 12 | 7010 | 81 | 9% - Inkoop laag  | Snijbloemen
      domestic | 11 | 7010 | 81 | 9% - Inkoop laag  | Kamerplanten
      domestic |  8 | 7010 | 81 | 9% - Inkoop laag  | Perkplanten
      domestic | 13 | 7000 | 81 | 21% - Inkoop hoog | Potten en vazen
    `),
    saleCases: salesOf(`
      domestic    |        | 8030 | 0% - Verlegd binnenland                    | Aanleg in onderaanneming
      germany     |        | 8040 | 0% - Goederen naar EU-landen               | Snijbloemen
      neighbour   |        | 8050 | 0% - Diensten naar EU-landen               | Ontwerp etalage
      switzerland |        | 8060 | 0% - Export buiten de EU                   | Kamerplanten
      germany     | credit | 8040 | 0% - Goederen naar EU-landen               | Retour snijbloemen
      domestic    |        | 8020 | 0% - Binnenland nultarief                  | Levering in entrepot
      domestic    |        | 8020 | 0% - Vrijgesteld                           | Cursus bloemschikken
      germany     |        | 8040 | 0% - Installatie en afstandsverkoop in de EU | Plantenwand met plaatsing
    `),
    purchaseCases: purchasesOf(`
      germany  | 3240 | 7020 | 81 | 0% - Goederen uit EU-landen laag | Rozen
      germany  | 1150 | 7020 | 81 | 0% - Goederen uit EU-landen      | Vazen
      germany  | -220 | 7020 | 81 | 0% - Goederen uit EU-landen      | Retour vazen
      ireland  |  189 | 4420 | 82 | 0% - Diensten uit EU-landen      | Webwinkel
      kenya    | 4800 | 7030 | 81 | 0% - Import van buiten de EU     | Gevlochten manden
      america  |  240 | 4420 | 82 | 0% - Diensten van buiten de EU   | Ontwerpprogramma
      domestic | 1900 | 7070 | 82 | 0% - Inkoop verlegd binnenland   | Beplanting in onderaanneming
      domestic | 2650 | 0320 | 83 | 21% - Inkoop hoog                | Winkelinrichting
      domestic | -180 | 7000 | 81 | 21% - Inkoop hoog                | Retour potten
    `),
    /** Entered after the return of its quarter had been filed. */
    latePurchases: purchasesOf('domestic | 1480 | 4600 | 82 | 21% - Inkoop hoog | Onderhoud koelcel'),
    privateUse: { code: '21% - Privégebruik', revenue: '8000', vat: '1510', owedBy: '1370' },
  },
  BE: {
    bank: '550000',
    vatToPay: '451900',
    opening: amountsOf(`
      232000 52000, 232900 -15600, 260000 24000, 260900 -7200, 243000 58800, 243900 -19600, 570000 720, 550000 61380,
      341000 8940, 342000 22150, 343000 15310, 100000 -61500, 130000 -6150, 133000 -58200, 173000 -69800,
      453000 -1450, 454000 -3800
    `),
    monthly: monthlyOf(`
       1 | memorial | Huur magazijn               | 610000 2150, 489000 -2150
       1 | bank     | Huur magazijn               | 489000 2150
      25 | memorial | Bezoldigingen van de maand  | 620000 7900, 621000 2100, 453000 -1450, 454000 -3800, 455000 -4750
      25 | bank     | Nettobezoldigingen          | 455000 4750
      28 | bank     | Bedrijfsvoorheffing         | 453000 1450
      28 | bank     | Sociale zekerheid           | 454000 3800
      28 | bank     | Aflossing en rente lening   | 173000 1200, 650000 285
      31 | bank     | Bankkosten                  | 657000 21
      31 | memorial | Afschrijvingen van de maand | 630200 1450, 232900 -430, 260900 -200, 243900 -820
    `),
    costs: purchasesOf(`
      domestic | 290 | 613300 | 82 | 0% - Aankoop vrijgesteld     | Verzekering
      domestic | 640 | 612000 | 82 | 21% - Aankoop normaal tarief | Elektriciteit
      domestic | 132 | 612500 | 82 | 21% - Aankoop normaal tarief | Telefoon en internet
      domestic | 310 | 616100 | 82 | 21% - Aankoop normaal tarief | Verpakking
      domestic | 560 | 605000 | 81 | 21% - Aankoop normaal tarief | Transport
      domestic | 350 | 612300 | 82 | 21% - Aankoop normaal tarief | Brandstof
      domestic | 260 | 613000 | 82 | 21% - Aankoop normaal tarief | Boekhouder
    `),
    goods: purchasesOf(`
      domestic | 12 | 604000 | 81 | 6% - Aankoop verlaagd tarief | Snijbloemen
      domestic | 11 | 604000 | 81 | 6% - Aankoop verlaagd tarief | Kamerplanten
      domestic |  8 | 604000 | 81 | 6% - Aankoop verlaagd tarief | Perkplanten
      domestic | 13 | 604000 | 81 | 21% - Aankoop normaal tarief | Potten en vazen
    `),
    saleCases: salesOf(`
      domestic    |        | 700100 | 12% - Tussentarief                | Meststoffen
      domestic    |        | 703000 | 0% - Medecontractant              | Tuinaanleg
      germany     |        | 701000 | 0% - Intracommunautaire goederen  | Kamerplanten
      neighbour   |        | 701000 | 0% - Intracommunautaire diensten  | Ontwerp etalage
      switzerland |        | 702000 | 0% - Uitvoer                      | Kamerplanten
      germany     | credit | 701000 | 0% - Intracommunautaire goederen  | Retour kamerplanten
      domestic    |        | 700300 | 0% - Binnenland nultarief         | Vakbladen
      domestic    |        | 700300 | 0% - Vrijgesteld                  | Cursus bloemschikken
    `),
    purchaseCases: purchasesOf(`
      germany  | 2840 | 604100 | 81 | 0% - Intracommunautaire verwerving         | Vazen
      germany  | -240 | 604100 | 81 | 0% - Intracommunautaire verwerving         | Retour vazen
      ireland  |  189 | 612700 | 82 | 0% - Intracommunautaire diensten ontvangen | Webwinkel
      kenya    | 4100 | 604200 | 81 | 0% - Invoer                                | Gevlochten manden
      domestic | 1750 | 603000 | 82 | 0% - Aankoop medecontractant               | Beplanting in onderaanneming
      domestic |  640 | 604000 | 81 | 12% - Aankoop tussentarief                 | Meststoffen
      domestic | 3900 | 232000 | 83 | 21% - Aankoop normaal tarief               | Koelinstallatie
      domestic | -210 | 604000 | 81 | 21% - Aankoop normaal tarief               | Retour potten
      domestic |   84 | 612400 | 82 | 0% - Aankoop binnenland nultarief          | Dagbladen
    `),
    latePurchases: purchasesOf(
      'domestic | 1360 | 611000 | 82 | 21% - Aankoop normaal tarief | Onderhoud koelinstallatie',
    ),
    privateUse: { code: '21% - Privégebruik', revenue: '700000', vat: '451100', owedBy: '416100' },
  },
} as const;

export type BookPlan = (typeof bookPlans)[keyof typeof bookPlans];
