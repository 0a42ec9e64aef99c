import { type ReactNode, useEffect, useState } from 'react';
import {
  formatDateTime,
  formatDateTimeTooltip,
  formatDateTimeWithSeconds,
  formatLocalDay,
  formatTimeAgo,
  parseDateTime,
} from '../texts/date-times.ts';
import { useDisplayZone } from '../texts/display-zone.ts';
import { formatAmount, formatMoney } from '../texts/money.ts';
import { texts } from '../texts/texts.ts';

const formatters = { day: formatLocalDay, minute: formatDateTime, second: formatDateTimeWithSeconds };

export interface DateTimeProps {
  readonly at: string | null;
  readonly precision?: keyof typeof formatters;
}

/** Shows a date and time in the display zone. The tooltip shows the UTC time and the original text. */
export function DateTime({ at, precision = 'minute' }: DateTimeProps) {
  useDisplayZone();
  if (at === null) return <MissingValue />;
  const ms = parseDateTime(at);
  return (
    <time
      title={formatDateTimeTooltip(at)}
      {...(ms === null ? {} : { dateTime: new Date(ms).toISOString() })}
    >
      {formatters[precision](at)}
    </time>
  );
}

/** Shows the time elapsed since a given time and updates it regularly. */
export function RelativeTime({ at }: { readonly at: string | null }) {
  const now = useCurrentTime(20_000);
  if (at === null) return <MissingValue />;
  const ms = parseDateTime(at);
  return (
    <time title={`${formatDateTimeWithSeconds(at)}\n${formatDateTimeTooltip(at)}`}>
      {ms === null ? at : formatTimeAgo(ms, now)}
    </time>
  );
}

/** Returns the current time in milliseconds and updates it every `intervalMs`. */
export function useCurrentTime(intervalMs: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), intervalMs);
    return () => clearInterval(timer);
  }, [intervalMs]);
  return now;
}

/** Shows an amount given in cents. Omit the currency if a column header names it. */
export function Money({ cents, currency }: { readonly cents: number | null; readonly currency?: string }) {
  if (cents === null) return <MissingValue />;
  return <span className="money">{currency ? formatMoney(cents, currency) : formatAmount(cents)}</span>;
}

/** Dash shown in place of a missing value. */
export function MissingValue() {
  return (
    <span className="no-value">
      <span aria-hidden="true">–</span>
      <span className="visually-hidden">{texts.controls.none}</span>
    </span>
  );
}

interface FactListProps {
  readonly rows: readonly (readonly [string, ReactNode] | null)[];
  /** True to show the facts in columns if there is enough room. */
  readonly sideBySide?: boolean;
}

/** List of names with their values. */
export function LabeledValueList({ rows, sideBySide = false }: FactListProps) {
  return (
    <dl className={sideBySide ? 'facts facts-side-by-side' : 'facts'}>
      {rows.map(
        (row) =>
          row && (
            <div key={row[0]}>
              <dt>{row[0]}</dt>
              <dd>{row[1] === null || row[1] === '' ? <MissingValue /> : row[1]}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
