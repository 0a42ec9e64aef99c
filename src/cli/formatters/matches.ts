import type { MatchGroup, MatchGroupDetail, Payment } from '../../contract/matching/match-groups.ts';
import type { MatchRule, ProposedRule } from '../../contract/matching/match-rules.ts';
import type { MatchRun } from '../../contract/matching/match-runs.ts';
import type { Payout } from '../../contract/matching/payouts.ts';
import { formatMinute, formatMoney, formatNumber } from '../output/format-values.ts';
import {
  createCountColumn,
  createMoneyColumn,
  formatLabeledValues,
  formatTableLines,
  type TableColumn,
} from '../output/table.ts';
import {
  flattenTextLines,
  formatIndentedEntry,
  sanitizeLine,
  type TextLines,
} from '../output/terminal-text.ts';

export const matchGroupColumns: TableColumn<MatchGroup>[] = [
  { header: 'id', cell: ({ id }) => id, align: 'right' },
  { header: 'status', cell: (group) => formatStatus(group) },
  { header: 'rule', cell: ({ rule }) => rule },
  { header: 'date', cell: ({ dated_on }) => dated_on },
  createMoneyColumn('amount', (group) =>
    group.line_count > 0 ? group.lines_in_cents : group.transactions_in_cents,
  ),
  { header: 'currency', cell: ({ currency }) => currency },
  createCountColumn('lines', ({ line_count }) => line_count, { isOptional: true }),
  createCountColumn('payments', ({ transaction_count }) => transaction_count, { isOptional: true }),
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
export function formatMatch(group: MatchGroupDetail): TextLines {
  return flattenTextLines([
    formatLabeledValues([
      ['match', group.id],
      ['status', formatStatus(group)],
      ['rule', `${group.rule}: ${group.explanation}`],
      ['score', group.score],
      ['currency', group.currency],
      ['difference', group.difference_in_cents === 0 ? null : formatMoney(group.difference_in_cents)],
    ]),
    '',
    'lines',
    group.line_rows.map(
      ({ id, booked_on, amount_in_cents, description, reference, file, row }) =>
        `  ${id}  ${booked_on}  ${formatMoney(amount_in_cents)}  ${description}  ${reference ?? ''}  (${file}, row ${row})`,
    ),
    'payments',
    group.payment_rows.map(
      ({ id, paid_on, amount_in_cents, customer_name, statement_id }) =>
        `  ${id}  ${paid_on}  ${formatMoney(amount_in_cents)}  ${customer_name ?? ''}  (statement ${statement_id})`,
    ),
    group.adjustments.map(
      ({ category, amount_in_cents, reason }) =>
        `  ${category}  ${formatMoney(amount_in_cents)}  ${reason ?? ''}`,
    ),
    ...(['for', 'against'] as const).map((side) => {
      const reasons = group.reasons.filter(({ against = false }) => against === (side === 'against'));
      return (
        reasons.length > 0 && ['', `evidence ${side} the match`, ...reasons.map(({ text }) => `  ${text}`)]
      );
    }),
    group.alternatives > 0 && ['', `alternatives: ${formatNumber(group.alternatives)}`],
    group.nearest_alternatives.map(({ text }) => `  ${text}`),
    '',
    'history (UTC)',
    group.history.map(({ at, user, action, text }) =>
      formatIndentedEntry(formatMinute(at), action, user && `by ${user}`, text),
    ),
  ]).map(sanitizeLine);
}

export const matchRunColumns: TableColumn<MatchRun>[] = [
  { header: 'id', cell: ({ id }) => id, align: 'right' },
  { header: 'started (UTC)', cell: ({ started_at }) => formatMinute(started_at) },
  { header: 'state', cell: ({ state, dry_run }) => (dry_run ? `${state} (dry run)` : state) },
  createCountColumn('confirmed', ({ confirmed }) => confirmed),
  createCountColumn('suggested', ({ suggested }) => suggested),
  createCountColumn('ambiguous', ({ ambiguous }) => ambiguous),
  { header: 'started by', cell: ({ user }) => user, isOptional: true },
];

const passColumns: TableColumn<Omit<MatchRun['passes'][number], 'rule'>>[] = [
  { header: 'pass', cell: ({ title }) => title },
  createCountColumn('confirmed', ({ confirmed }) => confirmed),
  createCountColumn('suggested', ({ suggested }) => suggested),
  createCountColumn('ambiguous', ({ ambiguous }) => ambiguous),
];

export function formatMatchRun(run: MatchRun): TextLines {
  return [
    formatTableLines(passColumns, [...run.passes, { ...run, title: 'Total' }]),
    '',
    `${formatNumber(run.unmatched_lines)} bank lines and ${formatNumber(run.unmatched_payments)} payments remain unmatched.`,
    run.dry_run ? 'Dry run: no match was saved.' : `Matching run ${run.id} complete.`,
  ];
}

export const paymentColumns: TableColumn<Payment>[] = [
  { header: 'id', cell: ({ id }) => id, align: 'right' },
  { header: 'statement', cell: ({ statement_id }) => statement_id, align: 'right', isOptional: true },
  { header: 'paid', cell: ({ paid_on }) => paid_on },
  createMoneyColumn('amount', ({ amount_in_cents }) => amount_in_cents),
  { header: 'currency', cell: ({ currency }) => currency },
  { header: 'state', cell: ({ state }) => state },
  { header: 'customer', cell: ({ customer_name }) => customer_name, minWidth: 12 },
];

export const payoutColumns: TableColumn<Payout>[] = [
  { header: 'id', cell: ({ id }) => id, align: 'right' },
  { header: 'payout', cell: ({ payout_id }) => payout_id, minWidth: 10 },
  { header: 'account', cell: ({ account }) => account.name, minWidth: 8, isOptional: true },
  { header: 'paid', cell: ({ paid_on }) => paid_on },
  createMoneyColumn('net', ({ net_in_cents }) => net_in_cents),
  createMoneyColumn('deposited', ({ deposited_in_cents }) => deposited_in_cents),
  createMoneyColumn('unexplained', ({ unexplained_in_cents }) => unexplained_in_cents),
  { header: 'currency', cell: ({ currency }) => currency },
];

export const matchRuleColumns: TableColumn<MatchRule>[] = [
  { header: 'position', cell: ({ position }) => position, align: 'right' },
  { header: 'id', cell: ({ id }) => id, align: 'right' },
  { header: 'rule', cell: ({ title }) => title, minWidth: 12 },
  { header: 'action', cell: (rule) => formatMatchRuleAction(rule) },
  { header: 'enabled', cell: ({ enabled }) => (enabled ? 'yes' : 'no') },
  createCountColumn('matches', ({ groups }) => groups),
];

/** Formats what a match rule does, for example `categorize fee`. */
export const formatMatchRuleAction = ({ action }: Pick<MatchRule, 'action'>): string =>
  'category' in action ? `${action.do} ${action.category}` : action.do;

export const proposedRuleColumns: TableColumn<ProposedRule>[] = [
  { header: 'id', cell: ({ id }) => id },
  { header: 'rule', cell: ({ title }) => title, minWidth: 12 },
  { header: 'action', cell: (rule) => formatMatchRuleAction(rule) },
  createCountColumn('decisions', ({ decisions }) => decisions),
  createCountColumn('right', ({ right }) => right),
  createCountColumn('wrong', ({ wrong }) => wrong),
  createCountColumn('unmatched', ({ lines }) => lines),
];
