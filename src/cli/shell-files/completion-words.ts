import type { CommandDescription, OptionDescription } from '../command-description.ts';

/** A word that completes a command line, with its description. */
export interface CompletionCandidate {
  readonly word: string;
  readonly description: string;
}

/** Possible next words after a command. */
export interface CommandCompletion {
  /** Words of the command, each after a space, for example ` webhooks list`. Empty for the program itself. */
  readonly path: string;
  readonly description: string;
  readonly candidates: readonly CompletionCandidate[];
  /** Options of the command that take a value. Options without choices complete as file names. */
  readonly values: readonly { readonly flag: string; readonly choices: readonly string[] }[];
}

/** Returns the possible words after each command, starting with the program. */
export function listCompletions(program: CommandDescription): CommandCompletion[] {
  return flattenCommands(program).map((command) => {
    const options = command === program ? program.options : [...command.options, ...program.options];
    const subcommands = command.commands.map(({ words, description }) => ({
      word: words.at(-1) ?? '',
      description,
    }));
    const choices = command.arguments.flatMap((argument) => argument.choices);
    return {
      path: command.words.map((word) => ` ${word}`).join(''),
      description: command.description,
      candidates: [
        ...subcommands,
        ...choices.map((word) => ({ word, description: '' })),
        ...options.flatMap((option) =>
          getFlags(option).map((word) => ({ word, description: option.description })),
        ),
        { word: '--help', description: 'show help for a command' },
      ],
      values: options
        .filter(({ value }) => value !== null)
        .flatMap((option) => getFlags(option).map((flag) => ({ flag, choices: option.choices }))),
    };
  });
}

/** Returns a command and all commands below it, parents first. */
export const flattenCommands = (command: CommandDescription): CommandDescription[] => [
  command,
  ...command.commands.flatMap(flattenCommands),
];

/** Returns the names of an option, for example `-o` and `--output`. */
const getFlags = ({ flags }: OptionDescription): string[] =>
  [...flags.matchAll(/(?:^|[ ,])(--?[\w-]+)/g)].map(([, flag = '']) => flag);

/** Quotes a text so that a shell uses it literally. */
export const quoteForShell = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
