/** A range of days, both inclusive. */
export interface DayRange {
  readonly first: string;
  readonly last: string;
}

/** SQL for the day on which a row is posted: its own date, or the first unlocked day if its date was already locked. */
export const postedDaySql = (kind: string, table: string, day: string) =>
  `coalesce((SELECT posted_on FROM late_row WHERE late_row.kind = '${kind}' AND late_row.id = ${table}.id), ${day})`;

/** SQL for the bank lines posted in the range, with `day`, `account` (the account's kind) and `account_name`. */
export const POSTED_LINES_SQL = `(
  SELECT bank_line.*, booked_on AS day, bank_account.kind AS account, bank_account.name AS account_name
  FROM bank_account CROSS JOIN json_each('[0,1,2,3,4,5]') AS states
    CROSS JOIN bank_line INDEXED BY bank_line_dated ON account_id = bank_account.id AND state = states.value
  WHERE booked_on BETWEEN ?1 AND ?2
    AND NOT EXISTS (SELECT 1 FROM late_row WHERE late_row.kind = 'line' AND late_row.id = bank_line.id)
  UNION ALL
  SELECT bank_line.*, posted_on, bank_account.kind, bank_account.name
  FROM late_row INDEXED BY late_row_posted CROSS JOIN bank_line ON bank_line.id = late_row.id
    CROSS JOIN bank_account ON bank_account.id = account_id
  WHERE late_row.kind = 'line' AND posted_on BETWEEN ?1 AND ?2 AND removed = 0)`;

/** SQL for the payments and refunds posted in the range that the service still has, with `day`. */
export const POSTED_PAYMENTS_SQL = `(
  SELECT match_payment.*, paid_on AS day
  FROM json_each('[0,1,2,3,4,5]') AS states
    CROSS JOIN match_payment INDEXED BY match_payment_dated ON state = states.value
  WHERE paid_on BETWEEN ?1 AND ?2 AND removed = 0
    AND NOT EXISTS (SELECT 1 FROM late_row WHERE late_row.kind = 'payment' AND late_row.id = match_payment.id)
  UNION ALL
  SELECT match_payment.*, posted_on
  FROM late_row INDEXED BY late_row_posted CROSS JOIN match_payment ON match_payment.id = late_row.id
  WHERE late_row.kind = 'payment' AND posted_on BETWEEN ?1 AND ?2 AND removed = 0)`;

/** SQL for the amount sent by a payout: as stated, or else by its payout lines, or else by its other lines. */
export const PAYOUT_AMOUNT_SQL = `coalesce(bank_payout.stated_in_cents,
  (SELECT -sum(amount_in_cents) FROM bank_line INDEXED BY bank_line_payout WHERE bank_line.account_id = bank_payout.account_id
    AND bank_line.payout_id = bank_payout.payout_id AND bank_line.currency = bank_payout.currency AND removed = 0 AND kind = 'payout'),
  ${netOf('bank_payout')})`;

/** Returns SQL for the net sum of a payout's lines. */
function netOf(payout: string): string {
  return `(SELECT coalesce(sum(amount_in_cents - coalesce(fee_in_cents, 0)), 0) FROM bank_line INDEXED BY bank_line_payout
    WHERE bank_line.account_id = ${payout}.account_id AND bank_line.payout_id = ${payout}.payout_id
      AND bank_line.currency = ${payout}.currency AND removed = 0 AND kind <> 'payout')`;
}

/** SQL for payouts with `day` (the day sent), `sent` (the amount sent) and `net` (the sum of the lines). */
export const PAYOUTS_SQL = `(
  SELECT bank_payout.*, ${postedDaySql('payout', 'bank_payout', 'bank_payout.paid_on')} AS day, ${PAYOUT_AMOUNT_SQL} AS sent, ${netOf('bank_payout')} AS net
  FROM bank_payout WHERE removed = 0)`;

/** SQL that joins a line's payout, if there is one. */
export const JOIN_PAYOUT_SQL = `LEFT JOIN bank_payout ON bank_payout.account_id = line.account_id AND bank_payout.payout_id = line.payout_id
  AND bank_payout.currency = line.currency AND bank_payout.removed = 0`;
