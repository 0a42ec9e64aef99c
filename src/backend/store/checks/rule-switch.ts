import { prepared, type ReadableDb, type WritableDb } from '../sqlite/connection.ts';

/** A rule that is switched off. */
export interface RuleSwitch {
  rule: string;
  /** UTC milliseconds. */
  at: number;
  user: string;
  reason: string;
}

/** Returns the rules that are switched off. */
export function switchedOff(db: ReadableDb): RuleSwitch[] {
  return prepared<RuleSwitch>(db, 'SELECT rule, at, user, reason FROM rule_switch ORDER BY rule').all();
}

export function switchOff(db: WritableDb, { rule, at, user, reason }: RuleSwitch): void {
  prepared(
    db,
    `INSERT INTO rule_switch (rule, at, user, reason) VALUES (?, ?, ?, ?)
     ON CONFLICT (rule) DO UPDATE SET at = excluded.at, user = excluded.user, reason = excluded.reason`,
  ).run(rule, at, user, reason);
}

export function switchOn(db: WritableDb, rule: string): void {
  prepared(db, 'DELETE FROM rule_switch WHERE rule = ?').run(rule);
}
