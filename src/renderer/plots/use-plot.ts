import { type RefObject, useEffect } from 'react';
import type uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { useUserSettings } from '../user-settings/user-settings.ts';
import './plots.css';

/**
 * Renders a plot into an element and redraws it when its content or the theme changes. The plot is always as wide as the
 * element. If the plot is null, nothing is drawn.
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
    // Redraws after the selected theme has been applied, because colors are resolved when the plot is drawn.
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
