import { describe, expect, it } from 'vitest';
import { builtInBankProfiles } from '../../../src/domain/bankfiles/index.ts';
import { readText } from './read-complete-file.ts';

interface Sample {
  readonly text: string;
  readonly in: number;
  readonly out: number;
  readonly currency: string;
  readonly counterparty?: string;
  readonly opening?: number;
  readonly closing?: number;
}

/** Invented rows in the layout of each bank's export. */
const samples: Readonly<Record<string, Sample>> = {
  'ing-nl': {
    text: `"Datum";"Naam / Omschrijving";"Rekening";"Tegenrekening";"Code";"Af Bij";"Bedrag (EUR)";"Mutatiesoort";"Mededelingen";"Saldo na mutatie";"Tag"
"20261003";"Molen BV";"NL91INGB0417164300";"NL02RABO0123456789";"OV";"Bij";"250,00";"Overschrijving";"Factuur 12";"1.237,50";""
"20261002";"Bakkerij";"NL91INGB0417164300";"";"BA";"Af";"12,50";"Betaalautomaat";"Pas 1";"987,50";""
`,
    ...{ in: 25000, out: -1250, currency: 'EUR', counterparty: 'Molen BV', opening: 100000, closing: 123750 },
  },
  'ing-nl-english': {
    text: `"Date";"Name / Description";"Account";"Counterparty";"Code";"Debit/credit";"Amount (EUR)";"Transaction type";"Notifications"
"20261003";"Molen BV";"NL91INGB0417164300";"NL02RABO0123456789";"OV";"Credit";"250,00";"Transfer";"Invoice 12"
"20261002";"Bakery";"NL91INGB0417164300";"";"BA";"Debit";"12,50";"Payment terminal";"Card 1"
`,
    ...{ in: 25000, out: -1250, currency: 'EUR', counterparty: 'Molen BV' },
  },
  rabobank: {
    text: `"IBAN/BBAN","Munt","BIC","Volgnr","Datum","Rentedatum","Bedrag","Saldo na trn","Tegenrekening IBAN/BBAN","Naam tegenpartij","Code","Betalingskenmerk","Omschrijving-1","Omschrijving-2","Oorspr bedrag","Oorspr munt","Koers"
"NL91RABO0417164300","EUR","RABONL2U","000000000000000101","2026-10-02","2026-10-02","-12,50","+987,50","NL02INGB0000000001","Bakkerij","bc","","Pas 1","","","",""
"NL91RABO0417164300","EUR","RABONL2U","000000000000000102","2026-10-03","2026-10-03","+250,00","+1237,50","NL02INGB0000000002","Molen BV","cb","F-12","Factuur","12","","",""
`,
    ...{ in: 25000, out: -1250, currency: 'EUR', counterparty: 'Bakkerij', opening: 100000, closing: 123750 },
  },
  'abn-amro': {
    text: `Rekeningnummer\tMuntsoort\tTransactiedatum\tRentedatum\tBeginsaldo\tEindsaldo\tTransactiebedrag\tOmschrijving
123456789\tEUR\t20261002\t20261002\t1000,00\t987,50\t-12,50\tBEA, Betaalpas Bakkerij
123456789\tEUR\t20261003\t20261003\t987,50\t1237,50\t250,00\tSEPA Overboeking Molen BV
`,
    ...{ in: 25000, out: -1250, currency: 'EUR', opening: 100000, closing: 123750 },
  },
  knab: {
    text: `KNAB EXPORT;;;;;;;;;;
Rekeningnummer;Transactiedatum;Valutacode;CreditDebet;Bedrag;Tegenrekeningnummer;Tegenrekeninghouder;Valutadatum;Betaalwijze;Omschrijving;Type betaling
NL91KNAB0417164300;16-10-2026;EUR;C;250,00;NL02INGB0000000002;Molen BV;16-10-2026;Ontvangen betaling;Factuur 12;
NL91KNAB0417164300;15-10-2026;EUR;D;12,50;NL02INGB0000000001;Bakkerij;15-10-2026;Betaalautomaat;Brood;
`,
    ...{ in: 25000, out: -1250, currency: 'EUR', counterparty: 'Molen BV' },
  },
  bunq: {
    text: `"Date","Interest Date","Amount","Account","Counterparty","Name","Description"
"2026-10-02","2026-10-02","-1.012,50","NL91BUNQ0417164300","NL02INGB0000000001","Bakkerij","Brood"
"2026-10-03","2026-10-03","250,00","NL91BUNQ0417164300","","Molen BV","Factuur 12"
`,
    ...{ in: 25000, out: -101250, currency: 'EUR', counterparty: 'Bakkerij' },
  },
  'deutsche-bank': {
    text: `Umsätze Girokonto;Zeitraum: 01.10.2026 - 25.10.2026;
Neuer Kontostand;1.237,50 EUR
IBAN;DE89370400440532013000
Buchungstag;Wert;Umsatzart;Begünstigter / Auftraggeber;Verwendungszweck;IBAN / Kontonummer;BIC;Kundenreferenz;Mandatsreferenz;Gläubiger ID;Fremde Gebühren;Betrag;Abweichender Empfänger;Anzahl der Aufträge;Anzahl der Schecks;Soll;Haben;Währung
24.10.2026;24.10.2026;SEPA-Lastschrift;Stadtwerke;Abschlag;DE42500105175407324385;COBADEFFXXX;R-9;;;;;;;;-12,50;;EUR
3.10.2026;3.10.2026;SEPA-Gutschrift;Mühle GmbH;Rechnung 12;DE42500105175407324386;COBADEFFXXX;;;;;;;;;;250,00;EUR
`,
    ...{ in: 25000, out: -1250, currency: 'EUR', counterparty: 'Stadtwerke', closing: 123750 },
  },
  'sparkasse-camt': {
    text: `"Auftragskonto";"Buchungstag";"Valutadatum";"Buchungstext";"Verwendungszweck";"Glaeubiger ID";"Mandatsreferenz";"Kundenreferenz (End-to-End)";"Beguenstigter/Zahlungspflichtiger";"Kontonummer/IBAN";"BIC (SWIFT-Code)";"Betrag";"Waehrung";"Info"
"DE89370400440532013000";"24.10.26";"24.10.26";"FOLGELASTSCHRIFT";"Abschlag";"";"";"R-9";"Stadtwerke";"DE42500105175407324385";"X";"-12,50";"EUR";"Umsatz gebucht"
"DE89370400440532013000";"25.10.26";"25.10.26";"GUTSCHR. UEBERWEISUNG";"Rechnung 12";"";"";"";"Mühle GmbH";"DE42500105175407324386";"X";"250,00";"EUR";"Umsatz gebucht"
"DE89370400440532013000";"26.10.26";"26.10.26";"GUTSCHRIFT";"offen";"";"";"";"Mühle GmbH";"";"X";"9,00";"EUR";"Umsatz vorgemerkt"
`,
    ...{ in: 25000, out: -1250, currency: 'EUR', counterparty: 'Stadtwerke' },
  },
  commerzbank: {
    text: `Buchungstag;Wertstellung;Umsatzart;Buchungstext;Betrag;Währung;IBAN Kontoinhaber;Kategorie
24.10.2026;24.10.2026;Lastschrift;Stadtwerke Abschlag;-12,50;EUR;DE89370400440532013000;
25.10.2026;25.10.2026;Gutschrift;Mühle GmbH Rechnung 12;250,00;EUR;DE89370400440532013000;
`,
    ...{ in: 25000, out: -1250, currency: 'EUR' },
  },
  'commerzbank-account': {
    text: `Buchungstag;Wertstellung;Umsatzart;Buchungstext;Betrag;Währung;Auftraggeberkonto;Bankleitzahl Auftraggeberkonto;IBAN Auftraggeberkonto
24.10.2026;24.10.2026;Lastschrift;Stadtwerke Abschlag;-12,50;EUR;532013000;37040044;DE89370400440532013000
25.10.2026;25.10.2026;Gutschrift;Mühle GmbH Rechnung 12;250,00;EUR;532013000;37040044;DE89370400440532013000
`,
    ...{ in: 25000, out: -1250, currency: 'EUR' },
  },
  dkb: {
    text: `"Girokonto";"DE89370400440532013000"
"Kontostand vom 26.10.2026:";"1.237,50 €"
""
"Buchungsdatum";"Wertstellung";"Status";"Zahlungspflichtige*r";"Zahlungsempfänger*in";"Verwendungszweck";"Umsatztyp";"IBAN";"Betrag (€)";"Gläubiger-ID";"Mandatsreferenz";"Kundenreferenz"
"24.10.26";"24.10.26";"Gebucht";"Muster GmbH";"Stadtwerke";"Abschlag";"Ausgang";"DE42";"-12,50 €";"";"";"R-9"
"25.10.26";"25.10.26";"Gebucht";"Mühle GmbH";"Muster GmbH";"Rechnung 12";"Eingang";"DE43";"250,00 €";"";"";""
"26.10.26";"26.10.26";"Vorgemerkt";"Mühle GmbH";"Muster GmbH";"offen";"Eingang";"DE43";"9";"";"";""
`,
    ...{ in: 25000, out: -1250, currency: 'EUR', counterparty: 'Stadtwerke', closing: 123750 },
  },
  n26: {
    text: `"Booking Date","Value Date","Partner Name","Partner Iban","Type","Payment Reference","Account Name","Amount (EUR)","Original Amount","Original Currency","Exchange Rate"
"2026-10-02","2026-10-03","Bakery","","Presentment","","Main","-12.50","-13.80","USD","1.104"
"2026-10-03","2026-10-03","Mill GmbH","DE42500105175407324386","Credit Transfer","Invoice 12","Main","250.0","","",""
`,
    ...{ in: 25000, out: -1250, currency: 'EUR', counterparty: 'Bakery' },
  },
  'n26-older': {
    text: `"Date","Payee","Account number","Transaction type","Payment reference","Amount (EUR)","Amount (Foreign Currency)","Type Foreign Currency","Exchange Rate"
"2026-10-02","Bakery","","MasterCard Payment","","-12.50","-13.80","USD","1.104"
"2026-10-03","Mill GmbH","DE42500105175407324386","Income","Invoice 12","250.0","","",""
`,
    ...{ in: 25000, out: -1250, currency: 'EUR', counterparty: 'Bakery' },
  },
  'credit-agricole': {
    text: `Téléchargement du 26/10/2026;

Compte courant n° 12345678901;
Solde au 26/10/2026 1 237,50 €

Date;Libellé;Débit euros;Crédit euros;
25/10/2026;"VIREMENT EN VOTRE FAVEUR
MOULIN SARL";;1 250,00;
24/10/2026;"PAIEMENT PAR CARTE
BOULANGERIE";12,50;;
`,
    ...{ in: 125000, out: -1250, currency: 'EUR' },
  },
  'bnp-paribas': {
    text: `Date opération;Libellé court;Type opération;Libellé opération;Montant opération en euro
24/10/2026;CARTE;PAIEMENT;BOULANGERIE;-12,50
25/10/2026;VIREMENT;VIREMENT RECU;MOULIN SARL;1 250,00
`,
    ...{ in: 125000, out: -1250, currency: 'EUR' },
  },
  'bbva-es': {
    text: `F.Valor;Fecha;Concepto;Movimiento;Importe;Divisa;Disponible;Divisa;Observaciones
25/10/2026;25/10/2026;Molino SL;Transferencia recibida;250,00;EUR;1.237,50;EUR;Factura 12
24/10/2026;24/10/2026;Panadería;Pago con tarjeta;-12,50;EUR;987,50;EUR;
`,
    ...{ in: 25000, out: -1250, currency: 'EUR', opening: 100000, closing: 123750 },
  },
  'santander-es': {
    text: `Movimientos de la cuenta;ES9121000418450200051332

Fecha operación;Fecha valor;Concepto;Importe;Saldo
24/10/2026;24/10/2026;PANADERIA;-12,50 EUR;987,50 EUR
25/10/2026;25/10/2026;TRANSFERENCIA DE MOLINO SL;250,00 EUR;1.237,50 EUR
`,
    ...{ in: 25000, out: -1250, currency: 'EUR', opening: 100000, closing: 123750 },
  },
  'intesa-sanpaolo': {
    text: `Data;Operazione;Dettagli;Conto o carta;Contabilizzazione;Categoria ;Valuta;Importo
25/10/2026;Mulino SRL;Bonifico fattura 12;Conto 1000/12345;CONTABILIZZATO;Entrate varie;EUR;250,00
24/10/2026;Panificio;Pagamento carta;Conto 1000/12345;CONTABILIZZATO;Spesa;EUR;-12,50
`,
    ...{ in: 25000, out: -1250, currency: 'EUR', counterparty: 'Mulino SRL' },
  },
  aib: {
    text: `Posted Account, Posted Transactions Date, Description1, Description2, Description3, Debit Amount, Credit Amount,Balance,Posted Currency,Transaction Type,Local Currency Amount,Local Currency
"933406-12345678","02/10/2026","VDP-BAKERY","","","12.50",,"987.50",EUR,"Debit"," 10.90",GBP
"933406-12345678","03/10/2026","MILL LTD","IE26012","",,"1,250.00","2237.50",EUR,"Credit"," 1,250.00",EUR
`,
    ...{ in: 125000, out: -1250, currency: 'EUR', opening: 100000, closing: 223750 },
  },
  revolut: {
    text: `Type,Product,Started Date,Completed Date,Description,Amount,Fee,Currency,State,Balance
CARD_PAYMENT,Current,2026-10-01 10:00:00,2026-10-02 10:00:00,Bakery,-12.50,0.00,EUR,COMPLETED,987.50
EXCHANGE,Current,2026-10-03 10:00:00,2026-10-03 10:00:00,To USD,-100.00,2.00,EUR,COMPLETED,885.50
TOPUP,Current,2026-10-04 10:00:00,2026-10-04 10:00:00,Mill Ltd,250.00,0.00,EUR,COMPLETED,1135.50
CARD_PAYMENT,Current,2026-10-05 10:00:00,,Netflix,-12.99,0.00,EUR,REVERTED,
`,
    ...{ in: 25000, out: -11450, currency: 'EUR', opening: 100000, closing: 113550 },
  },
  'revolut-business': {
    text: `Date started (UTC),Date completed (UTC),ID,Type,State,Description,Reference,Payer,Orig currency,Orig amount,Payment currency,Amount,Total amount,Exchange rate,Fee,Fee currency,Balance,Account,Beneficiary name,Sender name
2026-10-02,2026-10-03,aaaa-1,CARD_PAYMENT,COMPLETED,Bakery,,Ann,EUR,11.00,USD,-12.50,-13.00,0.88,0.50,USD,987.00,USD Main,,
2026-10-04,2026-10-04,aaaa-2,TOPUP,COMPLETED,Money added from Mill Ltd,F12,,USD,250.00,USD,250.00,250.00,,0.00,USD,1237.00,USD Main,,Mill Ltd
`,
    ...{ in: 25000, out: -1300, currency: 'USD', opening: 100000, closing: 123700 },
  },
  wise: {
    text: `"TransferWise ID",Date,Amount,Currency,Description,"Payment Reference","Running Balance","Exchange From","Exchange To","Exchange Rate","Payer Name","Payee Name","Payee Account Number",Merchant,"Total fees"
TRANSFER-2,03-10-2026,-100.50,EUR,"Sent money to Bakery","R-9",1149.50,,,,,"Bakery",DE42,,0.50
TRANSFER-1,02-10-2026,250.00,EUR,"Received money from Mill","Inv 12",1250.00,,,,"Mill Ltd",,,,0.00
`,
    ...{ in: 25000, out: -10050, currency: 'EUR', counterparty: 'Bakery', opening: 100000, closing: 114950 },
  },
  barclays: {
    text: `Number,Date,Account,Amount,Subcategory,Memo
 ,03/10/2026,20-00-00 12345678,250.00,Counter Credit,MILL LTD INV 12 BGC
 ,02/10/2026,20-00-00 12345678,-12.50,Card Purchase,BAKERY ON 01 OCT CPM
`,
    ...{ in: 25000, out: -1250, currency: 'GBP' },
  },
  lloyds: {
    text: `Transaction Date,Transaction Type,Sort Code,Account Number,Transaction Description,Debit Amount,Credit Amount,Balance
03/10/2026,FPI,'30-00-00,12345678,MILL LTD,,250.00,1237.50
02/10/2026,DEB,'30-00-00,12345678,BAKERY,12.50,,987.50
`,
    ...{ in: 25000, out: -1250, currency: 'GBP', opening: 100000, closing: 123750 },
  },
  'hsbc-uk': {
    text: `Date,Type,Description,Paid out,Paid in,Balance
02/10/2026,VIS,BAKERY,12.50,,987.50
03/10/2026,CR,MILL LTD,,250.00,1237.50
`,
    ...{ in: 25000, out: -1250, currency: 'GBP', opening: 100000, closing: 123750 },
  },
  monzo: {
    text: `Transaction ID,Date,Time,Type,Name,Emoji,Category,Amount,Currency,Local amount,Local currency,Notes and #tags,Address,Receipt,Description,Category split,Money Out,Money In
tx_001,02/10/2026,11:26:03,Card payment,Bakery,,Eating out,-12.50,GBP,-14.40,EUR,,,,BAKERY PARIS,,-12.50,
tx_002,03/10/2026,07:09:51,Faster payment,Mill Ltd,,Income,250.00,GBP,250.00,GBP,,,,Inv 12,,,250.00
`,
    ...{ in: 25000, out: -1250, currency: 'GBP', counterparty: 'Bakery' },
  },
  postfinance: {
    text: `Datum von:;="01.10.2026"
Datum bis:;="31.10.2026"
Konto:;="CH9300762011623852957"
Währung:;="CHF"

Datum;Bewegungstyp;Avisierungstext;Gutschrift in CHF;Lastschrift in CHF;Label;Kategorie

24.10.2026;Buchung;"EINKAUF BÄCKEREI";;-12.5;;
25.10.2026;Gutschrift;"GUTSCHRIFT MÜHLE AG";1250;;;

Disclaimer:
Dies ist kein Dokument der Bank.
`,
    ...{ in: 125000, out: -1250, currency: 'CHF' },
  },
  'postfinance-older': {
    text: `Datum von:;2026-10-01
Konto:;CH9300762011623852957
Währung:;CHF
Buchungsdatum;Avisierungstext;Gutschrift;Lastschrift;Valuta;Saldo
2026-10-25;"GUTSCHRIFT MÜHLE AG";250.00;;2026-10-25;1237.50
2026-10-24;"EINKAUF BÄCKEREI";;-12.50;2026-10-24;987.50
`,
    ...{ in: 25000, out: -1250, currency: 'CHF', opening: 100000, closing: 123750 },
  },
  ubs: {
    text: `Kontonummer:;0000 00000000.00A;
IBAN:;CH93 0076 2011 6238 5295 7;
Anfangssaldo:;1000.00;
Schlusssaldo:;1237.50;
Bewertet in:;CHF;
Abschlussdatum;Abschlusszeit;Buchungsdatum;Valutadatum;Währung;Belastung;Gutschrift;Einzelbetrag;Saldo;Transaktions-Nr.;Beschreibung1;Beschreibung2;Beschreibung3;Fussnoten;
2026-10-25;;2026-10-25;2026-10-25;CHF;;250.00;;1237.50;T2;Mühle AG;Gutschrift;Rechnung 12;;
2026-10-24;14:23:05;2026-10-24;2026-10-24;CHF;-12.50;;;987.50;T1;Bäckerei;Zahlung Debitkarte;;;
`,
    ...{ in: 25000, out: -1250, currency: 'CHF', counterparty: 'Mühle AG', opening: 100000, closing: 123750 },
  },
  yuh: {
    text: `DATE;ACTIVITY TYPE;ACTIVITY NAME;DEBIT;DEBIT CURRENCY;CREDIT;CREDIT CURRENCY;CARD NUMBER;LOCALITY;RECIPIENT;SENDER;FEES/COMMISSION
24/10/2026;CARD_TRANSACTION_OUT;Bäckerei;-12.50;CHF;;;1234;Bern;;;
25/10/2026;PAYMENT_TRANSACTION_IN;Mühle AG;;;250.00;CHF;;;;Mühle AG;
`,
    ...{ in: 25000, out: -1250, currency: 'CHF' },
  },
  nordea: {
    text: `Bokföringsdag;Belopp;Avsändare;Mottagare;Namn;Rubrik;Saldo;Valuta;
2026/10/25;1 250,00;;;Kvarn AB;Insättning;2 237,50;SEK;
2026/10/24;-12,50;1709 20 72840;;Bageri;Kortköp;987,50;SEK;
`,
    ...{
      in: 125000,
      out: -1250,
      currency: 'SEK',
      counterparty: 'Kvarn AB',
      opening: 100000,
      closing: 223750,
    },
  },
  chase: {
    text: `Details,Posting Date,Description,Amount,Type,Balance,Check or Slip #
CREDIT,10/03/2026,"MILL LLC",250.00,ACH_CREDIT,1237.50,,
DEBIT,10/02/2026,"BAKERY",-12.50,DEBIT_CARD,987.50,,
`,
    ...{ in: 25000, out: -1250, currency: 'USD', opening: 100000, closing: 123750 },
  },
  'bank-of-america-us': {
    text: `Description,,Summary Amt.
Beginning balance as of 10/01/2026,,"1,000.00"
Ending balance as of 10/31/2026,,"1,237.50"

Date,Description,Amount,Running Bal.
10/01/2026,Beginning balance as of 10/01/2026,,"1,000.00"
10/02/2026,"BAKERY","-12.50","987.50"
10/03/2026,"MILL LLC","250.00","1,237.50"
`,
    ...{ in: 25000, out: -1250, currency: 'USD', opening: 100000, closing: 123750 },
  },
  'capital-one': {
    text: `Account Number,Transaction Description,Transaction Date,Transaction Type,Transaction Amount,Balance
1234,BAKERY,10/02/26,Debit,12.50,987.50
1234,MILL LLC,10/03/26,Credit,250.00,1237.50
`,
    ...{ in: 25000, out: -1250, currency: 'USD', opening: 100000, closing: 123750 },
  },
  'capital-one-card': {
    text: `Transaction Date,Posted Date,Card No.,Description,Category,Debit,Credit
2026-10-01,2026-10-02,1234,BAKERY,Dining,12.50,
2026-10-02,2026-10-03,1234,CAPITAL ONE PYMT,Payment,,250.00
`,
    ...{ in: 25000, out: -1250, currency: 'USD' },
  },
  mercury: {
    text: `Date (UTC),Description,Amount,Status,Source Account,Bank Description,Reference,Note,Last Four Digits,Name On Card,Mercury Category,Category,GL Code,Timestamp,Original Currency,Check Number,Tags,Cardholder Email,Tracking ID
10-02-2026,Bakery,-12.50,Sent,Mercury Checking xx1111,BAKERY,,,1234,Ann,Food,,,10-02-2026 13:00:53,EUR,,,,t1
10-03-2026,Mill LLC,250.00,Received,Mercury Checking xx1111,MILL,Inv 12,,,,,,,10-03-2026 13:00:53,USD,,,,t2
10-04-2026,Bakery,-9.00,Pending,Mercury Checking xx1111,BAKERY,,,1234,Ann,Food,,,10-04-2026 13:00:53,USD,,,,t3
`,
    ...{ in: 25000, out: -1250, currency: 'USD', counterparty: 'Bakery' },
  },
};

