import { useMemo, useRef } from 'react';
import uPlot from 'uplot';
import { themeColor } from '../theme/theme.ts';
import { countText } from '../words/numbers.ts';
import { axisLook, INCREMENTS, room, tickTexts } from './axes.ts';
import { usePlot } from './use-plot.ts';

/** Counts of a stretch of time, stacked: the first part stands at the bottom. */
export interface Bar {
  readonly from: number;
  readonly to: number;
  readonly parts: readonly number[];
}

/** px of the plot that its axes take: at the left, at the right, below. What is laid over the plot keeps clear of them. */
export const BAR_FRAME = { left: 44, right: 22, below: 26, above: 6 } as const;

interface BarPlotProps {
  readonly bars: readonly Bar[];
  /** The colours of the parts, as tokens of the theme, from the bottom. */
  readonly colors: readonly string[];
  readonly from: number;
  readonly to: number;
  readonly height: number;
}

/** Counts over time as stacked bars. A picture only: whoever shows it says the same in words, and takes the keys. */
export function BarPlot({ bars, colors, from, to, height }: BarPlotProps) {
  const box = useRef<HTMLDivElement>(null);
  const draw = useMemo(
    () => (element: HTMLElement) => plotIn(element, { bars, colors, from, to, height }),
    [bars, colors, from, to, height],
  );
  usePlot(box, height, draw);
  return <div ref={box} className="plot" aria-hidden="true" style={{ height }} />;
}

function plotIn(element: HTMLElement, { bars, colors, from, to, height }: BarPlotProps): uPlot {
  const axis = axisLook();
  const fills = colors.map(themeColor);
  const most = Math.max(0, ...bars.map(({ parts }) => parts.reduce((sum, part) => sum + part, 0)));
  return new uPlot(
    {
      width: element.clientWidth,
      height,
      padding: [BAR_FRAME.above, BAR_FRAME.right, 0, 0],
      ms: 1,
      legend: { show: false },
      cursor: { show: false },
      scales: { x: { range: [from, to] }, y: { range: room(0, most) } },
      axes: [
        {
          ...axis,
          size: BAR_FRAME.below,
          space: 90,
          grid: { show: false },
          values: (_plot, ticks) => tickTexts(ticks),
        },
        {
          ...axis,
          size: BAR_FRAME.left,
          space: 30,
          incrs: INCREMENTS,
          values: (_plot, ticks) => ticks.map((tick) => countText(tick)),
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

/** However small, a count that is not nought is seen: as wide and as high as this, in px of the screen. */
const LEAST = { width: 1, height: 2 };

function drawBars(plot: uPlot, bars: readonly Bar[], fills: readonly string[]): void {
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
    for (const [place, part] of parts.entries()) {
      if (part === 0) continue;
      count += part;
      const top = Math.min(Math.round(y(count)), bottom - LEAST.height * scale);
      ctx.fillStyle = fills[place] ?? 'transparent';
      ctx.fillRect(left, top, Math.max(LEAST.width * scale, wide - gap), bottom - top);
      bottom = top;
    }
  }
  ctx.restore();
}
