import { z } from 'zod';
import { auditReceiptSchema, auditTimeStampSchema, receiptHashSchema } from '../app/audit.ts';
import { bagVerificationSchema } from '../archive/archive.ts';
import { certificationSchema } from '../periods/certification.ts';
import { signatureSchema } from '../periods/workpapers.ts';
import { field, jobRefSchema } from '../shared/common-schemas.ts';
import {
  commandProcedure,
  defineSiteCommand,
  defineSiteQuery,
  queryProcedure,
} from '../shared/procedure-kinds.ts';
import { evidencePackRestoreProcedures } from './pack-restore.ts';
import { packReviewInputSchema, packReviewSchema } from './pack-review.ts';

/** Preview of an evidence pack. */
const packPlanSchema = z.object({
  site: field.siteName,
  period: field.period,
  /** Number of statements closed in the period. Those without an archived PDF are listed without a file. */
  statements: z.int(),
  not_stored: z.int(),
  /** Number of imported bank and processor files with lines of the period. */
  sources: z.int(),
  /** Total size of PDFs and imported files in bytes. */
  bytes: z.int(),
});
export type EvidencePackPlan = z.infer<typeof packPlanSchema>;

export const evidencePackResultSchema = z.object({
  path: z.string(),
  site: field.siteName,
  period: field.period,
  made_at: field.moment,
  made_by: z.string(),
  files: z.int(),
  bytes: z.int(),
  statements: z.int(),
  not_stored: z.int(),
  /** IDs of the first statements that have no PDF. */
  missing: z.array(field.serviceId),
  /** Paths of files that were excluded because they are damaged or missing. The pack's index lists them. */
  damaged: z.array(z.string()),
  /** SHA-256 of the tag manifest, which covers every byte of the pack. */
  checksum: z.string(),
  /** Digest of the evidence pack's workpaper. */
  digest: z.string(),
  /** Number of problems found when the written pack was read back. */
  problems: z.int(),
  /**
   * For a closed period: descriptions of damage to its sign-off. If there is any, the pack does not present the period as
   * signed.
   */
  not_as_signed: z.array(z.string()).default([]),
});
export type EvidencePackResult = z.infer<typeof evidencePackResultSchema>;

/** Result of verifying an evidence pack, in addition to the result for its BagIt structure. */
const packVerdictSchema = bagVerificationSchema.extend({
  /** Result of verifying the pack's audit log by recomputing every hash; null if the pack has none. */
  audit: z
    .object({
      ok: z.boolean(),
      entries: z.int(),
      broken_at: z.int().nullable(),
      reason: z.string().nullable(),
      head: z.string().nullable(),
      /** Receipt of the valid entries. */
      receipt: auditReceiptSchema,
      /** Number of entries that the passed receipt proves; null if none was passed or the log never had its hash. */
      proven_entries: z.int().nullable(),
      /** Time stamps of the log, oldest first. */
      time_stamps: z.array(auditTimeStampSchema),
    })
    .nullable(),
  /** Site and period according to `pack.json`; null if the files are not an evidence pack. */
  pack: z
    .object({
      site: z.string(),
      period: z.string(),
      made_at: z.string(),
      made_by: z.string(),
      digest: z.string(),
      /** State of the period when the pack was written. */
      state: z.string(),
      /** Signatures of the period, oldest first. */
      signatures: z.array(signatureSchema),
      /** Statements that preparer and reviewer confirm at sign-off. */
      certification: certificationSchema,
    })
    .nullable(),
});
export type PackVerification = z.infer<typeof packVerdictSchema>;

export const evidencePackProcedures = {
  plan: defineSiteQuery({ period: field.period }).output(packPlanSchema),
  /**
   * Writes the evidence pack of a period as a ZIP file, as a job of kind `pack`, and reads it back. Throws `conflict` if
   * the file exists, unless it is to be replaced.
   */
  write: defineSiteCommand({
    period: field.period,
    path: field.path,
    replace: z.boolean().default(false),
  }).output(jobRefSchema),
  /** Returns the result of a job that has written an evidence pack. */
  result: defineSiteQuery({ job: z.string() }).output(evidencePackResultSchema),
  /** Lists the evidence packs written for a site, newest first. */
  list: defineSiteQuery({ period: field.period.optional() }).output(z.array(evidencePackResultSchema)),
  /**
   * Verifies an evidence pack or another bag from its files alone: every byte, and that a pack's audit log states its
   * files, signatures and figures. `receipt` is the hash of a receipt stored elsewhere. Requires no site.
   */
  verify: queryProcedure
    .input(z.object({ path: field.path, receipt: receiptHashSchema.optional() }))
    .output(packVerdictSchema),
  /**
   * Verifies the evidence pack of a submitted period and writes a signed review of it to a file, which the preparer
   * imports with `periods.importReview`. Requires no site. Throws `corrupt` for a changed pack, `conflict` if the period
   * is not submitted or the signer prepared it and gives no reason, and `keychain_unavailable`.
   */
  review: commandProcedure.input(packReviewInputSchema).output(packReviewSchema),
  ...evidencePackRestoreProcedures,
};
