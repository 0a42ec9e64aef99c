import { resolve } from 'node:path';
import type { PackVerdict } from '../../../contract/evidence-packs/evidence-packs.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { formatBytes, formatCount, formatNumber } from '../../output/format-values.ts';
import type { DefineCommand } from '../../runtime/action-runner.ts';

export const defineVerifyCommand: DefineCommand = (command, handle) => {
  command
    .argument('<path>', 'folder or ZIP file of an archive export or evidence pack')
    .addHelpText(
      'after',
      '\nReads every file and compares it with its checksum. Needs no other data. Exits with 1 if anything has changed.',
    )
    .action(
      handle(async (cli, path: string) => {
        const verdict = await (await cli.session.client()).packs.verify({ path: resolve(path) });
        await cli.output.document(verdict, () => [
          verdict.wrong === 0
            ? `Intact: ${formatCount(verdict.files, 'file')}, ${formatBytes(verdict.bytes)}.`
            : `${formatCount(verdict.wrong, 'problem')} in ${formatCount(verdict.files, 'file')}:`,
          ...verdict.problems.map(({ path, message }) => `  ${path}: ${message}`),
          ...(verdict.wrong > verdict.problems.length
            ? [`  … and ${formatNumber(verdict.wrong - verdict.problems.length)} more`]
            : []),
          ...formatPack(verdict),
          ...(verdict.checksum === null ? [] : [`Receipt: ${verdict.checksum}`]),
        ]);
        return verdict.ok ? exitCodes.success : exitCodes.findings;
      }),
    );
};

/** Formats the site and period of an evidence pack and the result of checking its audit log. */
function formatPack({ pack, audit }: PackVerdict): string[] {
  return [
    ...(pack === null
      ? []
      : [
          `Evidence pack of ${pack.site}, ${pack.period}, created ${pack.made_at} by ${pack.made_by}; digest of the figures: ${pack.digest}`,
        ]),
    ...(audit === null
      ? []
      : [
          audit.ok
            ? `Audit log: ${formatCount(audit.entries, 'entry', 'entries')}, intact.`
            : `Audit log: ${audit.reason}`,
        ]),
  ];
}
