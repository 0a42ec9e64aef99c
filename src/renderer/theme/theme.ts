/** Color theme of the window. `system` follows the setting of the operating system. */
export type ColorTheme = 'system' | 'light' | 'dark';
export type Density = 'regular' | 'compact';

/** Row height of the grids in px for each density. Must equal `--row` in themes.css. */
export const ROW_HEIGHTS_PX: Record<Density, number> = { regular: 32, compact: 26 };

/** Sets the theme and density on the root element, where themes.css uses them. */
export function applyTheme(theme: ColorTheme, density: Density): void {
  const root = document.documentElement;
  if (theme === 'system') delete root.dataset['theme'];
  else root.dataset['theme'] = theme;
  root.dataset['density'] = density;
}

/** Returns the value of a color token in the current theme, for drawing on a canvas. */
export function resolveThemeColor(token: string): string {
  const probe = document.createElement('span');
  // Forced colors would return the same color for every token. A canvas is not subject to them.
  probe.style.forcedColorAdjust = 'none';
  probe.style.color = `var(${token})`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
