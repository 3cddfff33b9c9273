import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { libreOffice, openInLibreOffice } from '../../../../testing/exports/libreOffice.ts';
import { folderOfTest } from '../../../../testing/temporaryFolder.ts';
import { openExcel } from '../../node.ts';
import { writeFile as writeWorkbook } from '../../savedFile/writeFile.ts';
import { columnIndex } from '../../workbook/cells/address.ts';
import { enterAsTyped } from '../../workbook/changes/tableShape.ts';
import { cellAt, valueAt } from '../../workbook/sheet.ts';
import { Workbook } from '../../workbook/workbook.ts';
import { attachCalculator } from '../calculator.ts';

/** What is typed into the columns, from their first row on. The first nine rows of A:G are the table T. */
const columns: Readonly<Record<string, string>> = {
  A: 'Date|2026-01-15|2026-02-28|2026-03-31|2024-02-29|2025-12-31||2026-06-30|2026-07-01',
  B: 'Account|8000|8000|8100|8100|4000|4000|1300|1300',
  C: "Relation|Jansen|De Vries|Jansen|Bakker B.V.|jansen||Bakker B.V.|O'Neil",
  D: "Text|Factuur 1|Creditnota|Factuur*2||factuur 3|Memo?|Betaling|'TRUE",
  E: 'Amount|1000.5|-250.25|99.99|0|500||-1000.5|12.345',
  F: "Rate|21%|21%|9%|0%|9%||21%|'21%",
  G: "Code|'0100|'0200|'0300|'0400|X-5||100|'1e3",
  I: '-1000|300|420|680|100',
  J: '2026-01-01|2026-07-01|2027-01-01|2027-07-01|2028-01-01',
  K: '3|1|4|1|5|9|2',
  L: "=1/0|abc||TRUE|'12|=NA()",
  M: '0|1000|2000|3000',
  N: '0|0.1|0.2|0.3',
  P: "Relation|'=Jansen||Relation|'=De Vries",
};

