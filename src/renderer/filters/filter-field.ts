import type { LucideIcon } from 'lucide-react';
import type { FigureReference } from '../../contract/index.ts';
import { formatMonth } from '../texts/date-times.ts';
import { formatAmount } from '../texts/money.ts';
import { texts } from '../texts/texts.ts';

/** Range of days in the form YYYY-MM-DD, including both ends. */
export interface DayRange {
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

/** Range of absolute amounts in cents, including both ends. */
export interface AmountRange {
  readonly min_in_cents?: number | undefined;
  readonly max_in_cents?: number | undefined;
}

export interface FilterOption {
  readonly value: string;
  readonly label: string;
  readonly count?: number | undefined;
}

/** Field by which a list can be filtered. It reads and changes its own part of the filter `F`. */
export type FilterField<F> =
  | {
      readonly kind: 'choice';
      readonly id: string;
      readonly label: string;
      readonly icon?: LucideIcon;
      readonly options: readonly FilterOption[];
      readonly allowsMultiple?: boolean;
      chosen(filter: F): readonly string[];
      choose(filter: F, values: readonly string[]): F;
    }
  | {
      readonly kind: 'days';
      readonly id: string;
      readonly label: string;
      /** First and last day for which records are stored locally, if known. */
      readonly storedDays?: { readonly first: string | null; readonly last: string | null } | undefined;
      read(filter: F): DayRange;
      write(filter: F, days: DayRange): F;
    }
  | {
      readonly kind: 'amounts';
      readonly id: string;
      readonly label: string;
      read(filter: F): AmountRange;
      write(filter: F, amounts: AmountRange): F;
    }
  /** Filter set elsewhere, by a link or a cell's menu. Here it can only be removed. */
  | {
      readonly kind: 'fixed';
      readonly id: string;
      readonly label: string;
      text(filter: F): string | null;
      clear(filter: F): F;
    };

/** Returns a filter field for a range of days, which the filter stores as `since` and `until`. */
export function createDayRangeFilterField<F extends DayRange>(
  id: string,
  label: string,
  storedDays?: Extract<FilterField<F>, { kind: 'days' }>['storedDays'],
): FilterField<F> {
  return {
    kind: 'days',
    id,
    label,
    storedDays,
    read: ({ since, until }) => ({ since, until }),
    write: (filter, { since, until }) => ({ ...filter, since, until }),
  };
}

/** Returns a filter field for a range of absolute amounts. */
export function createAmountRangeField<F extends AmountRange>(): FilterField<F> {
  return {
    kind: 'amounts',
    id: 'amount',
    label: texts.filters.amount,
    read: ({ min_in_cents, max_in_cents }) => ({ min_in_cents, max_in_cents }),
    write: (filter, amounts) => ({ ...filter, ...amounts }),
  };
}

/** Formats a range of amounts, or returns null if neither end is set. */
export function formatAmountRange({ min_in_cents: min, max_in_cents: max }: AmountRange): string | null {
  const { between, atLeast, atMost } = texts.filters;
  if (min !== undefined && max !== undefined) return between(formatAmount(min), formatAmount(max));
  if (min !== undefined) return atLeast(formatAmount(min));
  return max === undefined ? null : atMost(formatAmount(max));
}

/**
 * Formats the chosen values of a field, for example `Open, Paid`. Names the values that are not chosen if they are fewer,
 * for example `not Open`.
 */
export function formatChosenValues<F>(
  { options, allowsMultiple }: Extract<FilterField<F>, { kind: 'choice' }>,
  chosen: readonly string[],
): string {
  const labelOf = (value: string) => options.find((option) => option.value === value)?.label ?? value;
  const excluded = options.filter(({ value }) => !chosen.includes(value));
  const isExclusion = allowsMultiple && excluded.length > 0 && excluded.length < chosen.length;
  return isExclusion
    ? texts.filters.isNot(excluded.map(({ label }) => label).join(', '))
    : chosen.map(labelOf).join(', ');
}

/** Returns a filter field for choosing any number of options, which the filter stores as a list of strings. */
export function createMultiChoiceField<F>(
  key: keyof F & string,
  field: Pick<Extract<FilterField<F>, { kind: 'choice' }>, 'label' | 'icon' | 'options'>,
): FilterField<F> {
  const order = (value: string) => field.options.findIndex((option) => option.value === value);
  return {
    kind: 'choice',
    id: key,
    ...field,
    allowsMultiple: true,
    chosen: ({ [key]: values }) => (values as readonly string[] | undefined) ?? [],
    choose: (filter, values) => ({
      ...filter,
      [key]: toUndefinedIfEmpty(values.toSorted((a, b) => order(a) - order(b))),
    }),
  };
}

/** Returns a filter field for choosing one option, which the filter stores as a string. */
export function createChoiceField<F>(
  key: keyof F & string,
  field: Pick<Extract<FilterField<F>, { kind: 'choice' }>, 'label' | 'icon' | 'options'>,
): FilterField<F> {
  return {
    kind: 'choice',
    id: key,
    ...field,
    chosen: ({ [key]: value }) => (value === undefined ? [] : [value as string]),
    choose: (filter, [value]) => ({ ...filter, [key]: value }),
  };
}

/** Returns a read-only filter field. The field shows a filter property that is set elsewhere. */
export function createReadOnlyField<F>(
  key: keyof F & string,
  label: string,
  format: (value: NonNullable<F[typeof key]>) => string = String,
): FilterField<F> {
  return {
    kind: 'fixed',
    id: key,
    label,
    text: ({ [key]: value }) => (value === undefined || value === null ? null : format(value)),
    clear: (filter) => ({ ...filter, [key]: undefined }),
  };
}

/** Returns a copy of the values, or undefined if there are none, because an empty choice must not filter anything. */
export function toUndefinedIfEmpty<T>(values: readonly T[]): T[] | undefined {
  return values.length > 0 ? [...values] : undefined;
}

/** Returns the known names that are chosen, in the order of `names`; undefined if none is chosen. */
export function selectKnownNames<T extends string>(
  names: readonly T[],
  values: readonly string[],
): T[] | undefined {
  return toUndefinedIfEmpty(names.filter((name) => values.includes(name)));
}

export type DayRangePreset = 'week' | 'month' | 'thisMonth' | 'lastMonth';
export const dayRangePresets: readonly DayRangePreset[] = ['week', 'month', 'thisMonth', 'lastMonth'];

/**
 * Returns the day range of a preset relative to `today` (YYYY-MM-DD). Works with calendar days and ignores time zones.
 */
export function getPresetDayRange(name: DayRangePreset, today: string): Required<DayRange> {
  const [year, month, day] = today.split('-').map(Number) as [number, number, number];
  const date = (y: number, m: number, d: number) =>
    new Date(Date.UTC(y, m - 1, d)).toISOString().slice(0, 10);
  switch (name) {
    case 'week':
      return { since: date(year, month, day - 6), until: today };
    case 'month':
      return { since: date(year, month, day - 29), until: today };
    case 'thisMonth':
      return { since: date(year, month, 1), until: today };
    case 'lastMonth':
      return { since: date(year, month - 1, 1), until: date(year, month, 0) };
  }
}

/** Creates a filter field for the rows of one workpaper figure. A link from the workpaper sets the filter. */
export function createFigureFilterField<
  F extends { readonly figure?: FigureReference | undefined },
>(): FilterField<F> {
  const { figure: label, figureOf } = texts.filters;
  return {
    kind: 'fixed',
    id: 'figure',
    label,
    text: ({ figure }) =>
      figure ? figureOf(figure.figure, formatMonth(figure.period), figure.currency) : null,
    clear: (filter) => ({ ...filter, figure: undefined }),
  };
}

/** Returns sentences that state a filter, for example `State: failed, pending`. Empty if nothing is filtered. */
export function describeFilter<F extends { readonly search?: string | undefined }>(
  fields: readonly FilterField<F>[],
  filter: F,
): string[] {
  const values = fields.flatMap((field) => {
    const value = describeFieldValue(field, filter);
    return value === null ? [] : [`${field.label}: ${value}`];
  });
  return filter.search === undefined ? values : [texts.filters.searchFor(filter.search), ...values];
}

function describeFieldValue<F>(field: FilterField<F>, filter: F): string | null {
  switch (field.kind) {
    case 'fixed':
      return field.text(filter);
    case 'amounts':
      return formatAmountRange(field.read(filter));
    case 'days': {
      const { since, until } = field.read(filter);
      return since === undefined && until === undefined ? null : `${since ?? '…'} – ${until ?? '…'}`;
    }
    case 'choice': {
      const chosen = field.chosen(filter);
      return chosen.length === 0 ? null : formatChosenValues(field, chosen);
    }
  }
}
