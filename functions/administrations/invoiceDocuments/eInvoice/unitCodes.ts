/*
 * The names of units and their codes of UN/ECE Recommendation 20 and 21: Dutch, French and English names, singular and
 * plural, without regard to case.
 */
const names: Record<string, string> = {
  C62: 'stuk stuks st stk eenheid eenheden exemplaar exemplaren pièce pièces piece pieces pce pcs pc unité unités unit units each ea item items artikel artikelen bloem bloemen plant planten tak takken steel stelen',
  HUR: 'uur uren u h hr hrs heure heures hour hours',
  MIN: 'minuut minuten min minute minutes',
  DAY: 'dag dagen d jour jours day days werkdag werkdagen',
  WEE: 'week weken wk semaine semaines weeks',
  MON: 'maand maanden mnd mois month months',
  QAN: 'kwartaal kwartalen trimestre trimestres quarter quarters',
  ANN: 'jaar jaren an ans année années year years',
  KGM: 'kg kilo kilogram kilogrammen kilogramme kilogrammes kilograms kilos',
  GRM: 'g gr gram grammen gramme grammes grams',
  TNE: 'ton t tonne tonnes tons',
  LTR: 'l liter liters litre litres ltr',
  MLT: 'ml milliliter milliliters millilitre millilitres',
  CLT: 'cl centiliter centiliters centilitre centilitres',
  MTR: 'm meter meters mètre mètres metre metres mtr',
  CMT: 'cm centimeter centimeters centimètre centimètres centimetre centimetres',
  MMT: 'mm millimeter millimeters millimètre millimètres millimetre millimetres',
  KMT: 'km kilometer kilometers kilomètre kilomètres kilometre kilometres',
  MTK: 'm2 m² vierkante_meter vierkante_meters mètre_carré mètres_carrés square_metre square_metres',
  MTQ: 'm3 m³ kubieke_meter kubieke_meters mètre_cube mètres_cubes cubic_metre cubic_metres',
  KWH: 'kwh kilowattuur',
  SET: 'set sets jeu jeux stel stellen',
  PR: 'paar paren paire paires pair pairs',
  // Not `dozen`: boxes in Dutch, twelve in English.
  DZN: 'dozijn dozijnen douzaine douzaines',
  CEN: 'honderd honderdtal centaine hundred',
  MIL: 'duizend duizendtal millier thousand',
  XBX: 'doos boîte boîtes box boxes',
  XPK: 'pak pakken paket pakket pakketten paquet paquets colis pack packs package packages verpakking verpakkingen',
  XPX: 'pallet pallets palette palettes',
  XRO: 'rol rollen rouleau rouleaux roll rolls',
  XBG: 'zak zakken zakje zakjes sac sacs bag bags',
  XBO: 'fles flessen bouteille bouteilles bottle bottles',
  XCR: 'krat kratten bak bakken caisse caisses crate crates',
  XCT: 'karton kartons carton cartons',
  XBE: 'bos bossen bundel bundels bouquet bouquets boeket boeketten botte bottes bundle bundles',
  XPT: 'pot potten pots',
  XPU: 'tray trays plateau plateaux',
  XBJ: 'emmer emmers seau seaux bucket buckets',
  XTU: 'tube tubes tuben',
  XCA: 'blik blikken canette canettes can cans',
  XST: 'vel vellen blad bladen feuille feuilles sheet sheets',
  LS: 'forfait forfaits post posten vast vaste_prijs lump_sum',
  E48: 'dienst diensten service services',
  XKI: 'kit kits',
};

const codeOf = new Map<string, string>(
  Object.entries(names).flatMap(([code, called]) => [
    [code.toLowerCase(), code],
    ...called.split(' ').map((name): [string, string] => [name.replaceAll('_', ' '), code]),
  ]),
);

/** The code of a unit by its name or its code; the code of a piece for ""; `undefined` for an unknown name. */
export function unitCode(unit: string): string | undefined {
  const called = unit.trim().toLowerCase().replace(/\.$/, '').replace(/\s+/g, ' ');
  return called === '' ? 'C62' : codeOf.get(called);
}
