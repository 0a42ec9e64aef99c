import type {
  BankStatement,
  ChecklistStep,
  CustomerBalance,
  DeferredCharge,
  FluxLine,
  LedgerImport,
  OutstandingItem,
  ReportAdjustment,
  ReportAuditEntry,
  ReportComment,
  ReportException,
  ReportJournalLine,
  ReportLine,
  ReportMatch,
  SignOffChange,
  Workpaper,
} from '../../contract/index.ts';
import { FLUX_PARTS } from '../../domain/flux/index.ts';
import { describeBankStatementContinuity } from '../../domain/labels/bank.ts';
import { journalStateLabels, ledgerFileKindLabels } from '../../domain/labels/general-ledger.ts';
import {
  CHANGES_SINCE_SIGN_OFF_LABEL,
  checklistStateLabels,
  figureCommentStatusLabels,
  fluxPartLabels,
  periodActionLabels,
} from '../../domain/labels/periods.ts';
import { formatMoney } from '../../domain/ledger/index.ts';
import { ipeFiguresTable, ipeRequestsTable, ipeSourcesTable } from './ipe-tables.ts';
import type { ReportSource } from './report-source.ts';
import {
  centsColumn,
  countColumn,
  defineTable,
  textColumn,
  type UntypedReportTable,
} from './report-table.ts';

export const buildSchedulesTable = defineTable<ReportLine>({
  name: 'schedules',
  title: 'Schedules',
  empty: 'None.',
  rows: scheduleLines,
  columns: [
    textColumn('currency', 'Currency', 6, (row) => row.currency),
    textColumn('schedule', 'Schedule', 6, (row) => row.schedule),
    textColumn('figure', 'Figure', 12, (row) => row.figure),
    textColumn('label', 'Line', 40, (row) => row.label),
    textColumn('role', 'Role', 8, (row) => row.role),
    centsColumn('amount_in_cents', 'Amount', (row) => row.amount_in_cents),
    countColumn('count', 'Rows', 7, (row) => row.count),
    textColumn('ticks', 'Ticks', 8, (row) => row.ticks),
    textColumn('note', 'Source', 0, (row) => row.note),
  ],
});

function* scheduleLines({ workpaper }: ReportSource): Generator<ReportLine> {
  for (const { currency, schedules } of workpaper.sections)
    for (const { id: schedule, lines } of schedules)
      for (const { id: figure, label, role, amount_in_cents, count, ticks, note } of lines)
        yield {
          currency,
          schedule,
          figure,
          label,
          role,
          amount_in_cents,
          count,
          ticks: ticks.join(' '),
          note,
        };
}

const checklistTable = defineTable<ChecklistStep>({
  name: 'checklist',
  title: 'Month-end checklist',
  empty: 'The period has not been opened.',
  rows: (source) => source.checklist(),
  columns: [
    textColumn('step', 'Step', 0, (row) => row.step),
    textColumn('title', 'Title', 30, (row) => row.title),
    textColumn('state', 'Status', 10, (row) => checklistStateLabels[row.state]),
    textColumn('reason', 'Reason', 44, (row) => row.reason),
    textColumn('owner', 'Owner', 14, (row) => row.owner),
    textColumn('due_on', 'Due', 13, (row) => row.due_on),
    textColumn('done_by', 'Done by', 0, (row) => row.done?.name ?? null),
    textColumn('done_at', 'Done at (UTC)', 0, (row) => row.done?.at ?? null),
  ],
});

const commentsTable = defineTable<ReportComment>({
  name: 'figure_comments',
  title: 'Comments on figures',
  empty: 'There are no comments on figures.',
  rows: (source) => source.figure_comments(),
  columns: [
    countColumn('comment', 'No.', 7, (row) => row.comment),
    textColumn('currency', 'Cur.', 7, (row) => row.currency),
    textColumn('figure', 'Figure', 16, (row) => row.figure),
    textColumn('status', 'Status', 11, (row) => figureCommentStatusLabels[row.status]),
    textColumn('action', 'Event', 13, (row) => periodActionLabels[row.action]),
    textColumn('at', 'When (UTC)', 24, (row) => row.at),
    textColumn('name', 'Who', 14, (row) => row.name),
    textColumn('text', 'Text', 48, (row) => row.text),
    textColumn('key', 'Key', 0, (row) => row.key),
  ],
});

