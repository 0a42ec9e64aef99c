import { prepare, type ReadableDb, select, type WritableDb } from '../sqlite/connection.ts';
import { insertRow, updateOnConflict } from '../sqlite/write-row.ts';

/** A rule that is switched off. */
export interface RuleSwitch {
  rule: string;
  /** UTC milliseconds. */
  at: number;
  user: string;
  reason: string;
}

/** Returns the rules that are switched off. */
export function listSwitchedOffRules(db: ReadableDb): RuleSwitch[] {
  return select.rows<RuleSwitch>(db, 'SELECT rule, at, user, reason FROM rule_switch ORDER BY rule');
}

export function switchOffRule(db: WritableDb, { rule, at, user, reason }: RuleSwitch): void {
  const onConflict = updateOnConflict('rule', 'at', 'user', 'reason');
  insertRow(db, 'rule_switch', { rule, at, user, reason }, onConflict);
}

export function switchOnRule(db: WritableDb, rule: string): void {
  prepare(db, 'DELETE FROM rule_switch WHERE rule = ?').run(rule);
}
