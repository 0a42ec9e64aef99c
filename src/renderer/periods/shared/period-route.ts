import { navigate } from '../../navigation/window-state.ts';

/** Tabs of a period's page, in the order in which users work through them. */
export const periodTabs = [
  ...(['workpaper', 'checklist', 'items', 'ledger', 'lists', 'signoff', 'changes', 'report'] as const),
] as const;
type PeriodTab = (typeof periodTabs)[number];

/** Parsed route of a period's page. `figure` is the workpaper figure whose rows are shown. */
export interface PeriodRoute {
  readonly period: string;
  readonly part: PeriodTab;
  readonly figure: { readonly currency: string; readonly id: string } | null;
}

const PLACE = /^(\d{4}-\d\d)(?:-(checklist|items|ledger|lists|signoff|changes|report))?$/;
const FIGURE = /^(\d{4}-\d\d)-([A-Z]{3})-(S\d+(?:-\d+)?\.[a-z][a-z0-9-]*)$/;

/** Parses a period's route item, for example `2026-10-USD-S2.payments`. Null means the list of periods. */
export function parsePeriodRoute(item: string | null): PeriodRoute | null {
  const [, opened, currency, id] = FIGURE.exec(item ?? '') ?? [];
  if (opened !== undefined && currency !== undefined && id !== undefined) {
    return { period: opened, part: 'workpaper', figure: { currency, id } };
  }
  const [, period, named] = PLACE.exec(item ?? '') ?? [];
  if (period === undefined) return null;
  return { period, part: periodTabs.find((part) => part === named) ?? 'workpaper', figure: null };
}

export function formatPeriodRoute({ period, part, figure }: PeriodRoute): string {
  if (figure !== null) return `${period}-${figure.currency}-${figure.id}`;
  return part === 'workpaper' ? period : `${period}-${part}`;
}

export function openPeriod(period: string, part: PeriodTab = 'workpaper'): void {
  navigate({ screen: 'periods', item: formatPeriodRoute({ period, part, figure: null }) });
}

/** Opens the workpaper and shows the rows of a figure. */
export function openFigure(period: string, currency: string, id: string): void {
  navigate({
    screen: 'periods',
    item: formatPeriodRoute({ period, part: 'workpaper', figure: { currency, id } }),
  });
}

/** Returns the route item to show after the detail is closed: the workpaper of a figure, or the list of periods. */
export function getPeriodParentRoute(item: string | null): string | null {
  const route = parsePeriodRoute(item);
  return route === null || route.figure === null ? null : route.period;
}
