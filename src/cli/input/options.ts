import { type Command, InvalidArgumentError, Option } from 'commander';

/** Readers of option values. What they refuse is wrong usage, said with what would be right. */

const refuse = (expected: string): never => {
  throw new InvalidArgumentError(`Expected ${expected}.`);
};

/** A whole number in a range; by default from 0 on. */
export function whole(least = 0, most = Number.MAX_SAFE_INTEGER) {
  const range = most === Number.MAX_SAFE_INTEGER ? `from ${least} on` : `from ${least} to ${most}`;
  return (text: string): number => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    return value >= least && value <= most ? value : refuse(`a whole number ${range}`);
  };
}

export const serviceId = whole();

/** A rate: digits with an optional fraction, above zero. */
export function rate(text: string): number {
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : 0;
  return value > 0 ? value : refuse('a number above 0');
}

/** A calendar date that exists. */
export function date(text: string): string {
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== text) {
    return refuse('a day as 2026-10-31');
  }
  return text;
}

/** A month that exists. */
export function month(text: string): string {
  return /^\d{4}-(0[1-9]|1[0-2])$/.test(text) ? text : refuse('a month as 2026-10');
}

/** Comma-separated values out of a fixed set. */
export function someOf<Value extends string>(allowed: readonly Value[]) {
  return (text: string): Value[] =>
    text
      .split(',')
      .map((word) => allowed.find((one) => one === word.trim()) ?? refuse(`any of ${allowed.join(', ')}`));
}

/** One or more free words, given again or comma-separated. */
export function words(text: string, before: string[] | undefined): string[] {
  return [
    ...(before ?? []),
    ...text
      .split(',')
      .map((word) => word.trim())
      .filter(Boolean),
  ];
}

/** Whole numbers, given one after the other, again, or comma-separated. */
export function numbers(text: string, before: number[] | undefined): number[] {
  return [...(before ?? []), ...words(text, undefined).map(whole(0))];
}

export const choice = (flags: string, description: string, values: readonly string[]): Option =>
  new Option(flags, description).choices(values);

export interface ListOptions {
  readonly limit?: number;
  readonly after?: string;
  readonly all?: true;
}

/** The options of every list. */
export function listOptions(command: Command): Command {
  return command
    .option('--limit <n>', 'at most so many rows (100)', whole(1))
    .option('--after <cursor>', 'go on behind this cursor, as the last page gave it')
    .addOption(new Option('--all', 'every row').conflicts('limit'));
}

/** What was given, without what was not. */
export function given<Options extends object>(
  options: Options,
): { [Name in keyof Options]?: Exclude<Options[Name], undefined> } {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Options]?: Exclude<Options[Name], undefined>;
  };
}
