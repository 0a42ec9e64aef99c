import { type Command, InvalidArgumentError, Option } from 'commander';

// Throws a usage error that states the expected format of an option value.

const reject = (expected: string): never => {
  throw new InvalidArgumentError(`Expected ${expected}.`);
};

/** Returns an option parser that accepts integers from `min` to `max`. */
export function createIntegerParser(min = 0, max = Number.MAX_SAFE_INTEGER) {
  const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
  return (text: string): number => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    return value >= min && value <= max ? value : reject(`an integer ${range}`);
  };
}

export const parseServiceId = createIntegerParser();

/** Parses a positive decimal number. */
export function parsePositiveNumber(text: string): number {
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : 0;
  return value > 0 ? value : reject('a number above 0');
}

/** Parses an existing calendar date. */
export function parseDate(text: string): string {
  const ms = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== text) {
    return reject('a date as YYYY-MM-DD');
  }
  return text;
}

export function parseMonth(text: string): string {
  return /^\d{4}-(0[1-9]|1[0-2])$/.test(text) ? text : reject('a month as YYYY-MM');
}

/** Returns an option parser that accepts comma-separated values from a fixed list. */
export function createListParser<Value extends string>(allowed: readonly Value[]) {
  return (text: string): Value[] =>
    text
      .split(',')
      .map(
        (word) => allowed.find((value) => value === word.trim()) ?? reject(`any of ${allowed.join(', ')}`),
      );
}

/** Collects the comma-separated words of a repeatable option. */
export function collectWords(text: string, previous: string[] | undefined): string[] {
  return [
    ...(previous ?? []),
    ...text
      .split(',')
      .map((word) => word.trim())
      .filter(Boolean),
  ];
}

/** Collects the comma-separated integers of a repeatable option or argument. */
export function collectIntegers(text: string, previous: number[] | undefined): number[] {
  return [...(previous ?? []), ...collectWords(text, undefined).map(createIntegerParser(0))];
}

export const createChoiceOption = (flags: string, description: string, values: readonly string[]): Option =>
  new Option(flags, description).choices(values);

export interface PageOptions {
  readonly limit?: number;
  readonly after?: string;
  readonly all?: true;
}

/** Adds the options for paging through a list. */
export function addPageOptions(command: Command): Command {
  return command
    .option('--limit <n>', 'maximum number of rows (default: 100)', createIntegerParser(1))
    .option('--after <cursor>', 'start after this cursor, as printed below the previous page')
    .addOption(new Option('--all', 'list all rows').conflicts('limit'));
}

/** Adds the options for sorting a list. The first field is the default. */
export function addSortOptions(
  command: Command,
  fields: readonly [string, ...string[]],
  direction: 'asc' | 'desc',
): Command {
  return command
    .addOption(createChoiceOption('--sort <field>', 'field to sort by', fields).default(fields[0]))
    .addOption(
      createChoiceOption('--direction <direction>', 'sort order', ['asc', 'desc']).default(direction),
    );
}

/** Returns the options without undefined fields. */
export function omitUndefined<Options extends object>(
  options: Options,
): { [Name in keyof Options]?: Exclude<Options[Name], undefined> } {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Options]?: Exclude<Options[Name], undefined>;
  };
}
