import type uPlot from 'uplot';
import { themeColor } from '../theme/theme.ts';

const DAY = 86_400_000;

/** Steps of an axis that counts whole things. */
export const INCREMENTS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 1e6];

/** How axes look in the theme in force. */
export function axisLook(): uPlot.Axis {
  return {
    stroke: themeColor('--text-3'),
    font: `11px ${getComputedStyle(document.body).fontFamily}`,
    grid: { stroke: themeColor('--line'), width: 1 },
    ticks: { show: false },
    gap: 6,
  };
}

/** Labels of moments in the user's zone: hours within days, days within a year, months beyond. */
export function tickTexts(ticks: readonly number[]): string[] {
  const span = (ticks.at(-1) ?? 0) - (ticks[0] ?? 0);
  const step = ticks.length > 1 ? span / (ticks.length - 1) : DAY;
  const hours = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const days = new Intl.DateTimeFormat(
    undefined,
    span > 300 * DAY ? { month: 'short', year: 'numeric' } : { day: 'numeric', month: 'short' },
  );
  return ticks.map((tick, place) => {
    if (step >= DAY * 0.9) return days.format(tick);
    const text = hours.format(tick);
    return text === '00:00' || place === 0 ? `${days.format(tick)}, ${text}` : text;
  });
}

/** From nought, with a little room above. */
export function room(low: number, high: number): [number, number] {
  const top = Math.max(high, 1);
  return [Math.min(0, low), top + Math.max(1, Math.ceil(top * 0.08))];
}
