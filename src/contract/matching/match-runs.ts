import { z } from 'zod';
import { currencyTotalsSchema, matchStateSchema } from '../bank/bank-lines.ts';
import { field } from '../shared/common-schemas.ts';
import { matchGroupStatusSchema, matchRuleIdSchema } from './match-groups.ts';

const matchPassSchema = z.object({
  rule: matchRuleIdSchema,
  title: z.string(),
  confirmed: z.int(),
  suggested: z.int(),
  ambiguous: z.int(),
});

/** Result of a matching run or dry run. */
export const matchRunSchema = z.object({
  id: z.int(),
  job: z.string(),
  dry_run: z.boolean(),
  /** IDs of the accounts to match. Null means all accounts. */
  accounts: z.array(z.int()).nullable(),
  state: z.enum(['running', 'done', 'canceled', 'undone']),
  started_at: field.moment,
  ended_at: field.moment.nullable(),
  user: z.string(),
  /** Results of each pass, in the order of execution. */
  passes: z.array(matchPassSchema),
  confirmed: z.int(),
  suggested: z.int(),
  ambiguous: z.int(),
  /** Number of lines without a confirmed match at the end of the run. */
  unmatched_lines: z.int(),
  /** Number of payments without a confirmed match at the end of the run. */
  unmatched_payments: z.int(),
  /**
   * Digest of the resulting matches. A dry run and the run after it have the same digest if nothing changed in between.
   */
  digest: z.string().nullable(),
  /** Duration of reading, matching and writing in milliseconds. */
  durations: z.object({ read_ms: z.int(), match_ms: z.int(), write_ms: z.int() }).nullable(),
  undone: z.object({ at: field.moment, user: z.string(), reason: z.string() }).nullable(),
});
export type MatchRun = z.infer<typeof matchRunSchema>;

export const matchSummarySchema = z.object({
  /** Totals of lines and payments by state and currency. */
  lines: z.array(currencyTotalsSchema.extend({ state: matchStateSchema })),
  payments: z.array(currencyTotalsSchema.extend({ state: matchStateSchema })),
  /** Unmatched payments and parts of payments by currency. `bank.accounts` returns those of the lines. */
  unmatched_payments: z.array(currencyTotalsSchema),
  groups: z.array(
    z.object({
      status: matchGroupStatusSchema,
      rule: matchRuleIdSchema,
      title: z.string(),
      count: z.int(),
    }),
  ),
  /** Number of payouts, and number of those without a deposit. */
  payouts: z.object({ total: z.int(), waiting: z.int() }),
  last_run: matchRunSchema.nullable(),
  /** Reason why a new matching run could find more matches, for example imported lines; null if there is none. */
  stale: z.string().nullable(),
  /** ID of the running import or matching job; null if there is none. */
  running: z.string().nullable(),
});
export type MatchSummary = z.infer<typeof matchSummarySchema>;
