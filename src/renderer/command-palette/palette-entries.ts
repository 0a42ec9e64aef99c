import { Bookmark, Building2, type LucideIcon } from 'lucide-react';
import {
  type CommandContext,
  type CommandSection,
  getScreenCommands,
  runCommand,
} from '../commands/command.ts';
import { getRegisteredCommands } from '../commands/command-registry.ts';
import { navigate, openFilteredList } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';
import { useUserSettings } from '../user-settings/user-settings.ts';

export interface PaletteEntry {
  readonly id: string;
  readonly title: string;
  readonly icon?: LucideIcon | undefined;
  readonly keys?: string | undefined;
  /** Second line, for example the amount and date of a record, or the reason why a command cannot run. */
  readonly detail?: string | undefined;
  /** Reason why the entry cannot be chosen now. */
  readonly reason?: string | undefined;
  /** True for a record found by the backend for the typed text. It is listed even if its title and detail do not contain the text. */
  readonly isFound?: boolean;
  readonly run: () => void;
}

export type PaletteGroup = readonly [title: string, entries: readonly PaletteEntry[]];

/** All sections in the order of the palette. The type demands an entry for each section. */
const sections: Readonly<Record<CommandSection, true>> = {
  exceptions: true,
  webhooks: true,
  replays: true,
  statements: true,
  allocations: true,
  archive: true,
  bank: true,
  periods: true,
  sync: true,
  go: true,
  sites: true,
  view: true,
  help: true,
};
const sectionOrder = Object.keys(sections) as CommandSection[];

/** Length of the typed text from which commands that cannot run now are listed as well. Chosen by judgment. */
const MIN_LENGTH_FOR_DISABLED = 3;

/** Returns the commands of the current screen. Commands that cannot run now are listed only for a longer text. */
export function listCommandGroups(context: CommandContext, typed: string): PaletteGroup[] {
  const commands = getScreenCommands(getRegisteredCommands(), context.route.screen).filter(
    ({ id }) => id !== 'help.palette',
  );
  return sectionOrder.flatMap((section): PaletteGroup[] => {
    const entries = commands
      .filter((command) => command.section === section)
      .map((command): PaletteEntry => {
        const enabled = command.enabled(context);
        return {
          id: command.id,
          title: command.title,
          icon: command.icon,
          keys: command.keys?.[0],
          reason: enabled === true ? undefined : enabled,
          run: () => void runCommand(command, context),
        };
      })
      .filter(({ reason }) => reason === undefined || typed.length >= MIN_LENGTH_FOR_DISABLED)
      .toSorted((a, b) => Number(a.reason !== undefined) - Number(b.reason !== undefined));
    return entries.length > 0 ? [[texts.palette.sections[section], entries]] : [];
  });
}

/** Returns the other sites and the saved views. */
export function listSitesAndViews({ sites, route }: CommandContext): PaletteGroup[] {
  const others = sites
    .filter((site) => site.site !== route.site)
    .map(
      (site): PaletteEntry => ({
        id: `site.${site.site}`,
        title: texts.palette.switchTo(site.title),
        icon: Building2,
        run: () => navigate({ site: site.site, item: null }),
      }),
    );
  const views = useUserSettings.getState().views.map(
    (view): PaletteEntry => ({
      id: `view.${view.id}`,
      title: texts.palette.openView(view.name),
      icon: Bookmark,
      run: () => openFilteredList(view.screen, view.filter),
    }),
  );
  return others.length + views.length > 0 ? [[texts.palette.sections.elsewhere, [...others, ...views]]] : [];
}
