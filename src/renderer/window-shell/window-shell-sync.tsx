import { useEffect, useRef } from 'react';
import type { MenuCommand, WindowEvent, WindowShellClient } from '../../contract/index.ts';
import { type CommandContext, getScreenCommands, runCommand } from '../commands/command.ts';
import { findCommand, getRegisteredCommands } from '../commands/command-registry.ts';
import { useCommandContext } from '../commands/use-command-context.ts';
import { openAddress, showLinkNotice, showNotice } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';
import { useUserSettings } from '../user-settings/user-settings.ts';
import { openFileGivenToApp, useOpenedFileDialogs } from './opened-files.ts';
import { useWindowShell } from './window-shell.ts';

/** Delay in milliseconds before the menu is sent, so that simultaneous changes cause a single update. */
const MENU_DELAY_MS = 200;

/** Keeps the system menu and theme of the window in Electron up to date, and handles its events. Renders nothing. */
export function WindowShellSync(): null {
  const shell = useWindowShell((state) => state.shell);
  const theme = useUserSettings((settings) => settings.theme);
  const context = useCommandContext();
  const latest = useRef(context);
  useEffect(() => {
    latest.current = context;
  });
  useOpenedFileDialogs();
  useEffect(() => void shell?.setTheme({ theme }).catch(() => undefined), [shell, theme]);
  const menu = shell ? JSON.stringify(createMenuCommands(context)) : '[]';
  useEffect(() => {
    const send = () => shell?.setMenu({ commands: JSON.parse(menu) }).catch(() => undefined);
    const timer = setTimeout(send, MENU_DELAY_MS);
    return () => clearTimeout(timer);
  }, [shell, menu]);
  useEffect(() => {
    if (!shell) return;
    const controller = new AbortController();
    void watchWindow(shell, controller.signal, (event) => handleWindowEvent(event, shell, latest.current));
    return () => controller.abort();
  }, [shell]);
  return null;
}

async function watchWindow(
  shell: WindowShellClient,
  signal: AbortSignal,
  handle: (event: WindowEvent) => void | Promise<void>,
): Promise<void> {
  try {
    for await (const event of await shell.watch({}, { signal })) await handle(event);
  } catch {
    // The connection has ended. The effect restarts when the next connection provides a new window shell.
  }
}

/** Handles an event. Resolves once an opened file has been read, so that files are shown in the order of their events. */
async function handleWindowEvent(
  event: WindowEvent,
  shell: WindowShellClient,
  context: CommandContext,
): Promise<void> {
  const { kind } = event;
  if (kind === 'command') void runCommand(findCommand(event.id), context);
  else if (kind === 'link') openAddress(event.path);
  else if (kind === 'bankFile' || kind === 'pack') await openFileGivenToApp(event, shell);
  else if (kind === 'fileProblem') showNotice(event.message, 'bad');
  else if (kind === 'update') showUpdate(event);
  // Timers do not run while the computer sleeps. `online` makes the automatic sync check the service at once.
  else window.dispatchEvent(new Event('online'));
}

function showUpdate({ version, url }: { readonly version: string; readonly url: string }): void {
  showLinkNotice(texts.frame.updateAvailable(version), { label: texts.frame.openReleases, url });
}

/** Returns the commands of the current screen for the system menu. */
export function createMenuCommands(context: CommandContext): MenuCommand[] {
  return getScreenCommands(getRegisteredCommands(), context.route.screen).map((command) => ({
    id: command.id,
    title: command.title,
    section: texts.palette.sections[command.section],
    keys: command.keys?.[0] ?? null,
    enabled: command.enabled(context) === true,
  }));
}
