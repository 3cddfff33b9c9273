import type { Decimal8 } from '../../../../shared/money.ts';
import type { Language, VatCategory } from '../invoiceDocument.ts';

export type CategoryOfLine = { category: VatCategory; rate: Decimal8 };

/** An e-invoice has one VAT total for each of these. */
export const categoryKey = ({ category, rate }: CategoryOfLine): string => `${category} ${rate}`;

type Reason = { code: string | null } & Record<Language, string>;

/** Why no VAT is charged, where a reason is required: a code of the VATEX list where there is one, and a text. */
const exemptionReasons: Record<Exclude<VatCategory, 'S' | 'Z'>, Reason> = {
  E: { code: null, nl: 'Vrijgesteld van btw', fr: 'Exonéré de la TVA', en: 'Exempt from VAT' },
  AE: { code: 'VATEX-EU-AE', nl: 'Btw verlegd', fr: 'Autoliquidation', en: 'Reverse charge' },
  K: {
    code: 'VATEX-EU-IC',
    nl: 'Intracommunautaire levering, vrijgesteld van btw',
    fr: 'Livraison intracommunautaire, exonérée de la TVA',
    en: 'Intra-Community supply, exempt from VAT',
  },
  G: {
    code: 'VATEX-EU-G',
    nl: 'Uitvoer buiten de EU, vrijgesteld van btw',
    fr: "Exportation hors de l'UE, exonérée de la TVA",
    en: 'Export outside the EU, exempt from VAT',
  },
  O: {
    code: 'VATEX-EU-O',
    nl: 'Niet onderworpen aan btw',
    fr: 'Hors du champ de la TVA',
    en: 'Not subject to VAT',
  },
};

export const exemptionReason = (category: VatCategory): Reason | undefined =>
  category === 'S' || category === 'Z' ? undefined : exemptionReasons[category];
