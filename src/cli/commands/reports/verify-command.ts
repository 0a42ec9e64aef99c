import { resolve } from 'node:path';
import type { PackVerification } from '../../../contract/evidence-packs/evidence-packs.ts';
import { describeTimeStamp } from '../../../domain/labels/audit.ts';
import { createUsageError } from '../../errors/cli-error.ts';
import { getSuccessExitCode } from '../../errors/exit-codes.ts';
import { omitUndefined } from '../../input/options.ts';
import { formatBytes, formatCount, formatMinute, formatNumber } from '../../output/format-values.ts';
import type { TextLines } from '../../output/terminal-text.ts';
import { type DefineCommand, openSite } from '../../runtime/cli-command.ts';
import { formatStatements } from '../period/certification-options.ts';
import { verifyByRecomputation } from './verify-by-recomputation.ts';

interface VerifyOptions {
  readonly receipt?: string;
  readonly recompute?: true;
}

export const defineVerifyCommand: DefineCommand = (command) => {
  command
    .argument('[path]', 'folder or ZIP file of an archive export or evidence pack')
    .option(
      '--recompute',
      'compute all exceptions, matches and totals of the site again in a copy, and compare them with the stored ones',
    )
    .option(
      '--receipt <hash>',
      'receipt stored elsewhere, to verify that the audit log of the pack contains the state of this receipt',
    )
    .addHelpText(
      'after',
      '\nReads every file and compares it with its checksum. For an evidence pack, also verifies its audit log and compares' +
        '\nthe files, signatures and figures with the log. Requires no other data. Exits with 1 if anything has changed.' +
        '\nWith --recompute, verifies the stored data of a site instead. Changes nothing. Exits with 1 if a result differs.',
    )
    .run(async (context, path: string | undefined, { receipt, recompute }: VerifyOptions) => {
      const { session, output } = context;
      if (recompute === true) {
        if (path !== undefined) throw createUsageError('Give a path or --recompute, not both.');
        return await verifyByRecomputation(await openSite(context));
      }
      if (path === undefined) throw createUsageError('Give the path of a pack or archive, or --recompute.');
      const client = await session.client();
      const verdict = await client.packs.verify({ path: resolve(path), ...omitUndefined({ receipt }) });
      await output.document(verdict, () => formatVerdict(verdict));
      return getSuccessExitCode(verdict.ok);
    });
};

function formatVerdict({
  wrong,
  files,
  bytes,
  problems,
  checksum,
  pack,
  audit,
}: PackVerification): TextLines {
  return [
    wrong === 0
      ? `Intact: ${formatCount(files, 'file')}, ${formatBytes(bytes)}.`
      : `${formatCount(wrong, 'problem')} in ${formatCount(files, 'file')}:`,
    problems.map(({ path, message }) => `  ${path}: ${message}`),
    wrong > problems.length && `  … and ${formatNumber(wrong - problems.length)} more`,
    pack &&
      `Evidence pack of ${pack.site}, ${pack.period}, created ${pack.made_at} by ${pack.made_by}; digest of the figures: ${pack.digest}`,
    pack?.state === 'submitted' && formatStatements(pack.certification),
    audit?.ok === true && `Audit log: ${formatCount(audit.entries, 'entry', 'entries')}, intact.`,
    audit?.ok === true && `Receipt: ${audit.receipt.hash}`,
    typeof audit?.proven_entries === 'number' &&
      `The receipt proves that entries 1–${audit.proven_entries} are unchanged.`,
    audit?.time_stamps.map((stamp) => describeTimeStamp(stamp, (at) => `${formatMinute(at)} UTC`)),
    audit?.ok === false && `Audit log: ${audit.reason}`,
    checksum !== null && `Checksum: ${checksum}`,
  ];
}
