import { type RefObject, useEffect } from 'react';
import type uPlot from 'uplot';
import { createTickFormatter, formatDateTimeWithOffset } from '../texts/date-times.ts';
import { useDisplayZone } from '../texts/display-zone.ts';
import { resolveThemeColor } from '../theme/theme.ts';
import { useUserSettings } from '../user-settings/user-settings.ts';
import 'uplot/dist/uPlot.min.css';
import './plots.css';

/**
 * Draws a plot as wide as its element, and redraws it when its content, the theme or the display zone
 * changes. Null draws nothing.
 */
export function usePlot(
  box: RefObject<HTMLElement | null>,
  height: number,
  draw: ((element: HTMLElement) => uPlot) | null,
): void {
  const theme = useUserSettings((settings) => settings.theme);
  useEffect(() => {
    const element = box.current;
    if (!element || draw === null) return;
    let plot = draw(element);
    const resized = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }));
    resized.observe(element);
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const redraw = () => {
      plot.destroy();
      plot = draw(element);
    };
    dark.addEventListener('change', redraw);
    const unsubscribe = useDisplayZone.subscribe(redraw);
    // Redraws after the selected theme has been applied, because colors are resolved when the plot is drawn.
    const painted = requestAnimationFrame(() => {
      if (theme !== 'system') redraw();
    });
    return () => {
      cancelAnimationFrame(painted);
      dark.removeEventListener('change', redraw);
      unsubscribe();
      resized.disconnect();
      plot.destroy();
    };
  }, [box, height, draw, theme]);
}

const MS_PER_DAY = 86_400_000;

/** Possible tick intervals for an axis that shows counts. */
export const COUNT_TICK_STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 1e6];

/** Returns the style of plot axes in the current theme. */
export function getAxisStyle(): uPlot.Axis {
  return {
    stroke: resolveThemeColor('--text-3'),
    font: `11px ${getComputedStyle(document.body).fontFamily}`,
    grid: { stroke: resolveThemeColor('--line'), width: 1 },
    ticks: { show: false },
    gap: 6,
  };
}

/** Formats time ticks in the display zone as hours, days, or months, depending on the tick interval. */
export function formatTimeTicks(ticks: readonly number[]): string[] {
  const rangeMs = (ticks.at(-1) ?? 0) - (ticks[0] ?? 0);
  const intervalMs = ticks.length > 1 ? rangeMs / (ticks.length - 1) : MS_PER_DAY;
  const formatHour = createTickFormatter('hour');
  const formatDay = createTickFormatter(rangeMs > 300 * MS_PER_DAY ? 'month' : 'day');
  return ticks.map((tick, index) => {
    if (intervalMs >= MS_PER_DAY * 0.9) return formatDay(tick);
    const text = formatHour(tick);
    return text === '00:00' || index === 0 ? `${formatDay(tick)}, ${text}` : text;
  });
}

/** Returns an instant (UTC milliseconds) as a date whose local time is the time in the display zone. */
export function toTickDate(at: number): Date {
  const { timeZone } = useDisplayZone.getState();
  return timeZone === undefined
    ? new Date(at)
    : new Date(formatDateTimeWithOffset(new Date(at).toISOString()).slice(0, 19));
}

/** Returns the range of a value axis. It includes zero and leaves some room above the maximum. */
export function getValueAxisRange(low: number, high: number): [number, number] {
  const top = Math.max(high, 1);
  return [Math.min(0, low), top + Math.max(1, Math.ceil(top * 0.08))];
}
