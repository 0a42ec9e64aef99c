import type { MenuItemConstructorOptions } from 'electron';

/**
 * Returns the system menu with the usual entries of a desktop app. The app's own commands are declared in the page, and
 * their shortcuts must reach it, so the menu claims only standard ones.
 */
export function menuTemplate(given: { mac: boolean; packaged: boolean }): MenuItemConstructorOptions[] {
  const view: MenuItemConstructorOptions[] = [
    { role: 'resetZoom' },
    { role: 'zoomIn' },
    { role: 'zoomOut' },
    { type: 'separator' },
    { role: 'togglefullscreen' },
  ];
  const making: MenuItemConstructorOptions[] = [
    { role: 'reload' },
    { role: 'toggleDevTools' },
    { type: 'separator' },
  ];
  return [
    ...(given.mac ? [{ role: 'appMenu' as const }] : []),
    ...(given.mac ? [] : [{ label: '&File', submenu: [{ role: 'quit' as const }] }]),
    { role: 'editMenu' },
    { label: '&View', submenu: given.packaged ? view : [...making, ...view] },
    { role: 'windowMenu' },
  ];
}
