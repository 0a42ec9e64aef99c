import { createIntegerParser, omitUndefined } from '../../input/options.ts';
import type { CliCommand, DefineCommand } from '../../runtime/cli-command.ts';
import { addPeriodOption, type PeriodOptions, printPeriodDetail } from './period-options.ts';

interface SignedOptions extends PeriodOptions {
  readonly by?: string;
}

type CommentOptions = SignedOptions & { readonly currency?: string; readonly text: string };
type ClearOptions = SignedOptions & { readonly selfReview?: string };

export const defineFigureCommentCommands: DefineCommand = (command) => {
  command
    .subcommand('comment', 'Comment on a figure; the comment must be answered and cleared before closing')
    .argument('<figure>', 'figure, for example S2.open')
    .with(addCommentOptions)
    .requiredOption('--text <text>', 'text of the comment')
    .option('--currency <code>', 'currency of the figure (default: currency of the site)')
    .runOnSite(async ({ client, site, details, output }, figure: string, options: CommentOptions) => {
      const { currency = details.currency, ...signed } = options;
      return printPeriodDetail(output, await client.periods.comment({ site, figure, currency, ...signed }));
    });
  command
    .subcommand('answer', 'Answer a comment on a figure')
    .argument('<comment>', 'number of the comment', createIntegerParser(1))
    .with(addCommentOptions)
    .requiredOption('--text <text>', 'text of the answer')
    .runOnSite(async ({ client, site, output }, comment: number, options: CommentOptions) =>
      printPeriodDetail(output, await client.periods.answerComment({ site, comment, ...options })),
    );
  command
    .subcommand('clear', 'Clear an answered comment as its reviewer')
    .argument('<comment>', 'number of the comment', createIntegerParser(1))
    .with(addCommentOptions)
    .option('--self-review <reason>', 'reason why the preparer or the author of an answer clears the comment')
    .addHelpText(
      'after',
      '\nComments are listed by: tieout period table --period MONTH --table figure_comments',
    )
    .runOnSite(
      async ({ client, site, output }, comment: number, { selfReview, ...options }: ClearOptions) => {
        const input = { site, comment, ...options, ...omitUndefined({ self_review: selfReview }) };
        return printPeriodDetail(output, await client.periods.clearComment(input));
      },
    );
};

function addCommentOptions(command: CliCommand): void {
  command
    .with(addPeriodOption)
    .option('--by <name>', 'name of the signer (default: default person, or user of this computer)');
}
