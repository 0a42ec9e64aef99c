import type { BookPart } from '../../../contract/index.ts';

/** What is compared between two books. The texts are SQL constants; `x` is the row. */
export interface Compared {
  readonly part: BookPart;
  readonly table: string;
  /** Columns that identify a row in both books. */
  readonly key: readonly string[];
  /** Columns whose change makes a row different. */
  readonly content: readonly string[];
  /** Condition for the rows to compare. All rows if absent. */
  readonly where?: string;
  readonly text: string;
  readonly amount?: string;
  readonly at?: string;
  readonly user?: string;
}

const decided = "x.status IN ('confirmed', 'declined', 'undone')";

/** In the order of display. Several tables may form one part. */
export const compared: readonly Compared[] = [
  {
    part: 'periods',
    table: 'period',
    key: ['period'],
    content: ['state', 'version'],
    text: "x.period || ', ' || x.state || iif(x.version = 0, '', ', seal ' || x.version)",
  },
  {
    part: 'matches',
    table: 'match_group',
    key: ['id'],
    content: ['status', 'amount_in_cents', 'made_at', 'reason'],
    where: decided,
    text: "'Match ' || x.id || ', ' || x.status",
    amount: 'x.amount_in_cents',
    at: 'x.changed_at',
    user: 'x.changed_by',
  },
  {
    part: 'imports',
    table: 'bank_import',
    key: ['id'],
    content: ['state', 'sha256', 'account_id'],
    where: "x.state <> 'adding'",
    text: "x.file || ', ' || x.rows_new || ' lines' || iif(x.state = 'removed', ', taken back', '')",
    at: 'x.at',
    user: 'x.user',
  },
  {
    part: 'notes',
    table: 'match_note',
    key: ['id'],
    content: ['at', 'text'],
    text: 'x.text',
    at: 'x.at',
    user: 'x.user',
  },
  {
    part: 'notes',
    table: 'period_entry',
    key: ['period_id', 'seq'],
    content: ['at', 'text'],
    where: "x.action = 'noted'",
    text: 'x.text',
    at: 'x.at',
    user: 'x.name',
  },
  {
    part: 'notes',
    table: 'item_explanation',
    key: ['item', 'seq'],
    content: ['at', 'explanation', 'category', 'owner', 'expected_on'],
    text: "x.item || ': ' || coalesce(x.explanation, x.category, x.owner, '')",
    at: 'x.at',
    user: 'x.user',
  },
  {
    part: 'notes',
    table: 'exception_entry',
    key: ['exception_id', 'seq'],
    content: ['at', 'text'],
    where: "x.action = 'commented'",
    text: "'Exception ' || x.exception_id || ': ' || x.text",
    at: 'x.at',
    user: 'x.user',
  },
  {
    part: 'exceptions',
    table: 'exception_entry',
    key: ['exception_id', 'seq'],
    content: ['at', 'action', 'text'],
    where: "x.user IS NOT NULL AND x.action IN ('assigned', 'accepted', 'reopened')",
    text: "'Exception ' || x.exception_id || ' ' || x.action || ': ' || coalesce(x.text, '')",
    at: 'x.at',
    user: 'x.user',
  },
  {
    part: 'replays',
    table: 'replay_job',
    key: ['job'],
    content: ['started_at'],
    text: "'Replay ' || x.job || ', ' || x.state",
    at: 'x.started_at',
  },
  {
    part: 'allocations',
    table: 'allocation_draft',
    key: ['id'],
    content: ['state', 'sha256'],
    text: "x.title || ', ' || x.state",
    at: 'coalesce(x.sent_at, x.created_at)',
    user: 'x.user',
  },
  {
    part: 'rules',
    table: 'match_rule',
    key: ['id'],
    content: ['version', 'enabled', 'removed', 'position'],
    text: "'Rule “' || x.title || '”' || iif(x.removed, ', removed', iif(x.enabled, '', ', off'))",
    at: 'x.changed_at',
    user: 'x.changed_by',
  },
  {
    part: 'rules',
    table: 'rule_switch',
    key: ['rule'],
    content: ['at', 'reason'],
    text: "'Check ' || x.rule || ' off: ' || x.reason",
    at: 'x.at',
    user: 'x.user',
  },
  {
    part: 'rules',
    table: 'bank_account',
    key: ['id'],
    content: ['name', 'kind', 'currency', 'number', 'window_from', 'window_to'],
    text: "'Account ' || x.name",
  },
  {
    part: 'rules',
    table: 'bank_profile',
    key: ['name'],
    content: ['content'],
    text: "'Profile ' || x.name",
    at: 'x.at',
    user: 'x.user',
  },
  {
    part: 'archive',
    table: 'archive_export',
    key: ['id'],
    content: ['state'],
    where: "x.state <> 'planned'",
    text: "'Export to ' || x.target_path || ', ' || x.state",
    at: 'x.made_at',
    user: 'x.made_by',
  },
  {
    part: 'archive',
    table: 'archive_hold',
    key: ['id'],
    content: ['reason', 'lifted_at'],
    text: "'Hold: ' || x.reason || iif(x.lifted_at IS NULL, '', ', lifted')",
    at: 'x.placed_at',
    user: 'x.placed_by',
  },
  {
    part: 'archive',
    table: 'archive_deleted',
    key: ['statement_id', 'version'],
    content: ['sha256'],
    text: "'PDF of statement ' || x.statement_id || ' deleted: ' || x.reason",
    at: 'x.deleted_at',
    user: 'x.deleted_by',
  },
  {
    part: 'audit',
    table: 'audit',
    key: ['hash'],
    content: [],
    text: "x.seq || ': ' || x.action || ' ' || x.subject",
    at: 'x.at',
    user: 'x.user',
  },
];
