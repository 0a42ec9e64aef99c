import { releaseMatch } from '../matching/release-match.ts';
import { formatNumberRanges } from '../shared/number-ranges.ts';
import { addAuditEntry } from '../store/audit-log/audit-log.ts';
import { recordBankAccountChange } from '../store/bank/bank-account.ts';
import {
  findBankImport,
  listUnfinishedBankImports,
  markBankImportRemoved,
} from '../store/bank/bank-import.ts';
import {
  listMatchesWithImportedLines,
  removeBankLinesOfImport,
  removeEmptyPayouts,
} from '../store/bank/bank-line.ts';
import { runInTransaction, type WritableDb } from '../store/sqlite/connection.ts';

/** Number of lines or matches removed per transaction. */
const REMOVAL_BATCH_SIZE = 1000;

/** Time, person and reason of the removal of an import. */
export interface ImportRemoval {
  /** Time of the removal in UTC milliseconds. */
  at: number;
  by: string;
  reason: string;
}

/** Removes an import's matches, then its lines, in batches, and marks the import as removed. */
export class ImportRemover {
  readonly groups: number[] = [];
  lines = 0;
  readonly #books: WritableDb;
  readonly #id: number;
  readonly #removal: ImportRemoval;

  constructor(books: WritableDb, id: number, removal: ImportRemoval) {
    this.#books = books;
    this.#id = id;
    this.#removal = removal;
  }

  /** Removes the next batch. Returns false once the import is marked as removed. Must be called in a transaction. */
  removeNextBatch(): boolean {
    const { at, by, reason } = this.#removal;
    const groups = listMatchesWithImportedLines(this.#books, this.#id, REMOVAL_BATCH_SIZE);
    const matchReason = `Import ${this.#id} was removed: ${reason}`;
    for (const group of groups) releaseMatch(this.#books, group, { at, by, reason: matchReason });
    const lines = groups.length > 0 ? 0 : removeBankLinesOfImport(this.#books, this.#id, REMOVAL_BATCH_SIZE);
    this.groups.push(...groups);
    this.lines += lines;
    if (groups.length + lines > 0) return true;
    this.#finish();
    return false;
  }

  #finish(): void {
    const stored = findBankImport(this.#books, this.#id);
    if (stored === null) return;
    const { account_id, account_name: account, file, sha256 } = stored;
    const { at, by: user, reason } = this.#removal;
    markBankImportRemoved(this.#books, this.#id, this.#removal);
    removeEmptyPayouts(this.#books, account_id);
    recordBankAccountChange(this.#books, account_id);
    const detail = { account, file, sha256, lines: this.lines, undone: formatNumberRanges(this.groups) };
    const subject = String(this.#id);
    addAuditEntry(this.#books, { at, user, action: 'bank.remove-import', subject, reason, detail });
  }
}

/** Removes partial imports that a crashed process left. The caller must hold the site's lock. */
export function recoverImports(books: WritableDb, now: number): void {
  for (const id of listUnfinishedBankImports(books)) {
    const remover = new ImportRemover(books, id, {
      at: now,
      by: 'Tieout',
      reason: 'The import was interrupted.',
    });
    runInTransaction(books, () => {
      while (remover.removeNextBatch());
    });
  }
}
