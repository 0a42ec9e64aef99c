import { resolve } from 'node:path';
import type { PackVerdict } from '../../contract/packs.ts';
import { exit } from '../exit.ts';
import { count, counted, size } from '../output/figures.ts';
import type { Define } from '../verbs.ts';

export const define: Define = (command, act) => {
  command
    .argument('<bag>', 'the folder or ZIP file of an export or an evidence pack')
    .addHelpText(
      'after',
      '\nReads every byte, and needs nothing but the bag. Ends with 1 where anything is not as it was written.',
    )
    .action(
      act(async (cli, bag: string) => {
        const verdict = await (await cli.session.client()).packs.verify({ path: resolve(bag) });
        await cli.out.document(verdict, () => [
          verdict.wrong === 0
            ? `Sound: ${counted(verdict.files, 'file')}, ${size(verdict.bytes)}, every byte as it was written.`
            : `${counted(verdict.wrong, 'problem')} in ${counted(verdict.files, 'file')}:`,
          ...verdict.problems.map(({ path, what }) => `  ${path}: ${what}`),
          ...(verdict.wrong > verdict.problems.length
            ? [`  … and ${count(verdict.wrong - verdict.problems.length)} more`]
            : []),
          ...packLines(verdict),
          ...(verdict.receipt === null ? [] : [`Receipt: ${verdict.receipt}`]),
        ]);
        return verdict.ok ? exit.done : exit.found;
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
            ? `Audit log: ${counted(audit.entries, 'entry', 'entries')}, every hash holds.`
            : `Audit log: ${audit.why}`,
        ]),
  ];
}
