import type { MatchGroup, MatchGroupDetail, Payment } from '../../contract/match-groups.ts';
import type { MatchRule } from '../../contract/match-rules.ts';
import type { MatchRun } from '../../contract/match-runs.ts';
import type { Payout } from '../../contract/payouts.ts';
import { count, minute, money } from '../output/figures.ts';
import { type Column, pairLines, tableLines } from '../output/table.ts';
import { printable } from '../output/text.ts';

export const groupColumns: Column<MatchGroup>[] = [
  { header: 'id', cell: ({ id }) => id, align: 'right' },
  { header: 'status', cell: (group) => statusOf(group) },
  { header: 'rule', cell: ({ rule }) => rule },
  { header: 'dated', cell: ({ dated_on }) => dated_on },
  {
    header: 'amount',
    cell: (group) => money(group.line_count > 0 ? group.lines_in_cents : group.transactions_in_cents),
    align: 'right',
  },
  { header: 'currency', cell: ({ currency }) => currency },
  { header: 'lines', cell: ({ line_count }) => line_count, align: 'right', spare: true },
  { header: 'payments', cell: ({ transaction_count }) => transaction_count, align: 'right', spare: true },
  {
    header: 'what',
    cell: ({ bank_lines, transactions }) => bank_lines[0]?.description ?? transactions[0]?.customer_name,
    least: 12,
  },
];

function statusOf({ status, rivals }: MatchGroup): string {
  return status === 'ambiguous' ? `ambiguous (${rivals})` : status;
}

/** A match for reading. */
export function groupLines(group: MatchGroupDetail): string[] {
  return [
    ...pairLines([
      ['match', group.id],
      ['status', statusOf(group)],
      ['rule', `${group.rule}: ${group.explanation}`],
      ['score', group.score],
      ['currency', group.currency],
      ['left', group.difference_in_cents === 0 ? null : money(group.difference_in_cents)],
    ]),
    '',
    'lines',
    ...group.line_rows.map((line) =>
      printable(
        `  ${line.id}  ${line.booked_on}  ${money(line.amount_in_cents)}  ${line.description}  ${line.reference ?? ''}  (${line.file}, row ${line.row})`,
      ),
    ),
    'payments',
    ...group.payment_rows.map((payment) =>
      printable(
        `  ${payment.id}  ${payment.paid_on}  ${money(payment.amount_in_cents)}  ${payment.customer_name ?? ''}  (statement ${payment.statement_id})`,
      ),
    ),
    ...group.adjustments.map(({ category, amount_in_cents, reason }) =>
      printable(`  ${category}  ${money(amount_in_cents)}  ${reason ?? ''}`),
    ),
    '',
    'why',
    ...group.reasons.map(({ field, text }) => printable(`  ${field}: ${text}`)),
    ...(group.rivals === 0 ? [] : ['', `rivals: ${count(group.rivals)}`]),
    ...group.rivals_seen.map(({ text }) => printable(`  ${text}`)),
    '',
    'history (UTC)',
    ...group.history.map(({ at, who, what, text }) =>
      printable(`  ${minute(at)}  ${[what, who && `by ${who}`, text].filter(Boolean).join('  ')}`),
    ),
  ];
}

export const runColumns: Column<MatchRun>[] = [
  { header: 'id', cell: ({ id }) => id, align: 'right' },
  { header: 'at (UTC)', cell: ({ started_at }) => minute(started_at) },
  { header: 'state', cell: ({ state, dry_run }) => (dry_run ? `${state}, dry` : state) },
  { header: 'confirmed', cell: ({ confirmed }) => count(confirmed), align: 'right' },
  { header: 'suggested', cell: ({ suggested }) => count(suggested), align: 'right' },
  { header: 'ambiguous', cell: ({ ambiguous }) => count(ambiguous), align: 'right' },
  { header: 'by', cell: ({ who }) => who, spare: true },
];

/** What a run came to. */
export function runLines(run: MatchRun): string[] {
  return [
    ...tableLines(
      [
        { header: 'pass', cell: ({ title }) => title },
        { header: 'confirmed', cell: ({ confirmed }) => count(confirmed), align: 'right' },
        { header: 'suggested', cell: ({ suggested }) => count(suggested), align: 'right' },
        { header: 'ambiguous', cell: ({ ambiguous }) => count(ambiguous), align: 'right' },
      ] satisfies Column<MatchRun['passes'][number]>[],
      [
        ...run.passes,
        {
          rule: 'all',
          title: 'All',
          confirmed: run.confirmed,
          suggested: run.suggested,
          ambiguous: run.ambiguous,
        },
      ],
    ),
    '',
    `${count(run.unmatched_lines)} lines and ${count(run.unmatched_payments)} payments are not explained.`,
    run.dry_run ? 'This was a dry run: none of its matches were kept.' : `Run ${run.id} is done.`,
  ];
}

export const paymentColumns: Column<Payment>[] = [
  { header: 'id', cell: ({ id }) => id, align: 'right' },
  { header: 'statement', cell: ({ statement_id }) => statement_id, align: 'right', spare: true },
  { header: 'paid', cell: ({ paid_on }) => paid_on },
  { header: 'amount', cell: ({ amount_in_cents }) => money(amount_in_cents), align: 'right' },
  { header: 'currency', cell: ({ currency }) => currency },
  { header: 'state', cell: ({ state }) => state },
  { header: 'customer', cell: ({ customer_name }) => customer_name, least: 12 },
];

export const payoutColumns: Column<Payout>[] = [
  { header: 'id', cell: ({ id }) => id, align: 'right' },
  { header: 'payout', cell: ({ payout_id }) => payout_id, least: 10 },
  { header: 'account', cell: ({ account }) => account.name, least: 8, spare: true },
  { header: 'paid', cell: ({ paid_on }) => paid_on },
  { header: 'net', cell: ({ net_in_cents }) => money(net_in_cents), align: 'right' },
  { header: 'deposited', cell: ({ deposited_in_cents }) => money(deposited_in_cents), align: 'right' },
  { header: 'unexplained', cell: ({ unexplained_in_cents }) => money(unexplained_in_cents), align: 'right' },
  { header: 'currency', cell: ({ currency }) => currency },
];

export const ruleColumns: Column<MatchRule>[] = [
  { header: '', cell: ({ position }) => position, align: 'right' },
  { header: 'id', cell: ({ id }) => id, align: 'right' },
  { header: 'rule', cell: ({ title }) => title, least: 12 },
  {
    header: 'does',
    cell: ({ action }) => ('category' in action ? `${action.do} ${action.category}` : action.do),
  },
  { header: 'on', cell: ({ enabled }) => (enabled ? 'yes' : 'no') },
  { header: 'matches', cell: ({ groups }) => count(groups), align: 'right' },
];
