import type { BankImport, BankProfile, ImportPlan, ImportPlanRow } from '../../contract/bank/bank-imports.ts';
import type { BankAccount, BankLine } from '../../contract/bank/bank-lines.ts';
import type { BankStatement } from '../../contract/bank/bank-statements.ts';
import { describeBankStatementContinuity } from '../../domain/labels/bank.ts';
import { formatCount, formatMoney, formatNumber } from '../output/format-values.ts';
import {
  createCountColumn,
  createMoneyColumn,
  formatLabeledValues,
  type LabeledValue,
  type TableColumn,
} from '../output/table.ts';
import { flattenTextLines, sanitizeLine, type TextLines } from '../output/terminal-text.ts';

export const bankAccountColumns: TableColumn<BankAccount>[] = [
  { header: 'id', cell: ({ id }) => id, align: 'right' },
  { header: 'account', cell: ({ name }) => name, minWidth: 12 },
  { header: 'kind', cell: ({ kind }) => kind },
  { header: 'number', cell: ({ number }) => number, isOptional: true },
  createCountColumn('lines', ({ lines }) => lines),
  createCountColumn(
    'unexplained',
    ({ lines, states }) => lines - (states['matched'] ?? 0) - (states['ignored'] ?? 0),
  ),
  { header: 'from', cell: ({ first_on }) => first_on, isOptional: true },
  { header: 'to', cell: ({ last_on }) => last_on },
  {
    header: 'balance',
    cell: ({ balance }) => (balance ? `${formatMoney(balance.amount_in_cents)} ${balance.currency}` : null),
    align: 'right',
    isOptional: true,
  },
];

export const bankProfileColumns: TableColumn<BankProfile>[] = [
  { header: 'profile', cell: ({ name }) => name },
  { header: 'description', cell: ({ label }) => label, minWidth: 12 },
  { header: 'source', cell: ({ source }) => source },
  { header: 'type', cell: ({ built_in }) => (built_in ? 'built in' : 'saved') },
];

export const bankImportColumns: TableColumn<BankImport>[] = [
  { header: 'id', cell: ({ id }) => id, align: 'right' },
  { header: 'account', cell: ({ account }) => account.name, minWidth: 10 },
  { header: 'file', cell: ({ file }) => file, minWidth: 12 },
  { header: 'state', cell: ({ state }) => state },
  createCountColumn('lines', ({ rows }) => rows.new),
  { header: 'from', cell: ({ first_on }) => first_on, isOptional: true },
  { header: 'to', cell: ({ last_on }) => last_on, isOptional: true },
  { header: 'imported (UTC)', cell: ({ at }) => at.slice(0, 16).replace('T', ' ') },
];

export const bankStatementColumns: TableColumn<BankStatement>[] = [
  { header: 'id', cell: ({ id }) => id, align: 'right' },
  { header: 'account', cell: ({ account }) => account.name, minWidth: 10 },
  { header: 'number', cell: ({ number }) => number, isOptional: true },
  { header: 'from', cell: ({ from }) => from },
  { header: 'to', cell: ({ to }) => to },
  createMoneyColumn('opening', ({ opening_in_cents }) => opening_in_cents),
  createMoneyColumn('closing', ({ closing_in_cents }) => closing_in_cents),
  { header: 'currency', cell: ({ currency }) => currency },
  { header: 'continuity', cell: describeBankStatementContinuity, minWidth: 16 },
  { header: 'source', cell: ({ source }) => source.file, isOptional: true },
];

export const bankLineColumns: TableColumn<BankLine>[] = [
  { header: 'id', cell: ({ id }) => id, align: 'right' },
  { header: 'account', cell: ({ account }) => account.name, minWidth: 8, isOptional: true },
  { header: 'booked', cell: ({ booked_on }) => booked_on },
  createMoneyColumn('amount', ({ amount_in_cents }) => amount_in_cents),
  { header: 'currency', cell: ({ currency }) => currency },
  { header: 'state', cell: ({ state }) => state },
  { header: 'description', cell: ({ description }) => description, minWidth: 16 },
  { header: 'reference', cell: ({ reference }) => reference, minWidth: 10, isOptional: true },
];

/** Maximum number of rows listed in a terminal. The JSON output contains all rows. Chosen by judgment. */
const MAX_LISTED_ROWS = 20;

function formatPlanRows(rows: readonly ImportPlanRow[]): TextLines {
  const hidden = rows.length - MAX_LISTED_ROWS;
  return [
    rows
      .slice(0, MAX_LISTED_ROWS)
      .map(({ location, reason, raw, description }) => `${location}: ${reason} ${raw ?? description ?? ''}`),
    hidden > 0 && `… and ${formatCount(hidden, 'more row')}`,
  ];
}

const formatColumns = ({ columns }: ImportPlan): string =>
  columns.map(({ name, role }) => `${name}: ${role.replaceAll('_', ' ')}`).join('; ');

/** Formats the result of an import, or its preview if `done` is null. */
export function formatImportPlan(
  plan: ImportPlan,
  { excluded, doubtful }: { excluded: readonly ImportPlanRow[]; doubtful: readonly ImportPlanRow[] },
  done: BankImport | null,
): TextLines {
  const { rows, file, account, sums, statements, remarks, questions } = plan;
  const reported = excluded.filter(({ verdict }) => verdict !== 'duplicate');
  return flattenTextLines([
    formatLabeledValues([
      ['file', `${file.name} (${plan.dialect || 'unknown'})`],
      ['account', account.name],
      ['columns', plan.columns.length === 0 ? null : formatColumns(plan)],
      ['rows', formatNumber(rows.total)],
      ['new', formatNumber(rows.new)],
      ['to review', plan.needs_review === 0 ? null : formatNumber(plan.needs_review)],
      ['already imported', formatNumber(rows.duplicate)],
      ['skipped', formatNumber(rows.skipped)],
      ['unreadable', formatNumber(rows.failed)],
      ['dates', plan.first_on === null ? null : `${plan.first_on} to ${plan.last_on}`],
      ...sums.map(({ currency, in_cents, out_cents }): LabeledValue => {
        return [`received, paid (${currency})`, `${formatMoney(in_cents)}, ${formatMoney(out_cents)}`];
      }),
      ...statements.map(({ difference_in_cents: difference, location }): LabeledValue => {
        const agreement = difference === 0 ? 'agree with the lines' : `differ by ${formatMoney(difference)}`;
        return [`statement balances at ${location}`, difference === null ? null : agreement];
      }),
    ]),
    remarks.map(({ location, text }) => `${location}: ${text}`),
    formatPlanRows(reported),
    doubtful.length > 0 && ['To review:', formatPlanRows(doubtful)],
    questions.map(({ key, text, readings }) => [
      text,
      readings.map(({ value, label, examples }) => {
        const meanings = examples.map(({ raw, meaning }) => `${raw} means ${meaning}`).join('; ');
        return `  --answer ${key}=${value}  ${label}${meanings === '' ? '' : `: ${meanings}`}`;
      }),
    ]),
    done === null ? (plan.blocker ?? 'Preview only. Nothing was imported.') : `Import ${done.id} complete.`,
  ]).map(sanitizeLine);
}
