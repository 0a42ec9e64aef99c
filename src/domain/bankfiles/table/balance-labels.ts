import { normalizeColumnName } from './table-rows.ts';

export type BalanceLabel = 'opening' | 'closing';
/** A balance in a line's text. An interim balance is stated between the lines, for example at the end of a day. */
export type BalanceLineLabel = BalanceLabel | 'interim';

/** Labels of balances, compared after `normalizeColumnName`, one language per line. */
const labels: Readonly<Record<BalanceLabel, readonly string[]>> = {
  opening: [
    'opening balance|opening ledger balance|starting balance|start balance|beginning balance|initial balance|balance brought forward|brought forward|balance b/f|balance bfwd|balance forward|previous balance',
    'übertrag|saldo-übertrag|übertrag saldo|anfangssaldo|anfangsbestand|anfangskontostand|eröffnungssaldo|alter kontostand|alter saldo|saldovortrag|startsaldo|kontostand alt|saldo alt',
    'beginsaldo|beginbalans|oud saldo|openingssaldo|vorig saldo|vorig eindsaldo',
    'solde initial|ancien solde|solde précédent|solde antérieur|solde d’ouverture|solde de départ|solde début|solde reporté|report à nouveau|report de solde',
    'saldo inicial|saldo anterior|saldo de apertura|saldo apertura|saldo previo',
    'saldo iniziale|saldo precedente|saldo di apertura|saldo contabile iniziale|riporto saldo',
    'saldo de abertura|saldo transportado',
    'saldo początkowe|saldo otwarcia|stan początkowy|saldo poprzednie',
    'ingående saldo|ingående balans|inngående saldo|inngående balanse|indgående saldo|primosaldo|saldo overført|overført saldo',
    'alkusaldo|edellinen saldo',
    'počáteční zůstatek|počáteční stav|počiatočný zostatok|nyitó egyenleg|sold inițial|sold precedent|početno stanje|početni saldo|začetno stanje',
    'açılış bakiyesi|devreden bakiye|önceki bakiye|devir bakiyesi',
    'αρχικό υπόλοιπο|προηγούμενο υπόλοιπο|входящий остаток|начальный остаток|начално салдо|前月繰越|繰越残高|期初余额|上期余额',
  ],
  closing: [
    'closing balance|closing ledger balance|ending balance|end balance|final balance|balance carried forward|carried forward|balance c/f|new balance',
    'endsaldo|endbestand|schlusssaldo|abschlusssaldo|neuer kontostand|neuer saldo|kontostand|saldo neu|saldoübertrag',
    'eindsaldo|eindbalans|nieuw saldo|slotsaldo',
    'solde final|nouveau solde|solde de clôture|solde fin|solde actuel|solde à reporter',
    'saldo final|saldo actual|saldo de cierre|saldo cierre|nuevo saldo',
    'saldo finale|saldo di chiusura|saldo contabile finale|nuovo saldo|saldo attuale',
    'saldo de fecho|saldo atual|novo saldo',
    'saldo końcowe|saldo zamknięcia|stan końcowy',
    'utgående saldo|utgående balans|utgående balanse|udgående saldo|ultimosaldo|slutsaldo|sluttsaldo',
    'loppusaldo',
    'konečný zůstatek|konečný stav|konečný zostatok|záró egyenleg|sold final|završno stanje|konačno stanje|končno stanje',
    'kapanış bakiyesi|son bakiye|yeni bakiye',
    'τελικό υπόλοιπο|νέο υπόλοιπο|исходящий остаток|конечный остаток|крайно салдо|次月繰越|期末余额',
  ],
};

/** Texts of lines that state a balance of a day. They are compared as a whole only, because they are short. */
const INTERIM =
  'balance|running balance|daily balance|ledger balance|end of day balance|balance of the day|saldo|tagessaldo|zwischensaldo|dagsaldo|daglig saldo|dagens saldo|solde|solde du jour|solde intermédiaire|saldo del dia|saldo disponible|saldo diario|saldo do dia|saldo dia|saldo diário|saldo disponível|saldo total disponível dia|saldo em conta|saldo giornaliero|saldo disponibile|saldo del giorno|saldo dzienne|saldo na koniec dnia|zůstatek|denní zůstatek|egyenleg|napi egyenleg|sold|sold zilnic|bakiye|gün sonu bakiyesi|υπόλοιπο|остаток|残高|余额|잔액';

const TOTALS =
  'total|totals|grand total|subtotal|total debits|total credits|total debit|total credit|totaal|totaal af|totaal bij|summe|gesamt|gesamtsumme|summe soll|summe haben|umsatzsumme|total général|totaux|somme|total mouvements|totale|totali|totale movimenti|totale generale|suma|suma total|totales|total cargos|total abonos|razem|ogółem|suma operacji|yhteensä|summa|sum|celkem|spolu|összesen|ukupno|toplam|σύνολο|итого|合計|合计';

const toList = (line: string): string[] => line.split('|').map(normalizeColumnName);
const plainLabels = {
  opening: labels.opening.flatMap(toList),
  closing: labels.closing.flatMap(toList),
};
const totals: ReadonlySet<string> = new Set(toList(TOTALS));

/** Returns the balance label at the start of a text; null if there is none. */
export function findBalanceLabelAtStart(text: string): BalanceLabel | null {
  const plain = normalizeColumnName(text);
  if (plain === '') return null;
  if (plainLabels.opening.some((label) => plain.startsWith(label))) return 'opening';
  return plainLabels.closing.some((label) => plain.startsWith(label)) ? 'closing' : null;
}

/** Parts of a label that carry no meaning: dates, amounts, currencies and prepositions. */
const FILLER =
  /[\d.,:/'’()*=€£$-]+|(?<!\p{L})(?:on|as|of|at|to|from|for|vom|am|zum|per|op|van|du|de|au|le|a|al|del|dal|el|do|dnia|den|the|period|konto|ledger|account|eur|usd|gbp|chf|sek|nok|dkk|pln|czk|huf|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\p{L}*)(?!\p{L})/giu;

/** Matches texts in spaced letters, for example “S A L D O”. */
const SPACED_LETTERS = /^\p{L}(?: \p{L}){2,}$/u;

const toName = (text: string): string =>
  normalizeColumnName(
    SPACED_LETTERS.test(text.trim()) ? text.replaceAll(' ', '') : text.replace(FILLER, ' '),
  );

const lineLabels = { interim: [INTERIM], closing: labels.closing, opening: labels.opening };
const balancesByName: ReadonlyMap<string, BalanceLineLabel> = new Map(
  (['interim', 'closing', 'opening'] as const).flatMap((balance) =>
    lineLabels[balance].flatMap((line) => line.split('|')).map((label) => [toName(label), balance] as const),
  ),
);

/**
 * Returns the balance label that a line's text consists of. Null if the text contains anything else, because a
 * transaction may begin with the same words.
 */
export const parseBalanceLabel = (text: string): BalanceLineLabel | null =>
  balancesByName.get(toName(text)) ?? null;

/** Returns true if a line's text names a total and nothing else. */
export const isTotalLabel = (text: string): boolean => totals.has(normalizeColumnName(text));
