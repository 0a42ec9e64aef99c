import { z } from 'zod';
import { matchState, moneySum } from '../bank/bank-lines.ts';
import { cents, moment } from '../shared/common-schemas.ts';
import { groupStatus, matchRuleId } from './match-groups.ts';

export const matchPass = z.object({
  rule: matchRuleId,
  title: z.string(),
  confirmed: z.int(),
  suggested: z.int(),
  ambiguous: z.int(),
});

/** Result of a matching run or dry run. */
export const matchRun = z.object({
  id: z.int(),
  job: z.string(),
  dry_run: z.boolean(),
  /** IDs of the accounts. Null means all accounts. */
  accounts: z.array(z.int()).nullable(),
  state: z.enum(['running', 'done', 'canceled', 'undone']),
  started_at: moment,
  ended_at: moment.nullable(),
  user: z.string(),
  /** Results by pass, in the order of the passes. */
  passes: z.array(matchPass),
  confirmed: z.int(),
  suggested: z.int(),
  ambiguous: z.int(),
  /** Lines and payments without a confirmed match when the run ended. */
  unmatched_lines: z.int(),
  unmatched_payments: z.int(),
  /**
   * Digest of the resulting matches. A dry run and the run after it have the same digest if nothing changed in between.
   */
  digest: z.string().nullable(),
  /** Duration of reading, matching and writing in milliseconds. */
  took: z.object({ read_ms: z.int(), match_ms: z.int(), write_ms: z.int() }).nullable(),
  undone: z.object({ at: moment, user: z.string(), reason: z.string() }).nullable(),
});
export type MatchRun = z.infer<typeof matchRun>;

/** Summary of the matching. */
export const matchSummary = z.object({
  /** Totals of lines and payments by state and currency. */
  lines: z.array(moneySum.extend({ state: matchState })),
  payments: z.array(moneySum.extend({ state: matchState })),
  groups: z.array(
    z.object({
      status: groupStatus,
      rule: matchRuleId,
      title: z.string(),
      count: z.int(),
      amount_in_cents: cents,
    }),
  ),
  /** Payouts without a deposit, or with an unexplained remainder. */
  payouts: z.object({ total: z.int(), waiting: z.int(), unexplained_in_cents: cents }),
  last_run: matchRun.nullable(),
  /** Why a new run could find more, such as imported lines. Null if not. */
  stale: z.string().nullable(),
  /** The job that is importing or matching now. */
  running: z.string().nullable(),
});
export type MatchSummary = z.infer<typeof matchSummary>;
