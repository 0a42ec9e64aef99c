import { useMemo, useRef } from 'react';
import uPlot from 'uplot';
import { formatDateTimeWithSeconds } from '../texts/date-times.ts';
import { formatMoney } from '../texts/money.ts';
import { resolveThemeColor } from '../theme/theme.ts';
import {
  COUNT_TICK_STEPS,
  formatTimeTicks,
  getAxisStyle,
  getValueAxisRange,
  toTickDate,
  usePlot,
} from './use-plot.ts';

/** Value that applies from a point in time until the next step. */
export interface ValueStep {
  readonly at: number;
  readonly value: number;
  /** Direction of the change. The chart shows the direction by position, shape and color. */
  readonly direction?: 'up' | 'down';
}

interface StepPlotProps {
  /** Accessible name of the plot. */
  readonly label: string;
  /** Value steps in chronological order. */
  readonly steps: readonly ValueStep[];
  /** Time at which the last step ends, in UTC milliseconds. */
  readonly until: number;
  readonly height: number;
  /** Currency code, if the values are amounts in cents. */
  readonly currency?: string | undefined;
}

/** Step chart of a value over time. A table next to the chart shows the same figures. */
export function StepPlot({ label, steps, until, height, currency }: StepPlotProps) {
  const box = useRef<HTMLDivElement>(null);
  const draw = useMemo(
    () =>
      steps.length === 0
        ? null
        : (element: HTMLElement) => createStepPlot(element, { steps, until, height, currency }),
    [steps, until, height, currency],
  );
  usePlot(box, height, draw);
  return <div ref={box} className="plot" role="img" aria-label={label} style={{ height }} />;
}

function createStepPlot(
  element: HTMLElement,
  { steps, until, height, currency }: Omit<StepPlotProps, 'label'>,
): uPlot {
  const valueText = (value: number) =>
    currency === undefined ? String(value) : formatMoney(value, currency);
  const axis = getAxisStyle();
  const last = steps.at(-1);
  const ends: readonly ValueStep[] =
    last && last.at < until ? [...steps, { at: until, value: last.value }] : steps;
  const points = steps.length <= 60;
  return new uPlot(
    {
      width: element.clientWidth,
      height,
      padding: [10, 8, 0, 0],
      ms: 1,
      tzDate: toTickDate,
      legend: { show: false },
      cursor: { y: false, points: { size: 7 } },
      scales: { y: { range: (_plot, low, high) => getValueAxisRange(low, high) } },
      axes: [
        { ...axis, size: 28, space: 72, values: (_plot, ticks) => formatTimeTicks(ticks) },
        currency === undefined
          ? { ...axis, size: 44, incrs: COUNT_TICK_STEPS }
          : {
              ...axis,
              size: 78,
              incrs: COUNT_TICK_STEPS.map((step) => step * 100),
              values: (_plot, ticks) => ticks.map(valueText),
            },
      ],
      series: [
        {},
        {
          stroke: resolveThemeColor('--accent-text'),
          width: 1.75,
          fill: resolveThemeColor('--accent-soft'),
          points: { show: points, size: 5, fill: resolveThemeColor('--surface') },
          ...(uPlot.paths.stepped ? { paths: uPlot.paths.stepped({ align: 1 }) } : {}),
        },
      ],
      hooks: {
        draw: [(plot) => drawDirectionMarks(plot, ends)],
        setCursor: [
          (plot) => {
            const index = plot.cursor.idx;
            const at = index == null ? undefined : plot.data[0][index];
            const value = index == null ? undefined : plot.data[1]?.[index];
            element.title =
              at === undefined
                ? ''
                : `${formatDateTimeWithSeconds(new Date(at).toISOString())}: ${valueText(value ?? 0)}`;
          },
        ],
      },
    },
    [ends.map(({ at }) => at), ends.map(({ value }) => value)],
    element,
  );
}

/** Maximum number of direction markers. More markers would hide the line. */
const MAX_DIRECTION_MARKS = 60;
const MARK_SIZE_PX = 5;

/** Draws a triangle above each increase and below each decrease. */
function drawDirectionMarks(plot: uPlot, steps: readonly ValueStep[]): void {
  const marked = steps.filter(({ direction }) => direction !== undefined);
  if (marked.length === 0 || marked.length > MAX_DIRECTION_MARKS) return;
  const { ctx } = plot;
  const size = MARK_SIZE_PX * devicePixelRatio;
  ctx.save();
  for (const { at, value, direction } of marked) {
    const x = plot.valToPos(at, 'x', true);
    const sign = direction === 'up' ? -1 : 1;
    const y = plot.valToPos(value, 'y', true) + sign * size * 1.6;
    ctx.fillStyle = resolveThemeColor(direction === 'up' ? '--good' : '--bad');
    ctx.beginPath();
    ctx.moveTo(x, y + sign * size);
    ctx.lineTo(x - size, y - (sign * size) / 2);
    ctx.lineTo(x + size, y - (sign * size) / 2);
    ctx.closePath();
    ctx.fill();
  }
  ctx.restore();
}
