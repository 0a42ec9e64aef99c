import { releaseMatch } from '../matching/release-match.ts';
import { formatRanges } from '../shared/number-ranges.ts';
import { addAudit } from '../store/audit-log/audit-log.ts';
import { accountChanged } from '../store/bank/bank-account.ts';
import { importById, markRemoved } from '../store/bank/bank-import.ts';
import { groupsOnImport, settlePayouts, takeLines } from '../store/bank/bank-line.ts';
import type { WritableDb } from '../store/sqlite/connection.ts';

/** Number of lines or matches removed per transaction. */
const REMOVAL_BATCH_SIZE = 1000;

/** Time, author and reason of the removal of an import. */
export interface ImportRemoval {
  /** Time of the removal in UTC milliseconds. */
  at: number;
  by: string;
  reason: string;
}

/**
 * Removes the next batch of an import's matches, or of its lines if no matches are left. Must be called within `commit`.
 */
export function removeNextImportBatch(
  books: WritableDb,
  id: number,
  { at, by, reason }: ImportRemoval,
): { groups: number[]; lines: number } {
  const groups = groupsOnImport(books, id, REMOVAL_BATCH_SIZE);
  const matchReason = `Import ${id} was taken back: ${reason}`;
  for (const group of groups) releaseMatch(books, group, { at, by, reason: matchReason });
  return { groups, lines: groups.length > 0 ? 0 : takeLines(books, id, REMOVAL_BATCH_SIZE) };
}

export function finishImportRemoval(
  books: WritableDb,
  id: number,
  removal: ImportRemoval,
  groups: readonly number[],
  lines: number,
): void {
  const known = importById(books, id);
  if (known === null) return;
  markRemoved(books, id, removal);
  settlePayouts(books, known.account_id);
  accountChanged(books, known.account_id);
  addAudit(books, {
    at: removal.at,
    user: removal.by,
    action: 'bank.remove-import',
    subject: String(id),
    reason: removal.reason,
    detail: {
      account: known.account_name,
      file: known.file,
      sha256: known.sha256,
      lines,
      undone: formatRanges(groups),
    },
  });
}
