import type { BankLineIdentity, ExceptionStatus, PackDecisions } from '../../../contract/index.ts';
import { formatTimestamp } from '../../shared/timestamps.ts';
import { listItemExplanations } from '../periods/closed-outstanding-item.ts';
import { prepareSql, type ReadableDb } from '../sqlite/connection.ts';
import { convertNumberedParameters } from '../sqlite/numbered-parameters.ts';
import type { DayRange } from '../workpaper/posted-rows.ts';

/** Returns SQL for a bank line's identity, without the row id, which differs in other books. */
export const lineIdentitySql = (line: string) =>
  `json_object('account', (SELECT name FROM bank_account WHERE bank_account.id = ${line}.account_id), 'booked_on', ${line}.booked_on,
    'amount_in_cents', ${line}.amount_in_cents, 'currency', ${line}.currency, 'bank_id', ${line}.bank_id, 'text_hash', ${line}.text_hash,
    'occurrence', ${line}.occurrence)`;

/** SQL for a payout's identity. The payout's id follows. */
export const PAYOUT_IDENTITY = `SELECT json_object('account', name, 'payout_id', bank_payout.payout_id, 'currency', bank_payout.currency)
  FROM bank_payout JOIN bank_account ON bank_account.id = account_id WHERE bank_payout.id =`;

/** SQL for confirmed matches cleared in the period, and declined matches dated in the period. */
const DECIDED_MATCHES = `SELECT group_id FROM match_cleared INDEXED BY match_cleared_on WHERE cleared_on BETWEEN ?1 AND ?2
  UNION SELECT match_group.id FROM match_group WHERE status = 'declined' AND dated_on BETWEEN ?1 AND ?2`;

type Match = PackDecisions['matches'][number];

/** Yields the decided matches with their row ids, which the pack does not contain. */
export function* readDecidedMatches(
  books: ReadableDb,
  { first, last }: DayRange,
): Generator<{ id: number; match: Match }> {
  const rowsSql =
    convertNumberedParameters(`SELECT match_group.id, status, rule, rule_version, score, currency, dated_on, reasons, alternatives, key,
       (SELECT title FROM match_rule WHERE match_rule.id = user_rule) AS user_rule, (${PAYOUT_IDENTITY} match_group.payout_id) AS payout, reverses,
       made_at, changed_at, changed_by, reason
     FROM (${DECIDED_MATCHES}) AS wanted CROSS JOIN match_group ON match_group.id = wanted.group_id ORDER BY match_group.id`);
  const rows = prepareSql<
    Record<string, string | number | null> & { id: number; payout: string | null; reasons: string }
  >(books, rowsSql).iterate(first, last);
  const membersSql = `SELECT iif(line_id IS NULL, NULL, ${lineIdentitySql('bank_line')}) AS line, transaction_id, category, allocated_in_cents, reason, claim_state
     FROM match_item LEFT JOIN bank_line ON bank_line.id = line_id WHERE group_id = ? ORDER BY ordinal`;
  const members = prepareSql<{
    line: string | null;
    transaction_id: number | null;
    category: string | null;
    allocated_in_cents: number;
    reason: string | null;
    claim_state: number;
  }>(books, membersSql);
  for (const { id, payout, reasons, made_at, changed_at, ...row } of rows) {
    const of = members.all(id);
    const match = {
      ...row,
      reasons: JSON.parse(reasons),
      payout: payout === null ? null : JSON.parse(payout),
      ignored: of.some(({ claim_state }) => claim_state === 4),
      lines: of.flatMap(({ line, allocated_in_cents }) =>
        line === null ? [] : [{ line: JSON.parse(line) as BankLineIdentity, allocated_in_cents }],
      ),
      transactions: of.flatMap(({ transaction_id, allocated_in_cents }) =>
        transaction_id === null ? [] : [{ id: transaction_id, allocated_in_cents }],
      ),
      adjustments: of.flatMap(({ category, allocated_in_cents, reason }) =>
        category === null ? [] : [{ category, amount_in_cents: allocated_in_cents, reason }],
      ),
      made_at: formatTimestamp(Number(made_at)),
      changed_at: formatTimestamp(Number(changed_at)),
    } as unknown as Match;
    yield { id, match };
  }
}

type Entry = PackDecisions['exceptions'][number]['entries'][number];

/** Yields the period's exceptions that have history entries by people. */
export function* readDecidedExceptions(
  books: ReadableDb,
  { first, last }: DayRange,
): Generator<PackDecisions['exceptions'][number]> {
  const rowsSql = `SELECT id, key, rule, status, assigned, accepted_evidence FROM exception INDEXED BY exception_dated
     WHERE dated_on BETWEEN ? AND ?
       AND EXISTS (SELECT 1 FROM exception_entry WHERE exception_id = exception.id AND user IS NOT NULL) ORDER BY id`;
  const rows = prepareSql<{
    id: number;
    key: string;
    rule: string;
    status: ExceptionStatus;
    assigned: string | null;
    accepted_evidence: string | null;
  }>(books, rowsSql).iterate(first, last);
  const entriesSql = 'SELECT at, user, action, text FROM exception_entry WHERE exception_id = ? ORDER BY seq';
  const entries = prepareSql<Omit<Entry, 'at'> & { at: number }>(books, entriesSql);
  for (const { id, ...row } of rows)
    yield {
      ...row,
      entries: entries.all(id).map(({ at, ...each }) => ({ at: formatTimestamp(at), ...each })),
    };
}

/** Yields each item's latest explanation for the period. */
export function* readPeriodExplanations(
  books: ReadableDb,
  period: string,
): Generator<PackDecisions['items'][number]> {
  const keysSql = 'SELECT DISTINCT item FROM item_explanation WHERE period = ? ORDER BY item';
  const keys = prepareSql<string>(books, keysSql).pluck();
  const linesSql = `SELECT ${lineIdentitySql('bank_line')} FROM bank_line WHERE id = ?`;
  const lines = prepareSql<string>(books, linesSql).pluck();
  const payouts = prepareSql<string>(books, `${PAYOUT_IDENTITY} ?`).pluck();
  for (const key of keys.all(period)) {
    const latest = listItemExplanations(books, key).findLast((each) => each.period === period);
    if (latest === undefined) continue;
    const { category, owner, explanation, expected_on, at, user } = latest;
    const [kind, id] = key.split(':');
    const line = kind === 'line' ? lines.get(Number(id)) : undefined;
    const payout = kind === 'payout' ? payouts.get(Number(id)) : undefined;
    yield {
      key,
      line: line === undefined ? null : JSON.parse(line),
      payout: payout === undefined ? null : JSON.parse(payout),
      at,
      user,
      category,
      owner,
      explanation,
      expected_on,
    };
  }
}
