import { type RefObject, useEffect } from 'react';
import type uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { useChosen } from '../settings/chosen.ts';
import './plots.css';

/** Keeps a plot in its box: drawn anew when what it shows or the theme changes, and as wide as the box. Null draws nothing. */
export function usePlot(
  box: RefObject<HTMLElement | null>,
  height: number,
  draw: ((element: HTMLElement) => uPlot) | null,
): void {
  const theme = useChosen((chosen) => chosen.theme);
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
  }, [box, height, draw, theme]);
}
