import type { WritableDb } from '../store/database.ts';
import {
  addEntry,
  type Change,
  dropProposal,
  groupById,
  setGroupStatus,
} from '../store/matching/match-group.ts';

/**
 * Takes a group back because what it stands on is taken back, by whoever: what was confirmed becomes history, a proposal is
 * forgotten. It is no decision about the match itself: the same may be found again.
 */
export function releaseGroup(db: WritableDb, id: number, change: Change): void {
  const group = groupById(db, id);
  if (group === null) return;
  if (group.status !== 'confirmed') {
    dropProposal(db, id, change);
    return;
  }
  setGroupStatus(db, id, 'undone', change);
  addEntry(db, id, { at: change.at, who: change.by, what: 'undone', text: change.why });
}
