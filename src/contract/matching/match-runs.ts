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

/** What a run of all passes did, or would do. */
export const matchRun = z.object({
  id: z.int(),
  job: z.string(),
  dry_run: z.boolean(),
  /** Ids of the accounts it was of; null: all. */
  accounts: z.array(z.int()).nullable(),
  state: z.enum(['running', 'done', 'canceled', 'undone']),
  started_at: moment,
  ended_at: moment.nullable(),
  user: z.string(),
  /** In the order of the passes. */
  passes: z.array(matchPass),
  confirmed: z.int(),
  suggested: z.int(),
  ambiguous: z.int(),
  /** What no confirmed group explains when it ended. */
  unmatched_lines: z.int(),
  unmatched_payments: z.int(),
  /** Over the groups it came to; a dry run and the run after it agree in it where nothing changed between them. */
  digest: z.string().nullable(),
  /** Milliseconds of reading, matching and writing. */
  took: z.object({ read_ms: z.int(), match_ms: z.int(), write_ms: z.int() }).nullable(),
  undone: z.object({ at: moment, user: z.string(), reason: z.string() }).nullable(),
});
export type MatchRun = z.infer<typeof matchRun>;

/** Where the matching stands. */
export const matchSummary = z.object({
  /** Lines and payments by state and currency. */
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
  /** Payouts whose deposit is not found, or whose bridge leaves a remainder. */
  payouts: z.object({ total: z.int(), waiting: z.int(), unexplained_in_cents: cents }),
  last_run: matchRun.nullable(),
  /** Why a run would find more, in a sentence: lines were imported, payments synced, rules changed. Null where not. */
  stale: z.string().nullable(),
  /** The job that imports or matches now. */
  running: z.string().nullable(),
});
export type MatchSummary = z.infer<typeof matchSummary>;
