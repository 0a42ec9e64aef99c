import { constants, copyFileSync, existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { type BooksCopy, contractError } from '../../../contract/index.ts';
import { formatTimestamp } from '../../shared/timestamps.ts';
import { auditEnd, verifyAudit } from '../audit-log/audit-list.ts';
import { applicationIds, latestVersion, migrate, versionOf } from '../migrations/migrate.ts';
import { connect, prepared, type ReadableDb, SqliteError, type WritableDb } from '../sqlite/connection.ts';
import { damageOf } from '../sqlite/integrity-check.ts';
import { copiesFolder, makeDurable, type StoredCopy, unfinished } from './backup.ts';

type Facts = Pick<BooksCopy, 'version' | 'entries' | 'last_at' | 'problem'>;

/** Returns a backup for a list. Only its header is read, not its content. */
export function shownCopy({ path, name, at, reason: why, bytes }: StoredCopy): BooksCopy {
  return { name, made_at: formatTimestamp(at), reason: why, bytes, ...factsAt(path) };
}

function factsAt(path: string): Facts {
  try {
    const db = connect(path, { readonly: true, fileMustExist: true }) as ReadableDb;
    try {
      return factsOf(db);
    } finally {
      db.close();
    }
  } catch (error) {
    if (!(error instanceof SqliteError)) throw error;
    return { version: null, entries: null, last_at: null, problem: 'It is damaged.' };
  }
}

function factsOf(db: ReadableDb): Facts {
  if (Number(db.pragma('application_id', { simple: true })) !== applicationIds.books) {
    return { version: null, entries: null, last_at: null, problem: 'It is no copy of books.' };
  }
  const version = Number(db.pragma('user_version', { simple: true }));
  const at = prepared<number>(db, 'SELECT at FROM audit ORDER BY seq DESC LIMIT 1').pluck().get() ?? null;
  const problem =
    version > latestVersion('books') ? 'It was written by a newer Tieout; install that one to use it.' : null;
  return { version, entries: auditEnd(db)?.seq ?? 0, last_at: formatTimestamp(at), problem };
}

/** A backup prepared to replace the books: verified, migrated to the current schema, in a file of its own. */
export interface ReadyCopy {
  /** Path of the prepared file. The backup itself is unchanged. */
  readonly path: string;
  readonly copy: BooksCopy;
  /** Sentence about what is wrong with its audit log. */
  readonly auditProblem: string | null;
  /** Deletes the file unless it has been moved away. */
  discard(): void;
}

/**
 * Prepares a backup beside the books at `path`. The source may have an older schema or a write-ahead log. Throws
 * `not_found`, `corrupt` if it is damaged or no backup, `storage` if a newer Tieout wrote it, `validation` if it belongs
 * to another site.
 */
export function readyCopy(path: string, site: string, source: StoredCopy): ReadyCopy {
  if (!existsSync(source.path)) throw contractError(noSuchCopy(source.name));
  mkdirSync(copiesFolder(path), { recursive: true, mode: 0o700 });
  const ready = unfinished(`${copiesFolder(path)}/ready-${basename(source.path)}`);
  const discard = () => {
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(ready + suffix, { force: true });
  };
  discard();
  try {
    for (const suffix of ['', '-wal']) {
      if (existsSync(source.path + suffix))
        copyFileSync(source.path + suffix, ready + suffix, constants.COPYFILE_FICLONE);
    }
    return { path: ready, discard, ...madeReady(ready, site, source) };
  } catch (error) {
    discard();
    if (error instanceof SqliteError && /^SQLITE_(CORRUPT|NOTADB)/.test(error.code)) {
      throw contractError(damagedCopy(source.name, error.message));
    }
    throw error;
  }
}

function madeReady(
  ready: string,
  site: string,
  source: StoredCopy,
): { copy: BooksCopy; auditProblem: string | null } {
  const db = connect(ready) as WritableDb;
  try {
    distrust(db);
    db.pragma('journal_mode = DELETE');
    const facts = factsOf(db);
    if (facts.version === null) throw contractError(damagedCopy(source.name, 'it is no copy of books'));
    if (facts.version > latestVersion('books')) throw contractError(newerCopy(source.name));
    const damage = damageOf(db, true);
    if (damage !== null) throw contractError(damagedCopy(source.name, damage));
    const of = ownerOf(db);
    if (of !== null && of !== site) throw contractError(otherSite(source.name, of, site));
    if (versionOf(db) < latestVersion('books')) migrate(db, 'books');
    if (schemaOf(db) !== schemaOfBooks()) {
      throw contractError(damagedCopy(source.name, 'its tables are not those of books'));
    }
    const { reason: why } = verifyAudit(db);
    const { name, at, reason, bytes } = source;
    return {
      copy: { name, made_at: formatTimestamp(at), reason: reason, bytes, ...facts },
      auditProblem: why,
    };
  } finally {
    db.close();
    makeDurable(ready);
  }
}

/** Disables everything in the schema that could execute, because the file may come from anywhere. */
function distrust(db: ReadableDb): void {
  db.pragma('trusted_schema = OFF');
  db.pragma('cell_size_check = ON');
  db.pragma('foreign_keys = ON');
}

/**
 * Returns the text of all tables, indexes and triggers. Everything that protects the books must be present, and nothing
 * else.
 */
function schemaOf(db: ReadableDb): string {
  const sql = "SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY type, name";
  return JSON.stringify(prepared(db, sql).all());
}

function schemaOfBooks(): string {
  const fresh = connect(':memory:') as WritableDb;
  try {
    migrate(fresh, 'books');
    return schemaOf(fresh);
  } finally {
    fresh.close();
  }
}

/** Returns the site of the books from their audit log, or null. */
function ownerOf(db: ReadableDb): string | null {
  const sql = "SELECT subject FROM audit WHERE action = 'sites.add' ORDER BY seq LIMIT 1";
  return prepared<string>(db, sql).pluck().get() ?? null;
}

/** Returns a file of this computer as a backup. */
export function copyAt(path: string): StoredCopy {
  if (!existsSync(path) || !statSync(path).isFile()) throw contractError(noSuchCopy(path));
  const { mtimeMs, size } = statSync(path);
  return { path, name: path, at: Math.trunc(mtimeMs), reason: 'asked', bytes: size };
}

export function noSuchCopy(name: string) {
  return {
    code: 'not_found' as const,
    message: `There is no copy ${name}.`,
    hint: 'See the list of copies for those there are.',
    retryable: false,
  };
}

function damagedCopy(name: string, damage: string) {
  return {
    code: 'corrupt' as const,
    message: `The copy ${name} cannot be used: ${damage}.`,
    hint: 'Choose another one; the books are as they were.',
    retryable: false,
  };
}

function newerCopy(name: string) {
  return {
    code: 'storage' as const,
    message: `The copy ${name} was written by a newer Tieout.`,
    hint: 'Install the newer Tieout to use it; the books are as they were.',
    retryable: false,
  };
}

function otherSite(name: string, of: string, site: string) {
  return {
    code: 'validation' as const,
    message: `The copy ${name} has the books of the site ${of}, not of ${site}.`,
    hint: 'Choose a copy of this site; the books are as they were.',
    retryable: false,
  };
}
