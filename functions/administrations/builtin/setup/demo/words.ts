/** The names of made-up people, companies and places. */
type Words = {
  firstNames: { Man: readonly string[]; Vrouw: readonly string[] };
  prepositions: readonly string[];
  lastNames: readonly string[];
  /** City and the digits its postal codes begin with. */
  cities: readonly (readonly [string, string])[];
  streets: readonly string[];
  companyKinds: readonly string[];
  companyNames: readonly string[];
  legalForms: readonly string[];
  banks: readonly { bic: string; code: string }[];
};

/** Texts with commas between them, over several lines. */
export const list = (texts: string): readonly string[] => texts.trim().split(/,\s+/);

/** `Breda 48` as its two parts. */
const cityOf = (text: string): readonly [name: string, postalCode: string] => {
  const [name = '', postalCode = ''] = text.split(/ (?=\d+$)/);
  return [name, postalCode];
};

export const words: Record<'NL' | 'BE', Words> = {
  NL: {
    firstNames: {
      Man: list('Bram, Daan, Gijs, Jeroen, Koen, Mohamed, Niels, Pieter, Sander, Thijs, Wouter, Youssef'),
      Vrouw: list('Anouk, Carlijn, Eva, Fatima, Hanneke, Iris, Lotte, Marjolein, Noor, Roos, Sanne, Zoë'),
    },
    prepositions: ['', '', '', 'van', 'de', 'van der', 'van den', 'ter'],
    lastNames: list(`
      Aalbers, Bakhuis, Coenraads, Dijkgraaf, Elzinga, Fokkema, Groothuis, Heuvel, IJzerman, Jonker, Kuipers, Linde,
      Meulen, Nijland, Oosterhof, Postma, Rietveld, Schouten, Terpstra, Veenstra, Wijngaarden, Zandstra
    `),
    cities: list(`
      Amersfoort 38, Alkmaar 18, Breda 48, Delft 26, Deventer 74, Ede 67, Enschede 75, Gouda 28, Groningen 97,
      Haarlem 20, Hengelo 75, Leeuwarden 89, Lisse 21, Naaldwijk 26, Nijmegen 65, Rijnsburg 22, Tiel 40, Venlo 59,
      Zutphen 72, 's-Hertogenbosch 52
    `).map(cityOf),
    streets: list(`
      Ambachtsweg, Beukenlaan, Dorpsstraat, Energieweg, Floralaan, Grote Markt, Havenkade, Industrieweg,
      Julianastraat, Kerkplein, Lindenhof, Molenpad, Nieuwe Gracht, Oranjesingel, Parallelweg, Rozenstraat,
      Stationsplein, Tulpenweg, Veilingkade, Zuiderdijk
    `),
    companyKinds: list(`
      Bloemisterij, Tuincentrum, Hoveniersbedrijf, Hotel, Restaurant, Kwekerij, Bloemenhuis, Evenementenbureau,
      Interieurbeplanting, Landgoed, Zorgcentrum, Groenvoorziening
    `),
    companyNames: list(`
      De Akelei, Bosrand, De Drie Linden, Eikenhorst, Florissant, Groenrijk aan Zee, Hofzicht, Iepenburg, Jasmijn,
      De Klaproos, Lavendelveld, Middenduin, Noorderlicht, De Oude Kas, Pimpernel, Ranonkel, Sterrenmuur, Tuinlust,
      Vergeet-mij-niet, De Wilde Marjolein, Zonnedauw
    `),
    legalForms: ['B.V.', 'B.V.', 'V.O.F.', '', 'N.V.'],
    banks: [
      { bic: 'ABNANL2A', code: 'ABNA' },
      { bic: 'INGBNL2A', code: 'INGB' },
      { bic: 'RABONL2U', code: 'RABO' },
      { bic: 'TRIONL2U', code: 'TRIO' },
    ],
  },
  BE: {
    firstNames: {
      Man: list('Arne, Bart, Dries, Emiel, Geert, Jef, Karim, Lander, Matthias, Pieter-Jan, Stijn, Wannes'),
      Vrouw: list('An, Britt, Céline, Delphine, Eline, Goedele, Hilde, Jana, Lieselot, Nathalie, Saartje, Veerle'),
    },
    prepositions: ['', '', '', '', 'Van', 'De', 'Van den', 'Vander'],
    lastNames: list(`
      Adriaensen, Bogaert, Claessens, Decoster, Eeckhout, Franssens, Goethals, Hendrickx, Iserbyt, Jacquemin,
      Keymeulen, Lambrechts, Maertens, Neyrinck, Opdebeeck, Pauwels, Rombouts, Segers, Thijssen, Verstraete, Wauters,
      Ysebaert
    `),
    cities: list(`
      Aalst 9300, Antwerpen 2000, Brugge 8000, Brussel 1000, Dendermonde 9200, Diest 3290, Geel 2440, Gent 9000,
      Hasselt 3500, Ieper 8900, Kortrijk 8500, Leuven 3000, Lier 2500, Lochristi 9080, Luik 4000, Mechelen 2800,
      Namen 5000, Oostende 8400, Roeselare 8800, Turnhout 2300
    `).map(cityOf),
    streets: list(`
      Bloemekensberg, Brugsesteenweg, Dendermondsesteenweg, Eikelstraat, Gentsesteenweg, Handelskaai, Industriepark,
      Kapellestraat, Kerkstraat, Koning Albertlaan, Leopoldlaan, Lindestraat, Markt, Molenstraat, Nijverheidslaan,
      Parklaan, Rozendreef, Schoolstraat, Stationsstraat, Veldstraat
    `),
    companyKinds: list(`
      Bloemenatelier, Tuincenter, Tuinaanleg, Hotel, Brasserie, Boomkwekerij, Bloemenzaak, Feestzaal, Plantenverhuur,
      Kasteel, Woonzorgcentrum, Groendienst
    `),
    companyNames: list(`
      De Berk, Boterbloem, De Drie Eiken, Esdoorn, Floreal, Groenhove, Hortensia, Iris, Jardinière, Korenbloem,
      Leeuwenbek, Madelief, Nachtegaal, Olmenhof, Papaver, Reigersbos, Sleutelbloem, Ter Linden, Viooltje,
      De Waterlelie, Zonneweelde
    `),
    legalForms: ['BV', 'BV', 'NV', 'CommV', ''],
    banks: [
      { bic: 'KREDBEBB', code: '737' },
      { bic: 'GEBABEBB', code: '001' },
      { bic: 'GKCCBEBB', code: '068' },
      { bic: 'ARSPBE22', code: '979' },
    ],
  },
};

