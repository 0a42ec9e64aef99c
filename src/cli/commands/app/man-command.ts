import { CliError } from '../../errors/cli-error.ts';
import { readAppVersion } from '../../runtime/app-paths.ts';
import type { DefineCommand } from '../../runtime/cli-command.ts';
import { formatManPages } from '../../shell-files/man-page.ts';

export const defineManCommand: DefineCommand = (command) => {
  command
    .argument('[command]', 'command to describe (default: overview of all commands)')
    .addHelpText('after', '\nTo read a page, run: tieout man webhooks | man -l -')
    .run(async ({ output, describeProgram }, name?: string) => {
      const pages = formatManPages(await describeProgram(), readAppVersion());
      const page = pages.find((each) => each.name === ['tieout', ...(name ? [name] : [])].join('-'));
      if (page === undefined)
        throw new CliError(
          'not_found',
          `There is no command ${name}.`,
          'List the commands with: tieout help',
        );
      await output.write(page.content);
    });
};
