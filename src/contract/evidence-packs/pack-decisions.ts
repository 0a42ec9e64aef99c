import { z } from 'zod';
import { accountKind } from '../bank/bank-lines.ts';
import { exceptionEntry } from '../checks/exceptions.ts';
import { groupStatus } from '../matching/match-groups.ts';
import { ruleContent } from '../matching/match-rules.ts';
import { itemKey, workpaperSettings } from '../periods/workpapers.ts';
import { calendarDate, cents, moment, period, serviceId, siteName } from '../shared/common-schemas.ts';

/** A bank line by what it is known by for good; its number in the books is another after a restore. */
export const lineIdentity = z.object({
  account: z.string(),
  booked_on: calendarDate,
  amount_in_cents: cents,
  currency: z.string(),
  /** The bank’s own id; empty where it gave none. */
  bank_id: z.string(),
  /** Hash of its words, where there is no id; and which of several equal ones it is. */
  words: z.int(),
  occurrence: z.int(),
});
export type LineIdentity = z.infer<typeof lineIdentity>;

/** A processor's batch, likewise. */
export const payoutIdentity = z.object({ account: z.string(), payout_id: z.string(), currency: z.string() });
export type PayoutIdentity = z.infer<typeof payoutIdentity>;

const note = { at: moment, user: z.string(), text: z.string() };

/**
 * `data/decisions.json` of an evidence pack: what people (and the runs they started) decided about the period, in a form from which it can be
 * restored into books that hold the same files and payments. Nothing that is restored refers to row numbers of the books: a line is named by its
 * identity, a payment by the service's id, an exception by its key, a match by its place in `matches`.
 */
export const packDecisions = z.object({
  format: z.literal('tieout-decisions'),
  /** 2: items say when and by whom, and name their payout. */
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
  /** The source files with lines of the period; `path` is the file in the pack, below its top folder. */
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
  /** Saved profiles, by which tables among them are read. */
  profiles: z.array(z.object({ name: z.string(), profile: z.record(z.string(), z.json()) })),
  /** The user's matching rules in their order, and those checks that are switched off. */
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
      /** The engine's own name of it, by the numbers of its own books; null for what a person put together. */
      key: z.string().nullable(),
      /** Title of the user's rule that made it. */
      user_rule: z.string().nullable(),
      payout: payoutIdentity.nullable(),
      reverses: serviceId.nullable(),
      /** Whether what it claims is none of the matter. */
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
  /** Exceptions dated in the period that somebody assigned, commented on or decided about. */
  exceptions: z.array(
    z.object({
      key: z.string(),
      rule: z.string(),
      status: z.string(),
      assigned: z.string().nullable(),
      /** SHA-256 over what the acceptance rests on. */
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
  /** What was said of outstanding items; a line is named by `line` besides, a payout by `payout`. */
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
