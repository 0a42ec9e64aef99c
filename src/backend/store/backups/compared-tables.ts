import type { BooksPart } from '../../../contract/index.ts';

/** Table to compare between two versions of the books. The SQL fragments refer to a row as `x`. */
export interface ComparedTable<Part extends string = BooksPart> {
  readonly part: Part;
  readonly table: string;
  /** Columns that identify the same row in both versions of the books. */
  readonly key: readonly string[];
  /** Columns that are compared. A row counts as changed if one of them differs. */
  readonly content: readonly string[];
  /** SQL condition that selects the rows to compare. If absent, all rows are compared. */
  readonly where?: string;
  readonly text: string;
  readonly amount?: string;
  readonly at?: string;
  readonly user?: string;
}

const decided = "x.status IN ('confirmed', 'declined', 'undone')";

type Comparison = Omit<ComparedTable, 'part' | 'table' | 'key'>;
const compare = (part: BooksPart, table: string, key: string[], comparison: Comparison): ComparedTable => ({
  part,
  table,
  key,
  ...comparison,
});
const byUser = { at: 'x.at', user: 'x.user' };

/** Compared tables in display order. Several tables can form one part of the comparison. */
export const comparedTables: readonly ComparedTable[] = [
  compare('periods', 'period', ['period'], {
    content: ['state', 'version'],
    text: "x.period || ', ' || x.state || iif(x.version = 0, '', ', version ' || x.version)",
  }),
  compare('matches', 'match_group', ['id'], {
    content: ['status', 'amount_in_cents', 'made_at', 'reason'],
    where: decided,
    text: "'Match ' || x.id || ', ' || x.status",
    amount: 'x.amount_in_cents',
    at: 'x.changed_at',
    user: 'x.changed_by',
  }),
  compare('imports', 'bank_import', ['id'], {
    content: ['state', 'sha256', 'account_id'],
    where: "x.state <> 'adding'",
    text: "x.file || ', ' || x.rows_new || ' lines' || iif(x.state = 'removed', ', removed', '')",
    ...byUser,
  }),
  compare('imports', 'bank_statement', ['id'], {
    content: ['account_id', 'from_on', 'to_on', 'opening_in_cents', 'closing_in_cents', 'removed_at'],
    where: 'x.import_id IS NULL',
    text: "x.file || ', ' || x.from_on || ' to ' || x.to_on || iif(x.removed_at IS NULL, '', ', removed')",
    amount: 'x.closing_in_cents',
    ...byUser,
  }),
  compare('imports', 'ledger_import', ['id'], {
    content: ['state', 'sha256', 'kind'],
    text: "x.file || ', ' || x.rows || ' ledger rows' || iif(x.state = 'removed', ', removed', '')",
    ...byUser,
  }),
  compare('journal', 'journal_entry', ['id'], {
    content: ['state', 'number', 'dated_on', 'memo', 'made_at'],
    text: "coalesce(x.number || ': ', '') || x.memo || ', ' || x.state",
    amount: '(SELECT sum(debit_in_cents) FROM journal_line WHERE entry_id = x.id)',
    at: 'coalesce(x.exported_at, x.approved_at, x.made_at)',
    user: 'coalesce(x.exported_by, x.approved_by, x.made_by)',
  }),
  compare('notes', 'comment', ['id'], {
    content: ['at', 'text'],
    text: "x.kind || ' ' || x.subject || ': ' || x.text",
    ...byUser,
  }),
  compare('notes', 'period_entry', ['period_id', 'seq'], {
    content: ['at', 'text'],
    where: "x.action IN ('commented', 'answered', 'cleared', 'explained')",
    text: 'coalesce(x.text, x.action)',
    at: 'x.at',
    user: 'x.name',
  }),
  compare('notes', 'item_explanation', ['item', 'seq'], {
    content: ['at', 'explanation', 'category', 'owner', 'expected_on'],
    text: "x.item || ': ' || coalesce(x.explanation, x.category, x.owner, '')",
    ...byUser,
  }),
  compare('notes', 'checklist_step', ['period_id', 'step'], {
    content: ['title', 'owner', 'due_on', 'done_at', 'removed'],
    text: "'Checklist step ' || coalesce(x.title, x.step) || iif(x.removed, ', removed', iif(x.done_at IS NULL, '', ', done'))",
    at: 'x.done_at',
    user: 'x.done_by',
  }),
  compare('exceptions', 'exception_entry', ['exception_id', 'seq'], {
    content: ['at', 'action', 'text'],
    where: "x.user IS NOT NULL AND x.action IN ('assigned', 'accepted', 'reopened')",
    text: "'Exception ' || x.exception_id || ' ' || x.action || ': ' || coalesce(x.text, '')",
    ...byUser,
  }),
  compare('replays', 'replay_job', ['job'], {
    content: ['started_at'],
    text: "'Replay ' || x.job || ', ' || x.state",
    at: 'x.started_at',
  }),
  compare('allocations', 'allocation_draft', ['id'], {
    content: ['state', 'sha256'],
    text: "x.title || ', ' || x.state",
    at: 'coalesce(x.sent_at, x.created_at)',
    user: 'x.user',
  }),
  compare('rules', 'match_rule', ['id'], {
    content: ['version', 'enabled', 'removed', 'position'],
    text: "'Rule “' || x.title || '”' || iif(x.removed, ', removed', iif(x.enabled, '', ', off'))",
    at: 'x.changed_at',
    user: 'x.changed_by',
  }),
  compare('rules', 'match_category', ['category'], {
    content: [],
    text: "'Category ' || x.category",
    ...byUser,
  }),
  compare('rules', 'rule_switch', ['rule'], {
    content: ['at', 'reason'],
    text: "'Check ' || x.rule || ' off: ' || x.reason",
    ...byUser,
  }),
  compare('rules', 'bank_account', ['id'], {
    content: ['name', 'kind', 'currency', 'number', 'window_from', 'window_to'],
    text: "'Account ' || x.name",
  }),
  compare('rules', 'bank_profile', ['name'], {
    content: ['content'],
    text: "'Profile ' || x.name",
    ...byUser,
  }),
  compare('rules', 'ledger_account', ['account'], {
    content: ['name', 'area'],
    text: "'Ledger account ' || x.account || coalesce(': ' || x.area, '')",
    at: 'x.changed_at',
    user: 'x.changed_by',
  }),
  compare('archive', 'archive_export', ['id'], {
    content: ['state'],
    where: "x.state <> 'planned'",
    text: "'Export to ' || x.target_path || ', ' || x.state",
    at: 'x.made_at',
    user: 'x.made_by',
  }),
  compare('archive', 'archive_hold', ['id'], {
    content: ['reason', 'lifted_at'],
    text: "'Hold: ' || x.reason || iif(x.lifted_at IS NULL, '', ', lifted')",
    at: 'x.placed_at',
    user: 'x.placed_by',
  }),
  compare('archive', 'archive_deleted', ['statement_id', 'version'], {
    content: ['sha256'],
    text: "'PDF of statement ' || x.statement_id || ' deleted: ' || x.reason",
    at: 'x.deleted_at',
    user: 'x.deleted_by',
  }),
  compare('audit', 'audit', ['hash'], {
    content: [],
    text: "x.seq || ': ' || x.action || ' ' || x.subject",
    ...byUser,
  }),
];
