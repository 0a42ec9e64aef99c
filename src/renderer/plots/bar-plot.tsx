import { useMemo, useRef } from 'react';
import uPlot from 'uplot';
import { formatCount } from '../texts/numbers.ts';
import { resolveThemeColor } from '../theme/theme.ts';
import {
  COUNT_TICK_STEPS,
  formatTimeTicks,
  getAxisStyle,
  getValueAxisRange,
  toTickDate,
  usePlot,
} from './use-plot.ts';

/** Counts for one time range in milliseconds, stacked from bottom to top in the order of `parts`. */
export interface StackedBar {
  readonly from: number;
  readonly to: number;
  readonly parts: readonly number[];
}

/** Space in px around the plot area, mostly occupied by the axes. Overlays add it to align with the bars. */
export const BAR_PLOT_INSETS = { left: 44, right: 22, below: 26, above: 6 } as const;

interface BarPlotProps {
  readonly bars: readonly StackedBar[];
  /** Theme color tokens for the parts of a bar, from bottom to top. */
  readonly colors: readonly string[];
  readonly from: number;
  readonly to: number;
  readonly height: number;
}

/** Stacked bar chart of counts over time. Hidden from assistive technology, because its parent describes it. */
export function BarPlot({ bars, colors, from, to, height }: BarPlotProps) {
  const box = useRef<HTMLDivElement>(null);
  const draw = useMemo(
    () => (element: HTMLElement) => createBarPlot(element, { bars, colors, from, to, height }),
    [bars, colors, from, to, height],
  );
  usePlot(box, height, draw);
  return <div ref={box} className="plot" aria-hidden="true" style={{ height }} />;
}

function createBarPlot(element: HTMLElement, { bars, colors, from, to, height }: BarPlotProps): uPlot {
  const axis = getAxisStyle();
  const fills = colors.map(resolveThemeColor);
  const maxCount = Math.max(0, ...bars.map(({ parts }) => parts.reduce((sum, part) => sum + part, 0)));
  return new uPlot(
    {
      width: element.clientWidth,
      height,
      padding: [BAR_PLOT_INSETS.above, BAR_PLOT_INSETS.right, 0, 0],
      ms: 1,
      tzDate: toTickDate,
      legend: { show: false },
      cursor: { show: false },
      scales: { x: { range: [from, to] }, y: { range: getValueAxisRange(0, maxCount) } },
      axes: [
        {
          ...axis,
          size: BAR_PLOT_INSETS.below,
          space: 90,
          grid: { show: false },
          values: (_plot, ticks) => formatTimeTicks(ticks),
        },
        {
          ...axis,
          size: BAR_PLOT_INSETS.left,
          space: 30,
          incrs: COUNT_TICK_STEPS,
          values: (_plot, ticks) => ticks.map((tick) => formatCount(tick)),
        },
      ],
      series: [{}, { paths: () => null, points: { show: false } }],
      hooks: { draw: [(plot) => drawBars(plot, bars, fills)] },
    },
    [
      [from, to],
      [0, 0],
    ],
    element,
  );
}

/** Minimum size of a bar in px, so that every nonzero count is visible. */
const MIN_BAR_SIZE = { width: 1, height: 2 };

function drawBars(plot: uPlot, bars: readonly StackedBar[], fills: readonly string[]): void {
  const { ctx } = plot;
  const scale = devicePixelRatio;
  const x = (at: number) => Math.round(plot.valToPos(at, 'x', true));
  const y = (count: number) => plot.valToPos(count, 'y', true);
  const base = Math.round(y(0));
  ctx.save();
  for (const { from, to, parts } of bars) {
    const left = x(from);
    const wide = x(to) - left;
    const gap = wide > 4 * scale ? scale : 0;
    let bottom = base;
    let count = 0;
    for (const [index, part] of parts.entries()) {
      if (part === 0) continue;
      count += part;
      const top = Math.min(Math.round(y(count)), bottom - MIN_BAR_SIZE.height * scale);
      ctx.fillStyle = fills[index] ?? 'transparent';
      ctx.fillRect(left, top, Math.max(MIN_BAR_SIZE.width * scale, wide - gap), bottom - top);
      bottom = top;
    }
  }
  ctx.restore();
}
