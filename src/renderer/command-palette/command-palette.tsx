import { CornerDownLeft, Search } from 'lucide-react';
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
import { useCommandContext } from '../commands/use-command-context.ts';
import { KeyCaps } from '../controls/key-caps.tsx';
import { closeDialog } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';
import {
  listCommandGroups,
  listSitesAndViews,
  type PaletteEntry,
  type PaletteGroup,
} from './palette-entries.ts';
import { useFoundRecords } from './use-found-records.ts';
import './command-palette.css';

/** Search of all records and commands, opened by Ctrl+K. Records are searched while the user types. */
export function CommandPalette() {
  const context = useCommandContext();
  const { contains } = useFilter({ sensitivity: 'base' });
  const [text, setText] = useState('');
  const found = useFoundRecords(context.site, text);
  const groups: PaletteGroup[] = [
    ...found.groups,
    ...listCommandGroups(context, text.trim()),
    ...listSitesAndViews(context),
  ];
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
          {found.note && (
            <p className="palette-note" role="status">
              {found.note}
            </p>
          )}
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
      // A found record matches the typed text, although its title may not contain it.
      textValue={entry.isFound ? `${entry.title} ${typed}` : entry.title}
      isDisabled={entry.reason !== undefined}
      onAction={() => {
        closeDialog();
        entry.run();
      }}
    >
      <Icon size={15} aria-hidden="true" />
      <span className="menu-label">
        {entry.title}
        {(entry.reason ?? entry.detail) && <small>{entry.reason ?? entry.detail}</small>}
      </span>
      {entry.keys && <KeyCaps keys={entry.keys} />}
    </MenuItem>
  );
}
