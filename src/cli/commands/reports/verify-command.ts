import { resolve } from 'node:path';
import type { PackVerification } from '../../../contract/evidence-packs/evidence-packs.ts';
import { getSuccessExitCode } from '../../errors/exit-codes.ts';
import { formatBytes, formatCount, formatNumber } from '../../output/format-values.ts';
import type { TextLines } from '../../output/terminal-text.ts';
import type { DefineCommand } from '../../runtime/cli-command.ts';

export const defineVerifyCommand: DefineCommand = (command) => {
  command
    .argument('<path>', 'folder or ZIP file of an archive export or evidence pack')
    .addHelpText(
      'after',
      '\nReads every file and compares it with its checksum. Requires no other data. Exits with 1 if anything has changed.',
    )
    .run(async ({ session, output }, path: string) => {
      const client = await session.client();
      const verdict = await client.packs.verify({ path: resolve(path) });
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
    audit?.ok === true && `Audit log: ${formatCount(audit.entries, 'entry', 'entries')}, intact.`,
    audit?.ok === false && `Audit log: ${audit.reason}`,
    checksum !== null && `Checksum: ${checksum}`,
  ];
}