/** Formulas with their results, which are LibreOffice's too. */
const results = read(`
=SUMIFS(E2:E9,C2:C9,"Jansen")  →  1600.49
=SUMIFS(E2:E9,D2:D9,"factuur*",E2:E9,">100")  →  1500.5
=SUMIFS(E2:E9,D2:D9,"Factuur~*?")  →  99.99
=SUMIFS(E2:E9,A2:A9,">="&DATE(2026,1,1),A2:A9,"<="&DATE(2026,3,31))  →  850.24
=SUMIFS(T[Amount],T[Account],8000,T[Relation],"<>Jansen")  →  -250.25
=SUMIFS(E2:E9,C2:C9,"?ansen")  →  1600.49
=SUMIF(B2:B9,">=8000",E2:E9)  →  850.24
=SUMIF(B2:B9,8100,E2:E9)  →  99.99
=SUMIF(E2:E9,"<0")  →  -1250.75
=SUMIF(D2:D9,"",E2:E9)  →  0
=SUMIF(D2:D9,"*",E2:E9)  →  362.085
=COUNTIFS(C2:C9,"*B.V.")  →  2
=COUNTIFS(C2:C9,"<>")  →  7
=COUNTIFS(A2:A9,"<2026-01-01")  →  2
=COUNTIFS(C2:C9,"jansen",E2:E9,"<>0")  →  3
=COUNTIFS(D2:D9,"Memo~?")  →  1
=COUNTIF(F2:F9,0.21)  →  3
=COUNTIF(E2:E9,">"&E4)  →  2
=COUNTIF(D2:D9,"")  →  1
=COUNTIF(K1:K7,1)  →  2
=COUNTIF(C2:C9,"O'*")  →  1
=AVERAGEIFS(E2:E9,C2:C9,"Bakker*")  →  -500.25
=AVERAGEIF(B2:B9,"<5000",E2:E9)  →  -162.718333333
=AVERAGEIFS(E2:E9,C2:C9,"nobody")  →  #DIV/0!
=MAXIFS(E2:E9,C2:C9,"jansen")  →  1000.5
=MINIFS(E2:E9,B2:B9,"<>1300")  →  -250.25
=COUNT(A1:G9)  →  29
=COUNTA(A1:G9)  →  57
=COUNTBLANK(A1:G9)  →  6
=SUMPRODUCT((C2:C9="Jansen")*E2:E9)  →  1600.49
=SUMPRODUCT(--(B2:B9>=8000),E2:E9)  →  850.24
=SUMPRODUCT(E2:E5,F2:F5)  →  166.5516
=SUMPRODUCT(--(YEAR(A2:A5)=2026))  →  3
=SUMPRODUCT((MONTH(A2:A4)=2)*(E2:E4))  →  -250.25
=SUMPRODUCT(1/COUNTIF(K1:K7,K1:K7))  →  6
=VLOOKUP(8100,B2:E9,4,FALSE)  →  99.99
=VLOOKUP("fac*",D2:E9,2,FALSE)  →  1000.5
=VLOOKUP(3500,M1:N4,2)  →  0.3
=VLOOKUP(500,M1:N4,2,TRUE)  →  0
=VLOOKUP(4000,B2:E9,5,FALSE)  →  #REF!
=VLOOKUP("0200",G2:G9,1,FALSE)  →  "0200"
=HLOOKUP("Amount",A1:G9,3,FALSE)  →  -250.25
=HLOOKUP("amount",A1:G9,2,0)  →  1000.5
=INDEX(E2:E9,MATCH("Bakker B.V.",C2:C9,0))  →  0
=INDEX(A1:G9,5,3)  →  "Bakker B.V."
=SUM(INDEX(A1:G9,0,5))  →  362.085
=INDEX(E2:E9,20)  →  #REF!
=MATCH(1500,M1:M4,1)  →  2
=MATCH(1500,M1:M4)  →  2
=MATCH(3,{5,4,3,2},-1)  →  3
=MATCH("JANSEN",C2:C9,0)  →  1
=MATCH(TRUE,L1:L6,0)  →  4
=LOOKUP(2500,M1:M4,N1:N4)  →  0.2
=LOOKUP(2,1/(C2:C9="Jansen"),E2:E9)  →  500
=CHOOSE(3,"a","b","c")  →  "c"
=CHOOSE(2.9,"a","b","c")  →  "b"
=SUM(CHOOSE(2,K1:K3,K4:K6))  →  15
=IFERROR(L1,"error")  →  "error"
=IFERROR(L2+1,-1)  →  -1
=IFNA(L6,"missing")  →  "missing"
=IFNA(L1,"missing")  →  #DIV/0!
=IFS(E2<0,"credit",E2>1000,"large",TRUE,"small")  →  "large"
=IFS(FALSE,1)  →  #N/A
=SWITCH(B4,8000,"sales",8100,"services","other")  →  "services"
=SWITCH(B9,8000,"sales","other")  →  "other"
=SWITCH(99,1,2)  →  #N/A
=IF("abc"="ABC",1,0)  →  1
=IF(L3="","empty","filled")  →  "empty"
=IF(L3=0,"zero","other")  →  "zero"
=OR(FALSE,0)  →  FALSE
=XOR(TRUE,TRUE,TRUE)  →  TRUE
=NOT(0)  →  TRUE
=IF("x">5,"text","number")  →  "text"
="10">9  →  TRUE
=L5+1  →  13
=L5=12  →  FALSE
=AVERAGE(K1:K7)  →  3.57142857143
=AVERAGEA(L3:L5)  →  0.5
="5"*"4"  →  20
="21%"*100  →  21
="abc"+1  →  #VALUE!
=L3&"|"  →  "|"
=0.1+0.2=0.3  →  TRUE
=ROUND(2.345,2)  →  2.35
=ROUND(-2.5,0)  →  -3
=ROUND(1234.5,-3)  →  1000
=ROUND(1.005,2)  →  1.01
=ROUND(2.675,2)  →  2.68
=ROUNDUP(2.301,2)  →  2.31
=ROUNDUP(-2.301,2)  →  -2.31
=ROUNDUP(4.35*100,0)  →  435
=ROUNDUP(1.1*1.1,2)  →  1.21
=ROUNDUP(1250,-3)  →  2000
=ROUNDDOWN(2.309,2)  →  2.3
=ROUNDDOWN(-2.309,2)  →  -2.3
=ROUNDDOWN(0.29*100,0)  →  29
=ROUNDDOWN(1.15*100,0)  →  115
=TRUNC(4.35*100)  →  435
=TRUNC(-8.9)  →  -8
=TRUNC(-8.99,1)  →  -8.9
=INT(-8.9)  →  -9
=MROUND(7.25,0.5)  →  7.5
=MROUND(-7,-3)  →  -6
=MROUND(6.05,0.1)  →  6
=MROUND(7.5,5)  →  10
=MROUND(1.125,0.05)  →  1.15
=CEILING(2.5,1)  →  3
=CEILING(-2.5,-2)  →  -4
=CEILING(-2.5,2)  →  -2
=CEILING(2.5,-2)  →  #NUM!
=CEILING(0.234,0.01)  →  0.24
=CEILING(6.3,0.1)  →  6.3
=CEILING(0.3,0.1)  →  0.3
=CEILING(5,0)  →  0
=FLOOR(2.5,1)  →  2
=FLOOR(-2.5,-2)  →  -2
=FLOOR(-2.5,2)  →  -4
=FLOOR(2.5,-2)  →  #NUM!
=FLOOR(1.58,0.1)  →  1.5
=FLOOR(0.3,0.1)  →  0.3
=FLOOR(6.3,0.1)  →  6.3
=CEILING.MATH(-5.5,2)  →  -4
=CEILING.MATH(-5.5,2,-1)  →  -6
=FLOOR.MATH(-5.5,2)  →  -6
=FLOOR.MATH(-5.5,2,-1)  →  -4
=MOD(-3,2)  →  1
=MOD(3,-2)  →  -1
=MOD(-3,-2)  →  -1
=MOD(5.5,1.5)  →  1
=MOD(5,0)  →  #DIV/0!
=QUOTIENT(-10,3)  →  -3
=EVEN(-1)  →  -2
=ODD(1.5)  →  3
=SIGN(-3.2)  →  -1
=ABS(E3)  →  250.25
=-2^2  →  4
=2^3^2  →  64
=10%  →  0.1
=50%%  →  0.005
=5&5+1  →  "56"
=FACT(5)  →  120
=SQRT(-1)  →  #NUM!
=LOG(100)  →  2
=LN(EXP(2))  →  2
=SUMSQ(3,4)  →  25
=PRODUCT(K1:K3)  →  12
=GCD(24,36)  →  12
=LCM(4,6)  →  12
=TEXT(1234.567,"#,##0.00")  →  "1,234.57"
=TEXT(-1234.567,"#,##0.00;(#,##0.00)")  →  "(1,234.57)"
=TEXT(0,"#,##0.00;-#,##0.00;""nil""")  →  "nil"
=TEXT(0.215,"0.0%")  →  "21.5%"
=TEXT(0.5,"#%")  →  "50%"
=TEXT(12,"00000")  →  "00012"
=TEXT(1234.5,"€ #,##0.00")  →  "€ 1,234.50"
=TEXT(46037,"dd-mm-yyyy")  →  "15-01-2026"
=TEXT(46037,"d mmmm yyyy")  →  "15 January 2026"
=TEXT(46037,"ddd dd mmm yy")  →  "Thu 15 Jan 26"
=TEXT(46037,"yyyy-mm-dd hh:mm:ss")  →  "2026-01-15 00:00:00"
=TEXT(0.75,"hh:mm")  →  "18:00"
=TEXT(1.25,"[h]:mm")  →  "30:00"
=TEXT(0.521,"h:mm AM/PM")  →  "12:30 PM"
=TEXT(46037.5,"mmm-yy")  →  "Jan-26"
=TEXT(12345.678,"0.00E+00")  →  "1.23E+04"
=TEXT(0.333333,"# ?/?")  →  " 1/3"
=TEXT("abc","@")  →  "abc"
=TEXT("abc","0.00")  →  "abc"
=TEXT(5,"""No. ""0")  →  "No. 5"
=TEXT(1.5,"0.##")  →  "1.5"
=TEXT(1234567,"#,##0,")  →  "1,235"
=TEXT(1.005,"0.00")  →  "1.01"
=TEXT(2.675,"0.00")  →  "2.68"
=TEXT(3,"General")  →  "3"
=TEXT(123456789012,"0")  →  "123456789012"
=FIXED(1234.567,1)  →  "1,234.6"
=FIXED(1234.567,1,TRUE)  →  "1234.6"
=FIXED(-1234.567,-2)  →  "-1,200"
=DOLLAR(1234.567,2)  →  "$1,234.57"
=DATE(2026,1,31)  →  46053
=DATE(2026,14,1)  →  46419
=DATE(2026,3,0)  →  46081
=DATE(2026,1,-1)  →  46021
=DATE(1900,3,1)  →  61
=DATE(-1,1,1)  →  #NUM!
=MONTH(59)  →  2
=WEEKDAY(1)  →  1
=YEAR("2026-05-06")  →  2026
=MONTH(A3)  →  2
=DAY("15-Mar-2026")  →  15
=EDATE(DATE(2026,1,31),1)  →  46081
=EDATE(DATE(2024,2,29),12)  →  45716
=EDATE(DATE(2026,3,31),-1)  →  46081
=EDATE(DATE(2026,3,31),1.9)  →  46142
=EOMONTH(DATE(2026,1,15),0)  →  46053
=EOMONTH(DATE(2024,1,31),1)  →  45351
=EOMONTH(DATE(2026,3,31),-13)  →  45716
=DATEDIF(DATE(2024,2,29),DATE(2025,2,28),"y")  →  0
=DATEDIF(DATE(2024,2,29),DATE(2025,2,28),"m")  →  11
=DATEDIF(DATE(2025,1,31),DATE(2025,3,1),"m")  →  1
=DATEDIF(DATE(2025,6,15),DATE(2026,8,20),"ym")  →  2
=DATEDIF(DATE(2025,6,15),DATE(2026,8,20),"yd")  →  66
=DATEDIF(DATE(2025,6,15),DATE(2026,8,20),"d")  →  431
=DATEDIF(DATE(2026,8,20),DATE(2025,6,15),"d")  →  #NUM!
=DATEDIF(DATE(2025,6,15),DATE(2026,8,20),"md")  →  5
=DAYS(DATE(2026,3,1),DATE(2026,2,1))  →  28
=WEEKDAY(DATE(2026,3,1))  →  1
=WEEKDAY(DATE(2026,3,1),2)  →  7
=WEEKDAY(DATE(2026,3,1),3)  →  6
=WEEKDAY(DATE(2026,3,1),11)  →  7
=WEEKDAY(DATE(2026,3,1),17)  →  1
=WEEKDAY(DATE(2026,3,1),9)  →  #NUM!
=WEEKNUM(DATE(2026,1,1))  →  1
=WEEKNUM(DATE(2027,1,3),2)  →  1
=WEEKNUM(DATE(2026,12,31),21)  →  53
=WEEKNUM(DATE(2026,1,4),11)  →  1
=ISOWEEKNUM(DATE(2027,1,3))  →  53
=ISOWEEKNUM(DATE(2024,12,30))  →  1
=ISOWEEKNUM(DATE(2020,12,31))  →  53
=NETWORKDAYS(DATE(2026,1,1),DATE(2026,1,31))  →  22
=NETWORKDAYS(DATE(2026,1,31),DATE(2026,1,1))  →  -22
=NETWORKDAYS(DATE(2026,1,1),DATE(2026,1,31),J1:J2)  →  21
=NETWORKDAYS.INTL(DATE(2026,1,1),DATE(2026,1,31),7)  →  21
=NETWORKDAYS.INTL(DATE(2026,1,1),DATE(2026,1,31),"0000011")  →  22
=WORKDAY(DATE(2026,1,1),10)  →  46037
=WORKDAY(DATE(2026,1,1),-5)  →  46016
=WORKDAY(DATE(2026,1,3),0)  →  46025
=WORKDAY(DATE(2026,1,1),1,J1:J2)  →  46024
=WORKDAY.INTL(DATE(2026,1,1),5,11)  →  46029
=YEARFRAC(DATE(2026,1,1),DATE(2026,7,1))  →  0.5
=YEARFRAC(DATE(2026,1,1),DATE(2026,7,1),1)  →  0.495890410959
=YEARFRAC(DATE(2024,1,1),DATE(2026,7,1),1)  →  2.49635036496
=YEARFRAC(DATE(2026,1,1),DATE(2026,7,1),2)  →  0.502777777778
=YEARFRAC(DATE(2026,1,1),DATE(2026,7,1),3)  →  0.495890410959
=YEARFRAC(DATE(2026,1,31),DATE(2026,3,31),4)  →  0.166666666667
=YEARFRAC(DATE(2024,2,29),DATE(2025,2,28),0)  →  1
=DAYS360(DATE(2026,1,31),DATE(2026,3,31))  →  60
=DAYS360(DATE(2026,1,31),DATE(2026,3,31),TRUE)  →  60
=DAYS360(DATE(2026,2,28),DATE(2026,3,31))  →  30
=DAYS360(DATE(2026,1,30),DATE(2026,2,28))  →  28
=DATEVALUE("2026-03-15")  →  46096
=DATEVALUE("abc")  →  #VALUE!
=TIMEVALUE("18:30")  →  0.770833333333
=TIME(25,0,0)  →  0.0416666666667
=HOUR(0.75)  →  18
=SECOND("10:20:30")  →  30
=PMT(0.05/12,360,-200000)  →  1073.64324602
=PMT(0.05/12,360,-200000,0,1)  →  1069.1882948
=PMT(0,12,1200)  →  -100
=PV(0.04,10,-500)  →  4055.44788968
=PV(0.04,10,-500,-1000,1)  →  4893.22997409
=FV(0.06/12,120,-100)  →  16387.9346806
=FV(0.06/12,120,-100,-1000,1)  →  18289.2710881
=FV(0,10,-100)  →  1000
=NPV(0.1,I1:I5)  →  180.936473539
=NPV(0.1,-1000,300,420,680)  →  118.844341234
=IRR(I1:I5)  →  0.191099160089
=IRR(I1:I5,0.1)  →  0.191099160089
=IRR(K1:K3)  →  #NUM!
=MIRR(I1:I5,0.1,0.12)  →  0.159885792311
=XNPV(0.09,I1:I5,J1:J5)  →  354.693433394
=XIRR(I1:I5,J1:J5)  →  0.419906936102
=RATE(48,-200,8000)  →  0.0077014724882
=RATE(10,-100,800,0,1)  →  0.053446167393
=NPER(0.01,-100,5000)  →  69.6607168936
=NPER(0,-100,5000)  →  50
=NPER(0.05,-10,5000)  →  #NUM!
=IPMT(0.1/12,1,36,8000)  →  -66.6666666667
=IPMT(0.1/12,1,36,8000,0,1)  →  0
=PPMT(0.1/12,1,24,2000)  →  -75.6231860084
=PPMT(0.08,10,10,200000)  →  -27598.0534624
=IPMT(0.1,5,3,1000)  →  #NUM!
=CUMIPMT(0.09/12,360,125000,13,24,0)  →  -11135.2321308
=CUMPRINC(0.09/12,360,125000,1,1,0)  →  -68.278271181
=SLN(30000,7500,10)  →  2250
=SYD(30000,7500,10,1)  →  4090.90909091
=DB(1000000,100000,6,1,7)  →  186083.333333
=DB(1000000,100000,6,7,7)  →  15845.0984738
=DB(10000,1000,5,2)  →  2328.39
=DDB(2400,300,10,1)  →  480
=DDB(2400,300,10,10)  →  22.1225472
=DDB(2400,300,10,2,1.5)  →  306
=DDB(2400,300,3650,1)  →  1.31506849315
=VDB(2400,300,10,0,1)  →  480
=VDB(2400,300,10,0,0.875,1.5)  →  315
=EFFECT(0.0525,4)  →  0.0535426673708
=NOMINAL(0.053543,4)  →  0.0525003198684
=ISPMT(0.1/12,1,36,8000)  →  -64.8148148148
=RRI(96,10000,11000)  →  0.000993307376291
=PDURATION(0.025,2000,2200)  →  3.85986616262
=LEFT("Ledger",3)  →  "Led"
=LEFT("Ledger")  →  "L"
=RIGHT("Ledger",2)  →  "er"
=MID("Ledger",2,3)  →  "edg"
=MID("Ledger",10,3)  →  ""
=MID("Ledger",0,3)  →  #VALUE!
=LEN(" a b ")  →  5
=FIND("e","Ledger",3)  →  5
=FIND("E","Ledger")  →  #VALUE!
=SEARCH("E","Ledger")  →  2
=SEARCH("g?r","Ledger")  →  4
=SEARCH("d*r","Ledger")  →  3
=SEARCH("~?",D7)  →  5
=SUBSTITUTE("a-b-c","-","+")  →  "a+b+c"
=SUBSTITUTE("a-b-c","-","+",2)  →  "a-b+c"
=SUBSTITUTE("aaa","aa","b")  →  "ba"
=REPLACE("abcdef",2,3,"X")  →  "aXef"
=TRIM("  a   b  ")  →  "a b"
=CLEAN("a"&CHAR(10)&"b")  →  "ab"
=PROPER("de heer o'neil-van dam 2nd")  →  "De Heer O'Neil-Van Dam 2Nd"
=LOWER("ÀÉ")  →  "àé"
=TEXTJOIN(", ",TRUE,C2:C5)  →  "Jansen, De Vries, Jansen, Bakker B.V."
=CONCAT(K1:K3,"x")  →  "314x"
=VALUE("1,234.50")  →  1234.5
=VALUE("$1,000")  →  1000
=VALUE("21%")  →  0.21
=VALUE("(50)")  →  -50
=VALUE("1e3")  →  1000
=VALUE("abc")  →  #VALUE!
=VALUE("")  →  #VALUE!
=VALUE("10:30")  →  0.4375
=VALUE("2026-03-15")  →  46096
=NUMBERVALUE("1.234,56",",",".")  →  1234.56
=NUMBERVALUE("12%%")  →  0.0012
=NUMBERVALUE("1 234,5",","," ")  →  1234.5
=NUMBERVALUE("a")  →  #VALUE!
=EXACT("abc","ABC")  →  FALSE
=EXACT("abc","abc")  →  TRUE
=REPT("ab",3)  →  "ababab"
=REPT("ab",2.9)  →  "abab"
=REPT("ab",0)  →  ""
=CHAR(65)  →  "A"
=CODE("A")  →  65
=UNICHAR(8364)  →  "€"
=UNICODE("€")  →  8364
=T(E2)  →  ""
=N("5")  →  0
=N(TRUE)  →  1
=SUBTOTAL(9,E2:E9)  →  362.085
=SUBTOTAL(1,K1:K7)  →  3.57142857143
=SUBTOTAL(3,C2:C9)  →  7
=SUBTOTAL(2,E2:E9)  →  7
=SUBTOTAL(4,K1:K7)  →  9
=SUBTOTAL(7,K1:K7)  →  2.81999662276
=SUBTOTAL(109,E2:E9)  →  362.085
=AGGREGATE(14,6,K1:K7,2)  →  5
=AGGREGATE(4,4,K1:K7)  →  9
=RANK(4,K1:K7)  →  3
=RANK(1,K1:K7,1)  →  1
=RANK(1,K1:K7)  →  6
=RANK.AVG(1,K1:K7)  →  6.5
=LARGE(K1:K7,2)  →  5
=SMALL(K1:K7,2)  →  1
=PERCENTILE(K1:K7,0.3)  →  1.8
=PERCENTILE.EXC(K1:K7,0.3)  →  1.4
=PERCENTILE.EXC(K1:K7,0.01)  →  #NUM!
=QUARTILE(K1:K7,1)  →  1.5
=QUARTILE.EXC(K1:K7,3)  →  5
=MEDIAN(K1:K7)  →  3
=MEDIAN(K1:K6)  →  3.5
=MODE(K1:K7)  →  1
=STDEV(K1:K7)  →  2.81999662276
=STDEV.P(K1:K7)  →  2.61080955464
=VAR(K1:K7)  →  7.95238095238
=VAR.P(K1:K7)  →  6.81632653061
=AVEDEV(K1:K7)  →  2.08163265306
=GEOMEAN(K1:K7)  →  2.71235325309
=HARMEAN(K1:K7)  →  2.06219312602
=TRIMMEAN(K1:K7,0.3)  →  3
=CORREL(K1:K4,M1:M4)  →  -0.258198889747
=SLOPE(K1:K4,M1:M4)  →  -0.0003
=INTERCEPT(K1:K4,M1:M4)  →  2.7
=FORECAST(2500,K1:K4,M1:M4)  →  1.95
=RSQ(K1:K4,M1:M4)  →  0.0666666666667
=SUM(TREND(K1:K4,M1:M4,M1:M4))  →  9
=INDEX(LINEST(K1:K4,M1:M4),1,2)  →  2.7
=INDEX(LINEST(K1:K4,M1:M4,FALSE),1,1)  →  0.000857142857143
=INDEX(LOGEST(K1:K4,M1:M4,FALSE),1,1)  →  1.00019806166
=SUM(FREQUENCY(K1:K7,{2,4})*{1;10;100})  →  223
=SUM(T[Amount])  →  362.085
=COLUMNS(T)  →  7
=SUM(T[[Amount]:[Rate]])  →  362.895
=T[[#Headers],[Amount]]  →  "Amount"
=SUBTOTAL(109,T[Amount])  →  362.085
=INDEX(T[Relation],2)  →  "De Vries"
=L1+1  →  #DIV/0!
=SUM(L1:L5)  →  #DIV/0!
=L6  →  #N/A
=ISERROR(L1)  →  TRUE
=ISNA(L6)  →  TRUE
=ISERR(L6)  →  FALSE
=ERROR.TYPE(L1)  →  2
=ERROR.TYPE(L6)  →  7
=ISBLANK(L3)  →  TRUE
=ISTEXT(L5)  →  TRUE
=ISNUMBER(A2)  →  TRUE
=ISNUMBER("5")  →  FALSE
=ISLOGICAL(L4)  →  TRUE
=TYPE(L5)  →  2
=1/0  →  #DIV/0!
=#N/A  →  #N/A
=NA()  →  #N/A
=SQRT("x")  →  #VALUE!
=10^400  →  #NUM!
=VLOOKUP("x",A1:A2,1,FALSE)  →  #N/A
=INDIRECT("E2")  →  1000.5
=SUM(OFFSET(E1,1,0,3,1))  →  850.24
=ADDRESS(2,3)  →  "$C$2"
=ADDRESS(2,3,4)  →  "C2"
=ADDRESS(2,3,1,FALSE)  →  "R2C3"
=ADDRESS(2,3,1,TRUE,"My sheet")  →  "'My sheet'!$C$2"
=ROW(E5)  →  5
=COLUMN(E5)  →  5
=ROWS(E2:E9)  →  8
=BASE(255,16)  →  "FF"
=DEC2HEX(255)  →  "FF"
=ROMAN(2026)  →  "MMXXVI"
=ARABIC("MMXXVI")  →  2026
=DSUM(A1:G9,"Amount",P1:P2)  →  1600.49
=DCOUNT(A1:G9,"Amount",P1:P2)  →  3
=DGET(A1:G9,"Code",P4:P5)  →  "0200"
=YEARFRAC(DATE(2026,2,28),DATE(2026,3,31),0)  →  0.0861111111111
=ROUNDDOWN(8.94-8,2)  →  0.94
=DATEDIF("2026-01-01","2026-05-31","m")  →  4
=WEEKDAY("2026-03-01",2)  →  7
=EDATE(1,1)  →  32
=EOMONTH(60,0)  →  60
=WORKDAY.INTL(DATE(2026,1,1),-5,"0000011",J1:J2)  →  46016
=SUM(YEAR(A2:A4))  →  6078
=TEXT(46037,"[$-413]d mmmm yyyy")  →  "15 januari 2026"
=TEXTJOIN({"-","/"},TRUE,K1:K4)  →  "3-1/4-1"
=TEXTJOIN(C2:C3,FALSE,"a",L3,"b","c")  →  "aJansenDe VriesbJansenc"
=TEXTJOIN({"-","/"},TRUE,"a",L1:L2)  →  #DIV/0!
=COUNT("3","x",1+1,K1:K3)  →  5
=ROW(INDIRECT("A5"))  →  5
=COLUMN(INDIRECT("Sheet1!$C$5"))  →  3
=SUM(ROW(INDIRECT("1:"&K1)))  →  6
=SUM(E2,L2,L5)  →  1000.5
=SUM(L2)  →  0
=SUM(G2,G3,K1)  →  3
=MAX(L2,K1,L5)  →  3
=MIN(L5,K2:K3,L2)  →  1
=AVERAGE(L5,K1)  →  3
=COUNT(L5,K1,E1)  →  1
=PRODUCT(D2,K1)  →  3
=MEDIAN(L5,K1)  →  3
=SUM(INDEX(L1:L6,5),K1)  →  3
=SUM(INDIRECT("L5"),OFFSET(L1,1,0))  →  0
=SUM(L5+0,L5*1)  →  24
=SUM(IF(L5="12",L5*2))  →  24
=OR(L2,E2>0)  →  TRUE
=TEXT("5","0.00")  →  "5.00"
=TEXT("2026-03-15","d mmm")  →  "15 Mar"
=DAYS360(DATE(2002,2,28),DATE(2006,2,28))  →  1438
=ROUNDDOWN(-1234.5,-2)  →  -1200
=ROUNDUP(-0.0001,0)  →  -1
=IF(0.1+0.2=0.3,"equal","different")  →  "equal"
=IF(SUM(E2:E4)=850.24,"equal","different")  →  "equal"
=ROUND(-1.005,2)  →  -1.01
=SUMPRODUCT((B2:B9=8000)*(E2:E9>0)*E2:E9)  →  1000.5
`);

