import { normalizeColumnName } from '../bankfiles/table/table-rows.ts';

/** Fields of a trial balance or of account activity. */
export const ledgerColumnRoles = [
  ...(['account', 'account_code', 'account_name', 'contra_account', 'dated_on'] as const),
  ...(['debit', 'credit', 'amount', 'direction', 'currency'] as const),
  ...(['entry', 'reference', 'description'] as const),
  ...(['opening', 'closing', 'closing_debit', 'closing_credit'] as const),
] as const;
export type LedgerColumnRole = (typeof ledgerColumnRoles)[number];

/**
 * Column headers of QuickBooks, Xero, NetSuite, DATEV and Sage by field, in English and German. Earlier headers win if a
 * table has several.
 */
const headers: Readonly<Record<LedgerColumnRole, string>> = {
  account: 'account|distribution account|gl account|ledger account|konto|sachkonto|account full name',
  account_code:
    'account code|account number|account no|acct|n/c|nc|nominal code|nominal a/c|nominal|gl code|kontonummer|konto-nr.|kto|kto.|code',
  account_name: 'account name|full name|beschriftung|kontobezeichnung|kontobeschriftung|bezeichnung|name',
  contra_account: 'gegenkonto (ohne bu-schlüssel)|gegenkonto',
  dated_on:
    'posting date|transaction date|date|trans date|tran date|journal date|gl date|belegdatum|buchungsdatum|datum',
  debit: 'debit|debits|debit amount|amount (debit)|soll|sollbetrag|debit - month|umsatz soll|debit (source)',
  credit:
    'credit|credits|credit amount|amount (credit)|haben|habenbetrag|credit - month|umsatz haben|credit (source)',
  amount:
    'amount|umsatz (ohne soll/haben-kz)|umsatz|betrag|net amount|net|net movement|net activity|movement|net change',
  direction: 'soll/haben-kennzeichen|soll/haben|s/h|sh|dr/cr|d/c|debit/credit',
  currency: 'currency|currency code|transaction currency|wkz umsatz|währung|whrg|wkz',
  entry:
    'journal number|journal no|journal no.|journal id|journal|entry number|transaction number|transaction id|trans #|trans no|tran no|document number|internal id|buchungsnummer|buchungs-nr.',
  reference: 'reference|ref|ref.|num|no|no.|doc num|belegfeld 1|beleg|belegnummer|beleg-nr.|source',
  description: 'description|memo/description|memo|details|narration|particulars|buchungstext|text',
  opening:
    'opening balance|opening|beginning balance|balance brought forward|eb-wert|eröffnungsbilanzwert|saldovortrag',
  closing: 'closing balance|ending balance|balance|saldo|endsaldo|ytd|year to date',
  closing_debit: 'debit - year to date|ytd debit|saldo soll|closing debit',
  closing_credit: 'credit - year to date|ytd credit|saldo haben|closing credit',
};

const ranks: ReadonlyMap<string, { readonly role: LedgerColumnRole; readonly rank: number }> = new Map(
  Object.entries(headers).flatMap(([role, list]) =>
    list
      .split('|')
      .map((name, rank) => [normalizeColumnName(name), { role: role as LedgerColumnRole, rank }] as const),
  ),
);

/** Column indexes of a ledger file by field. */
export interface LedgerLayout {
  /** Index of the header row. */
  readonly header: number;
  readonly names: readonly string[];
  readonly columns: ReadonlyMap<LedgerColumnRole, number>;
}

/** Finds the column of each field in a header row. If several headers fit a field, the most common header wins. */
export function interpretLedgerHeader(header: number, cells: readonly string[]): LedgerLayout {
  const best = new Map<LedgerColumnRole, { column: number; rank: number }>();
  for (const [column, cell] of cells.entries()) {
    // A header may name its currency, for example `Debit (USD)`.
    const found = ranks.get(normalizeColumnName(cell)) ?? ranks.get(normalizeColumnName(withoutUnit(cell)));
    if (found === undefined) continue;
    const known = best.get(found.role);
    if (known === undefined || found.rank < known.rank) best.set(found.role, { column, rank: found.rank });
  }
  return {
    header,
    names: cells.map((cell) => cell.trim()),
    columns: new Map([...best].map(([role, { column }]) => [role, column])),
  };
}

const withoutUnit = (cell: string): string => cell.replace(/\s*\((?:[A-Z]{3}|\p{Sc})\)\s*$/u, '');

const amountRoles = ['debit', 'credit', 'amount', 'closing', 'closing_debit', 'closing_credit'] as const;

/** Returns true if the columns contain an amount. */
export const hasLedgerAmount = ({ columns }: LedgerLayout): boolean =>
  amountRoles.some((role) => columns.has(role));

/** Returns true if a column names the account. Without one, the account is in a heading row above its lines. */
export const hasLedgerAccount = ({ columns }: LedgerLayout): boolean =>
  columns.has('account') || columns.has('account_code') || columns.has('account_name');

/** Finds the header among the first rows: the row with the most known columns, including an amount; null if none. */
export function findLedgerHeader(
  rows: readonly { readonly cells: readonly string[] }[],
): LedgerLayout | null {
  let best: LedgerLayout | null = null;
  for (const [index, { cells }] of rows.entries()) {
    const layout = interpretLedgerHeader(index, cells);
    const isHeader =
      layout.columns.size >= 2 &&
      hasLedgerAmount(layout) &&
      (hasLedgerAccount(layout) || layout.columns.has('dated_on'));
    if (isHeader && layout.columns.size > (best?.columns.size ?? 0)) best = layout;
  }
  return best;
}

const SUM_LABEL =
  /^(?:grand total|totals?|sum|summe|gesamt|net movement|opening balance|closing balance|beginning balance|ending balance|balance (?:brought|carried) forward|anfangsbestand|endbestand|saldovortrag)\b/i;

/** Returns true if the first text of a row marks the row as a total or a balance. */
export const isLedgerSumRow = ({ cells }: { readonly cells: readonly string[] }): boolean =>
  SUM_LABEL.test(cells.find((cell) => cell.trim() !== '')?.trim() ?? '');
