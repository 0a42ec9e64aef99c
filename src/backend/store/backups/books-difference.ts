import type { BookChange, BookPart, BooksDifference } from '../../../contract/index.ts';
import { formatTimestamp } from '../../shared/timestamps.ts';
import { connect, prepared, type ReadableDb, SqliteError, snapshot } from '../sqlite/connection.ts';
import { type Compared, compared } from './books-parts.ts';

/** Maximum number of differences listed per kind. All are counted. */
const LISTED = 50;

type Parts = BooksDifference['parts'];

/** Differences between two books, and whether the current ones are readable. */
export interface Found {
  readonly damage: string | null;
  readonly parts: Parts;
  /** Closed periods that would not be closed, or would have other closed figures. */
  readonly unlocks: string[];
}

/** Compares a prepared backup with the books at `path`. Parts of damaged books that cannot be read are null. */
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

/** Attaches the current books to the backup's connection. Returns what is wrong with them. */
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
    `FROM ${books}.period AS ${name} JOIN ${books}.closed_figures AS ${name}s ON ${name}s.period_id = ${name}.id
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
  const sources: Record<BookChange['change'], string | null> = {
    lost: alone('present', 'main'),
    restored: alone('main', 'present'),
    changed:
      content.length === 0
        ? null
        : `FROM main.${table} AS x JOIN present.${table} AS y ON ${join} WHERE ${where} AND ${other} AND (${row('x')}) IS NOT (${row('y')})`,
  };
  const id = key.map((column) => `x.${column}`).join(" || '/' || ");
  const columns = `'${table}/' || ${id} AS id, ${each.text} AS text, ${each.amount ?? 'NULL'} AS amount_in_cents, ${currency} AS currency,
    ${each.at ?? 'NULL'} AS at, ${each.user ?? 'NULL'} AS user`;
  const counts: Record<BookChange['change'], number | null> = { lost: 0, restored: 0, changed: 0 };
  const items: BookChange[] = [];
  for (const change of ['lost', 'restored', 'changed'] as const) {
    const source = sources[change];
    if (source === null) continue;
    try {
      counts[change] = prepared<number>(db, `SELECT count(*) ${source}`).pluck().get() ?? 0;
      if (counts[change] === 0) continue;
      const sql = `SELECT ${columns} ${source} ORDER BY at DESC, ${key.map((column) => `x.${column} DESC`).join(', ')} LIMIT ${LISTED}`;
      for (const { at, user, ...told } of prepared<Told>(db, sql).all()) {
        items.push({ change, ...told, at: formatTimestamp(at), user: user === '' ? null : user });
      }
    } catch (error) {
      if (!(error instanceof SqliteError)) throw error;
      counts[change] = null;
    }
  }
  return { ...counts, items };
}

type Told = Omit<BookChange, 'change' | 'at'> & { at: number | null };

const currencyOf = ({ amount }: Compared): string => (amount === undefined ? 'NULL' : 'x.currency');

function together(one: Parts[number], other: Counts): Parts[number] {
  const sum = (a: number | null, b: number | null) => (a === null || b === null ? null : a + b);
  return {
    part: one.part,
    lost: sum(one.lost, other.lost),
    restored: sum(one.restored, other.restored),
    changed: sum(one.changed, other.changed),
    items: [...one.items, ...other.items],
  };
}
