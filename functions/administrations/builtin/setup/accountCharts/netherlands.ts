/**
 * A Dutch chart of accounts in the customary decimal arrangement: 0 fixed assets and equity, 1 receivables, payables
 * and money, 2 clearing accounts, 3 stock, 4 costs, 7 cost of sales, 8 revenue, 9 other income and results. One account
 * a line: number, d(ebet) or c(redit), name.
 */
export const netherlands = {
  firstOfIncomeStatement: '4',
  controlAccounts: {
    default_revenue_account: '8000',
    default_cost_account: '7000',
    debtor_account: '1300',
    creditor_account: '1600',
    vat_payable_account: '1500',
    vat_receivable_account: '1530',
    result_account: '0540',
  },
  accounts: `
0010 d Goodwill
0015 c Afschrijving goodwill
0020 d Software en licenties
0025 c Afschrijving software en licenties
0030 d Website en webwinkel
0035 c Afschrijving website en webwinkel
0100 d Bedrijfsterreinen
0110 d Bedrijfspanden
0115 c Afschrijving bedrijfspanden
0120 d Verbouwingen
0125 c Afschrijving verbouwingen
0200 d Machines
0205 c Afschrijving machines
0210 d Koelcellen
0215 c Afschrijving koelcellen
0220 d Gereedschap
0225 c Afschrijving gereedschap
0300 d Kantoorinventaris
0305 c Afschrijving kantoorinventaris
0310 d Computers en randapparatuur
0315 c Afschrijving computers en randapparatuur
0320 d Winkelinrichting
0325 c Afschrijving winkelinrichting
0400 d Personenauto's
0405 c Afschrijving personenauto's
0410 d Bestelauto's
0415 c Afschrijving bestelauto's
0420 d Vrachtwagens en trailers
0425 c Afschrijving vrachtwagens en trailers
0430 d Heftrucks
0435 c Afschrijving heftrucks
0500 c Geplaatst aandelenkapitaal
0510 c Agioreserve
0520 c Wettelijke reserve
0530 c Algemene reserve
0540 c Resultaat vorige boekjaren
0550 c Resultaat lopend boekjaar
0560 c Uit te keren dividend
0600 d Deelnemingen
0610 d Lening aan deelneming
0620 d Waarborgsommen
0630 d Latente belastingvordering
0700 c Hypothecaire lening
0710 c Banklening
0720 c Lening van aandeelhouder
0730 c Financiële lease
0800 c Voorziening groot onderhoud
0810 c Voorziening garanties
0820 c Voorziening latente belastingen
0830 c Voorziening jubilea
1000 d Kas
1010 d Kas winkel
1050 d Kruisposten kas
1100 d Zakelijke betaalrekening
1110 d Spaarrekening
1120 d G-rekening
1130 d Rekening vreemde valuta
1140 d Creditcard
1150 d Betaalprovider onderweg
1190 d Kruisposten bank
1300 d Debiteuren
1305 c Voorziening dubieuze debiteuren
1310 d Nog te factureren omzet
1320 d Vooruitbetaalde kosten
1330 d Vooruitbetaald aan leveranciers
1340 d Te ontvangen creditnota's
1350 d Te ontvangen rente
1360 d Voorschotten personeel
1370 d Rekening-courant directie
1380 d Rekening-courant groepsmaatschappij
1390 d Overige vorderingen
1500 c Af te dragen btw
1505 c Af te dragen btw margeregeling
1510 c Af te dragen btw privégebruik
1515 c Af te dragen btw verlegd
1520 c Af te dragen btw EU-verwervingen
1525 c Af te dragen btw diensten van buiten de EU
1530 d Voorbelasting
1535 d Voorbelasting margeregeling
1540 d Voorbelasting verlegd
1545 d Voorbelasting EU-verwervingen
1550 d Voorbelasting invoer
1560 c Btw-aangifte te betalen
1570 c Btw vorige jaren
1600 c Crediteuren
1610 c Nog te ontvangen facturen
1620 c Vooruitontvangen van klanten
1630 c Te betalen accountantskosten
1640 c Te betalen rente
1650 c Te betalen vennootschapsbelasting
1660 c Ontvangen emballagegeld
1670 c Nog uit te geven cadeaubonnen
1690 c Overige schulden
1700 c Te betalen nettolonen
1710 c Te betalen loonheffing
1720 c Te betalen pensioenpremies
1730 c Reservering vakantiegeld
1740 c Reservering vakantiedagen
1750 c Te betalen bonussen
2000 d Vraagposten
2010 d Tussenrekening betalingen
2020 d Tussenrekening lonen
2030 d Tussenrekening inkopen
2040 d Tussenrekening voorraad
2050 d Tussenrekening webwinkel
2090 d Beginbalans
3000 d Voorraad handelsgoederen
3010 d Voorraad snijbloemen
3020 d Voorraad kamerplanten
3030 d Voorraad potten en vazen
3040 d Voorraad verpakkingsmateriaal
3050 d Onderhanden projecten
3060 d Goederen onderweg
3090 c Voorziening incourante voorraad
4000 d Brutolonen
4010 d Vakantiegeld
4020 d Werkgeverslasten sociale verzekeringen
4030 d Pensioenlasten
4040 d Reiskostenvergoedingen
4050 d Uitzendkrachten
4060 d Inhuur zelfstandigen
4070 d Opleiding en cursussen
4080 d Kantinekosten
4090 d Overige personeelskosten
4095 d Ontvangen ziekengeld
4100 d Huur bedrijfsruimte
4110 d Gas, water en elektriciteit
4120 d Onderhoud gebouwen
4130 d Schoonmaak
4140 d Onroerendezaakbelasting en heffingen
4150 d Beveiliging
4200 d Reclame en advertenties
4210 d Beurzen en evenementen
4220 d Relatiegeschenken
4230 d Representatie en zakelijke maaltijden
4240 d Reis- en verblijfkosten
4250 d Vrachtkosten verkoop
4260 d Verpakkingskosten
4270 d Provisies
4280 d Afschrijving vorderingen
4300 d Brandstof
4310 d Onderhoud vervoermiddelen
4320 d Verzekering vervoermiddelen
4330 d Motorrijtuigenbelasting
4340 d Leasekosten vervoermiddelen
4350 d Parkeren en tol
4400 d Kantoorbenodigdheden
4410 d Telefoon en internet
4420 d Software-abonnementen
4430 d Porti
4440 d Vakliteratuur en abonnementen
4450 d Contributies
4500 d Accountantskosten
4510 d Juridisch advies
4520 d Overige adviezen
4530 d Bedrijfsverzekeringen
4540 d Bankkosten
4550 d Kosten betaalprovider
4560 d Incassokosten
4600 d Onderhoud machines
4610 d Klein gereedschap
4700 d Afschrijving immateriële activa
4710 d Afschrijving gebouwen
4720 d Afschrijving machines en installaties
4730 d Afschrijving inventaris
4740 d Afschrijving vervoermiddelen
4900 d Algemene kosten
4910 d Boetes
4920 d Kasverschillen
4930 d Betalingsverschillen
7000 d Inkoop handelsgoederen
7010 d Inkoop laag tarief
7020 d Inkoop binnen de EU
7030 d Invoer van buiten de EU
7040 d Inkoopvrachten
7050 d Invoerrechten
7060 d Ontvangen inkoopkortingen
7070 d Uitbesteed werk
7080 d Voorraadverschillen
7090 d Prijsverschillen inkoop
8000 c Omzet hoog tarief
8010 c Omzet laag tarief
8020 c Omzet nultarief en vrijgesteld
8030 c Omzet btw verlegd
8040 c Omzet leveringen binnen de EU
8050 c Omzet diensten binnen de EU
8060 c Omzet buiten de EU
8070 c Omzet projecten en arbeid
8080 c Doorbelaste verzendkosten
8090 d Verleende kortingen
9000 c Ontvangen rente
9010 d Betaalde rente
9020 d Koersverschillen
9030 c Boekwinst verkochte activa
9040 d Boekverlies verkochte activa
9050 c Resultaat deelnemingen
9100 c Bijzondere baten
9110 d Bijzondere lasten
9200 d Vennootschapsbelasting
9999 d Nog te verwerken resultaat
`,
} as const;
