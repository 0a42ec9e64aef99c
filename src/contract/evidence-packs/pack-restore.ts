import { z } from 'zod';
import { field } from '../shared/common-schemas.ts';
import { defineSiteCommand } from '../shared/procedure-kinds.ts';

/** Parts of a period that can be restored from its evidence pack. */
export const restorableDecisionPartSchema = z.enum([
  'imports',
  'rules',
  'matches',
  'exceptions',
  'items',
  'comments',
]);
export type RestorableDecisionPart = z.infer<typeof restorableDecisionPartSchema>;

/**
 * Result of comparing a decision with the books. `same`: the books have it. `missing`: it would be restored. `different`:
 * the books have another decision, which stays. `not_stored`: its subject is not stored.
 */
const decisionStateSchema = z.enum(['same', 'missing', 'different', 'not_stored']);

const packDecisionSchema = z.object({
  state: decisionStateSchema,
  /** Short description of the decision. */
  text: z.string(),
  /** Reason why the decision is not restored, as one sentence; null if it is missing from the books. */
  reason: z.string().nullable(),
  amount_in_cents: field.cents.nullable(),
  currency: z.string().nullable(),
  at: field.moment.nullable(),
  user: z.string().nullable(),
});
export type PackDecision = z.infer<typeof packDecisionSchema>;

/** Comparison of an evidence pack's decisions with the books, which shows the effects of a restore. */
const decisionsDifferenceSchema = z.object({
  pack: z.object({
    site: z.string(),
    period: field.period,
    made_at: z.string(),
    made_by: z.string(),
    /** Checksum of the evidence pack: SHA-256 of its tag manifest. */
    checksum: z.string(),
  }),
  /** True if the period is closed in the books. It must be reopened before a restore. */
  locked: z.boolean(),
  parts: z.array(
    z.object({
      part: restorableDecisionPartSchema,
      same: z.int(),
      missing: z.int(),
      different: z.int(),
      not_stored: z.int(),
      /** The first fifty decisions of each state except `same`. */
      items: z.array(packDecisionSchema),
    }),
  ),
  /** Number of decisions that would be restored. */
  missing: z.int(),
  /** Fingerprint of the differences. `restoreDecisions` requires it, which proves that the user saw these differences. */
  fingerprint: z.string(),
});
export type DecisionDifference = z.infer<typeof decisionsDifferenceSchema>;

const from = { path: field.path };

export const evidencePackRestoreProcedures = {
  /**
   * Verifies every byte of an evidence pack and compares its decisions with the books. Changes nothing. It is a command because only the writer thread may read imported files. Throws `corrupt` with the damaged path, and `validation` for a file
   * that is not an evidence pack or belongs to another site.
   */
  compareDecisions: defineSiteCommand(from).output(decisionsDifferenceSchema),
  /**
   * Restores the missing decisions: first each file as an import, then all decisions in one transaction, each in the
   * audit log. Different decisions stay. An interrupted restore can be repeated. The previous books become a backup.
   * Throws `conflict` if the fingerprint is outdated or a job is running, and `period_locked`. `difference` is the state
   * afterwards; `saved_as` is null if nothing was restored.
   */
  restoreDecisions: defineSiteCommand({
    ...from,
    fingerprint: z.string(),
    reason: field.reason,
  }).output(
    z.object({ restored: z.int(), saved_as: z.string().nullable(), difference: decisionsDifferenceSchema }),
  ),
};
