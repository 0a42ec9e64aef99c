import { resolve } from 'node:path';
import { exit } from '../exit.ts';
import { count, counted, size } from '../figures.ts';
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
        const verdict = await cli.session.client().archive.verify({ path: resolve(bag) });
        await cli.out.document(verdict, () => [
          verdict.ok
            ? `Sound: ${counted(verdict.files, 'file')}, ${size(verdict.bytes)}, every byte as it was written.`
            : `${counted(verdict.wrong, 'problem')} in ${counted(verdict.files, 'file')}:`,
          ...verdict.problems.map(({ path, what }) => `  ${path}: ${what}`),
          ...(verdict.wrong > verdict.problems.length
            ? [`  … and ${count(verdict.wrong - verdict.problems.length)} more`]
            : []),
          ...(verdict.receipt === null ? [] : [`Receipt: ${verdict.receipt}`]),
        ]);
        return verdict.ok ? exit.done : exit.found;
      }),
    );
};