const fluxTable = defineTable<FluxLine>({
  name: 'flux',
  title: 'Flux against the previous month',
  empty: 'The workpaper has no figures.',
  rows: (source) => source.flux(),
  columns: [
    textColumn('currency', 'Cur.', 7, (row) => row.currency),
    textColumn('figure', 'Figure', 14, (row) => row.figure),
    textColumn('label', 'Line', 24, (row) => row.label),
    centsColumn('previous_in_cents', 'Previous', (row) => row.previous_in_cents),
    centsColumn('current_in_cents', 'Current', (row) => row.current_in_cents),
    centsColumn('difference_in_cents', 'Difference', (row) => row.difference_in_cents),
    // The PDF has no room for a column per part.
    ...FLUX_PARTS.map((part) => ({
      ...centsColumn<FluxLine>(`${part}_in_cents`, fluxPartLabels[part], (row) => row.parts?.[part] || null),
      relativeWidth: 0,
    })),
    textColumn('split', 'Split', 36, ({ parts }) => parts && formatFluxParts(parts)),
    textColumn('explanation', 'Explanation', 24, (row) => row.explanation?.text ?? null),
    textColumn('explained_by', 'Explained by', 0, (row) => row.explanation?.name ?? null),
    textColumn('explained_in', 'Explained in', 0, (row) => row.explanation?.period ?? null),
  ],
});

/** Formats the parts of a flux that are not zero, for example `New 88.00, Lost -53.00`. */
const formatFluxParts = (parts: NonNullable<FluxLine['parts']>): string =>
  FLUX_PARTS.filter((part) => parts[part] !== 0)
    .map((part) => `${fluxPartLabels[part]} ${formatMoney(parts[part])}`)
    .join(', ');

const bankStatementsTable = defineTable<BankStatement>({
  name: 'bank_statements',
  title: 'Bank statements',
  empty: 'No bank statement with a balance covers the period.',
  rows: (source) => source.bank_statements(),
  columns: [
    textColumn('account', 'Account', 14, (row) => row.account.name),
    textColumn('number', 'No.', 9, (row) => row.number),
    textColumn('currency', 'Cur.', 7, (row) => row.currency),
    textColumn('from', 'From', 13, (row) => row.from),
    textColumn('to', 'To', 13, (row) => row.to),
    centsColumn('opening_in_cents', 'Opening', (row) => row.opening_in_cents),
    centsColumn('lines_in_cents', 'Lines', (row) => row.lines_in_cents),
    centsColumn('closing_in_cents', 'Closing', (row) => row.closing_in_cents),
    centsColumn('difference_in_cents', 'Difference', (row) => row.difference_in_cents),
    centsColumn('gap_in_cents', 'To previous', (row) => row.gap_in_cents),
    countColumn('days_between', 'Days between', 0, (row) => row.days_between),
    textColumn('continuity', 'Continuity', 24, describeBankStatementContinuity),
    textColumn('file', 'Source', 20, (row) => row.source.file),
    textColumn('sha256', 'SHA-256', 0, (row) => row.source.sha256),
    textColumn('entered_by', 'Entered by', 0, (row) => (row.import === null ? row.user : null)),
  ],
});

