/**
 * Internal checks: is what the billing service says right in itself?
 *
 * `checkSubscription(record, context)` applies every rule to one subscription and holds nothing afterwards, so a full check is a
 * walk over the subscriptions, and a changed statement, webhook or allocation asks for its own subscription again, nothing else. The
 * webhooks that name no subscription are a record of their own, with `subscription_id: null`. `checkAcross(groups)` looks at rows of
 * several subscriptions that an index brought together: transactions under one id, payments under one gateway identifier.
 *
 * A finding has a `key` that stays the same from run to run (the exception it is), and `evidence`, a text that changes only when the
 * rows it rests on do (hash it, and keep the hash with a decision). A finding that is not found again is mended. One cause is one
 * finding: what another rule explains is not reported again, unless that rule is switched off.
 *
 * Nothing is argued from absence where rows may merely not be held: `statements_complete`, `read_at`, a component’s `complete` and
 * the window of the log say how far our copies reach, and `habitsOf` what the site does as a rule.
 */
export { checkAcross, checkSubscription } from './check.ts';
export type { ArithmeticLine, Finding, RowRef, Severity, Subject } from './finding.ts';
export { type Habits, habitsOf } from './habits.ts';
export * from './record.ts';
export type { CheckContext, LogWindow, Rule, Scope } from './rule.ts';
export { ruleNamed, rules } from './rules/index.ts';
export { type BodyField, tellingOf } from './telling.ts';
