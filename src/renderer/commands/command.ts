import type { LucideIcon } from 'lucide-react';
import type { Client, Site } from '../../contract/index.ts';
import { errorOf } from '../../contract/index.ts';
import { errorLine } from '../errors/error-words.ts';
import type { Grid } from '../grid/controller.ts';
import type { Route, Screen } from '../view/route.ts';
import { type Filters, notify } from '../view/view.ts';

/** What a command knows when it decides whether it can run, and when it runs. */
export interface CommandContext {
  readonly client: Client;
  readonly route: Route;
  /** The site in front; null before one is known. */
  readonly site: Site | null;
  readonly sites: readonly Site[];
  /** Why the service cannot be asked now, in a sentence; null where it can. */
  readonly away: string | null;
  /** The job of the sync under way. */
  readonly syncing: string | null;
  readonly filters: Filters;
  /** The grid of the screen in front. */
  readonly grid: Grid<never> | null;
}

export type Section =
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

/** Something a person can do. Menus, buttons, palette and shortcuts all read this one declaration. */
export interface Command {
  readonly id: string;
  readonly title: string;
  readonly section: Section;
  readonly icon?: LucideIcon;
  readonly keys?: readonly string[];
  /** Its keys work while typing too. */
  readonly whileTyping?: boolean;
  /** Where it means something; absent: everywhere. */
  readonly screens?: readonly Screen[];
  /** True, or why it cannot run now, in a sentence. */
  enabled(context: CommandContext): true | string;
  run(context: CommandContext): unknown;
}

export const always = (): true => true;

/** Runs it if it can; what stands in the way, or fails, is said. */
export async function runCommand(command: Command, context: CommandContext): Promise<void> {
  const enabled = command.enabled(context);
  if (enabled !== true) {
    notify(enabled);
    return;
  }
  try {
    await command.run(context);
  } catch (thrown) {
    const error = errorOf(thrown);
    if (error.code !== 'cancelled') notify(`${command.title}: ${errorLine(error)}`, 'bad');
  }
}

/** The commands that mean something on this screen. */
export function commandsOn(commands: readonly Command[], screen: Screen): Command[] {
  return commands.filter((command) => command.screens?.includes(screen) ?? true);
}
