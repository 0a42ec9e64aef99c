import { hashFile } from '../../bagit/hash-files.ts';
import { openZipTarget } from '../../bagit/zip-target.ts';
import type { OutputFile, WrittenOutput } from '../../shared/output-file.ts';
import type { PeriodEvidence } from '../report-source.ts';
import { listAdsTotals, planAdsFiles } from './ads-export.ts';
import { ControlTotals, listFigureTotals, requireTotals } from './control-totals.ts';
import { planGobdFiles } from './gobd-export.ts';

const exports = {
  gobd: { planFiles: planGobdFiles, listTotals: listFigureTotals },
  ads: { planFiles: planAdsFiles, listTotals: listAdsTotals },
} as const;
export type AuditorExportFormat = keyof typeof exports;

/** Returns true if a format of the report is an export for auditors, which is a ZIP file of several tables. */
export const isAuditorExport = (format: string): format is AuditorExportFormat =>
  Object.hasOwn(exports, format);

/**
 * Writes an export for auditors as a ZIP file, completely or not at all. Throws `corrupt` if the totals of the exported rows
 * differ from the workpaper.
 */
export async function writeAuditorExport(
  evidence: PeriodEvidence,
  format: AuditorExportFormat,
  { path }: OutputFile,
): Promise<WrittenOutput> {
  const { planFiles, listTotals } = exports[format];
  const totals = new ControlTotals();
  const target = await openZipTarget(path, Date.parse(evidence.workpaper.head.made_at));
  try {
    for (const { path: name, content } of planFiles(evidence, totals)) await target.write(name, content);
    requireTotals(totals, listTotals(evidence.workpaper));
    await target.finish();
  } catch (error) {
    await target.abandon();
    throw error;
  }
  return await hashFile(path);
}