/** Those with functions that only newer versions of LibreOffice have. */
const newer = read(`
=XMATCH(1500,M1:M4,-1)  →  2
=XMATCH(1500,M1:M4,1)  →  3
=XMATCH("jansen",C2:C9,0,-1)  →  5
=XLOOKUP("O'Neil",C2:C9,E2:E9)  →  12.345
=XLOOKUP("nobody",C2:C9,E2:E9,"none")  →  "none"
=XLOOKUP(1500,M1:M4,N1:N4,,-1)  →  0.1
=XLOOKUP("bak*",C2:C9,E2:E9,,2)  →  0
=SUM(XLOOKUP("Rate",A1:G1,A2:G5))  →  0.51
=TEXTBEFORE("a-b-c","-",2)  →  "a-b"
=TEXTAFTER("a-b-c","-",-1)  →  "c"
=SUM(FILTER(E2:E9,B2:B9=8000))  →  750.25
=TEXTJOIN("|",TRUE,SORT(K1:K7))  →  "1|1|2|3|4|5|9"
=TEXTJOIN("|",TRUE,SORT(K1:K7,1,-1))  →  "9|5|4|3|2|1|1"
=TEXTJOIN("|",TRUE,UNIQUE(K1:K7))  →  "3|1|4|5|9|2"
=TEXTJOIN("|",TRUE,UNIQUE(C2:C6))  →  "Jansen|De Vries|Bakker B.V."
=TEXTJOIN("|",TRUE,SEQUENCE(2,3,10,5))  →  "10|15|20|25|30|35"
=TEXTJOIN("|",TRUE,SORTBY(C2:C5,E2:E5))  →  "De Vries|Bakker B.V.|Jansen|Jansen"
=FILTER(E2:E9,B2:B9=1,"none")  →  "none"
=SUM(TAKE(K1:K7,-2))  →  11
=SUM(DROP(K1:K7,5))  →  11
=TEXTJOIN("|",TRUE,UNIQUE(K1:K7,FALSE,TRUE))  →  "3|4|5|9|2"
=TEXTJOIN("|",TRUE,SORT(HSTACK(C2:C4,E2:E4),2))  →  "De Vries|-250.25|Jansen|99.99|Jansen|1000.5"
=LET(net,E2,vat,0.21,ROUND(net*vat,2))  →  210.11
=LET(x,1,y,x+1,x&y)  →  "12"
=SUM(MAP(K1:K3,LAMBDA(x,x*2)))  →  16
=REDUCE(0,K1:K3,LAMBDA(a,b,a*10+b))  →  314
`);