const ledgerImportsTable = defineTable<LedgerImport>({
  name: 'ledger_imports',
  title: 'Ledger files',
  empty: 'No ledger file has rows in the period.',
  rows: (source) => source.ledger_imports(),
  columns: [
    countColumn('id', 'Import', 8, (row) => row.id),
    textColumn('kind', 'Kind', 10, (row) => ledgerFileKindLabels[row.kind]),
    textColumn('first_on', 'From', 13, (row) => row.first_on),
    textColumn('last_on', 'To', 13, (row) => row.last_on),
    textColumn('currency', 'Cur.', 7, (row) => row.currency),
    countColumn('rows', 'Rows', 7, (row) => row.rows),
    countColumn('skipped', 'Skipped', 8, (row) => row.skipped),
    centsColumn('debit_in_cents', 'Debit', (row) => row.debit_in_cents),
    centsColumn('credit_in_cents', 'Credit', (row) => row.credit_in_cents),
    textColumn('file', 'File', 24, (row) => row.file),
    textColumn('dialect', 'Format', 0, (row) => row.dialect),
    textColumn('user', 'Imported by', 12, (row) => row.user),
    textColumn('sha256', 'SHA-256', 0, (row) => row.sha256),
  ],
});

const journalTable = defineTable<ReportJournalLine>({
  name: 'journal',
  title: 'Journal entries',
  empty: 'The period has no journal entries.',
  rows: (source) => source.journal(),
  columns: [
    textColumn('number', 'Number', 16, (row) => row.number),
    textColumn('state', 'Status', 11, (row) => journalStateLabels[row.state]),
    textColumn('dated_on', 'Dated', 13, (row) => row.dated_on),
    textColumn('memo', 'Memo', 36, (row) => row.memo),
    textColumn('account', 'Account', 14, (row) => row.account),
    textColumn('currency', 'Cur.', 7, (row) => row.currency),
    centsColumn('debit_in_cents', 'Debit', (row) => row.debit_in_cents || null),
    centsColumn('credit_in_cents', 'Credit', (row) => row.credit_in_cents || null),
    textColumn('made_by', 'Made by', 12, (row) => row.made_by),
    textColumn('approved_by', 'Approved by', 12, (row) => row.approved_by),
    textColumn('posted_on', 'Posted', 13, (row) => row.posted_on),
    countColumn('entry', 'Entry', 0, (row) => row.entry),
    textColumn('template', 'Template', 0, (row) => row.template),
  ],
});

const outstandingTable = defineTable<OutstandingItem>({
  name: 'outstanding',
  title: 'Outstanding items',
  empty: 'Nothing is outstanding.',
  rows: (source) => source.outstanding(),
  columns: [
    textColumn('key', 'Item', 17, (row) => row.key),
    textColumn('schedule', 'Sch.', 6, (row) => row.schedule),
    textColumn('figure', 'Figure', 0, (row) => row.figure),
    textColumn('dated_on', 'Dated', 13, (row) => row.dated_on),
    countColumn('age_days', 'Age', 6, (row) => row.age_days),
    textColumn('text', 'What', 34, (row) => row.text),
    textColumn('currency', 'Cur.', 7, (row) => row.currency),
    centsColumn('amount_in_cents', 'Amount', (row) => row.amount_in_cents),
    textColumn('category', 'Category', 11, (row) => row.category),
    textColumn('owner', 'Owner', 12, (row) => row.owner),
    textColumn('explanation', 'Explanation', 20, (row) => row.explanation),
    textColumn('expected_on', 'Expected', 0, (row) => row.expected_on),
    textColumn('brought_forward_from', 'From', 9, (row) => row.brought_forward_from),
    textColumn('cleared_on', 'Cleared', 13, (row) => row.cleared_on),
    textColumn('explained', 'Explained', 0, (row) => (row.explained ? 'yes' : 'no')),
  ],
});

/** Returns the table of customer balances, with a column for each aging bucket. */
const createCustomersTable = ({ sections }: Workpaper) =>
  defineTable<CustomerBalance>({
    name: 'customers',
    title: 'Customer balances',
    empty: 'No customer has a balance.',
    rows: (source) => source.customers(),
    columns: [
      textColumn('customer', 'Customer', 24, (row) => row.customer),
      textColumn('organization', 'Organization', 18, (row) => row.organization),
      countColumn('subscriptions', 'Subscr.', 8, (row) => row.subscriptions),
      textColumn('currency', 'Cur.', 7, (row) => row.currency),
      centsColumn('total_in_cents', 'Balance', (row) => row.total_in_cents),
      ...(sections[0]?.aging ?? []).map((bucket, at) =>
        centsColumn<CustomerBalance>(
          `days_${bucket.from_days}_in_cents`,
          `${formatAgingBucket(bucket)} days`,
          (row) => row.aging[at] || null,
        ),
      ),
      centsColumn('credits_in_cents', 'Credits', (row) => row.credits_in_cents || null),
      centsColumn('overpaid_in_cents', 'Overpaid', (row) => row.overpaid_in_cents || null),
    ],
  });

