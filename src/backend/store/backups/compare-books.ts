import type { BooksChange, BooksDifference, BooksPart } from '../../../contract/index.ts';
import { formatTimestamp } from '../../shared/timestamps.ts';
import {
  openSqlite,
  prepareSql,
  type ReadableDb,
  SqliteError,
  select,
  withReadSnapshot,
} from '../sqlite/connection.ts';
import { type ComparedTable, comparedTables } from './compared-tables.ts';

/** Maximum number of differences listed per kind. The counts include all differences. Chosen by judgment. */
const MAX_LISTED_DIFFERENCES = 50;

type Parts = BooksDifference['parts'];

/** Differences between two versions of the books. `damage` describes damage of the current books, or is null. */
export interface BooksComparison {
  readonly damage: string | null;
  readonly parts: Parts;
  /** Closed periods that the restore would reopen or whose closed figures it would change. */
  readonly unlocks: string[];
}

/** Compares a prepared backup with the books at `path`. A comparison is null if damage prevents it. */
export function compareBooks(backupPath: string, path: string): BooksComparison {
  const db = openSqlite(backupPath, { readonly: true }) as ReadableDb;
  try {
    const damage = attachCurrentBooks(db, path);
    return withReadSnapshot(db, () => {
      const parts = new Map<BooksPart, Parts[number]>();
      for (const each of comparedTables) {
        const found = compareTable(db, each);
        const before = parts.get(each.part);
        parts.set(each.part, before === undefined ? { part: each.part, ...found } : addCounts(before, found));
      }
      return { damage, parts: [...parts.values()], unlocks: listReopenedPeriods(db) };
    });
  } finally {
    db.close();
  }
}

/** Attaches the current books to the backup's connection. Returns the damage that SQLite reports, or null. */
export function attachCurrentBooks(db: ReadableDb, path: string): string | null {
  try {
    prepareSql(db, 'ATTACH ? AS present').run(path);
    const found = String(db.pragma('present.quick_check(1)', { simple: true }));
    return found === 'ok' ? null : found;
  } catch (error) {
    if (!(error instanceof SqliteError)) throw error;
    return error.message;
  }
}

function listReopenedPeriods(db: ReadableDb): string[] {
  const closed = (books: string, name: string) =>
    `FROM ${books}.period AS ${name} JOIN ${books}.closed_figures AS ${name}s ON ${name}s.period_id = ${name}.id
       AND ${name}s.version = ${name}.version WHERE ${name}.state = 'closed'`;
  try {
    const sql = `SELECT x.period ${closed('present', 'x')} AND NOT EXISTS (
         SELECT 1 ${closed('main', 'y')} AND y.period = x.period AND ys.sha256 IS xs.sha256) ORDER BY x.period`;
    return select.values<string>(db, sql);
  } catch (error) {
    if (!(error instanceof SqliteError)) throw error;
    return [];
  }
}

type Counts = Omit<Parts[number], 'part'>;

/**
 * Counts and lists the differences of a table between two versions of the books. `db` is one version, with the other
 * attached as `present`. A count is null if damage prevents it.
 */
export function compareTable(db: ReadableDb, table: ComparedTable<string>): Counts {
  const sources = getDifferenceSources(table);
  const counts: Record<BooksChange['change'], number | null> = { lost: 0, restored: 0, changed: 0 };
  const items: BooksChange[] = [];
  for (const change of ['lost', 'restored', 'changed'] as const) {
    const source = sources[change];
    if (source === null) continue;
    try {
      counts[change] = select.value<number>(db, `SELECT count(*) ${source}`) ?? 0;
      if (counts[change] > 0) items.push(...listDifferences(db, table, change, source));
    } catch (error) {
      if (!(error instanceof SqliteError)) throw error;
      counts[change] = null;
    }
  }
  return { ...counts, items };
}

/** Returns the FROM clause for each kind of difference. Null if the table cannot have that kind. */
function getDifferenceSources(compared: ComparedTable<string>): Record<BooksChange['change'], string | null> {
  const { table, key, content, where = '1' } = compared;
  const join = key.map((column) => `x.${column} = y.${column}`).join(' AND ');
  const other = where.replaceAll('x.', 'y.');
  const missing = (one: string, from: string) =>
    `FROM ${one}.${table} AS x WHERE ${where} AND NOT EXISTS (SELECT 1 FROM ${from}.${table} AS y WHERE ${join} AND ${other})`;
  const row = (name: string) => content.map((column) => `${name}.${column}`).join(', ');
  const both = `FROM main.${table} AS x JOIN present.${table} AS y ON ${join} WHERE ${where} AND ${other}`;
  return {
    lost: missing('present', 'main'),
    restored: missing('main', 'present'),
    changed: content.length === 0 ? null : `${both} AND (${row('x')}) IS NOT (${row('y')})`,
  };
}

function listDifferences(
  db: ReadableDb,
  { table, key, text, amount = 'NULL', at: instant = 'NULL', user: by = 'NULL' }: ComparedTable<string>,
  change: BooksChange['change'],
  source: string,
): BooksChange[] {
  const columns = key.map((column) => `x.${column}`);
  const sql = `SELECT '${table}/' || ${columns.join(" || '/' || ")} AS id, ${text} AS text, ${amount} AS amount_in_cents,
    ${amount === 'NULL' ? 'NULL' : 'x.currency'} AS currency, ${instant} AS at, ${by} AS user
    ${source} ORDER BY at DESC, ${columns.map((column) => `${column} DESC`).join(', ')} LIMIT ${MAX_LISTED_DIFFERENCES}`;
  return select.rows<StoredDifference>(db, sql).map(({ at, user, ...rest }) => ({
    ...{ change, ...rest },
    at: formatTimestamp(at),
    user: user === '' ? null : user,
  }));
}

type StoredDifference = Omit<BooksChange, 'change' | 'at'> & { at: number | null };

function addCounts(one: Parts[number], other: Counts): Parts[number] {
  const sum = (a: number | null, b: number | null) => (a === null || b === null ? null : a + b);
  return {
    part: one.part,
    lost: sum(one.lost, other.lost),
    restored: sum(one.restored, other.restored),
    changed: sum(one.changed, other.changed),
    items: [...one.items, ...other.items],
  };
}