/** LibreOffice has other results: Excel's are those that Microsoft describes. */
const different = read(`
=AND(L4,1,"TRUE")  →  TRUE  because  a text that is a truth value is an argument as any
=TRUE>"zzz"  →  TRUE  because  truth values come after texts
=SUM(L3:L5)  →  0  because  truth values in cells are no numbers
=COUNT(TRUE,L4)  →  1  because  truth values count that are written in the formula
=DOLLAR(-1234.567,1)  →  "($1,234.6)"  because  the negative amounts of this language are in parentheses
=SUM(L4,K1)  →  3  because  truth values in cells are no numbers
=AND(L5,L4)  →  TRUE  because  truth values in cells are truth values
=LAMBDA(x,x+1)(4)  →  5  because  a LAMBDA is called where it stands
=1+LAMBDA(x,y,x*y)(4,LAMBDA(x,x+K1)(1))  →  17  because  a LAMBDA is called where it stands
=LAMBDA(x,LAMBDA(y,x+y))(1)(2)  →  3  because  a LAMBDA is called where it stands
=SUM(LAMBDA(r,r*2)(K1:K3))  →  16  because  a LAMBDA is called where it stands
=SUM("3",TRUE)  →  4  because  what is written in the formula is a number
=COUNT(L1:L6)  →  0  because  truth values in cells are no numbers
=MAX(L3:L5)  →  0  because  truth values in cells are no numbers
=L4&""  →  "TRUE"  because  a truth value has a text
=MROUND(7,-3)  →  #NUM!  because  the signs differ
=FLOOR(5,0)  →  #DIV/0!  because  it divides by zero
=POWER(-8,1/3)  →  #NUM!  because  no root of a negative number
=TEXT(1,"0.##")  →  "1."  because  the point of the format stays
=TEXT(TRUE,"0")  →  "TRUE"  because  a truth value has no format
=DATE(26,1,1)  →  9498  because  1900 is added to a lower year
=DATE(1900,1,1)  →  1  because  1900 has a 29 February
=DATE(1900,2,28)  →  59  because  1900 has a 29 February
=DATE(1900,2,29)  →  60  because  1900 has a 29 February
=DATE(1899,12,31)  →  693962  because  1900 is added to a lower year
=DATE(0,0,0)  →  #NUM!  because  before the first date
=YEAR(1)  →  1900  because  the calendar begins on 1 January 1900
=DAY(60)  →  29  because  1900 has a 29 February
=DAY(1)  →  1  because  the calendar begins on 1 January 1900
=DAY(0)  →  0  because  the day before the first
=YEAR(-1)  →  #NUM!  because  before the first date
=NETWORKDAYS.INTL(DATE(2026,1,1),DATE(2026,1,31),0)  →  #NUM!  because  no weekend has this number
=WORKDAY.INTL(DATE(2026,1,1),5,0)  →  #NUM!  because  no weekend has this number
=DATEVALUE("15 March 2026")  →  46096  because  a date as it may be typed
=FIND("","abc")  →  1  because  nothing is found at once
=TEXTJOIN("-",FALSE,L3:L5)  →  "-TRUE-12"  because  a truth value has a text
=CONCATENATE("a",1,TRUE)  →  "a1TRUE"  because  a truth value has a text
=NUMBERVALUE("")  →  0  because  an empty text is 0
=AGGREGATE(9,6,L1:L6)  →  0  because  truth values in cells are no numbers
=AGGREGATE(9,4,L1:L6)  →  #DIV/0!  because  the first error
=RANK(7,K1:K7)  →  #N/A  because  the number is not among them
=LARGE(K1:K7,8)  →  #NUM!  because  there are fewer numbers
=PERCENTRANK(K1:K7,4)  →  0.666  because  three digits, and no rounding
=MODE(M1:M4)  →  #N/A  because  no number is there twice
=COUNTA(T[#Headers])  →  7  because  every heading
=EOMONTH(0,0)  →  31  because  the calendar begins on 1 January 1900
`);

