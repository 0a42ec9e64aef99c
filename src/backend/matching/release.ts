import {
  addEntry,
  type Change,
  dropProposal,
  groupById,
  setGroupStatus,
} from '../store/matching/match-group.ts';
import type { WritableDb } from '../store/sqlite/connection.ts';

/**
 * Releases a match because a row in it is removed: a confirmed match becomes history, a proposal is deleted. This is no
 * decision about the match itself, so it may be found again.
 */
export function releaseMatch(db: WritableDb, id: number, change: Change): void {
  const group = groupById(db, id);
  if (group === null) return;
  if (group.status !== 'confirmed') {
    dropProposal(db, id, change);
    return;
  }
  setGroupStatus(db, id, 'undone', change);
  addEntry(db, id, { at: change.at, user: change.by, action: 'undone', text: change.reason });
}
