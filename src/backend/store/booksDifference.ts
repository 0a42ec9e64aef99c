import type { BookChange, BookPart, BooksDifference } from '../../contract/index.ts';
import { damageOf } from './check.ts';
import { connect, prepared, type ReadableDb, SqliteError, snapshot } from './database.ts';
import { isoMoment } from './moment.ts';

/** What of two books is compared. The texts are constants; `x` is the row. */
interface Compared {
  readonly part: BookPart;
  readonly table: string;
  /** What a row is known by in both. */
  readonly key: readonly string[];
  /** What makes it another. */
  readonly content: readonly string[];
  /** Rows that count; all where absent. */
  readonly where?: string;
  readonly text: string;
  readonly amount?: string;
  readonly at?: string;
  readonly who?: string;
}

const decided = "x.status IN ('confirmed', 'declined', 'undone')";

const compared: readonly Compared[] = [
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
    content: ['status', 'amount_in_cents', 'made_at', 'why'],
    where: decided,
    text: "'Match ' || x.id || ', ' || x.status",
    amount: 'x.amount_in_cents',
    at: 'x.changed_at',
    who: 'x.changed_by',
  },
  {
    part: 'imports',
    table: 'bank_import',
    key: ['id'],
    content: ['state', 'sha256', 'account_id'],
    where: "x.state <> 'adding'",
    text: "x.file || ', ' || x.rows_new || ' lines' || iif(x.state = 'removed', ', taken back', '')",
    at: 'x.at',
    who: 'x.who',
  },
  {
    part: 'notes',
    table: 'match_note',
    key: ['id'],
    content: ['at', 'text'],
    text: 'x.text',
    at: 'x.at',
    who: 'x.who',
  },
  {
    part: 'notes',
    table: 'period_entry',
    key: ['period_id', 'seq'],
    content: ['at', 'text'],
    where: "x.what = 'noted'",
    text: 'x.text',
    at: 'x.at',
    who: 'x.name',
  },
  {
    part: 'notes',
    table: 'item_said',
    key: ['item', 'seq'],
    content: ['at', 'explanation', 'category', 'owner', 'expected_on'],
    text: "x.item || ': ' || coalesce(x.explanation, x.category, x.owner, '')",
    at: 'x.at',
    who: 'x.who',
  },
  {
    part: 'notes',
    table: 'exception_entry',
    key: ['exception_id', 'seq'],
    content: ['at', 'text'],
    where: "x.what = 'commented'",
    text: "'Exception ' || x.exception_id || ': ' || x.text",
    at: 'x.at',
    who: 'x.who',
  },
  {
    part: 'exceptions',
    table: 'exception_entry',
    key: ['exception_id', 'seq'],
    content: ['at', 'what', 'text'],
    where: "x.who IS NOT NULL AND x.what IN ('assigned', 'accepted', 'reopened')",
    text: "'Exception ' || x.exception_id || ' ' || x.what || ': ' || coalesce(x.text, '')",
    at: 'x.at',
    who: 'x.who',
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
    who: 'x.who',
  },
  {
    part: 'rules',
    table: 'match_rule',
    key: ['id'],
    content: ['version', 'enabled', 'removed', 'position'],
    text: "'Rule “' || x.title || '”' || iif(x.removed, ', removed', iif(x.enabled, '', ', off'))",
    at: 'x.changed_at',
    who: 'x.changed_by',
  },
  {
    part: 'rules',
    table: 'rule_switch',
    key: ['rule'],
    content: ['at', 'reason'],
    text: "'Check ' || x.rule || ' off: ' || x.reason",
    at: 'x.at',
    who: 'x.who',
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
    who: 'x.who',
  },
  {
    part: 'archive',
    table: 'archive_export',
    key: ['id'],
    content: ['state'],
    where: "x.state <> 'planned'",
    text: "'Export to ' || x.target_path || ', ' || x.state",
    at: 'x.made_at',
    who: 'x.made_by',
  },
  {
    part: 'archive',
    table: 'archive_hold',
    key: ['id'],
    content: ['reason', 'lifted_at'],
    text: "'Hold: ' || x.reason || iif(x.lifted_at IS NULL, '', ', lifted')",
    at: 'x.placed_at',
    who: 'x.placed_by',
  },
  {
    part: 'archive',
    table: 'archive_deleted',
    key: ['statement_id', 'version'],
    content: ['sha256'],
    text: "'PDF of statement ' || x.statement_id || ' deleted: ' || x.reason",
    at: 'x.deleted_at',
    who: 'x.deleted_by',
  },
  {
    part: 'audit',
    table: 'audit',
    key: ['hash'],
    content: [],
    text: "x.seq || ': ' || x.action || ' ' || x.subject",
    at: 'x.at',
    who: 'x.who',
  },
];

/** Listed at most of a kind; all are counted. */
const LISTED = 50;

type Parts = BooksDifference['parts'];

/** What is found between books, and whether those of now can be read. */
export interface Found {
  readonly damage: string | null;
  readonly parts: Parts;
  /** Periods that are closed, and would not be, or not with this seal. */
  readonly unlocks: string[];
}