const deferredTable = defineTable<DeferredCharge>({
  name: 'deferred',
  title: 'Deferred revenue by charge',
  empty: 'No charge was billed or deferred in the period.',
  rows: (source) => source.deferred(),
  columns: [
    countColumn('statement', 'Statement', 12, (row) => row.statement),
    countColumn('transaction', 'Transaction', 13, (row) => row.transaction),
    countColumn('subscription', 'Subscription', 0, (row) => row.subscription),
    textColumn('customer', 'Customer', 20, (row) => row.customer),
    textColumn('memo', 'Memo', 30, (row) => row.memo),
    textColumn('currency', 'Cur.', 7, (row) => row.currency),
    textColumn('service_from', 'From', 13, (row) => row.service_from),
    textColumn('service_until', 'Until', 13, (row) => row.service_until),
    centsColumn('amount_in_cents', 'Amount', (row) => row.amount_in_cents),
    centsColumn('opening_in_cents', 'Opening', (row) => row.opening_in_cents || null),
    centsColumn('billed_in_cents', 'Billed', (row) => row.billed_in_cents || null),
    centsColumn('recognized_in_cents', 'Recognized', (row) => row.recognized_in_cents || null),
    centsColumn('closing_in_cents', 'Closing', (row) => row.closing_in_cents || null),
  ],
});

const adjustmentsTable = defineTable<ReportAdjustment>({
  name: 'adjustments',
  title: 'Adjustments',
  empty: 'No match of the period has a difference.',
  rows: (source) => source.adjustments(),
  columns: [
    countColumn('match', 'Match', 9, (row) => row.match),
    textColumn('dated_on', 'Cleared', 13, (row) => row.dated_on),
    textColumn('currency', 'Cur.', 7, (row) => row.currency),
    textColumn('category', 'Reason code', 14, (row) => row.category),
    centsColumn('amount_in_cents', 'Amount', (row) => row.amount_in_cents),
    textColumn('reason', 'Reason', 36, (row) => row.reason),
    textColumn('user', 'Who', 12, (row) => row.user ?? 'matching run'),
  ],
});

const exceptionsTable = defineTable<ReportException>({
  name: 'exceptions',
  title: 'Exceptions of the billing records',
  empty: 'No exception is dated in the period.',
  rows: (source) => source.exceptions(),
  columns: [
    countColumn('id', 'No.', 8, (row) => row.id),
    textColumn('rule', 'Rule', 24, (row) => row.rule),
    textColumn('severity', 'Severity', 11, (row) => row.severity),
    textColumn('status', 'Status', 11, (row) => row.status),
    textColumn('dated_on', 'Dated', 13, (row) => row.dated_on),
    centsColumn('at_stake_in_cents', 'At stake', (row) => row.at_stake_in_cents),
    textColumn('message', 'Finding', 40, (row) => row.message),
    countColumn('members_count', 'Members', 7, ({ members }) => members.length || null),
    textColumn('members', 'Members of the group', 30, ({ members }) => members.join(' ') || null),
    textColumn('assigned', 'Assigned', 12, (row) => row.assigned),
    textColumn('accepted_by', 'Accepted by', 14, (row) => row.decision?.user ?? null),
    textColumn('accepted_at', 'Accepted at', 0, (row) => row.decision?.at ?? null),
    textColumn('accepted_why', 'Why', 18, (row) => row.decision?.text ?? null),
  ],
});

