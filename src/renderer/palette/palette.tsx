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
import { commands } from '../commands/all.ts';
import { type CommandContext, commandsOn, runCommand, type Section } from '../commands/command.ts';
import { useCommandContext } from '../commands/use-commands.tsx';
import { Keys } from '../controls/keys.tsx';
import { useChosen } from '../settings/chosen.ts';
import { closeDialog, go, showFiltered } from '../view/view.ts';
import { words } from '../words/words.ts';
import './palette.css';

interface Entry {
  readonly id: string;
  readonly title: string;
  readonly icon?: LucideIcon | undefined;
  readonly keys?: string | undefined;
  /** Why it cannot be done now. */
  readonly reason?: string | undefined;
  readonly run: () => void;
}

type Group = readonly [title: string, entries: readonly Entry[]];

/** Ctrl+K: everything that can be gone to or done, by typing a part of its name. */
export function Palette() {
  const context = useCommandContext();
  const { contains } = useFilter({ sensitivity: 'base' });
  const [text, setText] = useState('');
  const groups: Group[] = [...jumps(text), ...commandGroups(context), ...elsewhere(context)];
  // Every word typed has to be found, in any order.
  const matches = (name: string, typed: string) => typed.split(/\s+/).every((part) => contains(name, part));
  return (
    <ModalOverlay className="veil veil-palette" isOpen isDismissable onOpenChange={closeDialog}>
      <Modal className="modal palette">
        <Dialog className="dialog" aria-label={words.palette.open}>
          <Autocomplete filter={matches} inputValue={text} onInputChange={setText}>
            <SearchField className="palette-search" aria-label={words.palette.open} autoFocus>
              <Search size={17} aria-hidden="true" />
              <Input placeholder={words.palette.placeholder} />
              <Keys keys="Escape" />
            </SearchField>
            <Menu
              className="menu palette-list"
              aria-label={words.palette.list}
              renderEmptyState={() => <p className="menu-empty">{words.palette.nothing}</p>}
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

function PaletteItem({ entry, typed }: { readonly entry: Entry; readonly typed: string }) {
  const Icon = entry.icon ?? CornerDownLeft;
  return (
    <MenuItem
      id={entry.id}
      className="menu-item"
      // What is typed is an id here, not a part of the name.
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
      {entry.keys && <Keys keys={entry.keys} />}
    </MenuItem>
  );
}

const order: readonly Section[] = [
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

function commandGroups(context: CommandContext): Group[] {
  const here = commandsOn(commands, context.route.screen).filter(({ id }) => id !== 'help.palette');
  return order.flatMap((section): Group[] => {
    const entries = here
      .filter((command) => command.section === section)
      .map((command): Entry => {
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
    return entries.length > 0 ? [[words.palette.sections[section], entries]] : [];
  });
}

/** A number may be anything's id. */
function jumps(text: string): Group[] {
  const id = text.trim();
  if (!/^\d{1,15}$/.test(id)) return [];
  const { jump } = words.palette;
  const entries: Entry[] = [
    { id: 'jump.webhook', title: jump.webhook(id), run: () => go({ screen: 'webhooks', item: id }) },
    { id: 'jump.statement', title: jump.statement(id), run: () => go({ screen: 'statements', item: id }) },
    {
      id: 'jump.subscription',
      title: jump.subscription(id),
      run: () => go({ screen: 'subscriptions', item: id }),
    },
  ];
  return [[words.palette.sections.jump, entries]];
}

function elsewhere({ sites, route }: CommandContext): Group[] {
  const others = sites
    .filter((site) => site.site !== route.site)
    .map(
      (site): Entry => ({
        id: `site.${site.site}`,
        title: words.palette.switchTo(site.title),
        icon: Building2,
        run: () => go({ site: site.site, item: null }),
      }),
    );
  const views = useChosen.getState().views.map(
    (view): Entry => ({
      id: `view.${view.id}`,
      title: words.palette.openView(view.name),
      icon: Bookmark,
      run: () => showFiltered(view.screen, view.filter),
    }),
  );
  return others.length + views.length > 0 ? [[words.palette.sections.elsewhere, [...others, ...views]]] : [];
}
