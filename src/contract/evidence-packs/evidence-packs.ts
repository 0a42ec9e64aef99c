import { z } from 'zod';
import { bagVerdict } from '../archive/archive.ts';
import { moment, period, serviceId, siteName } from '../shared/common-schemas.ts';
import { command, query } from '../shared/procedure-kinds.ts';
import { packRestore } from './pack-restore.ts';

/** What a pack would hold. */
export const packPlan = z.object({
  site: siteName,
  period,
  /** Statements closed in the period; those whose PDF is not in the archive are listed in the pack, without a file. */
  statements: z.int(),
  not_stored: z.int(),
  /** Files that banks and processors gave out with lines of the period. */
  sources: z.int(),
  /** Of PDFs and sources. */
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
  /** Ids of the first of them. */
  missing: z.array(serviceId),
  /** Paths whose file was damaged or gone; they were left out, and the index says so. */
  damaged: z.array(z.string()),
  /** SHA-256 of the tag manifest: it stands for every byte of the pack. */
  checksum: z.string(),
  /** Of the workpaper in it. */
  digest: z.string(),
  /** What was wrong when it was read again after writing: 0. */
  problems: z.int(),
  /** Of a closed period: what of its sign-off is damaged, so that the pack does not show it as signed. A sentence each. */
  not_as_signed: z.array(z.string()).default([]),
});
export type PackResult = z.infer<typeof packResult>;

/** What `tieout verify` says of a pack besides of the bag it is. */
export const packVerdict = bagVerdict.extend({
  /** Of the audit log in it: every hash worked out anew. Null where it is a bag without one. */
  audit: z
    .object({
      ok: z.boolean(),
      entries: z.int(),
      broken_at: z.int().nullable(),
      reason: z.string().nullable(),
      head: z.string().nullable(),
    })
    .nullable(),
  /** Which site and period it is of, by its `pack.json`; null where it is no pack. */
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
  /** What came of a job that wrote one. */
  result: query.input(z.object({ site: siteName, job: z.string() })).output(packResult),
  /** The packs that were written of the site, the newest first. */
  list: query.input(z.object({ site: siteName, period: period.optional() })).output(z.array(packResult)),
  /** Checks a pack or any bag with nothing but the file; the audit log in a pack as well. Needs no site. */
  verify: query.input(z.object({ path: z.string().min(1).max(4000) })).output(packVerdict),
  ...packRestore,
};