/** Not a wrong figure, but none. */
const refused = ['=SUM(TREND(K1:K4,M1:M4,M1:M4,FALSE))', '=SUM(GROWTH(K1:K4,M1:M4,M1:M4,FALSE))', '=WEEKNUM(1)'];

function read(lines: string): [formula: string, value: string | number | boolean][] {
  return lines
    .trim()
    .split('\n')
    .map((line) => {
      const [formula = '', value = ''] = line.split(/ {2}(?:→|because) {2}/);
      const isText = value.startsWith('#');
      return [
        formula,
        isText ? value : (JSON.parse(value.replace(/^(?:TRUE|FALSE)$/, (word) => word.toLowerCase())) as string),
      ];
    });
}

const COLUMN = columnIndex('T');

/** The workbook with formulas in its column T. @param numbers the rows whose results LibreOffice shows as numbers */
async function workbookWith(formulas: readonly string[], numbers: readonly number[] = []): Promise<Workbook> {
  const workbook = new Workbook();
  const type = (row: number, column: number, text: string) =>
    enterAsTyped(workbook.active, { row, column, rows: 1, columns: 1 }, text);
  for (const [letter, texts] of Object.entries(columns)) {
    for (const [row, text] of texts.split('|').entries()) if (text !== '') type(row, columnIndex(letter), text);
  }
  const { Excel } = openExcel(workbook);
  await Excel.run(async (context) => {
    const sheet = context.workbook.worksheets.getActiveWorksheet();
    sheet.tables.add('A1:G9', true).name = 'T';
    for (const row of numbers) sheet.getRange(`T${row + 1}`).numberFormat = [['0.00000000000000E+00']];
    await context.sync();
  });
  for (const [row, formula] of formulas.entries()) type(row, COLUMN, formula);
  return workbook;
}

