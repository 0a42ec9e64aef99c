import type { BankFileProfile } from '../model/profile.ts';
import { toKindsByText } from './line-kinds-by-text.ts';

/** PayPal's transaction types in the activity report and event codes in the settlement report. */
const types = toKindsByText({
  payment:
    'express checkout payment*|web accept payment*|website payment*|subscription payment*|recurring payment*|preapproved payment*|mobile payment*|payment received*|general payment*|direct credit card payment*|virtual terminal payment*|ebay auction payment*|invoice*|shopping cart payment*|checkout*|donation payment*|t00*|t05*',
  refund: 'payment refund*|refund*|t1107',
  chargeback: 'payment reversal*|chargeback*|reversal*|dispute*|t11*|t1201',
  fee: 'chargeback fee*|fee*|partner fee*|t01*',
  reserve:
    'cancellation of hold*|reserve*|hold*|account hold*|general account hold*|payment hold*|payment release*|funds release*|t15*|t21*',
  payout:
    'general withdrawal*|withdraw funds*|user initiated withdrawal*|transfer to bank*|bank transfer*|auto-sweep*|t04*',
  transfer: 'bank deposit*|general credit card deposit*|mass pay payment*|t03*',
  fx: 'general currency conversion*|currency conversion*|t02*',
  adjustment: 'account correction*|t08*|t12*',
});

const idle = ['pending', 'denied', 'canceled', 'cancelled', 'expired', 'failed', 'removed', 'memo', 'placed'];

const columns: BankFileProfile['columns'] = {
  booked_on: ['Date'],
  amount: ['Gross'],
  fee: ['Fee'],
  net: ['Net'],
  currency: ['Currency'],
  description: ['Type', 'Item Title', 'Subject', 'Note'],
  reference: ['Invoice Number', 'Invoice ID', 'Custom Number', 'Reference Txn ID'],
  counterparty: ['Name', 'From Email Address'],
  bank_id: ['Transaction ID'],
  gateway_transaction_id: ['Transaction ID'],
  kind: ['Type', 'Description'],
  status: ['Status', 'Balance Impact'],
  balance: ['Balance'],
};

export const paypalProfiles: readonly BankFileProfile[] = [
  /** PayPal's activity download. Fees are written as their effect on the balance, so a cost is negative. */
  {
    name: 'paypal-activity',
    label: 'PayPal activity download',
    source: 'processor',
    recognized_by: ['Date', 'Time', 'Type', 'Currency', 'Gross', 'Fee', 'Net', 'Transaction ID'],
    columns,
    fee_sign: 'negative',
    kinds: types,
    idle_statuses: idle,
  },
  /** PayPal's older activity download, and the download with custom columns. */
  {
    name: 'paypal-balance',
    label: 'PayPal balance report',
    source: 'processor',
    recognized_by: 'Date|Time|Description|Currency|Gross|Fee|Net|Balance|Transaction ID'.split('|'),
    columns: { ...columns, description: ['Description', 'Name'] },
    fee_sign: 'negative',
    kinds: types,
    idle_statuses: idle,
  },
  /** PayPal's activity download for German accounts. */
  {
    name: 'paypal-activity-de',
    label: 'PayPal Aktivitäten (German)',
    source: 'processor',
    recognized_by: ['Datum', 'Uhrzeit', 'Typ', 'Währung', 'Brutto', 'Gebühr', 'Netto', 'Transaktionscode'],
    columns: {
      booked_on: ['Datum'],
      amount: ['Brutto'],
      fee: ['Gebühr'],
      net: ['Netto'],
      currency: ['Währung'],
      description: ['Typ', 'Artikelbezeichnung', 'Betreff', 'Hinweis'],
      reference: ['Rechnungsnummer', 'Zugehöriger Transaktionscode'],
      counterparty: ['Name', 'Absender E-Mail-Adresse'],
      bank_id: ['Transaktionscode'],
      gateway_transaction_id: ['Transaktionscode'],
      kind: ['Typ'],
      status: ['Status', 'Auswirkung auf Guthaben'],
      balance: ['Guthaben'],
    },
    date_order: 'dmy',
    decimal_mark: ',',
    fee_sign: 'negative',
    kinds: toKindsByText({
      payment: 'zahlung*|abonnementzahlung*|express-checkout-zahlung*|website-zahlung*|handyzahlung*',
      refund: 'rückzahlung*|zahlung zurückgezahlt*',
      chargeback: 'rückbuchung*',
      payout: 'allgemeine abbuchung*|von nutzer eingeleitete abbuchung*',
      fx: 'allgemeine währungsumrechnung*',
      reserve: 'einbehaltung*',
      fee: 'gebühr*',
    }),
    idle_statuses: ['ausstehend', 'abgelehnt', 'storniert', 'memo'],
  },
  /** PayPal's settlement report (STL): sections by row codes, whole minor units and a column for the sign. */
  {
    name: 'paypal-settlement',
    label: 'PayPal settlement report (STL)',
    source: 'processor',
    recognized_by:
      'CH|Transaction ID|Transaction Event Code|Transaction Debit or Credit|Gross Transaction Amount|Gross Transaction Currency|Fee Amount'.split(
        '|',
      ),
    columns: {
      booked_on: ['Transaction Completion Date'],
      value_on: ['Transaction Initiation Date'],
      amount: ['Gross Transaction Amount'],
      direction: ['Transaction Debit or Credit'],
      fee: ['Fee Amount'],
      currency: ['Gross Transaction Currency'],
      description: ['Transaction Event Code', 'Custom Field'],
      reference: ['Invoice ID', 'PayPal Reference ID'],
      bank_id: ['Transaction ID'],
      gateway_transaction_id: ['Transaction ID'],
      kind: ['Transaction Event Code'],
    },
    date_order: 'ymd',
    unit: 'minor',
    fee_sign: 'positive',
    kinds: types,
  },
];
