/**
 * A Belgian chart of accounts by the classes of the minimum standard chart: 1 equity and long-term debt, 2 fixed
 * assets, 3 stock, 4 receivables and payables, 5 money, 6 costs, 7 revenue. One account a line: number, d(ebet) or
 * c(redit), name.
 */
export const belgium = {
  firstOfIncomeStatement: '6',
  controlAccounts: {
    default_revenue_account: '700000',
    default_cost_account: '604000',
    debtor_account: '400000',
    creditor_account: '440000',
    vat_payable_account: '451100',
    vat_receivable_account: '411100',
    result_account: '140000',
  },
  accounts: `
100000 c Kapitaal
101000 d Niet opgevraagd kapitaal
110000 c Inbreng buiten kapitaal
111000 c Uitgiftepremies
121000 c Meerwaarde na herwaardering
130000 c Wettelijke reserve
131000 c Reserve niet beschikbaar
132000 c Reserve vrij van belasting
133000 c Reserve beschikbaar
140000 c Winst van vorige boekjaren
141000 d Verlies van vorige boekjaren
150000 c Kapitaalsubsidies
160000 c Voorziening pensioenen
162000 c Voorziening grote onderhoudswerken
163000 c Voorziening milieu
164000 c Voorziening garanties
168000 c Uitgestelde belastingen
170000 c Achtergestelde lening
172000 c Leasingschuld op lange termijn
173000 c Kredietinstelling op lange termijn
174000 c Andere leningen op lange termijn
175000 c Leveranciers op lange termijn
178000 c Ontvangen waarborgen in geld
200000 d Kosten van oprichting
202000 d Andere oprichtingskosten
209000 c Afschrijving oprichtingskosten
210000 d Ontwikkelingskosten
211000 d Licenties en software
211900 c Afschrijving licenties en software
212000 d Goodwill
212900 c Afschrijving goodwill
213000 d Vooruitbetaald op immateriële activa
220000 d Terreinen
221000 d Gebouwen
221900 c Afschrijving gebouwen
222000 d Bebouwde terreinen
230000 d Installaties
230900 c Afschrijving installaties
231000 d Machines
231900 c Afschrijving machines
232000 d Koelinstallaties
232900 c Afschrijving koelinstallaties
233000 d Uitrusting en gereedschap
233900 c Afschrijving uitrusting en gereedschap
240000 d Kantoormeubilair
240900 c Afschrijving kantoormeubilair
241000 d Rollend materieel
241900 c Afschrijving rollend materieel
242000 d Informaticamateriaal
242900 c Afschrijving informaticamateriaal
243000 d Bestelwagens
243900 c Afschrijving bestelwagens
250000 d Activa in leasing
250900 c Afschrijving activa in leasing
260000 d Inrichting gehuurde gebouwen
260900 c Afschrijving inrichting gehuurde gebouwen
270000 d Activa in aanbouw
280000 d Deelnemingen in verbonden ondernemingen
284000 d Andere aandelen
288000 d Betaalde waarborgen
290000 d Handelsvorderingen op lange termijn
300000 d Voorraad grondstoffen
310000 d Voorraad hulpstoffen
320000 d Goederen in bewerking
330000 d Voorraad gereed product
340000 d Voorraad handelsgoederen
341000 d Voorraad snijbloemen
342000 d Voorraad planten
343000 d Voorraad tuinmateriaal
345000 d Voorraad verpakking
349000 c Waardevermindering handelsgoederen
360000 d Vooruitbetaald op voorraad
370000 d Bestellingen in uitvoering
400000 d Handelsdebiteuren
401000 d Te innen wissels
404000 d Op te maken facturen
406000 d Betaalde voorschotten aan leveranciers
407000 d Dubieuze debiteuren
409000 c Waardevermindering dubieuze debiteuren
411000 d Terug te vorderen btw
411100 d Aftrekbare btw op aankopen
411200 d Aftrekbare btw intracommunautair
411300 d Aftrekbare btw medecontractant
411400 d Aftrekbare btw invoer
412000 d Terug te vorderen vennootschapsbelasting
413000 d Terug te vorderen voorheffing
414000 d Te ontvangen opbrengsten
416000 d Diverse vorderingen
416100 d Rekening-courant bestuurder
416200 d Voorschotten aan personeel
418000 d Betaalde waarborgen op korte termijn
420000 c Leningen die binnen het jaar vervallen
422000 c Leasing die binnen het jaar vervalt
430000 c Kredietinstellingen op vaste termijn
433000 c Kaskrediet
440000 c Leveranciers
441000 c Te betalen wissels
444000 c Te ontvangen facturen
450000 c Geraamde vennootschapsbelasting
451000 c Verschuldigde btw
451100 c Verschuldigde btw op verkopen
451200 c Verschuldigde btw intracommunautair
451300 c Verschuldigde btw medecontractant
451400 c Verschuldigde btw invoer
451900 c Btw rekening-courant
452000 c Te betalen vennootschapsbelasting
453000 c Ingehouden bedrijfsvoorheffing
454000 c Rijksdienst sociale zekerheid
455000 c Te betalen bezoldigingen
456000 c Voorziening vakantiegeld
459000 c Andere sociale schulden
460000 c Ontvangen voorschotten van klanten
461000 c Uitstaande geschenkbonnen
471000 c Te betalen dividend
488000 c Ontvangen borgtochten
489000 c Diverse schulden
490000 d Over te dragen kosten
491000 d Verworven opbrengsten
492000 c Toe te rekenen kosten
493000 c Over te dragen opbrengsten
499000 d Wachtrekening
510000 d Aandelen als belegging
530000 d Termijndeposito
550000 d Zichtrekening
551000 d Spaarrekening
552000 d Rekening in vreemde munt
553000 d Kredietkaart
570000 d Kas
571000 d Kas winkel
578000 d Betaalprovider onderweg
580000 d Interne overboekingen
600000 d Aankoop grondstoffen
601000 d Aankoop hulpstoffen
602000 d Aankoop diensten en werk
603000 d Algemene onderaanneming
604000 d Aankoop handelsgoederen
604100 d Aankoop intracommunautair
604200 d Aankoop invoer
605000 d Aankoopvervoer
608000 d Ontvangen kortingen op aankopen
609000 d Voorraadwijziging handelsgoederen
610000 d Huur bedrijfsgebouw
610100 d Onderhoud gebouw
611000 d Onderhoud machines
611100 d Onderhoud informatica
612000 d Elektriciteit
612100 d Aardgas
612200 d Water
612300 d Brandstof
612400 d Kantoorbenodigdheden
612500 d Telefoon en internet
612600 d Portkosten
612700 d Software-abonnementen
613000 d Ereloon boekhouder
613100 d Ereloon advocaat
613200 d Andere erelonen
613300 d Verzekering brand en inboedel
613400 d Verzekering aansprakelijkheid
614000 d Publiciteit
614100 d Beurzen
614200 d Relatiegeschenken
615000 d Restaurantkosten
615100 d Reiskosten
615200 d Parkeerkosten
616000 d Vervoer op verkopen
616100 d Verpakking
617000 d Uitzendkrachten
618000 d Bezoldiging bestuurders
620000 d Lonen bedienden
620100 d Lonen arbeiders
621000 d Werkgeversbijdragen
622000 d Bovenwettelijke verzekeringen
623000 d Andere personeelskosten
623100 d Maaltijdcheques
630000 d Afschrijving oprichtingskosten van het jaar
630100 d Afschrijving immateriële activa van het jaar
630200 d Afschrijving materiële activa van het jaar
631000 d Waardevermindering voorraad
634000 d Waardevermindering handelsvorderingen
637000 d Toevoeging aan voorzieningen
640000 d Verkeersbelasting
640100 d Onroerende voorheffing
640200 d Gemeentebelastingen
641000 d Minderwaarde op materiële activa
642000 d Verlies op handelsvorderingen
643000 d Kasverschillen
650000 d Rente op schulden
654000 d Wisselresultaten
657000 d Bankkosten
657100 d Kosten betaalprovider
663000 d Uitzonderlijke minderwaarden
670000 d Vennootschapsbelasting
691000 d Overgedragen verlies van het vorige jaar
693000 d Over te dragen winst
694000 d Vergoeding van het kapitaal
700000 c Verkoop handelsgoederen 21%
700100 c Verkoop handelsgoederen 12%
700200 c Verkoop handelsgoederen 6%
700300 c Verkoop handelsgoederen 0%
701000 c Verkoop intracommunautair
702000 c Verkoop buiten de EU
703000 c Verkoop medecontractant
705000 c Dienstprestaties
706000 c Werken en plaatsingen
707000 c Doorgerekend vervoer
708000 d Toegekende kortingen
713000 c Wijziging gereed product
720000 c Geproduceerde vaste activa
740000 c Exploitatiesubsidies
741000 c Meerwaarde op materiële activa
743000 c Recuperatie van kosten
744000 c Verhuuropbrengsten
751000 c Rente op deposito's
754000 c Wisselwinsten
756000 c Diverse financiële opbrengsten
763000 c Uitzonderlijke meerwaarden
771000 c Regularisering van belastingen
793000 c Over te dragen verlies
`,
} as const;
