import type { BankProfileField } from '../model/profile.ts';
import { findPartialHeaderMeanings } from './partial-header-matches.ts';
import { normalizeColumnName } from './table-rows.ts';

/** Column names used by banks, most reliable first, compared after `normalizeColumnName`. */
const words: { readonly [Name in BankProfileField]?: readonly string[] } = {
  booked_on: [
    'booking date|posting date|posted date|post date|posted|date posted|buchungstag|buchungsdatum|boekdatum|boekingsdatum|date comptable|date de comptabilisation|fecha contable|fecha de contabilizacion|data contabile|data ksiegowania|data zaksiegowania|data contabilistica|bokforingsdag|bokforingsdato|bokforingsdatum|bogfort|bogforingsdato|bokfort dato|kirjauspaiva|datum zauctovani|konyveles datuma|date booked|booked on|booked at|booked|transaction date|trans date|trans. date|date|buchung|datum|transactiedatum|date operation|fecha|fecha operacion|data|data operazione|data operacji|data lancamento|data mov.|datum valuty|datetime|date time|completed date|date completed|process date|completed date (utc)|date (utc)|operation date|operation date (utc)|execution date|entry date|fecha de operacion|fecha mov|f.operacion|data movimento|dato|maksupaiva|datum provedeni|data tranzactiei|tarih|islem tarihi|дата|дата операции|дата проводки|ημερομηνια|取引日|日付|年月日|交易日期|거래일자|buchungszeit|abschlussdatum|created|created at|created (utc)|started date|transaction created',
  ],
  value_on: [
    'value date|valor|valordato|valuteringsdato|valuta|valuta datum|valuutta|f.valor|fecha de valor|data valoare|ertknap|rentedato|valutadatum|wertstellung|wertstellungstag|rentedatum|date de valeur|date valeur|valeur|fecha valor|data valuta|data waluty|data valor|arvopaiva|interest date|effective date|settlement date|available on',
  ],
  amount: [
    'amount in account currency|booked amount|posted amount|settlement amount|account amount|amount|betrag|umsatz|bedrag|montant|importe|importo|kwota|valor|belop|beloep|summa|maara|transaction amount|amount (local)|paid amount|net amount|monto|cantidad|movimiento|bedrag (eur)|transactiebedrag|montante|importe operacion|castka|suma|osszeg|tutar|islem tutari|сумма|ποσο|金額|金额|거래금액|belob|belop|total amount|billing amount|value',
  ],
  credit: [
    'credit|credit amount|credits|credit amt|money in|paid in|deposit|deposits|depositos|deposit amount|deposit amt|amount credited|haben|gutschrift|entrate|avere|accrediti|abono|haber|ingreso|credito|entrada|indbetaling|inn|in|receipts|received|credit (+)|inkomend|bij|wplywy|uznania',
  ],
  debit: [
    'debit|debit amount|debits|debit amt|money out|paid out|withdrawal|withdrawals|withdrawal amount|withdrawal amt|amount debited|soll|belastung|lastschrift|uscite|dare|addebiti|cargo|debe|gasto|debito|saida|udbetaling|ut|out|payments|paid|debit (-)|uitgaand|af|wydatki|obciazenia',
  ],
  direction: [
    'af bij|debit/credit|creditdebet|debetcredit|debit credit|dc|d/c|cr/dr|dr/cr|debit or credit|credit debit indicator|credit/debit|soll/haben|s/h|sens|direction|credit or debit|transaction direction|cdtdbtind',
  ],
  currency: [
    'currency|posted currency|ccy|valuta|wahrung|waehrung|munt|valuta code|devise|divisa|moneda|waluta|moeda|valuutta|valutakod|currency code|account currency|iso currency',
  ],
  description: [
    'description|details|narrative|transaction description|verwendungszweck|buchungstext|omschrijving|mededelingen|libelle|libelle operation|concepto|descripcion|descrizione|causale|opis|opis operacji|historico|descricao|text|tekst|forklaring|beskrivelse|beskrivning|viesti|selitys|memo|particulars|remarks|narration|transaction details|transaction|purpose|betreff|name / description|description 1|notification|notifications|original description|statement description|extended details|label',
  ],
  reference: [
    'reference|ref|reference number|ref no|ref no.|ref. number|transaction reference|payment reference|customer reference|kundenreferenz|kundenreferenz (end-to-end)|payment reference number|end-to-end id|end to end id|endtoendid|end-to-end-referenz|kenmerk|betalingskenmerk|reference client|referencia|riferimento|referencja|viite|viitenumero|referens|kid|invoice number|invoice|cheque number|check number|check or slip #|chq/ref number|bank reference',
  ],
  counterparty: [
    'payee|counterparty|name|counterparty name|beguenstigter/zahlungspflichtiger|begunstigter/zahlungspflichtiger|auftraggeber / begunstigter|auftraggeber/empfanger|name zahlungsbeteiligter|empfanger|zahlungspflichtiger|tegenpartij|naam tegenpartij|naam / omschrijving|beneficiaire|tiers|beneficiario|controparte|kontrahent|nadawca/odbiorca|favorecido|avsander|mottagare|saaja/maksaja|merchant|merchant name|from/to|received from|paid to|payer|sender|customer|beneficiary|payer or payee|name 1|contact',
  ],
  bank_id: [
    'transaction id|fitid|bank id|transaction number|trans id|id|unique id|entry id|buchungsnummer|volgnr|arkivointitunnus|archive id|numer transakcji|transaction hash|transferwise id|journal id',
  ],
  balance: [
    'balance|running balance|running bal.|account balance|saldo|kontostand|saldo nach buchung|saldo na trn|solde|saldo disponible|saldo contabile|saldo po operacji|balance after|closing balance|ledger balance|balance after transaction|available balance|stand',
  ],
  account: [
    'account|posted account|account number|account no|account iban|iban|auftragskonto|kontonummer|iban auftragskonto|rekening|iban/bban|compte|cuenta|conto|konto|rachunek|conta|tili|account name|numero de compte|account id',
  ],
  fee: [
    'fee|fees|fee amount|total fee|total fees|fees/commission|transaction fee|gebuhr|gebuhren|kosten|frais|comision|comisiones|commissione|commissioni|avgift|gebyr|prowizja|oplata|poplatek',
  ],
  foreign_amount: ['original amount|orig amount|oorspr bedrag|betrag ursprung|amount (foreign currency)'],
  foreign_currency: ['original currency|orig currency|oorspr munt|wahrung ursprung|type foreign currency'],
  status: [
    'status|state|transaction status|posting status|info|stato|estado|situacao|situacion|statut|etat|tila|tilstand|durum|allapot|buchungsstatus|statustransakcji|stan transakcji|stav platby|stav transakce',
  ],
};

