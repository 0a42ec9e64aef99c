import type { ArgumentDescription, CommandDescription, OptionDescription } from '../command-description.ts';
import { flattenCommands } from './completion-words.ts';

/** Page of the manual: its name, for example `tieout-webhooks`, and its content in the format of `man`. */
export interface ManPage {
  readonly name: string;
  readonly content: string;
}

/** Returns the manual: a page for the program, and a page per command with its subcommands. */
export function formatManPages(program: CommandDescription, version: string): ManPage[] {
  const pages = program.commands.map(({ words }) => `tieout-${words.join('-')}`);
  return [program, ...program.commands].map((command) => {
    const name = ['tieout', ...command.words].join('-');
    const sections =
      command === program
        ? [
            [
              '.SH COMMANDS',
              ...program.commands.flatMap(({ words, description }) =>
                item(`tieout ${words.join(' ')}`, description),
              ),
            ],
            formatOptions('.SH OPTIONS', program.options),
            ['.SH SEE ALSO', pages.map((page) => `.BR ${escapeText(page)} (1)`).join(' ,\n')],
          ]
        : [
            ...flattenCommands(command).map(formatCommand),
            formatOptions('.SH GLOBAL OPTIONS', program.options),
            ['.SH SEE ALSO', '.BR tieout (1)'],
          ];
    const lines = [
      `.TH ${escapeText(name.toUpperCase())} 1 "" "tieout ${escapeText(version)}" "Tieout"`,
      '.SH NAME',
      `${escapeText(name)} \\- ${escapeText(command.description)}`,
      '.SH SYNOPSIS',
      `.B ${escapeText(command.usage)}`,
      ...sections.flat(),
    ];
    return { name, content: `${lines.join('\n')}\n` };
  });
}

function formatCommand({ usage, description, arguments: args, options }: CommandDescription): string[] {
  return [
    `.SH ${escapeText(usage.replace(/ [[<].*/, '').toUpperCase())}`,
    `.B ${escapeText(usage)}`,
    '.PP',
    escapeText(description),
    ...args.flatMap((argument) => item(formatArgumentName(argument), argument.description)),
    ...options.flatMap((option) => item(option.flags, describeOption(option))),
  ];
}

const formatOptions = (title: string, options: readonly OptionDescription[]): string[] => [
  title,
  ...options.flatMap((option) => item(option.flags, describeOption(option))),
];

const formatArgumentName = ({ name, required, variadic }: ArgumentDescription): string => {
  const text = variadic ? `${name}...` : name;
  return required ? `<${text}>` : `[${text}]`;
};

const describeOption = ({ description, required, choices }: OptionDescription): string =>
  [description, choices.length > 0 && `(one of ${choices.join(', ')})`, required && '(required)']
    .filter(Boolean)
    .join(' ');

const item = (term: string, description: string): string[] => [
  '.TP',
  `.B ${escapeText(term)}`,
  escapeText(description || 'See the usage above.'),
];

/** Escapes text for `man`: backslashes, hyphens, non-ASCII, and a leading dot or quote, which starts a request. */
const escapeText = (text: string): string =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/\s+/g, ' ')
    .replace(/^[.']/, '\\&$&')
    .replace(/[^\x20-\x7e]/gu, (char) => `\\[u${toHex(char)}]`);

const toHex = (char: string): string =>
  (char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
