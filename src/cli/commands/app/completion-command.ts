import { Argument } from 'commander';
import type { DefineCommand } from '../../runtime/cli-command.ts';
import { listCompletions } from '../../shell-files/completion-words.ts';
import { completionFormats, type Shell, shells } from '../../shell-files/shells.ts';

export const defineCompletionCommand: DefineCommand = (command) => {
  command
    .addArgument(new Argument('<shell>', 'shell that will load the script').choices(shells))
    .addHelpText(
      'after',
      '\nLoad it in your shell’s startup file:' +
        '\n  bash: source <(tieout completion bash)' +
        '\n  zsh:  source <(tieout completion zsh)' +
        '\n  fish: tieout completion fish | source',
    )
    .run(async ({ output, describeProgram }, shell: Shell) => {
      await output.write(completionFormats[shell](listCompletions(await describeProgram())));
    });
};
