import type { ExceptionDetail, ExceptionRow } from '../../contract/checks/exceptions.ts';
import { exceptionActionLabels } from '../../domain/labels/exceptions.ts';
import { formatMinute, formatMoney } from '../output/format-values.ts';
import {
  createCountColumn,
  createMoneyColumn,
  formatLabeledValues,
  type TableColumn,
} from '../output/table.ts';
import { formatIndentedEntry, sanitizeLine, type TextLines } from '../output/terminal-text.ts';
import type { StoredSite } from '../runtime/app-session.ts';

export const exceptionColumns = ({ currency }: StoredSite): TableColumn<ExceptionRow>[] => [
  { header: 'id', cell: ({ id }) => id, align: 'right' },
  { header: 'severity', cell: ({ severity }) => severity },
  { header: 'status', cell: ({ status }) => status, isOptional: true },
  { header: 'date', cell: ({ dated_on }) => dated_on },
  { header: 'rule', cell: ({ rule }) => rule },
  createMoneyColumn(`difference ${currency}`, (row) => row.difference_in_cents),
  createCountColumn('findings', ({ members }) => members.length || null, { isOptional: true }),
  { header: 'assigned to', cell: ({ assigned }) => assigned, minWidth: 8, isOptional: true },
  { header: 'message', cell: ({ message }) => message, minWidth: 30 },
];

/** Formats an exception with its calculation, records and history. */
export function formatException(exception: ExceptionDetail, { currency }: StoredSite): TextLines {
  const { arithmetic, rows, history, members } = exception;
  return [
    formatLabeledValues([
      ['exception', exception.id],
      ['message', exception.message],
      ['rule', `${exception.title} (${exception.rule})`],
      ['severity', exception.severity],
      ['status', exception.status],
      ['assigned to', exception.assigned],
      ['date', exception.dated_on],
      ['customer', exception.customer_name],
      ['subscription', exception.subject.subscription_id],
      [`expected (${currency})`, formatMoney(exception.expected_in_cents)],
      [`actual (${currency})`, formatMoney(exception.actual_in_cents)],
      [`difference (${currency})`, formatMoney(exception.difference_in_cents)],
    ]),
    '',
    sanitizeLine(exception.explanation),
    arithmetic.length > 0 && ['', 'calculation', formatArithmetic(arithmetic)],
    members.length > 0 && [
      '',
      `findings with this cause (${members.length})`,
      members.map(({ rule, message }) => sanitizeLine(`  ${rule}: ${message}`)),
    ],
    '',
    'records',
    rows.map(({ text }) => sanitizeLine(`  ${text}`)),
    '',
    'history (UTC)',
    history.map(({ at, user, action, text }) =>
      sanitizeLine(
        formatIndentedEntry(formatMinute(at), exceptionActionLabels[action], user && `by ${user}`, text),
      ),
    ),
  ];
}

/** Formats lines of a calculation with aligned amounts. */
function formatArithmetic(arithmetic: ExceptionDetail['arithmetic']): string[] {
  const amounts = arithmetic.map(({ amount_in_cents }) => formatMoney(amount_in_cents));
  const width = Math.max(0, ...amounts.map(({ length }) => length));
  return formatLabeledValues(
    arithmetic.map(({ label }, at) => [`  ${label}`, amounts[at]!.padStart(width) || '-']),
  );
}