/** Categories, what is in them, in which variants, and whether the reduced rate is usual for them. */
export const assortment = [
  {
    category: 'Snijbloemen',
    reduced: true,
    unit: 'bos',
    price: 350,
    kinds: list(`
      Roos, Tulp, Gerbera, Chrysant, Lelie, Anjer, Pioenroos, Zonnebloem, Freesia, Iris, Amaryllis, Ridderspoor
    `),
    variants: ['rood 40 cm', 'wit 40 cm', 'roze 50 cm', 'geel 60 cm', 'gemengd 50 cm'],
  },
  {
    category: 'Kamerplanten',
    reduced: true,
    unit: 'stuk',
    price: 895,
    kinds: list(`
      Monstera, Sansevieria, Calathea, Pannenkoekplant, Vioolbladplant, Orchidee, Drakenboom, Yucca, Kentiapalm,
      Anthurium, Varen, Vetplant
    `),
    variants: ['potmaat 12', 'potmaat 17', 'potmaat 21', 'potmaat 24'],
  },
  {
    category: 'Tuinplanten',
    reduced: true,
    unit: 'stuk',
    price: 475,
    kinds: list(`
      Lavendel, Hortensia, Geranium, Hosta, Salie, Buxusbol, Klimroos, Campanula, Zonnehoed, Siergras, Clematis, Viool
    `),
    variants: ['potmaat 9', 'potmaat 13', 'potmaat 19', 'potmaat 23'],
  },
  {
    category: 'Bomen en heesters',
    reduced: true,
    unit: 'stuk',
    price: 3950,
    kinds: list('Krentenboompje, Japanse esdoorn, Leilinde, Sierappel, Magnolia, Olijfboom, Vijgenboom, Toverhazelaar'),
    variants: ['80/100', '100/125', '125/150', '150/175'],
  },
  {
    category: 'Bollen',
    reduced: true,
    unit: 'zak',
    price: 295,
    kinds: ['Krokus', 'Narcis', 'Blauwe druif', 'Sierui', 'Dahlia', 'Sneeuwklokje', 'Tulpenbol', 'Hyacint'],
    variants: ['10 stuks', '25 stuks', '100 stuks'],
  },
  {
    category: 'Zaden',
    reduced: true,
    unit: 'zakje',
    price: 195,
    kinds: list('Basilicum, Tomaat, Wilde bloemen, Radijs, Pompoen, Peterselie, Lathyrus, Oost-Indische kers'),
    variants: ['standaard', 'biologisch'],
  },
  {
    category: 'Potten',
    reduced: false,
    unit: 'stuk',
    price: 1250,
    kinds: ['Terracotta pot', 'Zinken pot', 'Keramische pot', 'Rotan mand', 'Hangpot'],
    variants: ['Ø 14', 'Ø 20', 'Ø 28', 'Ø 36'],
  },
  {
    category: 'Vazen',
    reduced: false,
    unit: 'stuk',
    price: 1795,
    kinds: ['Glazen vaas', 'Kruikvaas', 'Cilindervaas'],
    variants: ['20 cm', '30 cm', '45 cm'],
  },
  {
    category: 'Gereedschap',
    reduced: false,
    unit: 'stuk',
    price: 2150,
    kinds: ['Snoeischaar', 'Plantschep', 'Hark', 'Gieter', 'Heggenschaar'],
    variants: ['hobby', 'vakman'],
  },
  {
    category: 'Grond en mest',
    reduced: false,
    unit: 'zak',
    price: 725,
    kinds: ['Potgrond', 'Tuinaarde', 'Gedroogde koemest', 'Kalk', 'Boomschors'],
    variants: ['10 liter', '20 liter', '40 liter'],
  },
  {
    category: 'Verpakking',
    reduced: false,
    unit: 'rol',
    price: 1595,
    kinds: ['Bloemenpapier', 'Cellofaan', 'Sierlint', 'Bindtouw'],
    variants: ['naturel', 'wit', 'groen'],
  },
  {
    category: 'Diensten',
    reduced: false,
    unit: 'uur',
    price: 4850,
    kinds: ['Advies beplantingsplan', 'Plaatsen beplanting', 'Onderhoud beplanting', 'Bezorging'],
    variants: ['weekdag', 'weekend'],
  },
] as const;
