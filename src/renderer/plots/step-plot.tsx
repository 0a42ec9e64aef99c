import { useMemo, useRef } from 'react';
import uPlot from 'uplot';
import { themeColor } from '../theme/theme.ts';
import { momentSecondsText } from '../words/moments.ts';
import { moneyText } from '../words/money.ts';
import { axisLook, INCREMENTS, room, tickTexts } from './axes.ts';
import { usePlot } from './use-plot.ts';

/** A quantity that holds from a moment on. */
export interface Step {
  readonly at: number;
  readonly value: number;
  /** Marked on the plot: by its place and form, not by its colour alone. */
  readonly way?: 'up' | 'down';
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
  const draw = useMemo(
    () =>
      steps.length === 0
        ? null
        : (element: HTMLElement) => plotIn(element, steps, until, height, currency ?? null),
    [steps, until, height, currency],
  );
  usePlot(box, height, draw);
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
  const axis = axisLook();
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
        draw: [(plot) => drawWays(plot, ends)],
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

/** More marks than these would only hide the line. */
const MOST_WAYS = 60;
const WAY_SIZE = 5;

/** A triangle above each step up, and one below each step down. */
function drawWays(plot: uPlot, steps: readonly Step[]): void {
  const marked = steps.filter(({ way }) => way !== undefined);
  if (marked.length === 0 || marked.length > MOST_WAYS) return;
  const { ctx } = plot;
  const size = WAY_SIZE * devicePixelRatio;
  ctx.save();
  for (const { at, value, way } of marked) {
    const x = plot.valToPos(at, 'x', true);
    const sign = way === 'up' ? -1 : 1;
    const y = plot.valToPos(value, 'y', true) + sign * size * 1.6;
    ctx.fillStyle = themeColor(way === 'up' ? '--good' : '--bad');
    ctx.beginPath();
    ctx.moveTo(x, y + sign * size);
    ctx.lineTo(x - size, y - (sign * size) / 2);
    ctx.lineTo(x + size, y - (sign * size) / 2);
    ctx.closePath();
    ctx.fill();
  }
  ctx.restore();
}
