import { prepareSql, type ReadableDb, select, type WritableDb } from '../sqlite/connection.ts';
import { insertRow, onConflictSql } from '../sqlite/write-row.ts';

/** A rule of the checks that a person switched off. */
export interface SwitchedOffRule {
  rule: string;
  /** Time at which the rule was switched off, in UTC milliseconds. */
  at: number;
  user: string;
  reason: string;
}

export function listSwitchedOffRules(db: ReadableDb): SwitchedOffRule[] {
  return select.rows<SwitchedOffRule>(db, 'SELECT rule, at, user, reason FROM rule_switch ORDER BY rule');
}

export function switchOffRule(db: WritableDb, { rule, at, user, reason }: SwitchedOffRule): void {
  const onConflict = onConflictSql('rule', 'at', 'user', 'reason');
  insertRow(db, 'rule_switch', { rule, at, user, reason }, onConflict);
}

export function switchOnRule(db: WritableDb, rule: string): void {
  prepareSql(db, 'DELETE FROM rule_switch WHERE rule = ?').run(rule);
}
