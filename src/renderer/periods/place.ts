import { go } from '../view/view.ts';

/** The parts of a period’s page, in the order they are worked through. */
export const periodParts = ['workpaper', 'items', 'signoff', 'drift', 'report'] as const;
export type PeriodPart = (typeof periodParts)[number];

/** What an address names of the periods; with a figure of the workpaper that is opened to its parts. */
export interface PeriodPlace {
  readonly period: string;
  readonly part: PeriodPart;
  readonly figure: { readonly currency: string; readonly id: string } | null;
}

const PLACE = /^(\d{4}-\d\d)(?:-(items|signoff|drift|report))?$/;
const FIGURE = /^(\d{4}-\d\d)-([A-Z]{3})-(S[123]\.[a-z][a-z0-9-]*)$/;

/** `2026-10`, `2026-10-items`, `2026-10-USD-S2.payments`; null for the list of periods. */
export function periodPlace(item: string | null): PeriodPlace | null {
  const [, opened, currency, id] = FIGURE.exec(item ?? '') ?? [];
  if (opened !== undefined && currency !== undefined && id !== undefined) {
    return { period: opened, part: 'workpaper', figure: { currency, id } };
  }
  const [, period, named] = PLACE.exec(item ?? '') ?? [];
  if (period === undefined) return null;
  return { period, part: periodParts.find((part) => part === named) ?? 'workpaper', figure: null };
}

export function periodItem({ period, part, figure }: PeriodPlace): string {
  if (figure !== null) return `${period}-${figure.currency}-${figure.id}`;
  return part === 'workpaper' ? period : `${period}-${part}`;
}

export function openPeriod(period: string, part: PeriodPart = 'workpaper'): void {
  go({ screen: 'periods', item: periodItem({ period, part, figure: null }) });
}

export function openFigure(period: string, currency: string, id: string): void {
  go({ screen: 'periods', item: periodItem({ period, part: 'workpaper', figure: { currency, id } }) });
}

/** Where closing what is open leads: from a figure to its sheet, from a period to the list. */
export function periodBehind(item: string | null): string | null {
  const place = periodPlace(item);
  return place === null || place.figure === null ? null : place.period;
}
