import { constants, copyFileSync, existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { type BooksCopy, contractError } from '../../../contract/index.ts';
import { damageOf } from '../damage.ts';
import { connect, prepared, type ReadableDb, SqliteError, type WritableDb } from '../database.ts';
import { applicationIds, latestVersion, migrate, versionOf } from '../migrate.ts';
import { isoMoment } from '../moment.ts';
import { auditEnd, verifyAudit } from './audit-list.ts';
import { copiesFolder, makeDurable, type StoredCopy, unfinished } from './backup.ts';

type Facts = Pick<BooksCopy, 'version' | 'entries' | 'last_at' | 'problem'>;

/** A copy as it is listed: its head is read, it is not looked through. */
export function shownCopy({ path, name, at, why, bytes }: StoredCopy): BooksCopy {
  return { name, made_at: isoMoment(at), why, bytes, ...factsAt(path) };
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
  return { version, entries: auditEnd(db)?.seq ?? 0, last_at: isoMoment(at), problem };
}

/** A copy made ready to take the place of books: looked through, of today’s form, in a file of its own. */
export interface ReadyCopy {
  /** The file made ready; the copy itself is as it was. */
  readonly path: string;
  readonly copy: BooksCopy;
  /** What is wrong with its audit log, in a sentence. */
  readonly auditProblem: string | null;
  /** Removes the file, unless it has been taken away. */
  discard(): void;
}

/**
 * Makes a copy ready beside the books at `path`, from a file that may be of an earlier version or still have a log of writes.
 * Throws `not_found`, `corrupt` where it is damaged or none, `storage` where a newer Tieout wrote it, `validation` where it is of another site.
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
    const { why } = verifyAudit(db);
    const { name, at, why: reason, bytes } = source;
    return {
      copy: { name, made_at: isoMoment(at), why: reason, bytes, ...facts },
      auditProblem: why,
    };
  } finally {
    db.close();
    makeDurable(ready);
  }
}

/** The file may come from anywhere: nothing in its schema is run. */
function distrust(db: ReadableDb): void {
  db.pragma('trusted_schema = OFF');
  db.pragma('cell_size_check = ON');
  db.pragma('foreign_keys = ON');
}

/** Tables, indexes and triggers, word for word: what keeps the books must not be missing, and nothing else be there. */
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

/** The site whose books they are, as their audit log tells; null where it does not. */
function ownerOf(db: ReadableDb): string | null {
  const sql = "SELECT subject FROM audit WHERE action = 'sites.add' ORDER BY seq LIMIT 1";
  return prepared<string>(db, sql).pluck().get() ?? null;
}

/** A file of this computer as a copy. */
export function copyAt(path: string): StoredCopy {
  if (!existsSync(path) || !statSync(path).isFile()) throw contractError(noSuchCopy(path));
  const { mtimeMs, size } = statSync(path);
  return { path, name: path, at: Math.trunc(mtimeMs), why: 'asked', bytes: size };
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
