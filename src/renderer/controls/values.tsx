import { type ReactNode, useEffect, useState } from 'react';
import { agoText, dayText, instantOf, momentSecondsText, momentText, momentTitle } from '../words/moments.ts';
import { amountText, moneyText } from '../words/money.ts';
import { words } from '../words/words.ts';

const texts = { day: dayText, minute: momentText, second: momentSecondsText };

interface MomentProps {
  readonly at: string | null;
  readonly to?: keyof typeof texts;
}

/** A moment in the user's zone; UTC and the text as sent on hover. */
export function Moment({ at, to = 'minute' }: MomentProps) {
  if (at === null) return <Absent />;
  const ms = instantOf(at);
  return (
    <time title={momentTitle(at)} {...(ms === null ? {} : { dateTime: new Date(ms).toISOString() })}>
      {texts[to](at)}
    </time>
  );
}

/** How long ago, kept true as time passes. */
export function Ago({ at }: { readonly at: string | null }) {
  const now = useNow(20_000);
  if (at === null) return <Absent />;
  const ms = instantOf(at);
  return (
    <time title={`${momentSecondsText(at)}\n${momentTitle(at)}`}>{ms === null ? at : agoText(ms, now)}</time>
  );
}

/** The time, coarsely: moves on every `every` ms. */
export function useNow(every: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), every);
    return () => clearInterval(timer);
  }, [every]);
  return now;
}

/** Cents; without a currency where a header names it. */
export function Money({ cents, currency }: { readonly cents: number | null; readonly currency?: string }) {
  if (cents === null) return <Absent />;
  return (
    <span className={cents < 0 ? 'money money-negative' : 'money'}>
      {currency ? moneyText(cents, currency) : amountText(cents)}
    </span>
  );
}

/** Where the service says nothing. */
export function Absent() {
  return (
    <span className="absent">
      <span aria-hidden="true">–</span>
      <span className="unseen">{words.controls.none}</span>
    </span>
  );
}

interface FactsProps {
  readonly rows: readonly (readonly [string, ReactNode] | null)[];
  /** Beside each other, where there is room. */
  readonly across?: boolean;
}

/** Names and values, one under the other. */
export function Facts({ rows, across = false }: FactsProps) {
  return (
    <dl className={across ? 'facts facts-across' : 'facts'}>
      {rows.map(
        (row) =>
          row && (
            <div key={row[0]}>
              <dt>{row[0]}</dt>
              <dd>{row[1] === null || row[1] === '' ? <Absent /> : row[1]}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