describe('the built-in profile of a bank', () => {
  it.each(Object.entries(samples))('reads its export: %s', async (name, sample) => {
    const file = await readText(sample.text, { today: '2026-11-01' });
    expect(file.profile?.name).toBe(name);
    expect(file.questions).toEqual([]);
    const sum = (sign: number) =>
      file.lines.reduce((total, { amount_in_cents: cents }) => total + (cents * sign > 0 ? cents : 0), 0);
    const [statement] = file.statements;
    expect({ in: sum(1), out: sum(-1) }).toEqual({ in: sample.in, out: sample.out });
    expect(new Set(file.lines.map(({ currency }) => currency))).toEqual(new Set([sample.currency]));
    expect(file.lines[0]?.counterparty ?? undefined).toBe(sample.counterparty);
    expect(statement?.opening?.amount_in_cents).toBe(sample.opening);
    expect(statement?.closing?.amount_in_cents).toBe(sample.closing);
    expect(file.problems.filter(({ effect }) => effect !== 'skipped')).toEqual([]);
    expect(file.columns.some(({ role }) => role === 'booked_on')).toBe(true);
  });

  it('has a sample in this test', () => {
    const banks = builtInBankProfiles.filter(({ source, name }) => source === 'bank' && name !== 'standard');
    expect(banks.map(({ name }) => name).toSorted()).toEqual(Object.keys(samples).toSorted());
  });
});
