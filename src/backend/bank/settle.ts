import { releaseGroup } from '../matching/release.ts';
import { accountChanged } from '../store/bank/bank-account.ts';
import { halfImports, importById, markRemoved } from '../store/bank/bank-import.ts';
import { groupsOnImport, settlePayouts, takeLines } from '../store/bank/bank-line.ts';
import { addAudit } from '../store/books/audit.ts';
import { commit, type WritableDb } from '../store/database.ts';
import { ranges } from './ranges.ts';

/** Lines or groups taken back together. */
const BATCH = 1000;

/** Why an import is taken back, by whom. */
export interface Removal {
  /** ms UTC. */
  at: number;
  by: string;
  reason: string;
}

/** One step of it, groups before lines. */
export function takeStep(
  books: WritableDb,
  id: number,
  { at, by, reason }: Removal,
): { groups: number[]; lines: number } {
  const groups = groupsOnImport(books, id, BATCH);
  const why = `Import ${id} was taken back: ${reason}`;
  for (const group of groups) releaseGroup(books, group, { at, by, why });
  return { groups, lines: groups.length > 0 ? 0 : takeLines(books, id, BATCH) };
}

export function finishRemoval(
  books: WritableDb,
  id: number,
  removal: Removal,
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
    who: removal.by,
    action: 'bank.remove-import',
    subject: String(id),
    why: removal.reason,
    detail: {
      account: known.account_name,
      file: known.file,
      sha256: known.sha256,
      lines,
      undone: ranges(groups),
    },
  });
}

/** Takes back what a process that is gone left half imported. Nothing else may work on the site. */
export function settleImports(books: WritableDb, now: number): void {
  for (const id of halfImports(books)) {
    const removal = { at: now, by: 'Tieout', reason: 'Its end was never reached.' };
    commit(books, () => {
      const undone: number[] = [];
      let lines = 0;
      for (let more = true; more; ) {
        const step = takeStep(books, id, removal);
        undone.push(...step.groups);
        lines += step.lines;
        more = step.groups.length + step.lines > 0;
      }
      finishRemoval(books, id, removal, undone, lines);
    });
  }
}
