import { useEffect, useLayoutEffect, useRef } from 'react';
import { type CommandContext, getScreenCommands, runCommand } from '../commands/command.ts';
import { getRegisteredCommands } from '../commands/command-registry.ts';
import { useCommandContext } from '../commands/use-command-context.ts';
import { findShortcut, SHORTCUT_SEQUENCE_TIMEOUT_MS, toShortcut } from '../keyboard/shortcut-keys.ts';
import { useWindowState } from '../navigation/window-state.ts';

/** Runs commands by their shortcuts. Kept apart from its parent, which would re-render whenever the context changes. */
export function KeyboardShortcutHandler(): null {
  const context = useCommandContext();
  const latest = useRef(context);
  // Uses a layout effect, because a key press may follow immediately after the screen has been updated.
  useLayoutEffect(() => {
    latest.current = context;
  });
  useEffect(() => {
    const handleKey = createKeyHandler(() => latest.current);
    window.addEventListener('keydown', handleKey);
    return () => window.removeEventListener('keydown', handleKey);
  }, []);
  return null;
}

/** Creates a handler that remembers the first key of a two-key shortcut. */
function createKeyHandler(context: () => CommandContext): (event: KeyboardEvent) => void {
  let firstKey: { readonly key: string; readonly at: number } | null = null;
  return (event) => {
    const key = toShortcut(event);
    if (key === null || event.defaultPrevented || useWindowState.getState().dialog !== null) return;
    const isTyping = acceptsText(event.target);
    const commands = getScreenCommands(getRegisteredCommands(), context().route.screen).filter(
      (command) => !isTyping || (command.worksWhileTyping && canNotBeTyped(key)),
    );
    const first =
      firstKey && event.timeStamp - firstKey.at < SHORTCUT_SEQUENCE_TIMEOUT_MS ? firstKey.key : null;
    const match = findShortcut(key, first, new Set(commands.flatMap((command) => command.keys ?? [])));
    firstKey = null;
    if (!match) return;
    if ('firstKey' in match) {
      firstKey = { key: match.firstKey, at: event.timeStamp };
      return;
    }
    const command = commands.find((candidate) => candidate.keys?.includes(match.shortcut));
    // If Ctrl+F is pressed again in the app's own search field, the browser handles it.
    if (!command || (command.id === 'view.filter' && isTyping && isSearchField(event.target))) return;
    event.preventDefault();
    void runCommand(command, context());
  };
}

/** Returns true for a shortcut that enters no text in a field. */
const canNotBeTyped = (key: string): boolean => /^(?:Mod\+|(?:Shift\+)?F\d)/.test(key);

function isSearchField(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement && target.type === 'search';
}

function acceptsText(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !['checkbox', 'radio', 'button'].includes(target.type);
  return target.isContentEditable || target.role === 'spinbutton' || target instanceof HTMLTextAreaElement;
}
