import type { Argument, Command, Option } from 'commander';

export interface OptionDescription {
  /** Flags and value as declared, for example `-o, --output <file>`. */
  readonly flags: string;
  readonly description: string;
  /** Name of the option's value, without brackets. Null if the option takes no value. */
  readonly value: string | null;
  readonly required: boolean;
  readonly choices: readonly string[];
}

export interface ArgumentDescription {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  /** True if the argument may be repeated. */
  readonly variadic: boolean;
  readonly choices: readonly string[];
}

/** Declaration of a command as data, from which JSON help, shell completions and man pages are generated. */
export interface CommandDescription {
  /** Words of the command, for example `["webhooks", "list"]`. Empty for the program itself. */
  readonly words: readonly string[];
  readonly usage: string;
  readonly description: string;
  readonly arguments: readonly ArgumentDescription[];
  readonly options: readonly OptionDescription[];
  readonly commands: readonly CommandDescription[];
}

/** Describes a command and its subcommands. Only the program's description contains the program's options. */
export function describeCommand(command: Command, words: readonly string[] = []): CommandDescription {
  return {
    words,
    usage: ['tieout', ...words, command.usage()].join(' '),
    description: command.description(),
    arguments: command.registeredArguments.map(describeArgument),
    options: command.options.filter(({ hidden }) => !hidden).map(describeOption),
    commands: command.commands.map((each) => describeCommand(each, [...words, each.name()])),
  };
}

/** Returns the words of a command, for example `["webhooks", "list"]`. Empty for the program itself. */
export function getCommandWords(command: Command): string[] {
  return command.parent === null ? [] : [...getCommandWords(command.parent), command.name()];
}

const describeOption = (option: Option): OptionDescription => ({
  flags: option.flags,
  description: option.description,
  value: /[<[]([^\]>]+)[\]>]/.exec(option.flags)?.[1] ?? null,
  required: option.mandatory,
  choices: option.argChoices ?? [],
});

const describeArgument = (argument: Argument): ArgumentDescription => ({
  name: argument.name(),
  description: argument.description,
  required: argument.required,
  variadic: argument.variadic,
  choices: argument.argChoices ?? [],
});
