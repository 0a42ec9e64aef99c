import type { MenuItemConstructorOptions } from 'electron';

/**
 * The system's menu: what every desktop app has. The app's own commands are in the window, declared once there; their keys must
 * reach the page, so nothing here claims any but the usual ones.
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
