export type VatCountry = 'NL' | 'BE';

/** What an amount of a return is: a base, or a tax. Dutch boxes may have both, Belgian ones have one of them. */
export type VatPart = 'base' | 'tax';

/** A box of a return, with its name on the form. */
type VatBox = { box: string; name: string; parts: readonly VatPart[] };

const base = ['base'] as const;
const tax = ['tax'] as const;
const both = ['base', 'tax'] as const;

/** The boxes of both countries, in the order of the forms, without those that are sums of others. */
export const vatBoxes: Record<VatCountry, readonly VatBox[]> = {
  // Aangifte omzetbelasting 2026 (NT20 bd-rpt-ob-aangifte-2026).
  NL: [
    { box: '1a', name: 'Leveringen/diensten belast met hoog tarief', parts: both },
    { box: '1b', name: 'Leveringen/diensten belast met laag tarief', parts: both },
    { box: '1c', name: 'Leveringen/diensten belast met overige tarieven, behalve 0%', parts: both },
    { box: '1d', name: 'Privégebruik', parts: both },
    { box: '1e', name: 'Leveringen/diensten belast met 0% of niet bij u belast', parts: base },
    { box: '2a', name: 'Leveringen/diensten waarbij de btw naar u is verlegd', parts: both },
    { box: '3a', name: 'Leveringen naar landen buiten de EU', parts: base },
    { box: '3b', name: 'Leveringen naar of diensten in landen binnen de EU', parts: base },
    { box: '3c', name: 'Installatie/afstandsverkopen binnen de EU', parts: base },
    { box: '4a', name: 'Leveringen/diensten uit landen buiten de EU', parts: both },
    { box: '4b', name: 'Leveringen/diensten uit landen binnen de EU', parts: both },
    { box: '5b', name: 'Voorbelasting', parts: tax },
  ],
  // Form 625, Intervat VATConsignment 0.9.
  BE: [
    { box: '00', name: 'Handelingen onderworpen aan een bijzondere regeling of 0%', parts: base },
    { box: '01', name: 'Handelingen tegen 6%', parts: base },
    { box: '02', name: 'Handelingen tegen 12%', parts: base },
    { box: '03', name: 'Handelingen tegen 21%', parts: base },
    { box: '44', name: 'Diensten met btw verschuldigd in een andere lidstaat', parts: base },
    { box: '45', name: 'Handelingen met btw verschuldigd door de medecontractant', parts: base },
    { box: '46', name: 'Vrijgestelde intracommunautaire leveringen', parts: base },
    { box: '47', name: 'Andere vrijgestelde handelingen en handelingen in het buitenland', parts: base },
    { box: '48', name: 'Creditnota’s bij 44 en 46', parts: base },
    { box: '49', name: 'Andere creditnota’s op verkopen', parts: base },
    { box: '81', name: 'Handelsgoederen, grond- en hulpstoffen', parts: base },
    { box: '82', name: 'Diensten en diverse goederen', parts: base },
    { box: '83', name: 'Bedrijfsmiddelen', parts: base },
    { box: '84', name: 'Ontvangen creditnota’s bij 86 en 88', parts: base },
    { box: '85', name: 'Andere ontvangen creditnota’s', parts: base },
    { box: '86', name: 'Intracommunautaire verwervingen', parts: base },
    { box: '87', name: 'Andere inkomende handelingen met verlegde btw', parts: base },
    { box: '88', name: 'Intracommunautaire diensten met verlegde btw', parts: base },
    { box: '54', name: 'Btw op 01, 02 en 03', parts: tax },
    { box: '55', name: 'Btw op 86 en 88', parts: tax },
    { box: '56', name: 'Btw op 87, behalve invoer', parts: tax },
    { box: '57', name: 'Btw op invoer met verlegging', parts: tax },
    { box: '61', name: 'Regularisaties in het voordeel van de Staat', parts: tax },
    { box: '63', name: 'Terug te storten btw van ontvangen creditnota’s', parts: tax },
    { box: '59', name: 'Aftrekbare btw', parts: tax },
    { box: '62', name: 'Regularisaties in het voordeel van de aangever', parts: tax },
    { box: '64', name: 'Terug te krijgen btw van uitgereikte creditnota’s', parts: tax },
  ],
};

/** The boxes that are sums of others, in the order of the forms. */
export const vatTotals: Record<VatCountry, readonly VatBox[]> = {
  NL: [
    { box: '5a', name: 'Verschuldigde btw (1 tot en met 4)', parts: tax },
    { box: '5g', name: 'Totaal te betalen of terug te vragen', parts: tax },
  ],
  BE: [
    { box: 'XX', name: 'Totaal van 54, 55, 56, 57, 61 en 63', parts: tax },
    { box: 'YY', name: 'Totaal van 59, 62 en 64', parts: tax },
    { box: '71', name: 'Verschuldigd aan de Staat', parts: tax },
    { box: '72', name: 'Door de Staat verschuldigd', parts: tax },
  ],
};

/** All boxes of both countries, in the order of the forms. */
export const formBoxes: Record<VatCountry, readonly VatBox[]> = {
  NL: [...vatBoxes.NL, ...vatTotals.NL].sort((a, b) => (a.box < b.box ? -1 : 1)),
  BE: [...vatBoxes.BE, ...vatTotals.BE],
};
