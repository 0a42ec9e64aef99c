import { type ReadableDb, select, type WritableDb } from '../sqlite/connection.ts';
import { insertRow, onConflictSql } from '../sqlite/write-row.ts';

/** Owner and due date of a step of a period's checklist, or a step that a user added, which has a title. */
export interface ChecklistStepRow {
  readonly step: string;
  readonly title: string | null;
  readonly owner: string | null;
  readonly due_on: string | null;
  /** Time in UTC milliseconds when a person marked an own step as done. */
  readonly done_at: number | null;
  readonly done_by: string | null;
  readonly removed: 0 | 1;
}

const COLUMNS = 'step, title, owner, due_on, done_at, done_by, removed';

/** Returns the stored steps of a period, including removed ones, own steps in the order in which they were added. */
export const listChecklistStepRows = (db: ReadableDb, period_id: number): ChecklistStepRow[] =>
  select.rows(
    db,
    `SELECT ${COLUMNS} FROM checklist_step WHERE period_id = ? ORDER BY length(step), step`,
    period_id,
  );

/** Returns the stored steps of all periods with the period's name, including removed ones. */
export const listAllChecklistStepRows = (db: ReadableDb): (ChecklistStepRow & { period: string })[] =>
  select.rows(
    db,
    `SELECT period, ${COLUMNS} FROM checklist_step JOIN period ON period.id = period_id ORDER BY period, step`,
  );

/** Adds or replaces a step of a period. Must share a transaction with its audit log entry. */
export function saveChecklistStepRow(db: WritableDb, period_id: number, row: ChecklistStepRow): void {
  const { step, title, owner, due_on, done_at, done_by, removed } = row;
  const stored = { period_id, step, title, owner, due_on, done_at, done_by, removed };
  const columns = ['title', 'owner', 'due_on', 'done_at', 'done_by', 'removed'];
  insertRow(db, 'checklist_step', stored, onConflictSql('period_id, step', ...columns));
}

/** Returns the subject of the audit log entries about a step, for example `checklist-step:2026-10 own:1`. */
export const formatChecklistSubject = (period: string, step: string): string =>
  `checklist-step:${period} ${step}`;
