import type {
  OpenItem,
  ReportAdjustment,
  ReportAudit,
  ReportException,
  ReportLine,
  ReportMatch,
  SignOffChange,
} from '../../contract/index.ts';
import { CHANGES_SINCE_SIGN_OFF } from '../../domain/labels/periods.ts';
import type { ReportSource } from './source.ts';

/** `cents` is written as an amount in PDF and XLSX, and as cents in CSV. */
export type CellKind = 'text' | 'cents' | 'count';

export interface TableColumn<Row> {
  readonly name: string;
  /** Header for people. */
  readonly header: string;
  readonly kind: CellKind;
  /** Relative width in the PDF. 0 leaves the column out. */
  readonly wide: number;
  cell(row: Row): string | number | null;
}

/** A list of the report with the same columns and rows in CSV, XLSX and PDF. */
export interface ReportTable<Row = never> {
  readonly name: string;
  readonly title: string;
  readonly empty: string;
  readonly columns: readonly TableColumn<Row>[];
  rows(source: ReportSource): Iterable<Row>;
}

/** A table with its row type hidden. */
export interface ReportTableOfAnyRow {
  readonly name: string;
  readonly title: string;
  readonly empty: string;
  readonly columns: readonly Omit<TableColumn<never>, 'cell'>[];
  cells(source: ReportSource): Iterable<(string | number | null)[]>;
}

function table<Row>({ rows, columns, ...rest }: ReportTable<Row>): ReportTableOfAnyRow {
  return {
    ...rest,
    columns,
    *cells(source) {
      for (const row of rows(source)) yield columns.map(({ cell }) => cell(row));
    },
  };
}

const text = <Row>(name: string, header: string, wide: number, cell: (row: Row) => string | null) => ({
  name,
  header,
  kind: 'text' as const,
  wide,
  cell,
});
const cents = <Row>(name: string, header: string, cell: (row: Row) => number) => ({
  name,
  header,
  kind: 'cents' as const,
  wide: 14,
  cell,
});
const count = <Row>(name: string, header: string, wide: number, cell: (row: Row) => number | null) => ({
  name,
  header,
  kind: 'count' as const,
  wide,
  cell,
});

export const schedulesTable = table<ReportLine>({
  name: 'schedules',
  title: 'Schedules',
  empty: 'There are none.',
  rows: linesOf,
  columns: [
    text('currency', 'Currency', 6, (row) => row.currency),
    text('schedule', 'Schedule', 6, (row) => row.schedule),
    text('figure', 'Figure', 12, (row) => row.figure),
    text('label', 'Line', 40, (row) => row.label),
    text('role', 'Role', 8, (row) => row.role),
    cents('amount_in_cents', 'Amount', (row) => row.amount_in_cents),
    count('count', 'Rows', 7, (row) => row.count),
    text('ticks', 'Ticks', 8, (row) => row.ticks),
    text('note', 'Source', 0, (row) => row.note),
  ],
});

function* linesOf({ workpaper }: ReportSource): Generator<ReportLine> {
  for (const { currency, schedules } of workpaper.sections) {
    for (const { id: schedule, lines } of schedules) {
      for (const { id: figure, label, role, amount_in_cents, count: rows, ticks, note } of lines)
        yield {
          currency,
          schedule,
          figure,
          label,
          role,
          amount_in_cents,
          count: rows,
          ticks: ticks.join(' '),
          note,
        };
    }
  }
}

const outstandingTable = table<OpenItem>({
  name: 'outstanding',
  title: 'Outstanding items',
  empty: 'Nothing is outstanding.',
  rows: (source) => source.outstanding(),
  columns: [
    text('key', 'Item', 17, (row) => row.key),
    text('schedule', 'Sch.', 6, (row) => row.schedule),
    text('figure', 'Figure', 0, (row) => row.figure),
    text('dated_on', 'Dated', 13, (row) => row.dated_on),
    count('age_days', 'Age', 6, (row) => row.age_days),
    text('text', 'What', 34, (row) => row.text),
    text('currency', 'Cur.', 7, (row) => row.currency),
    cents('amount_in_cents', 'Amount', (row) => row.amount_in_cents),
    text('category', 'Category', 11, (row) => row.category),
    text('owner', 'Owner', 12, (row) => row.owner),
    text('explanation', 'Explanation', 20, (row) => row.explanation),
    text('expected_on', 'Expected', 0, (row) => row.expected_on),
    text('brought_forward_from', 'From', 9, (row) => row.brought_forward_from),
    text('cleared_on', 'Cleared', 13, (row) => row.cleared_on),
    text('explained', 'Explained', 0, (row) => (row.explained ? 'yes' : 'no')),
  ],
});

