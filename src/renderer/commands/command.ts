import type { LucideIcon } from 'lucide-react';
import { type BackendClient, type Site, toContractError } from '../../contract/index.ts';
import { formatError } from '../errors/error-texts.ts';
import type { GridController } from '../grid/state/grid-controller.ts';
import type { ListFilters } from '../navigation/list-filters.ts';
import type { Route, ScreenName } from '../navigation/route.ts';
import { showNotice } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';

/** Application state that commands use to decide whether they can run, and when they run. */
export interface CommandContext {
  readonly client: BackendClient;
  readonly route: Route;
  /** Selected site, or null until the sites have loaded. */
  readonly site: Site | null;
  readonly sites: readonly Site[];
  /** Sentence that explains why the billing service cannot be reached, or null if it can be reached. */
  readonly unavailableReason: string | null;
  readonly runningSyncJob: string | null;
  readonly filters: ListFilters;
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

/** A command that the user can run. Menus, buttons, the command palette, and shortcuts all use this definition. */
export interface Command {
  readonly id: string;
  readonly title: string;
  readonly section: CommandSection;
  readonly icon?: LucideIcon;
  readonly keys?: readonly string[];
  readonly worksWhileTyping?: boolean;
  /** True if the command acts on the selected rows of the screen's list. The rows' context menu then contains it. */
  readonly appliesToRows?: boolean;
  /** Screens on which the command is available. If omitted, it is available on all screens. */
  readonly screens?: readonly ScreenName[];
  /** Returns true if the command can run now, otherwise a sentence with the reason why it cannot. */
  enabled(context: CommandContext): true | string;
  run(context: CommandContext): unknown;
}

/** Creates a function that defines commands with the same section, screens, and condition. */
export function createCommandFactory(shared: Pick<Command, 'section'> & Partial<Command>) {
  return (fields: Pick<Command, 'id' | 'title'> & Partial<Command>, run: Command['run']): Command => ({
    enabled: alwaysEnabled,
    ...shared,
    ...fields,
    run,
  });
}

export const alwaysEnabled = (): true => true;

/** Returns true if a site is selected, otherwise the reason why a command cannot run. */
export const requireSite = ({ site }: CommandContext): true | string => site !== null || texts.frame.noSite;

/** Runs a command. If the command is disabled or fails, shows a notice with the reason. */
export async function runCommand(command: Command, context: CommandContext): Promise<void> {
  const enabled = command.enabled(context);
  if (enabled !== true) {
    showNotice(enabled);
    return;
  }
  try {
    await command.run(context);
  } catch (thrown) {
    const error = toContractError(thrown);
    if (error.code !== 'canceled') showNotice(`${command.title}: ${formatError(error)}`, 'bad');
  }
}

/** Returns the commands that are available on the given screen. */
export function getScreenCommands(commands: readonly Command[], screen: ScreenName): Command[] {
  return commands.filter((command) => command.screens?.includes(screen) ?? true);
}
