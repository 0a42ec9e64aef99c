import type { BankProfileField } from '../model/profile.ts';
import { columnNamesByDirection } from './direction-words.ts';

const AMOUNT =
  'amount|amt|betrag|umsatz|bedrag|montant|importe|importo|importi|movimenti|movimento|movimiento|belopp|belop|belob|beloep|kwota|castka|suma|summa|osszeg|tutar|сумма|ποσο|金額|金额|value|valor';
const CURRENCY =
  'currency|curr|ccy|devise|wahrung|waehrung|valutacode|valutasoort|valuta|divisa|moneda|monnaie|moeda|waluta|muntsoort|munt|mena|valuutta|penznem|deviza|doviz|parabirimi|валюта|νομισμα|通貨|币种|통화';
const DATE = 'date|datum|fecha|data|dato|dag|paiva|tarih|дата|ημερομηνια|日付|日期';
/** Words in names of amounts and currencies of the transaction before its conversion. */
const FOREIGN =
  'original|originale|originele|orig|foreign|ursprungs|ursprung|fremd|oorspronkelijke|oorspr|dorigine|origine|origen|extranjera|merchant|instructed|local|counter|target|exchange|handler|zagraniczna|obca';
const FILLER = `${AMOUNT}|euros?|eur|usd|gbp|chf|sek|nok|dkk|pln|czk|huf|in|the|des?|du|au|en|no|nr|local|booked|posted`;

const side = (names: readonly string[]): string => names.toSorted((a, b) => b.length - a.length).join('|');
const debit = side(columnNamesByDirection.debit);
const credit = side(columnNamesByDirection.credit);
const only = (names: string) => new RegExp(`^(?:${FILLER})*(?:${names})(?:${FILLER})*$`, 'u');
const any = (names: string) => new RegExp(names, 'u');

/** Patterns of column names that are not in the word lists, compared after `normalizeColumnName`, best first. */
const patterns: readonly (readonly [BankProfileField, RegExp, unless?: RegExp])[] = [
  ['foreign_currency', any(`(?:${FOREIGN}).*(?:${CURRENCY})|(?:${CURRENCY}).*(?:${FOREIGN})`)],
  ['currency', any(CURRENCY), any('fee|date|datum|data')],
  ['foreign_amount', any(`(?:${FOREIGN}).*(?:${AMOUNT})|(?:${AMOUNT}).*(?:${FOREIGN})`)],
  [
    'direction',
    only(
      `(?:${debit})(?:of|or|et|and|oder|ou|o)?(?:${credit})(?:ind.*|code|flag|kz|kennzeichen|type|typ|teken)?`,
    ),
  ],
  [
    'direction',
    only(
      `(?:${credit})(?:of|or|et|and|oder|ou|o)?(?:${debit})(?:ind.*|code|flag|kz|kennzeichen|type|typ|teken)?`,
    ),
  ],
  [
    'direction',
    any('direction|richtung|drcr|crdr|dcind|debitind|creditind|^sign$|^sens$|^sentido$|^signe$|vorzeichen'),
  ],
  ['debit', only(debit)],
  ['credit', only(credit)],
  [
    'balance',
    any(
      'saldo|balance|solde|kontostand|zustatek|zostatok|egyenleg|^sold|bakiye|υπολοιπο|остаток|残高|余额|잔액',
    ),
  ],
  [
    'fee',
    any(
      'fees?$|^fees?|charges?$|commission|gebuhr|gebuehr|entgelt|kosten|^frais|comision|avgift|gebyr|prowizj|oplata|poplatek|komisyon|masraf',
    ),
  ],
  [
    'value_on',
    any(
      `(?:value|valor|valeur|valuta|wert|rente|interest|settle).*(?:${DATE})|(?:${DATE}).*(?:value|valor|valeur|valuta|wert|rente|interest|settle)`,
    ),
  ],
  ['booked_on', any(DATE), any('update')],
  ['amount', any(AMOUNT)],
  [
    'counterparty',
    any(
      'counterpart|tegenpartij|begunstig|beguenstig|auftraggeber|beneficiar|payee|payer|empfanger|empfaenger|recipient|sender|remitter|ordenante|ordinante|destinatario|donneurdordre|partnername|partnerneve|protistrana|protiuct|kontrahent|merchantname|customername|μηνυτης|karsitaraf',
    ),
    any('account|iban|konto|rekening|compte|cuenta|conto|bic|rachunek|ucet'),
  ],
  [
    'description',
    any(
      'descri|omschrijving|libelle|zweck|buchungstext|concept|tekst|text|memo|detail|narrat|remark|mededeling|beskriv|opis|popis|kozlemeny|aciklama|назначение|описание|摘要|적요|communication|motif|rubrik',
    ),
  ],
];

/** Returns the possible meanings of a normalized column header that is in no word list, best first. */
export const findPartialHeaderMeanings = (name: string): BankProfileField[] =>
  patterns.flatMap(([field, pattern, unless]) =>
    pattern.test(name) && unless?.test(name) !== true ? [field] : [],
  );

/**
 * Returns how reliably a normalized header names the currency of the account: 0 for the account's currency, 1 for a
 * currency without further words, and 2 for the currency of a payment or transaction.
 */
export function rankCurrencyName(name: string): number {
  if (
    /account|posted|booked|booking|settle|billing|debit|credit|konto|rekening|compte|cuenta|conto|base/.test(
      name,
    )
  )
    return 0;
  return /transaction|payment|local|source|zahlung|operaci|operati/.test(name) ? 2 : 1;
}
