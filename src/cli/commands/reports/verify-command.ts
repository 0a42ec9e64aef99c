import { resolve } from 'node:path';
import type { PackVerdict } from '../../../contract/evidence-packs/evidence-packs.ts';
import { exitCode } from '../../errors/exit-codes.ts';
import { formatBytes, formatCount, formatNumber } from '../../output/format-values.ts';
import type { DefineCommand } from '../../runtime/action-runner.ts';

export const defineVerifyCommand: DefineCommand = (command, handle) => {
  command
    .argument('<bag>', 'the folder or ZIP file of an export or an evidence pack')
    .addHelpText(
      'after',
      '\nReads every byte, and needs nothing but the bag. Ends with 1 where anything is not as it was written.',
    )
    .action(
      handle(async (cli, bag: string) => {
        const verdict = await (await cli.session.client()).packs.verify({ path: resolve(bag) });
        await cli.output.document(verdict, () => [
          verdict.wrong === 0
            ? `Sound: ${formatCount(verdict.files, 'file')}, ${formatBytes(verdict.bytes)}, every byte as it was written.`
            : `${formatCount(verdict.wrong, 'problem')} in ${formatCount(verdict.files, 'file')}:`,
          ...verdict.problems.map(({ path, what }) => `  ${path}: ${what}`),
          ...(verdict.wrong > verdict.problems.length
            ? [`  … and ${formatNumber(verdict.wrong - verdict.problems.length)} more`]
            : []),
          ...packLines(verdict),
          ...(verdict.checksum === null ? [] : [`Receipt: ${verdict.checksum}`]),
        ]);
        return verdict.ok ? exitCode.success : exitCode.findings;
      }),
    );
};

/** Whose pack it is, and whether its audit log holds. */
function packLines({ pack, audit }: PackVerdict): string[] {
  return [
    ...(pack === null
      ? []
      : [
          `Pack of ${pack.site}, ${pack.period}, made ${pack.made_at} by ${pack.made_by}; figures ${pack.digest}`,
        ]),
    ...(audit === null
      ? []
      : [
          audit.ok
            ? `Audit log: ${formatCount(audit.entries, 'entry', 'entries')}, every hash holds.`
            : `Audit log: ${audit.reason}`,
        ]),
  ];
}
