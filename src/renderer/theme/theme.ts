/** `system` follows the operating system's choice as it changes. */
export type Theme = 'system' | 'light' | 'dark';
export type Density = 'regular' | 'compact';

/** Row heights of the grids, as `--row` in themes.css. */
export const rowHeights: Record<Density, number> = { regular: 32, compact: 26 };

/** Puts the look on the page's root; themes.css does the rest. */
export function showTheme(theme: Theme, density: Density): void {
  const root = document.documentElement;
  if (theme === 'system') delete root.dataset['theme'];
  else root.dataset['theme'] = theme;
  root.dataset['density'] = density;
}

/** A colour of the theme in force, for what is drawn on a canvas. */
export function themeColor(token: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${token})`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
