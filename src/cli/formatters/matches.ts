import type { MatchGroup, MatchGroupDetail, Payment } from '../../contract/matching/match-groups.ts';
import type { MatchRule } from '../../contract/matching/match-rules.ts';
import type { MatchRun } from '../../contract/matching/match-runs.ts';
import type { Payout } from '../../contract/matching/payouts.ts';
import { formatMinute, formatMoney, formatNumber } from '../output/format-values.ts';
import { formatLabeledValues, formatTableLines, type TableColumn } from '../output/table.ts';
import { sanitizeLine } from '../output/terminal-text.ts';

export const matchColumns: TableColumn<MatchGroup>[] = [
  { header: 'id', cell: ({ id }) => id, align: 'right' },
  { header: 'status', cell: (group) => formatStatus(group) },
  { header: 'rule', cell: ({ rule }) => rule },
  { header: 'date', cell: ({ dated_on }) => dated_on },
  {
    header: 'amount',
    cell: (group) => formatMoney(group.line_count > 0 ? group.lines_in_cents : group.transactions_in_cents),
    align: 'right',
  },
  { header: 'currency', cell: ({ currency }) => currency },
  { header: 'lines', cell: ({ line_count }) => line_count, align: 'right', isOptional: true },
  {
    header: 'payments',
    cell: ({ transaction_count }) => transaction_count,
    align: 'right',
    isOptional: true,
  },
  {
    header: 'description',
    cell: ({ bank_lines, transactions }) => bank_lines[0]?.description ?? transactions[0]?.customer_name,
    minWidth: 12,
  },
];

function formatStatus({ status, alternatives }: MatchGroup): string {
  return status === 'ambiguous' ? `ambiguous (${alternatives})` : status;
}

/** Formats a match with its lines, payments, evidence, alternatives and history. */
export function formatMatch(group: MatchGroupDetail): string[] {
  return [
    ...formatLabeledValues([
      ['match', group.id],
      ['status', formatStatus(group)],
      ['rule', `${group.rule}: ${group.explanation}`],
      ['score', group.score],
      ['currency', group.currency],
      ['difference', group.difference_in_cents === 0 ? null : formatMoney(group.difference_in_cents)],
    ]),
    '',
    'lines',
    ...group.line_rows.map((line) =>
      sanitizeLine(
        `  ${line.id}  ${line.booked_on}  ${formatMoney(line.amount_in_cents)}  ${line.description}  ${line.reference ?? ''}  (${line.file}, row ${line.row})`,
      ),
    ),
    'payments',
    ...group.payment_rows.map((payment) =>
      sanitizeLine(
        `  ${payment.id}  ${payment.paid_on}  ${formatMoney(payment.amount_in_cents)}  ${payment.customer_name ?? ''}  (statement ${payment.statement_id})`,
      ),
    ),
    ...group.adjustments.map(({ category, amount_in_cents, reason }) =>
      sanitizeLine(`  ${category}  ${formatMoney(amount_in_cents)}  ${reason ?? ''}`),
    ),
    '',
    'reason',
    ...group.reasons.map(({ field, text }) => sanitizeLine(`  ${field}: ${text}`)),
    ...(group.alternatives === 0 ? [] : ['', `alternatives: ${formatNumber(group.alternatives)}`]),
    ...group.nearest_alternatives.map(({ text }) => sanitizeLine(`  ${text}`)),
    '',
    'history (UTC)',
    ...group.history.map(({ at, user, action, text }) =>
      sanitizeLine(
        `  ${formatMinute(at)}  ${[action, user && `by ${user}`, text].filter(Boolean).join('  ')}`,
      ),
    ),
  ];
}

export const matchRunColumns: TableColumn<MatchRun>[] = [
  { header: 'id', cell: ({ id }) => id, align: 'right' },
  { header: 'started (UTC)', cell: ({ started_at }) => formatMinute(started_at) },
  { header: 'state', cell: ({ state, dry_run }) => (dry_run ? `${state} (dry run)` : state) },
  { header: 'confirmed', cell: ({ confirmed }) => formatNumber(confirmed), align: 'right' },
  { header: 'suggested', cell: ({ suggested }) => formatNumber(suggested), align: 'right' },
  { header: 'ambiguous', cell: ({ ambiguous }) => formatNumber(ambiguous), align: 'right' },
  { header: 'started by', cell: ({ user }) => user, isOptional: true },
];

/** Formats the results of a matching run. */
export function formatMatchRun(run: MatchRun): string[] {
  return [
    ...formatTableLines(
      [
        { header: 'pass', cell: ({ title }) => title },
        { header: 'confirmed', cell: ({ confirmed }) => formatNumber(confirmed), align: 'right' },
        { header: 'suggested', cell: ({ suggested }) => formatNumber(suggested), align: 'right' },
        { header: 'ambiguous', cell: ({ ambiguous }) => formatNumber(ambiguous), align: 'right' },
      ] satisfies TableColumn<MatchRun['passes'][number]>[],
      [
        ...run.passes,
        {
          rule: 'all',
          title: 'Total',
          confirmed: run.confirmed,
          suggested: run.suggested,
          ambiguous: run.ambiguous,
        },
      ],
    ),
    '',
    `${formatNumber(run.unmatched_lines)} bank lines and ${formatNumber(run.unmatched_payments)} payments remain unmatched.`,
    run.dry_run ? 'Dry run: no match was saved.' : `Matching run ${run.id} complete.`,
  ];
}

export const paymentColumns: TableColumn<Payment>[] = [
  { header: 'id', cell: ({ id }) => id, align: 'right' },
  { header: 'statement', cell: ({ statement_id }) => statement_id, align: 'right', isOptional: true },
  { header: 'paid', cell: ({ paid_on }) => paid_on },
  { header: 'amount', cell: ({ amount_in_cents }) => formatMoney(amount_in_cents), align: 'right' },
  { header: 'currency', cell: ({ currency }) => currency },
  { header: 'state', cell: ({ state }) => state },
  { header: 'customer', cell: ({ customer_name }) => customer_name, minWidth: 12 },
];

export const payoutColumns: TableColumn<Payout>[] = [
  { header: 'id', cell: ({ id }) => id, align: 'right' },
  { header: 'payout', cell: ({ payout_id }) => payout_id, minWidth: 10 },
  { header: 'account', cell: ({ account }) => account.name, minWidth: 8, isOptional: true },
  { header: 'paid', cell: ({ paid_on }) => paid_on },
  { header: 'net', cell: ({ net_in_cents }) => formatMoney(net_in_cents), align: 'right' },
  { header: 'deposited', cell: ({ deposited_in_cents }) => formatMoney(deposited_in_cents), align: 'right' },
  {
    header: 'unexplained',
    cell: ({ unexplained_in_cents }) => formatMoney(unexplained_in_cents),
    align: 'right',
  },
  { header: 'currency', cell: ({ currency }) => currency },
];

export const matchRuleColumns: TableColumn<MatchRule>[] = [
  { header: 'position', cell: ({ position }) => position, align: 'right' },
  { header: 'id', cell: ({ id }) => id, align: 'right' },
  { header: 'rule', cell: ({ title }) => title, minWidth: 12 },
  {
    header: 'action',
    cell: ({ action }) => ('category' in action ? `${action.do} ${action.category}` : action.do),
  },
  { header: 'enabled', cell: ({ enabled }) => (enabled ? 'yes' : 'no') },
  { header: 'matches', cell: ({ groups }) => formatNumber(groups), align: 'right' },
];
