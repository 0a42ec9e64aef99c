/** `system` follows the operating system's setting. */
export type Theme = 'system' | 'light' | 'dark';
export type Density = 'regular' | 'compact';

/** Row heights of the grids in px. Must equal `--row` in themes.css. */
export const ROW_HEIGHTS_PX: Record<Density, number> = { regular: 32, compact: 26 };

/** Sets theme and density on the root element, where themes.css reads them. */
export function applyTheme(theme: Theme, density: Density): void {
  const root = document.documentElement;
  if (theme === 'system') delete root.dataset['theme'];
  else root.dataset['theme'] = theme;
  root.dataset['density'] = density;
}

/** Returns a color of the current theme, for drawing on a canvas. */
export function resolveThemeColor(token: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${token})`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