/** A possible meaning of a column. Rank 0 is the most reliable. */
export type ColumnMeaning = { readonly field: BankProfileField; readonly rank: number };

const listedMeanings: ReadonlyMap<string, readonly ColumnMeaning[]> = (() => {
  const meanings = new Map<string, ColumnMeaning[]>();
  for (const [field, lists] of Object.entries(words)) {
    const names = lists.flatMap((list) => list.split('|'));
    names.forEach((name, rank) => {
      const plain = normalizeColumnName(name);
      const knownMeanings = meanings.get(plain) ?? [];
      knownMeanings.push({ field: field as BankProfileField, rank });
      meanings.set(plain, knownMeanings);
    });
  }
  return meanings;
})();

/** Rank of a meaning found by a part of the header. It is less reliable than every meaning in the word lists. */
export const PARTIAL_MATCH_RANK = 1000;

/** Returns the possible meanings of a column header: those of the word lists, or else those of its parts. */
export function findColumnHeaderMeanings(header: string): readonly ColumnMeaning[] {
  const name = normalizeColumnName(header);
  if (name === '' || name.length > 60) return [];
  return (
    listedMeanings.get(name) ??
    findPartialHeaderMeanings(name).map((field, at) => ({ field, rank: PARTIAL_MATCH_RANK + at }))
  );
}

/** Texts of a status column for rows whose money has not moved yet or never will. */
export const unsettledStatuses: readonly string[] =
  `pending,declined,failed,reverted,canceled,cancelled,rejected,voided,void,expired,denied,processing,authorized,authorised,removed,on hold,scheduled,uncleared,not posted
vorgemerkt,umsatz vorgemerkt,ausstehend,abgelehnt,storniert,in bearbeitung
in behandeling,gereserveerd,geweigerd,geannuleerd,afgewezen,gepland
en attente,en cours,à venir,refusé,refusée,annulé,annulée,rejeté,rejetée
pendiente,en proceso,rechazado,rechazada,cancelado,cancelada,retenido
in sospeso,in attesa,autorizzato,autorizzata,non contabilizzato,rifiutato,rifiutata,annullato,annullata
pendente,em processamento,agendado,agendada,rejeitado,rejeitada,recusado,recusada
reserverad,reserverat,väntar,väntande,kommande,avvisad,venter,afventer,reserveret,afvist,reservert,avvist,kansellert
odottaa,varaus,katevaraus,hylätty,peruttu
oczekująca,oczekujące,oczekuje,w realizacji,blokada,odrzucona,odrzucone,anulowana
čeká,čekající,nezaúčtováno,zamítnuto,zamítnutá,čakajúca,zamietnutá,függőben,elutasítva,zárolt,în așteptare,respinsă
beklemede,bekliyor,provizyon,reddedildi,iptal,εκκρεμεί,в обработке,отклонено,ожидает`.split(/[,\n]/);

export const accountRowLabels: ReadonlySet<string> = new Set(
  'account,accountnumber,accountno,iban,konto,kontonummer,rekening,cuenta,compte,numerodecompte,conto,rachunek,girokonto,accountiban'.split(
    ',',
  ),
);
