import type { MenuItemConstructorOptions } from 'electron';

/** Returns the system menu with standard entries. The page handles the app's own shortcuts. */
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
