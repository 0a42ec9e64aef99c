import { z } from 'zod';
import { cents, moment, period, siteName } from '../shared/common-schemas.ts';
import { command } from '../shared/procedure-kinds.ts';

/** What of a period can be restored from its pack: files, matching rules, and what was decided about their lines, payments, exceptions and open items. */
export const decisionPart = z.enum(['imports', 'rules', 'matches', 'notes', 'exceptions', 'items']);
export type DecisionPart = z.infer<typeof decisionPart>;

/**
 * How a decision of a pack stands in the books. same: they have it; missing: it would be restored; otherwise: here it is decided or
 * claimed in another way, and stays so; not_held: what it is about is not held here.
 */
export const decisionState = z.enum(['same', 'missing', 'different', 'not_stored']);
export type DecisionState = z.infer<typeof decisionState>;

export const packDecision = z.object({
  state: decisionState,
  /** What it is, in a few words. */
  text: z.string(),
  /** Why it is not restored, in a sentence; null for what is missing. */
  reason: z.string().nullable(),
  amount_in_cents: cents.nullable(),
  currency: z.string().nullable(),
  at: moment.nullable(),
  user: z.string().nullable(),
});
export type PackDecision = z.infer<typeof packDecision>;

/** What restoring the decisions of a pack would do. */
export const decisionsDifference = z.object({
  pack: z.object({
    site: z.string(),
    period,
    made_at: z.string(),
    made_by: z.string(),
    /** SHA-256 of its tag manifest: it stands for every byte of it. */
    checksum: z.string(),
  }),
  /** Its period is closed here: nothing is restored until it is reopened. */
  locked: z.boolean(),
  parts: z.array(
    z.object({
      part: decisionPart,
      same: z.int(),
      missing: z.int(),
      different: z.int(),
      not_stored: z.int(),
      /** The first fifty of each state but `same`. */
      items: z.array(packDecision),
    }),
  ),
  /** All together that would be restored. */
  missing: z.int(),
  /** Over all of it: to be given back with `restoreDecisions`, which proves that what is done is what was shown. */
  fingerprint: z.string(),
});
export type DecisionsDifference = z.infer<typeof decisionsDifference>;

const from = { site: siteName, path: z.string().min(1).max(4000) };

export const packRestore = {
  /**
   * Checks a pack, every byte, and holds the decisions in it against the books. Changes nothing; it is served where files are read for import,
   * so it is no query. Throws `corrupt` where a byte of the pack is another, naming the place, and `validation` for what is no pack, or one of
   * another site.
   */
  compareDecisions: command.input(z.object(from)).output(decisionsDifference),
  /**
   * Restores what is missing: first the files, each an import of its own; then every decision in one transaction, each in the audit log. What is
   * decided otherwise here stays. Interrupted between, it is gone on with by doing it again. The books of before are kept as a copy, by which all
   * of it can be undone. Throws besides `conflict` where the difference is not the one shown any more, or a job works on the lines, and
   * `period_locked`. `difference`: how the pack stands to the books afterwards; `kept_as` is null where nothing was to be done.
   */
  restoreDecisions: command
    .input(z.object({ ...from, fingerprint: z.string(), reason: z.string().trim().min(1).max(2000) }))
    .output(
      z.object({ restored: z.int(), saved_as: z.string().nullable(), difference: decisionsDifference }),
    ),
};
