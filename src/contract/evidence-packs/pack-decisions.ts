import { z } from 'zod';
import { accountKind } from '../bank/bank-lines.ts';
import { exceptionEntry } from '../checks/exceptions.ts';
import { groupStatus } from '../matching/match-groups.ts';
import { ruleContent } from '../matching/match-rules.ts';
import { itemKey, workpaperSettings } from '../periods/workpapers.ts';
import { calendarDate, cents, moment, period, serviceId, siteName } from '../shared/common-schemas.ts';

/** A bank line identified independently of its ID in the books, which differs after a restore. */
export const lineIdentity = z.object({
  account: z.string(),
  booked_on: calendarDate,
  amount_in_cents: cents,
  currency: z.string(),
  /** The bank's own ID. Empty if it provided none. */
  bank_id: z.string(),
  /** Hash of the line's text, used without a bank ID, and the position among identical lines. */
  words: z.int(),
  occurrence: z.int(),
});
export type LineIdentity = z.infer<typeof lineIdentity>;

/** A payout identified independently of its ID in the books. */
export const payoutIdentity = z.object({ account: z.string(), payout_id: z.string(), currency: z.string() });
export type PayoutIdentity = z.infer<typeof payoutIdentity>;

const note = { at: moment, user: z.string(), text: z.string() };

/**
 * `data/decisions.json` of an evidence pack: the decisions about the period, in a form that can be restored to books with
 * the same files and payments. Nothing in it refers to row IDs of the books. A line is identified by its content, a
 * payment by the service's ID, an exception by its key and a match by its position in `matches`.
 */
export const packDecisions = z.object({
  format: z.literal('tieout-decisions'),
  /** Version 2 adds author and time to items, and names their payout. */
  version: z.union([z.literal(1), z.literal(2)]),
  site: siteName,
  base_url: z.string(),
  currency: z.string(),
  period,
  made_at: moment,
  accounts: z.array(
    z.object({
      name: z.string(),
      kind: accountKind,
      currency: z.string().nullable(),
      number: z.string().nullable(),
      window: z.object({ from_days: z.int(), to_days: z.int() }).nullable(),
    }),
  ),
  /** Imported files with lines of the period. `path` is relative to the pack's top folder. */
  imports: z.array(
    z.object({
      account: z.string(),
      file: z.string(),
      path: z.string(),
      sha256: z.string(),
      bytes: z.int(),
      format: z.string(),
      dialect: z.string(),
      profile: z.string().nullable(),
      at: moment,
      user: z.string(),
    }),
  ),
  /** Saved profiles used to read these files. */
  profiles: z.array(z.object({ name: z.string(), profile: z.record(z.string(), z.json()) })),
  /** The user's match rules in order, and the disabled check rules. */
  rules: z.array(z.object(ruleContent)),
  switches: z.array(z.object({ rule: z.string(), at: moment, user: z.string(), reason: z.string() })),
  settings: workpaperSettings,
  /** Confirmed and declined matches with a line or payment of the period. */
  matches: z.array(
    z.object({
      status: groupStatus.extract(['confirmed', 'declined']),
      rule: z.string(),
      rule_version: z.int(),
      score: z.int(),
      currency: z.string(),
      dated_on: calendarDate,
      reasons: z.array(z.json()),
      alternatives: z.int(),
      /** Key of a match found by a run, based on the original books' IDs. Null for a manual match. */
      key: z.string().nullable(),
      /** Title of the user's rule that created it. */
      user_rule: z.string().nullable(),
      payout: payoutIdentity.nullable(),
      reverses: serviceId.nullable(),
      /** True if its amounts are out of scope. */
      ignored: z.boolean(),
      lines: z.array(z.object({ line: lineIdentity, allocated_in_cents: cents })),
      transactions: z.array(z.object({ id: serviceId, allocated_in_cents: cents })),
      adjustments: z.array(
        z.object({ category: z.string(), amount_in_cents: cents, reason: z.string().nullable() }),
      ),
      made_at: moment,
      changed_at: moment,
      changed_by: z.string().nullable(),
      reason: z.string().nullable(),
    }),
  ),
  notes: z.array(
    z.union([
      z.object({ match: z.int(), ...note }),
      z.object({ line: lineIdentity, ...note }),
      z.object({ transaction: serviceId, ...note }),
    ]),
  ),
  /** Exceptions dated in the period with an assignment, a comment or a decision. */
  exceptions: z.array(
    z.object({
      key: z.string(),
      rule: z.string(),
      status: z.string(),
      assigned: z.string().nullable(),
      /** SHA-256 of the source rows on which the acceptance is based. */
      accepted_evidence: z.string().nullable(),
      entries: z.array(
        z.object({
          at: moment,
          user: z.string().nullable(),
          action: exceptionEntry.shape.action,
          text: z.string().nullable(),
        }),
      ),
    }),
  ),
  /** Explanations of outstanding items. `line` identifies a line and `payout` a payout. */
  items: z.array(
    z.object({
      key: itemKey,
      line: lineIdentity.nullable(),
      payout: payoutIdentity.nullable().optional(),
      at: moment.optional(),
      user: z.string().optional(),
      category: z.string().nullable(),
      owner: z.string().nullable(),
      explanation: z.string().nullable(),
      expected_on: calendarDate.nullable(),
    }),
  ),
});
export type PackDecisions = z.infer<typeof packDecisions>;
