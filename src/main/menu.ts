import type { MenuItemConstructorOptions } from 'electron';

/**
 * Returns the system menu with the usual entries of a desktop app. The app's own shortcuts are handled by the page, so
 * the menu uses only standard ones.
 */
export function createMenuTemplate(options: {
  mac: boolean;
  packaged: boolean;
}): MenuItemConstructorOptions[] {
  const view: MenuItemConstructorOptions[] = [
    { role: 'resetZoom' },
    { role: 'zoomIn' },
    { role: 'zoomOut' },
    { type: 'separator' },
    { role: 'togglefullscreen' },
  ];
  const developerItems: MenuItemConstructorOptions[] = [
    { role: 'reload' },
    { role: 'toggleDevTools' },
    { type: 'separator' },
  ];
  return [
    ...(options.mac ? [{ role: 'appMenu' as const }] : []),
    ...(options.mac ? [] : [{ label: '&File', submenu: [{ role: 'quit' as const }] }]),
    { role: 'editMenu' },
    { label: '&View', submenu: options.packaged ? view : [...developerItems, ...view] },
    { role: 'windowMenu' },
  ];
}
