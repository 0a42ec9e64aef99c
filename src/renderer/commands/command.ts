import type { LucideIcon } from 'lucide-react';
import type { Client, Site } from '../../contract/index.ts';
import { errorOf } from '../../contract/index.ts';
import { formatError } from '../errors/error-texts.ts';
import type { GridController } from '../grid/state/grid-controller.ts';
import type { Route, ScreenName } from '../navigation/route.ts';
import { type ScreenFilters, showNotice } from '../navigation/window-state.ts';

/** State that a command receives to decide whether it can run, and to run. */
export interface CommandContext {
  readonly client: Client;
  readonly route: Route;
  /** Selected site; null until the sites are known. */
  readonly site: Site | null;
  readonly sites: readonly Site[];
  /** Reason why the billing service cannot be reached, as a sentence; null if it can. */
  readonly unavailableReason: string | null;
  /** Id of the running sync job; null if none is running. */
  readonly runningSyncJob: string | null;
  readonly filters: ScreenFilters;
  /** Grid of the current screen. */
  readonly grid: GridController<never> | null;
}

export type CommandSection =
  | 'go'
  | 'exceptions'
  | 'webhooks'
  | 'replays'
  | 'statements'
  | 'allocations'
  | 'archive'
  | 'bank'
  | 'periods'
  | 'sync'
  | 'sites'
  | 'view'
  | 'help';

/** User command. Menus, buttons, the command palette and shortcuts all use this declaration. */
export interface Command {
  readonly id: string;
  readonly title: string;
  readonly section: CommandSection;
  readonly icon?: LucideIcon;
  readonly keys?: readonly string[];
  /** True if its shortcuts also work in text fields. */
  readonly worksWhileTyping?: boolean;
  /** Screens on which the command is available; absent if on all. */
  readonly screens?: readonly ScreenName[];
  /** Returns true, or the reason why the command cannot run now as a sentence. */
  enabled(context: CommandContext): true | string;
  run(context: CommandContext): unknown;
}

export const alwaysEnabled = (): true => true;

/** Runs a command. If it is disabled or fails, shows a notice with the reason. */
export async function runCommand(command: Command, context: CommandContext): Promise<void> {
  const enabled = command.enabled(context);
  if (enabled !== true) {
    showNotice(enabled);
    return;
  }
  try {
    await command.run(context);
  } catch (thrown) {
    const error = errorOf(thrown);
    if (error.code !== 'canceled') showNotice(`${command.title}: ${formatError(error)}`, 'bad');
  }
}

/** Returns the commands that are available on a screen. */
export function commandsForScreen(commands: readonly Command[], screen: ScreenName): Command[] {
  return commands.filter((command) => command.screens?.includes(screen) ?? true);
}
