/**
 * Words that banks, merchants and payers write about any payment. They name nobody. Collected from the statement
 * formats that Tieout reads; a text of other words may name a payer.
 */
export const COMMON_WORDS: readonly string[] = (
  'a i o x payment payments paid pay pymt pmt incoming inbound outgoing received receipt credit credits debit direct deposit ' +
  'deposits transfer transfers trf tfr wire wires in out from to by of for the and your you thank thanks with see next ' +
  'month monthly year yearly annual weekly quarterly quarter date due dated invoice invoices inv statement statements ' +
  'stmt bill bills billing order orders reference references ref refs number numbers no num nr id ids txn tx trans ' +
  'transaction transactions account acct acc customer client cust subscription sub subs membership fee fees plan renewal ' +
  'card cards visa mastercard amex maestro terminal auth approved batch online web mobile internet banking bank ach sepa ' +
  'swift eft bacs chaps faster fps instant rtp giro standing so dd check cheque lockbox refund refunds return returned ' +
  'chargeback reversal dispute payout settlement cash sale sales purchase pos ecommerce eur usd gbp chf sek cad aud jpy ' +
  'nok dkk pln re another one auto autopay memo note details remittance info purpose text end mandate svwz eref kref mref cred ' +
  'gutschrift zahlung zahlungseingang eingang eingehende ueberweisung uberweisung überweisung lastschrift dauerauftrag ' +
  'rechnung rechnungen rechnungsnummer rgnr rg re kunde kundennummer kdnr kd beleg betrag vom von fuer fur und ' +
  'verwendungszweck beitrag monat monatlich jahr vielen dank sammel echtzeit rueckzahlung erstattung ruckzahlung ' +
  'virement vir recu reçu recue paiement facture factures fact prelevement echeance client numero du de la le pour ' +
  'remboursement merci votre ' +
  'transferencia pago factura recibo ingreso bonifico pagamento fattura accredito ' +
  'january february march april may june july august september october november december jan feb mar apr jun jul aug ' +
  'sep sept oct nov dec januar februar maerz marz märz mai juni juli oktober dezember janvier fevrier mars avril juin ' +
  'juillet aout septembre octobre novembre decembre monday tuesday wednesday thursday friday saturday sunday'
).split(' ');

/** Words that state that money is returned. */
export const REFUND_WORDS: readonly string[] = (
  'refund refunds refunded return returned reversal reversed chargeback dispute rueckzahlung ruckzahlung erstattung ' +
  'gutschrift storno rueckbuchung remboursement rembours rimborso reembolso rejected reject recall'
).split(' ');

/** Words that state that a bank or a card scheme takes money back, which is no refund by the merchant. */
export const CHARGEBACK_WORDS: readonly string[] = (
  'chargeback chargebacks dispute disputed retoure return returned reject rejected rejet rejete bounced unpaid ' +
  'ruecklastschrift rucklastschrift rücklastschrift rueckgabe impaye insoluto devuelto terugboeking'
).split(' ');

/** Words in the text of incoming money that a bank or a payee has sent back. */
export const RETURN_WORDS: readonly string[] = (
  'refund refunded return returned reversal reversed rejected reject rejet rejete recall bounced undelivered rueckzahlung ' +
  'ruckzahlung erstattung rueckbuchung ruckbuchung ruecklastschrift rucklastschrift rueckueberweisung ruckuberweisung retoure ' +
  'remboursement rembours rimborso storno reembolso devolucion devuelto insoluto terugboeking terugbetaling zwrot ' +
  'aterbetalning tilbakebetaling tilbagebetaling'
).split(' ');
