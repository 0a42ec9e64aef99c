import { InvalidArgumentError } from 'commander';

const reject = (expected: string): never => {
  throw new InvalidArgumentError(`Expected ${expected}.`);
};

/** Returns an option parser that accepts integers from `min` to `max`. */
export function createIntegerParser(min = 0, max = Number.MAX_SAFE_INTEGER) {
  return (text: string): number => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    const isOpenEnded = max === Number.MAX_SAFE_INTEGER && !(value > max);
    const range = isOpenEnded ? `of at least ${min}` : `from ${min} to ${max}`;
    return value >= min && value <= max ? value : reject(`an integer ${range}`);
  };
}

export const parseServiceId = createIntegerParser();
export const parsePort = createIntegerParser(0, 65_535);

export function parsePositiveNumber(text: string): number {
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : 0;
  return value > 0 ? value : reject('a number above 0');
}

/** Parses a calendar date and rejects dates that do not exist. */
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
  const parse = (word: string) =>
    allowed.find((value) => value === word.trim()) ?? reject(`any of ${allowed.join(', ')}`);
  return (text: string): Value[] => text.split(',').map(parse);
}

/** Parses the comma-separated words of a repeatable option. */
export function parseWordList(text: string, previous: string[] | undefined): string[] {
  const words = text.split(',').flatMap((word) => word.trim() || []);
  return words.length === 0 ? reject('a value') : [...(previous ?? []), ...words];
}

/** Parses the comma-separated integers of a repeatable option or argument. */
export function parseIntegerList(text: string, previous: number[] | undefined): number[] {
  return [...(previous ?? []), ...parseWordList(text, undefined).map(createIntegerParser(0))];
}

export interface PagingOptions {
  readonly limit?: number;
  readonly after?: string;
  readonly all?: true;
}

interface ListInput {
  readonly filter?: object | undefined;
  readonly sort?: { by?: string | undefined; direction?: SortDirection | undefined } | undefined;
}

export type SortDirection = 'asc' | 'desc';

/** Parsed options of a command that lists the rows of a procedure with the given input. */
export type ListOptions<Input extends ListInput> = PagingOptions &
  NonNullable<Input['filter']> & {
    readonly sort?: NonNullable<Input['sort']>['by'];
    readonly direction?: SortDirection;
    readonly subscription?: number;
    readonly statement?: number;
    readonly component?: number;
  };

/** Converts the options of a list command to the filter and sort order of its procedure. */
export function toListRequest<Input extends ListInput>(
  options: ListOptions<Input>,
): Required<Pick<Input, 'filter' | 'sort'>> {
  const { limit, after, all, sort: by, direction, subscription, statement, component, ...filter } = options;
  const ids = { subscription_id: subscription, statement_id: statement, component_id: component };
  return omitUndefined({
    filter: { ...filter, ...omitUndefined(ids) },
    sort: by && { by, direction },
  }) as Required<Pick<Input, 'filter' | 'sort'>>;
}

export function omitUndefined<Options extends object>(
  options: Options,
): { [Name in keyof Options]?: Exclude<Options[Name], undefined> } {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Options]?: Exclude<Options[Name], undefined>;
  };
}
