import { type CalendarDate, type Cents, countDaysBetween } from '../ledger/index.ts';
import type { ServicePeriod } from './service-period.ts';

/**
 * Returns the cents of an amount that are deferred at the end of a day: the share for the service days after that day.
 * The amount is spread evenly over the days and rounded half away from zero, so that the months of a service add up
 * exactly.
 */
export function computeDeferredCents(amount: Cents, { from, until }: ServicePeriod, on: CalendarDate): Cents {
  // If `until` equals `from`, the service is rendered on its first day.
  const days = Math.max(countDaysBetween(from, until), 1);
  const rendered = Math.min(Math.max(countDaysBetween(from, on) + 1, 0), days);
  const size = Math.abs(amount);
  // Multiplies whole cents per day and the remainder separately, so that large amounts stay exact.
  const renderedCents =
    Math.floor(size / days) * rendered + Math.floor((2 * (size % days) * rendered + days) / (2 * days));
  return amount < 0 ? renderedCents - size + 0 : size - renderedCents;
}

/** Roll-forward of a charge's deferred revenue over a period, in cents. */
export interface Recognition {
  /** Deferred at the beginning of the period. */
  readonly opening: Cents;
  readonly billed: Cents;
  readonly recognized: Cents;
  /** Deferred at the end of the period. */
  readonly closing: Cents;
}

/** A charge with its service period. `isBilledBefore` is true if its statement was closed before the period. */
export interface DeferredCharge {
  readonly cents: Cents;
  readonly service: ServicePeriod;
  readonly isBilledBefore: boolean;
}

/** Returns the roll-forward of a charge over a period. Revenue is recognized once the charge is billed and the service rendered. */
export function rollForwardCharge(
  { cents, service, isBilledBefore }: DeferredCharge,
  { before, last }: { readonly before: CalendarDate; readonly last: CalendarDate },
): Recognition {
  const opening = isBilledBefore ? computeDeferredCents(cents, service, before) : 0;
  const billed = isBilledBefore ? 0 : cents;
  const closing = computeDeferredCents(cents, service, last);
  return { opening, billed, recognized: opening + billed - closing, closing };
}