/** A number by its first nine digits. */
const rounded = (value: unknown) => (typeof value === 'number' ? value.toExponential(8) : value);

describe('The functions of accountants', () => {
  const all = [...results, ...newer, ...different];

  test('have the results that Microsoft describes', async () => {
    const workbook = await workbookWith(all.map(([formula]) => formula));
    attachCalculator(workbook);
    const found = all.map(([formula], row) => [formula, rounded(valueAt(workbook.active, row, COLUMN))]);
    expect(found).toEqual(all.map(([formula, value]) => [formula, rounded(value)]));
  });

  test('say so where they cannot be calculated', async () => {
    const workbook = await workbookWith(refused);
    attachCalculator(workbook);
    for (const [row, formula] of refused.entries()) {
      const { value, message } = cellAt(workbook.active, row, COLUMN)!;
      expect([formula, value, message?.length]).toEqual([formula, '#CALC!', expect.any(Number)]);
    }
  });

  test('in Dutch read and write texts as Dutch people do', () => {
    const dutch: [string, string | number][] = [
      ['=TEKST(46037;"d mmmm jjjj")', '15 januari 2026'],
      ['=TEKST(1234,5;"#.##0,00")', '1.234,50'],
      ['=TEKST(0,75;"uu:mm")', '18:00'],
      ['=TEKST(3;"Standaard")', '3'],
      ['=TEKST(WAAR;"0")', 'WAAR'],
      ['=WAARDE("1.234,5")', 1234.5],
      ['=JAAR("15-3-2026")', 2026],
      ['=NUMERIEKE.WAARDE("1.234,5")', 1234.5],
      ['=DAG("3-4-2026")', 3],
      ['=VAST(1234,567;1)', '1.234,6'],
      ['=VAST(1234,567)', '1.234,57'],
      ['=VAST(-1234,567;-2)', '-1.200'],
      ['=VAST(1234,567;1;WAAR)', '1234,6'],
      ['=VAST(1,005;2)', '1,01'],
      ['=VAST("x")', '#VALUE!'],
      ['=EURO(1234,567)', '€ 1.234,57'],
      ['=EURO(-1234,5;1)', '€ -1.234,5'],
      ['=EURO(1250;-2)', '€ 1.300'],
      ['=DATUMWAARDE("31-1-2024")', 45_322],
      ['=DATUMWAARDE("31-1-2024 18:00")', 45_322],
      ['=DATUMWAARDE("31 januari 2024")', 45_322],
      ['=DATUMWAARDE("45322")', '#VALUE!'],
      ['=DATUMWAARDE("geen datum")', '#VALUE!'],
      ['=TIJDWAARDE("31-1-2024 18:00")', 0.75],
      ['=TIJDWAARDE("6:00")', 0.25],
    ];
    const workbook = new Workbook('nl');
    for (const [row, [formula]] of dutch.entries()) {
      enterAsTyped(workbook.active, { row, column: 0, rows: 1, columns: 1 }, formula);
    }
    attachCalculator(workbook);
    expect(dutch.map(([formula], row) => [formula, valueAt(workbook.active, row, 0)])).toEqual(dutch);
  });

  test.skipIf(!libreOffice.isThere)(libreOffice.title('have the results of another program'), async () => {
    const compared = [...results, ...newer];
    const numbers = compared.flatMap(([, value], row) => (typeof value === 'number' ? [row] : []));
    // Without results in the file, the other program calculates.
    const workbook = await workbookWith(
      compared.map(([formula]) => formula),
      numbers,
    );
    const file = path.join(folderOfTest(), 'functions.xlsx');
    await writeFile(file, await writeWorkbook(workbook, '8e9b2af3-7cb4-48ed-836e-ae08f8e731ea'));
    const rows = (await openInLibreOffice(file)).Sheet1!;
    const differing: string[] = [];
    for (const [row, [formula, value]] of compared.entries()) {
      const shown = rows[row]?.[COLUMN] ?? '';
      const isUnknown = shown === '#NAME?' && row >= results.length;
      // It has numbers for the errors that Excel calls #NUM!, #REF! and #VALUE!.
      const isError = typeof value === 'string' && /^#(?:NUM!|REF!|VALUE!)$/.test(value) && /^#?Err:5\d\d$/.test(shown);
      if (isUnknown || isError) continue;
      const isConstant = /^#(?:TRUE|FALSE)$/.test(shown);
      const other = typeof value === 'number' ? rounded(Number(shown.slice(1))) : isConstant ? shown.slice(1) : shown;
      const ours = typeof value === 'boolean' ? String(value).toUpperCase() : rounded(value);
      if (other !== ours) differing.push(`${formula} ${other}`);
    }
    expect(differing).toEqual([]);
  });
});
