import { z } from 'zod';
import { bagVerdict } from '../archive/archive.ts';
import { moment, period, serviceId, siteName } from '../shared/common-schemas.ts';
import { command, query } from '../shared/procedure-kinds.ts';
import { packRestore } from './pack-restore.ts';

/** Preview of an evidence pack. */
export const packPlan = z.object({
  site: siteName,
  period,
  /** Number of statements closed in the period. Those without an archived PDF are listed without a file. */
  statements: z.int(),
  not_stored: z.int(),
  /** Number of imported bank and processor files with lines of the period. */
  sources: z.int(),
  /** Total size of PDFs and imported files in bytes. */
  bytes: z.int(),
});
export type PackPlan = z.infer<typeof packPlan>;

export const packResult = z.object({
  path: z.string(),
  site: siteName,
  period,
  made_at: moment,
  made_by: z.string(),
  files: z.int(),
  bytes: z.int(),
  statements: z.int(),
  not_stored: z.int(),
  /** IDs of the first statements without a PDF. */
  missing: z.array(serviceId),
  /** Paths excluded because the file was damaged or missing. The index lists them. */
  damaged: z.array(z.string()),
  /** SHA-256 of the tag manifest, which covers every byte of the pack. */
  checksum: z.string(),
  /** Digest of its workpaper. */
  digest: z.string(),
  /** Number of problems found when the written pack was read again. */
  problems: z.int(),
  /** For a closed period, descriptions of damage to its sign-off. The pack then does not present it as signed. */
  not_as_signed: z.array(z.string()).default([]),
});
export type PackResult = z.infer<typeof packResult>;

/** Result of verifying an evidence pack, in addition to the result for its bag. */
export const packVerdict = bagVerdict.extend({
  /** Result for its audit log, with every hash recomputed. Null if the bag has none. */
  audit: z
    .object({
      ok: z.boolean(),
      entries: z.int(),
      broken_at: z.int().nullable(),
      reason: z.string().nullable(),
      head: z.string().nullable(),
    })
    .nullable(),
  /** Site and period according to `pack.json`. Null if the bag is not an evidence pack. */
  pack: z
    .object({
      site: z.string(),
      period: z.string(),
      made_at: z.string(),
      made_by: z.string(),
      digest: z.string(),
    })
    .nullable(),
});
export type PackVerdict = z.infer<typeof packVerdict>;

export const packs = {
  plan: query.input(z.object({ site: siteName, period })).output(packPlan),
  /**
   * Writes the evidence pack of a period as one ZIP file, as a job (kind `pack`), and reads it again. `conflict` where a file stands
   * there, unless it is to be replaced.
   */
  write: command
    .input(
      z.object({
        site: siteName,
        period,
        path: z.string().min(1).max(4000),
        replace: z.boolean().default(false),
      }),
    )
    .output(z.object({ job: z.string() })),
  /** Returns the result of a job that wrote a pack. */
  result: query.input(z.object({ site: siteName, job: z.string() })).output(packResult),
  /** Lists the packs written for a site, newest first. */
  list: query.input(z.object({ site: siteName, period: period.optional() })).output(z.array(packResult)),
  /** Verifies a pack or any bag from the file alone, including a pack's audit log. Needs no site. */
  verify: query.input(z.object({ path: z.string().min(1).max(4000) })).output(packVerdict),
  ...packRestore,
};
