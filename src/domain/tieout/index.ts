/** Internal checks: is what the billing service says right in itself. `checkSubscription` is the way in. */
export { checkAcross, checkSubscription } from './check.ts';
export type { ArithmeticLine, Finding, RowRef, Severity, Subject } from './finding.ts';
export { type Habits, habitsOf } from './habits.ts';
export * from './record.ts';
export type { CheckContext, LogWindow, Rule, Scope } from './rule.ts';
export { ruleNamed, rules } from './rules/index.ts';
export { type BodyField, tellingOf } from './telling.ts';
