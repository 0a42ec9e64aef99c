import { z } from 'zod';
import { moment, pageInput, pageOf, siteName } from '../shared/common-schemas.ts';
import { query } from '../shared/procedure-kinds.ts';

/** Something a person did on a site. Entries are only ever added, and each carries the hash of the one before it. */
export const auditEntry = z.object({
  /** From 1, without a gap. */
  seq: z.int(),
  at: moment,
  /** The user of this computer as the system names him; `unknown` where it does not. An assertion, no proof. */
  user: z.string(),
  /** In the form noun.verb, such as `exceptions.accept`, `check.switch`, `replay.run`, `sites.add`. */
  action: z.string(),
  /** What it was done to: the exception’s id, the rule, the plan, the site. */
  subject: z.string(),
  /** The reason given; null where none is asked for. */
  reason: z.string().nullable(),
  detail: z.record(z.string(), z.json()),
  /** SHA-256 over the content and the hash of the entry before, in hex. */
  hash: z.string(),
});
export type AuditEntry = z.infer<typeof auditEntry>;

export const auditVerdict = z.object({
  ok: z.boolean(),
  /** How many entries there are. */
  entries: z.int(),
  /** The first entry that does not hold, by its seq; null where all do. */
  broken_at: z.int().nullable(),
  /** What is wrong there, in a sentence. */
  reason: z.string().nullable(),
  /** The hash of the last entry: whoever notes it elsewhere can prove later that nothing before it was changed. */
  head: z.string().nullable(),
  /** The entry that carries the hash asked about; null where none was, or none does. */
  known_hash_seq: z.int().nullable(),
});
export type AuditVerdict = z.infer<typeof auditVerdict>;

export const audit = {
  /** The newest first. */
  list: query
    .input(
      pageInput.extend({
        site: siteName,
        filter: z
          .object({
            /** A whole action (`replay.run`) or a noun (`replay`). */
            action: z.string().max(60).optional(),
            subject: z.string().max(200).optional(),
          })
          .default({}),
      }),
    )
    .output(pageOf(auditEntry)),
  /**
   * Works out every hash anew, and holds the log against what was noted of it beside the books. A chain of hashes shows any change
   * by somebody who cannot change the whole of it; who can write both the books and the note can forge both. `noted` is a hash
   * that was noted out of his reach (printed in a report, sent by mail): where an entry carries it, nothing up to there was
   * changed since.
   */
  verify: query
    .input(
      z.object({
        site: siteName,
        known_hash: z
          .string()
          .regex(/^[0-9a-f]{64}$/, 'the 64 signs of a hash')
          .optional(),
      }),
    )
    .output(auditVerdict),
};
