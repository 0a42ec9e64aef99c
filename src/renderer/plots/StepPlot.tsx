import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { useChosen } from '../settings/chosen.ts';
import { themeColor } from '../theme/theme.ts';
import { momentSecondsText } from '../words/moments.ts';
import { moneyText } from '../words/money.ts';
import './plots.css';

/** A quantity that holds from a moment on. */
export interface Step {
  readonly at: number;
  readonly value: number;
}

interface StepPlotProps {
  /** Names the plot for those who cannot see it. */
  readonly label: string;
  /** Oldest first. */
  readonly steps: readonly Step[];
  /** Until when the last one holds. */
  readonly until: number;
  readonly height: number;
  /** Of values that are cents. */
  readonly currency?: string;
}

/** Steps over time, flat between changes. The same figures stand in a table beside it. */
export function StepPlot({ label, steps, until, height, currency }: StepPlotProps) {
  const box = useRef<HTMLDivElement>(null);
  const theme = useChosen((chosen) => chosen.theme);

  useEffect(() => {
    const element = box.current;
    if (!element || steps.length === 0) return;
    const draw = () => plotIn(element, steps, until, height, currency ?? null);
    let plot = draw();
    const resized = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }));
    resized.observe(element);
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const redraw = () => {
      plot.destroy();
      plot = draw();
    };
    dark.addEventListener('change', redraw);
    // The colours are the theme's in force: chosen in the settings, or the system's.
    const painted = requestAnimationFrame(() => {
      if (theme !== 'system') redraw();
    });
    return () => {
      cancelAnimationFrame(painted);
      dark.removeEventListener('change', redraw);
      resized.disconnect();
      plot.destroy();
    };
  }, [steps, until, height, currency, theme]);

  return <div ref={box} className="plot" role="img" aria-label={label} style={{ height }} />;
}

function plotIn(
  element: HTMLElement,
  steps: readonly Step[],
  until: number,
  height: number,
  currency: string | null,
): uPlot {
  const valueText = (value: number) => (currency === null ? String(value) : moneyText(value, currency));
  const axis: uPlot.Axis = {
    stroke: themeColor('--text-3'),
    font: `11px ${getComputedStyle(document.body).fontFamily}`,
    grid: { stroke: themeColor('--line'), width: 1 },
    ticks: { show: false },
    gap: 6,
  };
  const last = steps.at(-1);
  const ends: readonly Step[] =
    last && last.at < until ? [...steps, { at: until, value: last.value }] : steps;
  const points = steps.length <= 60;
  return new uPlot(
    {
      width: element.clientWidth,
      height,
      padding: [10, 8, 0, 0],
      ms: 1,
      legend: { show: false },
      cursor: { y: false, points: { size: 7 } },
      scales: { y: { range: (_plot, low, high) => room(low, high) } },
      axes: [
        { ...axis, size: 28, space: 72, values: (_plot, ticks) => tickTexts(ticks) },
        currency === null
          ? { ...axis, size: 44, incrs: INCREMENTS }
          : {
              ...axis,
              size: 78,
              incrs: INCREMENTS.map((step) => step * 100),
              values: (_plot, ticks) => ticks.map(valueText),
            },
      ],
      series: [
        {},
        {
          stroke: themeColor('--accent-text'),
          width: 1.75,
          fill: themeColor('--accent-soft'),
          points: { show: points, size: 5, fill: themeColor('--surface') },
          ...(uPlot.paths.stepped ? { paths: uPlot.paths.stepped({ align: 1 }) } : {}),
        },
      ],
      hooks: {
        setCursor: [
          (plot) => {
            const index = plot.cursor.idx;
            const at = index == null ? undefined : plot.data[0][index];
            const value = index == null ? undefined : plot.data[1]?.[index];
            element.title =
              at === undefined
                ? ''
                : `${momentSecondsText(new Date(at).toISOString())}: ${valueText(value ?? 0)}`;
          },
        ],
      },
    },
    [ends.map(({ at }) => at), ends.map(({ value }) => value)],
    element,
  );
}

const INCREMENTS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 1e6];

/** Days along the axis; months where the history is long. */
function tickTexts(ticks: readonly number[]): string[] {
  const long = (ticks.at(-1) ?? 0) - (ticks[0] ?? 0) > 300 * 86_400_000;
  const format = new Intl.DateTimeFormat(
    undefined,
    long ? { month: 'short', year: 'numeric' } : { day: 'numeric', month: 'short' },
  );
  return ticks.map((tick) => format.format(tick));
}

/** From nought, with a little room above. */
function room(low: number, high: number): [number, number] {
  const top = Math.max(high, 1);
  return [Math.min(0, low), top + Math.max(1, Math.ceil(top * 0.08))];
}
