import { useMemo, useRef } from 'react';
import uPlot from 'uplot';
import { themeColor } from '../theme/theme.ts';
import { momentSecondsText } from '../words/moments.ts';
import { moneyText } from '../words/money.ts';
import { axisLook, INCREMENTS, room, tickTexts } from './axes.ts';
import { usePlot } from './usePlot.ts';

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
