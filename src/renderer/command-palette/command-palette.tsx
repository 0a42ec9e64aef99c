import { Bookmark, Building2, CornerDownLeft, type LucideIcon, Search } from 'lucide-react';
import { useState } from 'react';
import {
  Autocomplete,
  Dialog,
  Header,
  Input,
  Menu,
  MenuItem,
  MenuSection,
  Modal,
  ModalOverlay,
  SearchField,
  useFilter,
} from 'react-aria-components';
import {
  type CommandContext,
  type CommandSection,
  getScreenCommands,
  runCommand,
} from '../commands/command.ts';
import { getRegisteredCommands } from '../commands/command-registry.ts';
import { useCommandContext } from '../commands/use-command-context.ts';
import { KeyCaps } from '../controls/key-caps.tsx';
import { closeDialog, navigate, openFilteredScreen } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';
import { useUserSettings } from '../user-settings/user-settings.ts';
import './command-palette.css';

interface PaletteEntry {
  readonly id: string;
  readonly title: string;
  readonly icon?: LucideIcon | undefined;
  readonly keys?: string | undefined;
  readonly reason?: string | undefined;
  readonly run: () => void;
}

type PaletteGroup = readonly [title: string, entries: readonly PaletteEntry[]];

/** Command palette, opened by Ctrl+K. It finds commands, screens, sites, and saved views by name. */
export function CommandPalette() {
  const context = useCommandContext();
  const { contains } = useFilter({ sensitivity: 'base' });
  const [text, setText] = useState('');
  const groups: PaletteGroup[] = [...idJumps(text), ...commandGroups(context), ...sitesAndViews(context)];
  // Matches names that contain every word typed by the user, in any order.
  const matches = (name: string, typed: string) => typed.split(/\s+/).every((part) => contains(name, part));
  return (
    <ModalOverlay
      className="modal-overlay modal-overlay-palette"
      isOpen
      isDismissable
      onOpenChange={closeDialog}
    >
      <Modal className="modal palette">
        <Dialog className="dialog" aria-label={texts.palette.open}>
          <Autocomplete filter={matches} inputValue={text} onInputChange={setText}>
            <SearchField className="palette-search" aria-label={texts.palette.open} autoFocus>
              <Search size={17} aria-hidden="true" />
              <Input placeholder={texts.palette.placeholder} />
              <KeyCaps keys="Escape" />
            </SearchField>
            <Menu
              className="menu palette-list"
              aria-label={texts.palette.list}
              renderEmptyState={() => <p className="menu-empty">{texts.palette.nothing}</p>}
            >
              {groups.map(([title, entries]) => (
                <MenuSection key={title} aria-label={title}>
                  <Header className="menu-head">{title}</Header>
                  {entries.map((entry) => (
                    <PaletteItem key={entry.id} entry={entry} typed={text} />
                  ))}
                </MenuSection>
              ))}
            </Menu>
          </Autocomplete>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

function PaletteItem({ entry, typed }: { readonly entry: PaletteEntry; readonly typed: string }) {
  const Icon = entry.icon ?? CornerDownLeft;
  return (
    <MenuItem
      id={entry.id}
      className="menu-item"
      // An entry that opens a record by id matches any typed text, because that text is the id.
      textValue={entry.id.startsWith('jump.') ? `${entry.title} ${typed}` : entry.title}
      isDisabled={entry.reason !== undefined}
      onAction={() => {
        closeDialog();
        entry.run();
      }}
    >
      <Icon size={15} aria-hidden="true" />
      <span className="menu-label">
        {entry.title}
        {entry.reason && <small>{entry.reason}</small>}
      </span>
      {entry.keys && <KeyCaps keys={entry.keys} />}
    </MenuItem>
  );
}

const sectionOrder: readonly CommandSection[] = [
  'exceptions',
  'webhooks',
  'replays',
  'statements',
  'allocations',
  'archive',
  'bank',
  'sync',
  'go',
  'sites',
  'view',
  'help',
];

function commandGroups(context: CommandContext): PaletteGroup[] {
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
      });
    return entries.length > 0 ? [[texts.palette.sections[section], entries]] : [];
  });
}

/** Returns palette entries that open a record whose id the user has typed. */
function idJumps(text: string): PaletteGroup[] {
  const id = text.trim();
  if (!/^\d{1,15}$/.test(id)) return [];
  const { jump } = texts.palette;
  const entries: PaletteEntry[] = [
    { id: 'jump.webhook', title: jump.webhook(id), run: () => navigate({ screen: 'webhooks', item: id }) },
    {
      id: 'jump.statement',
      title: jump.statement(id),
      run: () => navigate({ screen: 'statements', item: id }),
    },
    {
      id: 'jump.subscription',
      title: jump.subscription(id),
      run: () => navigate({ screen: 'subscriptions', item: id }),
    },
  ];
  return [[texts.palette.sections.jump, entries]];
}

function sitesAndViews({ sites, route }: CommandContext): PaletteGroup[] {
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
      run: () => openFilteredScreen(view.screen, view.filter),
    }),
  );
  return others.length + views.length > 0 ? [[texts.palette.sections.elsewhere, [...others, ...views]]] : [];
}
