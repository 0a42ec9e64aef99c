import { useCallback, useEffect, useLayoutEffect, useRef, useSyncExternalStore } from 'react';
import { useClient, useQuery } from '../backend/hooks.ts';
import { Button, type ButtonProps } from '../controls/button.tsx';
import { useAway } from '../frame/reach.ts';
import { useGrids } from '../grid/use-grid.ts';
import { useView } from '../view/view.ts';
import { commands } from './all.ts';
import { type Command, type CommandContext, commandsOn, runCommand } from './command.ts';
import { keyOf, readKey, SECOND_KEY_MS } from './keys.ts';

/** What commands know now; it changes with the screen, the selection and the network. */
export function useCommandContext(): CommandContext {
  const client = useClient();
  const route = useView((view) => view.route);
  const filters = useView((view) => view.filters);
  const { data: sites = [] } = useQuery('sites.list', {});
  const site = sites.find((known) => known.site === route.site) ?? null;
  const { data: status } = useQuery('sync.status', site ? { site: site.site } : null);
  const away = useAway(site);
  const grid = useGrids((grids) => grids[route.screen] ?? null);
  const subscribe = useCallback(
    (listener: () => void) => grid?.state.subscribe(listener) ?? (() => undefined),
    [grid],
  );
  useSyncExternalStore(subscribe, () => (grid ? `${grid.count()} of ${grid.state.getState().total}` : ''));
  return { client, route, site, sites, away, syncing: status?.running ?? null, filters, grid };
}

interface CommandButtonProps extends Pick<ButtonProps, 'kind' | 'size' | 'children'> {
  readonly id: string;
  /** Only the icon, named by the command's title. */
  readonly bare?: boolean;
}

/** A button for a command: its words, its icon, its shortcut, and why it cannot be pressed now. */
export function CommandButton({ id, bare = false, children, ...look }: CommandButtonProps) {
  const context = useCommandContext();
  const command = commandNamed(id);
  const enabled = command.enabled(context);
  return (
    <Button
      {...look}
      icon={command.icon}
      label={command.title}
      keys={command.keys}
      reason={enabled === true ? null : enabled}
      onPress={() => void runCommand(command, context)}
    >
      {bare ? undefined : (children ?? command.title)}
    </Button>
  );
}

/** A command by its id. @throws where there is none: ids are written in the code. */
export function commandNamed(id: string): Command {
  const command = commands.find((candidate) => candidate.id === id);
  if (!command) throw new Error(`no command ${id}`);
  return command;
}

/** Listens for the shortcuts of the commands on the screen in front. Draws nothing: what commands know changes all the time. */
export function Shortcuts(): null {
  const context = useCommandContext();
  const now = useRef(context);
  // Together with what is on the screen, not after it: a key may follow at once.
  useLayoutEffect(() => {
    now.current = context;
  });
  useEffect(() => {
    let before: { key: string; at: number } | null = null;
    const press = (event: KeyboardEvent) => {
      const key = keyOf(event);
      if (key === null || event.defaultPrevented || useView.getState().dialog !== null) return;
      const typing = isTyping(event.target);
      const here = commandsOn(commands, now.current.route.screen).filter(
        (command) => !typing || (command.whileTyping && key.startsWith('Mod+')),
      );
      const first = before && event.timeStamp - before.at < SECOND_KEY_MS ? before.key : null;
      const read = readKey(key, first, new Set(here.flatMap((command) => command.keys ?? [])));
      before = null;
      if (!read) return;
      if ('begun' in read) {
        before = { key: read.begun, at: event.timeStamp };
        return;
      }
      const command = here.find((candidate) => candidate.keys?.includes(read.shortcut));
      // A second Ctrl+F, from within our own search field, is the browser's.
      if (!command || (command.id === 'view.filter' && typing && isSearch(event.target))) return;
      event.preventDefault();
      void runCommand(command, now.current);
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);
  return null;
}

function isSearch(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement && target.type === 'search';
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.role === 'spinbutton' ||
      (target instanceof HTMLInputElement && !['checkbox', 'radio', 'button'].includes(target.type)) ||
      target instanceof HTMLTextAreaElement)
  );
}
