import type { MenuItemConstructorOptions } from 'electron';
import type { MenuCommand } from '../contract/index.ts';

type Items = MenuItemConstructorOptions[];

interface MenuOptions {
  readonly mac: boolean;
  readonly packaged: boolean;
  /** Commands of the page. Each section becomes a submenu. */
  readonly commands: readonly MenuCommand[];
  run(id: string): void;
  openWindow(): void;
}

const SETTINGS_COMMAND = 'go.settings';

/** Letters whose shortcuts belong to the standard entries, for example Ctrl+A in text fields. */
const STANDARD_KEYS: ReadonlySet<string> = new Set(['A', 'C', 'H', 'M', 'Q', 'R', 'V', 'W', 'X', 'Z']);

/** Returns the system menu with standard entries and the page's commands. */
export function createMenuTemplate(options: MenuOptions): Items {
  const { mac, packaged } = options;
  const settings: Items = [{ ...createCommandItem(SETTINGS_COMMAND, options), accelerator: 'CmdOrCtrl+,' }];
  const sections = [...new Set(options.commands.map(({ section }) => section))];
  return [
    ...(mac ? [createMacAppMenu(settings)] : []),
    {
      label: '&File',
      submenu: [
        { label: 'New Window', accelerator: 'CmdOrCtrl+Shift+N', click: () => options.openWindow() },
        // Windows lists recent files in the taskbar. Linux has no such list.
        ...(mac ? [recentFiles] : []),
        separator,
        ...(mac ? [] : [...settings, separator]),
        { role: 'close', accelerator: 'CmdOrCtrl+W' },
        ...(mac ? [] : [{ role: 'quit' } as const]),
      ],
    },
    { role: 'editMenu' },
    { label: '&View', submenu: createViewMenu(packaged) },
    {
      label: '&Commands',
      enabled: sections.length > 0,
      submenu: sections.map((section) => ({
        label: section,
        submenu: options.commands
          .filter((command) => command.section === section)
          .map(({ id }) => createCommandItem(id, options)),
      })),
    },
    { role: 'windowMenu' },
    {
      role: 'help',
      submenu: [
        createCommandItem('help.palette', options),
        createCommandItem('help.open', options),
        ...(mac ? [] : [separator, { role: 'about' } as const]),
      ],
    },
  ];
}

const separator = { type: 'separator' } as const;

const recentFiles: MenuItemConstructorOptions = {
  label: 'Open Recent',
  role: 'recentDocuments',
  submenu: [{ label: 'Clear Menu', role: 'clearRecentDocuments' }],
};

function createMacAppMenu(settings: Items): MenuItemConstructorOptions {
  return {
    role: 'appMenu',
    submenu: [
      { role: 'about' },
      separator,
      ...settings,
      separator,
      { role: 'services' },
      separator,
      { role: 'hide' },
      { role: 'hideOthers' },
      { role: 'unhide' },
      separator,
      { role: 'quit' },
    ],
  };
}

function createViewMenu(packaged: boolean): Items {
  const developerItems: Items = [{ role: 'reload' }, { role: 'toggleDevTools' }, separator];
  return [
    ...(packaged ? [] : developerItems),
    { role: 'resetZoom' },
    { role: 'zoomIn' },
    // The standard entry has only Ctrl+Plus, which needs Shift on many keyboards.
    { role: 'zoomIn', accelerator: 'CmdOrCtrl+=', visible: false, acceleratorWorksWhenHidden: true },
    { role: 'zoomOut' },
    separator,
    { role: 'togglefullscreen' },
  ];
}

/** Returns the menu entry of a command. The entry is disabled until the page has sent the command. */
function createCommandItem(id: string, { commands, run }: MenuOptions): MenuItemConstructorOptions {
  const command = commands.find((candidate) => candidate.id === id);
  if (!command) return { label: FALLBACK_TITLES[id] ?? id, enabled: false };
  const accelerator = toAccelerator(command.keys);
  return {
    label: command.title.replaceAll('&', '&&'),
    enabled: command.enabled,
    // The page handles its own shortcuts. The menu only displays them.
    ...(accelerator && { accelerator, registerAccelerator: false }),
    click: () => run(id),
  };
}

/** Titles of the menu entries that exist before the page has sent its commands. */
const FALLBACK_TITLES: Readonly<Record<string, string>> = {
  [SETTINGS_COMMAND]: 'Settings',
  'help.palette': 'Command palette',
  'help.open': 'Help and keyboard shortcuts',
};

/** Converts a shortcut like `Mod+K` to Electron's format. Null for single keys and keys of standard entries. */
function toAccelerator(keys: string | null): string | null {
  const letter = /^Mod\+(?:Shift\+)?(.)$/.exec(keys ?? '')?.[1];
  if (!keys || !letter || STANDARD_KEYS.has(letter)) return null;
  return keys.replace('Mod', 'CmdOrCtrl');
}