/** Compares a copy that was made ready with the books at `path`; what of damaged books cannot be read is null. */
export function compareBooks(ready: string, path: string): Found {
  const db = connect(ready, { readonly: true }) as ReadableDb;
  try {
    const damage = attached(db, path);
    return snapshot(db, () => {
      const parts = new Map<BookPart, Parts[number]>();
      for (const each of compared) {
        const found = changesOf(db, each);
        const before = parts.get(each.part);
        parts.set(each.part, before === undefined ? { part: each.part, ...found } : together(before, found));
      }
      return { damage, parts: [...parts.values()], unlocks: unlockedBy(db) };
    });
  } finally {
    db.close();
  }
}

/** Lays the books of now beside the copy; gives what is wrong with them. */
function attached(db: ReadableDb, path: string): string | null {
  try {
    prepared(db, 'ATTACH ? AS present').run(path);
    const found = String(db.pragma('present.quick_check(1)', { simple: true }));
    return found === 'ok' ? null : found;
  } catch (error) {
    if (!(error instanceof SqliteError)) throw error;
    return error.message;
  }
}

function unlockedBy(db: ReadableDb): string[] {
  const closed = (books: string, name: string) =>
    `FROM ${books}.period AS ${name} JOIN ${books}.period_seal AS ${name}s ON ${name}s.period_id = ${name}.id
       AND ${name}s.version = ${name}.version WHERE ${name}.state = 'closed'`;
  try {
    return prepared<string>(
      db,
      `SELECT x.period ${closed('present', 'x')} AND NOT EXISTS (
         SELECT 1 ${closed('main', 'y')} AND y.period = x.period AND ys.sha256 IS xs.sha256) ORDER BY x.period`,
    )
      .pluck()
      .all();
  } catch (error) {
    if (!(error instanceof SqliteError)) throw error;
    return [];
  }
}

type Counts = Omit<Parts[number], 'part'>;

function changesOf(db: ReadableDb, each: Compared): Counts {
  const { table, key, content, where = '1', currency } = { currency: currencyOf(each), ...each };
  const join = key.map((column) => `x.${column} = y.${column}`).join(' AND ');
  const other = where.replaceAll('x.', 'y.');
  const alone = (one: string, rest: string) =>
    `FROM ${one}.${table} AS x WHERE ${where} AND NOT EXISTS (SELECT 1 FROM ${rest}.${table} AS y WHERE ${join} AND ${other})`;
  const row = (name: string) => content.map((column) => `${name}.${column}`).join(', ');
  const sources: Record<BookChange['how'], string | null> = {
    lost: alone('present', 'main'),
    back: alone('main', 'present'),
    changed:
      content.length === 0
        ? null
        : `FROM main.${table} AS x JOIN present.${table} AS y ON ${join} WHERE ${where} AND ${other} AND (${row('x')}) IS NOT (${row('y')})`,
  };
  const columns = `${each.text} AS text, ${each.amount ?? 'NULL'} AS amount_in_cents, ${currency} AS currency,
    ${each.at ?? 'NULL'} AS at, ${each.who ?? 'NULL'} AS who`;
  const counts: Record<BookChange['how'], number | null> = { lost: 0, back: 0, changed: 0 };
  const items: BookChange[] = [];
  for (const how of ['lost', 'back', 'changed'] as const) {
    const source = sources[how];
    if (source === null) continue;
    try {
      counts[how] = prepared<number>(db, `SELECT count(*) ${source}`).pluck().get() ?? 0;
      if (counts[how] === 0) continue;
      const sql = `SELECT ${columns} ${source} ORDER BY at DESC, ${key.map((column) => `x.${column} DESC`).join(', ')} LIMIT ${LISTED}`;
      for (const { at, who, ...told } of prepared<Told>(db, sql).all()) {
        items.push({ how, ...told, at: isoMoment(at), who: who === '' ? null : who });
      }
    } catch (error) {
      if (!(error instanceof SqliteError)) throw error;
      counts[how] = null;
    }
  }
  return { ...counts, items };
}

type Told = Omit<BookChange, 'how' | 'at'> & { at: number | null };

const currencyOf = ({ amount }: Compared): string => (amount === undefined ? 'NULL' : 'x.currency');

function together(one: Parts[number], other: Counts): Parts[number] {
  const sum = (a: number | null, b: number | null) => (a === null || b === null ? null : a + b);
  return {
    part: one.part,
    lost: sum(one.lost, other.lost),
    back: sum(one.back, other.back),
    changed: sum(one.changed, other.changed),
    items: [...one.items, ...other.items],
  };
}

/** Whether SQLite finds the books at `path` sound, by a look through them. */
export function damageAt(path: string): string | null {
  try {
    const db = connect(path, { readonly: true, fileMustExist: true }) as ReadableDb;
    try {
      return damageOf(db, false);
    } finally {
      db.close();
    }
  } catch (error) {
    if (!(error instanceof SqliteError)) throw error;
    return error.message;
  }
}
