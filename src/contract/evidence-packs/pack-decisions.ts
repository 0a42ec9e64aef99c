import { z } from 'zod';
import { accountKindSchema } from '../bank/bank-lines.ts';
import { exceptionEntrySchema, exceptionStatusSchema } from '../checks/exceptions.ts';
import { attachmentSchema, MAX_ATTACHMENTS } from '../comments/comments.ts';
import { matchGroupStatusSchema, matchReasonSchema } from '../matching/match-groups.ts';
import { matchRuleFields } from '../matching/match-rules.ts';
import { outstandingItemKeySchema, workpaperSettingsSchema } from '../periods/workpapers.ts';
import { field } from '../shared/common-schemas.ts';

/** A time that the app wrote. An unreadable one would stop a restore after its first part. */
const moment = z.iso.datetime();

/** A bank line identified independently of its ID in the books, which differs after a restore. */
const lineIdentitySchema = z.object({
  account: z.string(),
  booked_on: field.date,
  amount_in_cents: field.cents,
  currency: z.string(),
  /** The bank's own ID of the line; empty if the bank provided none. */
  bank_id: z.string(),
  /** Hash of the line's text, used to identify a line without a bank ID. */
  text_hash: z.int(),
  occurrence: z.int(),
});
export type BankLineIdentity = z.infer<typeof lineIdentitySchema>;

/** A payout identified independently of its ID in the books. */
const payoutIdentitySchema = z.object({
  account: z.string(),
  payout_id: z.string(),
  currency: z.string(),
});
export type PayoutIdentity = z.infer<typeof payoutIdentitySchema>;

/** A comment with its files. `path` is relative to the pack's top folder, or null if the pack lacks the file. */
const comment = {
  at: moment,
  user: z.string(),
  text: z.string(),
  files: z.array(attachmentSchema.extend({ path: z.string().nullable() })).max(MAX_ATTACHMENTS),
};

/**
 * Contents of `data/decisions.json` in an evidence pack: the decisions about the period, in a form that can be restored
 * to books with the same files and payments. Row IDs of the books are not used. A line is identified by its content, a
 * payment by the service's ID, an exception by its key and a match by its position in `matches`.
 */
export const packDecisionsSchema = z.object({
  format: z.literal('tieout-decisions'),
  /** Version of the file format. Version 2 adds author, time and payout to items. */
  version: z.union([z.literal(1), z.literal(2)]),
  site: field.siteName,
  base_url: z.string(),
  currency: z.string(),
  period: field.period,
  made_at: moment,
  accounts: z.array(
    z.object({
      name: z.string(),
      kind: accountKindSchema,
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
      sha256: field.sha256,
      bytes: z.int().positive(),
      format: z.string(),
      dialect: z.string(),
      profile: z.string().nullable(),
      at: moment,
      user: z.string(),
    }),
  ),
  /** Saved profiles used to read these files. */
  profiles: z.array(z.object({ name: z.string(), profile: z.record(z.string(), z.json()) })),
  /** The user's match rules in order of priority. */
  rules: z.array(z.object(matchRuleFields)),
  switches: z.array(z.object({ rule: z.string(), at: moment, user: z.string(), reason: z.string() })),
  settings: workpaperSettingsSchema,
  /** Confirmed and declined matches with a line or payment of the period. */
  matches: z.array(
    z.object({
      status: matchGroupStatusSchema.extract(['confirmed', 'declined']),
      rule: z.string(),
      rule_version: z.int(),
      score: z.int().min(0).max(100),
      currency: z.string(),
      dated_on: field.date,
      reasons: z.array(matchReasonSchema),
      alternatives: z.int().nonnegative(),
      /** Key of a match found by a matching run, based on the IDs of the original books; null for a manual match. */
      key: z.string().nullable(),
      /** Title of the user's rule that created the match. */
      user_rule: z.string().nullable(),
      payout: payoutIdentitySchema.nullable(),
      reverses: field.serviceId.nullable(),
      /** True if the amounts of the match are out of scope. */
      ignored: z.boolean(),
      lines: z.array(z.object({ line: lineIdentitySchema, allocated_in_cents: field.cents })),
      transactions: z.array(z.object({ id: field.serviceId, allocated_in_cents: field.cents })),
      adjustments: z.array(
        z.object({ category: z.string(), amount_in_cents: field.cents, reason: z.string().nullable() }),
      ),
      made_at: moment,
      changed_at: moment,
      changed_by: z.string().nullable(),
      reason: z.string().nullable(),
    }),
  ),
  /** Exceptions dated in the period that have an assignment or a decision. */
  exceptions: z.array(
    z.object({
      key: z.string(),
      rule: z.string(),
      status: exceptionStatusSchema,
      assigned: z.string().nullable(),
      /** SHA-256 of the source rows on which the acceptance is based. */
      accepted_evidence: z.string().nullable(),
      entries: z.array(
        z.object({
          at: moment,
          user: z.string().nullable(),
          action: exceptionEntrySchema.shape.action,
          text: z.string().nullable(),
        }),
      ),
    }),
  ),
  /** Explanations of outstanding items. `line` or `payout` identifies the item. */
  items: z.array(
    z.object({
      key: outstandingItemKeySchema,
      line: lineIdentitySchema.nullable(),
      payout: payoutIdentitySchema.nullable().optional(),
      at: moment.optional(),
      user: z.string().optional(),
      category: z.string().nullable(),
      owner: z.string().nullable(),
      explanation: z.string().nullable(),
      expected_on: field.date.nullable(),
    }),
  ),
  /** Comments on the period and on its records. `match` is a position in `matches`. */
  comments: z.array(
    z.union([
      z.object({ period: field.period, ...comment }),
      z.object({ match: z.int(), ...comment }),
      z.object({ exception: z.string(), ...comment }),
      z.object({ line: lineIdentitySchema, ...comment }),
      z.object({ payment: field.serviceId, ...comment }),
      z.object({ payout: payoutIdentitySchema, ...comment }),
      z.object({ statement: field.serviceId, ...comment }),
    ]),
  ),
});
export type PackDecisions = z.infer<typeof packDecisionsSchema>;