const adjustmentsTable = table<ReportAdjustment>({
  name: 'adjustments',
  title: 'Adjustments',
  empty: 'No match of the period has a difference.',
  rows: (source) => source.adjustments(),
  columns: [
    count('match', 'Match', 9, (row) => row.match),
    text('dated_on', 'Cleared', 13, (row) => row.dated_on),
    text('currency', 'Cur.', 7, (row) => row.currency),
    text('category', 'Reason code', 14, (row) => row.category),
    cents('amount_in_cents', 'Amount', (row) => row.amount_in_cents),
    text('reason', 'Reason', 36, (row) => row.reason),
    text('user', 'Who', 12, (row) => row.user ?? 'matching run'),
  ],
});

const exceptionsTable = table<ReportException>({
  name: 'exceptions',
  title: 'Exceptions of the billing records',
  empty: 'None is dated in the period.',
  rows: (source) => source.exceptions(),
  columns: [
    count('id', 'No.', 8, (row) => row.id),
    text('rule', 'Rule', 24, (row) => row.rule),
    text('severity', 'Severity', 11, (row) => row.severity),
    text('status', 'Status', 11, (row) => row.status),
    text('dated_on', 'Dated', 13, (row) => row.dated_on),
    cents('at_stake_in_cents', 'At stake', (row) => row.at_stake_in_cents),
    text('message', 'Finding', 56, (row) => row.message),
    text('assigned', 'Assigned', 12, (row) => row.assigned),
    text('accepted_by', 'Accepted by', 14, (row) => row.decision?.user ?? null),
    text('accepted_at', 'Accepted at', 0, (row) => row.decision?.at ?? null),
    text('accepted_why', 'Why', 18, (row) => row.decision?.text ?? null),
  ],
});

const matchesTable = table<ReportMatch>({
  name: 'matches',
  title: 'Match listing',
  empty: 'No match was cleared in the period.',
  rows: (source) => source.matches(),
  columns: [
    count('id', 'Match', 8, (row) => row.id),
    text('dated_on', 'Cleared', 13, (row) => row.dated_on),
    text('currency', 'Cur.', 7, (row) => row.currency),
    text('rule', 'Rule', 18, (row) => row.rule),
    cents('lines_in_cents', 'Lines', (row) => row.lines_in_cents),
    cents('transactions_in_cents', 'Payments', (row) => row.transactions_in_cents),
    cents('adjustments_in_cents', 'Adjusted', (row) => row.adjustments_in_cents),
    text('bank_lines', 'Line nos.', 12, (row) => row.bank_lines.join(' ')),
    text('transactions', 'Payment ids', 18, (row) => row.transactions.join(' ')),
    text('payout', 'Payout', 13, (row) => row.payout),
    text('text', 'What was compared', 58, (row) => row.text),
    text('changed_by', 'Who', 0, (row) => row.changed_by ?? 'matching run'),
  ],
});

const changesTable = table<SignOffChange>({
  name: 'changes',
  title: CHANGES_SINCE_SIGN_OFF,
  empty: 'Nothing is known to be otherwise than it was signed.',
  rows: (source) => source.changes(),
  columns: [
    count('id', 'No.', 7, (row) => row.id),
    text('kind', 'What', 12, (row) => row.kind),
    count('row', 'Its no.', 11, (row) => row.row),
    text('change', 'How', 11, (row) => row.change),
    text('text', 'What is otherwise', 52, (row) => row.text),
    text('currency', 'Cur.', 7, (row) => row.currency),
    cents('amount_in_cents', 'Amount', (row) => row.amount_in_cents),
    text('detected_at', 'Noticed (UTC)', 24, (row) => row.detected_at),
    text('detected_by', 'By', 0, (row) => row.detected_by.action),
    text('posted_in', 'Lands in', 10, (row) => row.posted_in),
  ],
});

const auditTable = table<ReportAudit>({
  name: 'audit',
  title: 'Audit log since the beginning of the period',
  empty: 'Nothing was done since.',
  rows: (source) => source.audit(),
  columns: [
    count('seq', 'No.', 6, (row) => row.seq),
    text('at', 'When (UTC)', 24, (row) => row.at),
    text('user', 'Who', 10, (row) => row.user),
    text('action', 'What', 18, (row) => row.action),
    text('subject', 'To what', 16, (row) => row.subject),
    text('reason', 'Why', 24, (row) => row.reason),
    text('hash', 'Hash', 20, (row) => row.hash),
  ],
});

/** Returns the text shown if a list has no rows. Damaged rows are left out and may be the reason. */
export function emptyTableText(
  { empty }: Pick<ReportTableOfAnyRow, 'empty'>,
  { workpaper }: ReportSource,
): string {
  const damaged = workpaper.qualifications.some(({ kind }) => kind === 'damaged');
  return damaged ? 'No row that could be shown as it was signed: see the qualifications.' : empty;
}

/** The tables in the order of the report. */
export const listTables: readonly ReportTableOfAnyRow[] = [
  exceptionsTable,
  outstandingTable,
  adjustmentsTable,
  matchesTable,
  changesTable,
  auditTable,
];
