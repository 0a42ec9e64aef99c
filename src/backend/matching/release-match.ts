import {
  addMatchHistoryEntry,
  discardMatchProposal,
  findMatch,
  type MatchChange,
  setMatchStatus,
} from '../store/matching/match-group.ts';
import type { WritableDb } from '../store/sqlite/connection.ts';

/**
 * Undoes a match because one of its lines or payments is removed. A confirmed match remains in the history; a proposal
 * is deleted. A later run may find the match again, because no person decided against it.
 */
export function releaseMatch(db: WritableDb, id: number, change: MatchChange): void {
  const group = findMatch(db, id);
  if (group === null) return;
  if (group.status !== 'confirmed') {
    discardMatchProposal(db, id, change);
    return;
  }
  setMatchStatus(db, id, 'undone', change);
  addMatchHistoryEntry(db, id, { at: change.at, user: change.by, action: 'undone', text: change.reason });
}
