import type { ExceptionDetail, ExceptionRow } from '../../contract/exceptions.ts';
import type { Site } from '../act.ts';
import { minute, money } from '../output/figures.ts';
import { type Column, pairLines } from '../output/table.ts';
import { printable } from '../output/text.ts';

export const exceptionColumns = ({ currency }: Site): Column<ExceptionRow>[] => [
  { header: 'id', cell: ({ id }) => id, align: 'right' },
  { header: 'severity', cell: ({ severity }) => severity },
  { header: 'status', cell: ({ status }) => status, spare: true },
  { header: 'dated', cell: ({ dated_on }) => dated_on },
  { header: 'rule', cell: ({ rule }) => rule },
  { header: `difference ${currency}`, cell: (row) => money(row.difference_in_cents), align: 'right' },
  { header: 'assigned', cell: ({ assigned }) => assigned, least: 8, spare: true },
  { header: 'what', cell: ({ message }) => message, least: 30 },
];

/** An exception for reading: what is wrong, the arithmetic, the rows behind it, what happened to it. */
export function exceptionLines(exception: ExceptionDetail, { currency }: Site): string[] {
  const { arithmetic, rows, history } = exception;
  return [
    ...pairLines([
      ['exception', exception.id],
      ['what', exception.message],
      ['rule', `${exception.title} (${exception.rule})`],
      ['severity', exception.severity],
      ['status', exception.status],
      ['assigned', exception.assigned],
      ['dated', exception.dated_on],
      ['customer', exception.customer_name],
      ['subscription', exception.subject.subscription_id],
      [`expected (${currency})`, money(exception.expected_in_cents)],
      [`actual (${currency})`, money(exception.actual_in_cents)],
      [`difference (${currency})`, money(exception.difference_in_cents)],
    ]),
    '',
    printable(exception.explanation),
    ...(arithmetic.length === 0 ? [] : ['', 'arithmetic']),
    ...figures(arithmetic),
    '',
    'rows behind it',
    ...rows.map(({ text }) => printable(`  ${text}`)),
    '',
    'history (UTC)',
    ...history.map(({ at, who, what, text }) =>
      printable(`  ${minute(at)}  ${[what, who && `by ${who}`, text].filter(Boolean).join('  ')}`),
    ),
  ];
}

/** Label and figure, the figures under one another. */
function figures(arithmetic: ExceptionDetail['arithmetic']): string[] {
  const amounts = arithmetic.map(({ amount_in_cents }) => money(amount_in_cents));
  const width = Math.max(0, ...amounts.map(({ length }) => length));
  return pairLines(arithmetic.map(({ label }, at) => [`  ${label}`, amounts[at]!.padStart(width) || '-']));
}