const matchesTable = defineTable<ReportMatch>({
  name: 'matches',
  title: 'Match listing',
  empty: 'No match was cleared in the period.',
  rows: (source) => source.matches(),
  columns: [
    countColumn('id', 'Match', 8, (row) => row.id),
    textColumn('dated_on', 'Cleared', 13, (row) => row.dated_on),
    textColumn('currency', 'Cur.', 7, (row) => row.currency),
    textColumn('rule', 'Rule', 18, (row) => row.rule),
    centsColumn('lines_in_cents', 'Lines', (row) => row.lines_in_cents),
    centsColumn('transactions_in_cents', 'Payments', (row) => row.transactions_in_cents),
    centsColumn('adjustments_in_cents', 'Adjusted', (row) => row.adjustments_in_cents),
    textColumn('bank_lines', 'Bank lines', 12, (row) => row.bank_lines.join(' ')),
    textColumn('transactions', 'Payment ids', 18, (row) => row.transactions.join(' ')),
    textColumn('payout', 'Payout', 13, (row) => row.payout),
    textColumn('text', 'Comparison', 58, (row) => row.text),
    textColumn('changed_by', 'Who', 0, (row) => row.changed_by ?? 'matching run'),
  ],
});

const changesTable = defineTable<SignOffChange>({
  name: 'changes',
  title: CHANGES_SINCE_SIGN_OFF_LABEL,
  empty: 'No changes since sign-off are known.',
  rows: (source) => source.changes(),
  columns: [
    countColumn('id', 'No.', 7, (row) => row.id),
    textColumn('kind', 'What', 12, (row) => row.kind),
    countColumn('row', 'Its no.', 11, (row) => row.row),
    textColumn('change', 'How', 11, (row) => row.change),
    textColumn('text', 'Change', 52, (row) => row.text),
    textColumn('currency', 'Cur.', 7, (row) => row.currency),
    centsColumn('amount_in_cents', 'Amount', (row) => row.amount_in_cents),
    textColumn('detected_at', 'Noticed (UTC)', 24, (row) => row.detected_at),
    textColumn('detected_by', 'By', 0, (row) => row.detected_by.action),
    textColumn('posted_in', 'Posted in', 10, (row) => row.posted_in),
  ],
});

const auditTable = defineTable<ReportAuditEntry>({
  name: 'audit',
  title: 'Audit log since the start of the period',
  empty: 'No actions since then.',
  rows: (source) => source.audit(),
  columns: [
    countColumn('seq', 'No.', 6, (row) => row.seq),
    textColumn('at', 'When (UTC)', 24, (row) => row.at),
    textColumn('user', 'Who', 10, (row) => row.user),
    textColumn('action', 'What', 18, (row) => row.action),
    textColumn('subject', 'To what', 16, (row) => row.subject),
    textColumn('reason', 'Why', 24, (row) => row.reason),
    textColumn('hash', 'Hash', 20, (row) => row.hash),
  ],
});

/** Formats the days of an aging bucket, for example `0–30` or `> 90`. */
export const formatAgingBucket = ({ from_days, to_days }: AgeRange): string =>
  to_days === null ? `> ${from_days - 1}` : `${from_days}–${to_days}`;

type AgeRange = Pick<Workpaper['sections'][number]['aging'][number], 'from_days' | 'to_days'>;

/** Returns the text shown for a list without rows. A list can also be empty because damaged rows are omitted. */
export function getEmptyTableText(
  { empty }: Pick<UntypedReportTable, 'empty'>,
  { workpaper }: ReportSource,
): string {
  const damaged = workpaper.qualifications.some(({ kind }) => kind === 'damaged');
  return damaged ? 'The signed rows cannot be shown. See the qualifications.' : empty;
}

/** Returns the list tables of a report in order. */
export const listReportTables = ({
  workpaper,
}: Pick<ReportSource, 'workpaper'>): readonly UntypedReportTable[] => [
  checklistTable,
  commentsTable,
  fluxTable,
  exceptionsTable,
  bankStatementsTable,
  ledgerImportsTable,
  journalTable,
  outstandingTable,
  createCustomersTable(workpaper),
  deferredTable,
  adjustmentsTable,
  matchesTable,
  ipeFiguresTable,
  ipeSourcesTable,
  ipeRequestsTable,
  changesTable,
  auditTable,
];
