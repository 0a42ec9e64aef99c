import { CornerDownLeft, Search } from 'lucide-react';
import { useRef, useState } from 'react';
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
  const list = useRef<HTMLDivElement>(null);
  const first = groups
    .flatMap(([, entries]) => entries)
    .find((entry) => entry.reason === undefined && matches(getSearchedText(entry, text), text));
  // The list loses its active entry if a newer answer of the search does not contain it.
  const runFirst = (key: string) => {
    if (key === 'Enter' && first && !list.current?.querySelector('[data-focused]')) runEntry(first);
  };
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
            <SearchField
              className="palette-search"
              aria-label={texts.palette.open}
              autoFocus
              onKeyDown={({ key, nativeEvent }) => !nativeEvent.isComposing && runFirst(key)}
            >
              <Search size={17} aria-hidden="true" />
              <Input placeholder={texts.palette.placeholder} />
              <KeyCaps keys="Escape" />
            </SearchField>
            <Menu
              ref={list}
              className="menu palette-list"
              aria-label={texts.palette.list}
              renderEmptyState={() => <p className="menu-empty">{texts.palette.nothing}</p>}
            >
              {groups.map(([title, entries]) => (
                <MenuSection key={title} aria-label={title}>
                  <Header className="menu-head">{title}</Header>
                  {entries.map((entry) => (
                    <PaletteItem key={entry.id} entry={entry} typed={text} isFirst={entry === first} />
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

interface PaletteItemProps {
  readonly entry: PaletteEntry;
  readonly typed: string;
  /** True for the entry that Enter runs if no entry is active. */
  readonly isFirst: boolean;
}

function PaletteItem({ entry, typed, isFirst }: PaletteItemProps) {
  const Icon = entry.icon ?? CornerDownLeft;
  return (
    <MenuItem
      id={entry.id}
      className={isFirst && typed !== '' ? 'menu-item menu-item-first' : 'menu-item'}
      textValue={getSearchedText(entry, typed)}
      isDisabled={entry.reason !== undefined}
      onAction={() => runEntry(entry)}
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

/** Returns the text that is compared with the typed text. The text of a found record always contains it. */
function getSearchedText({ title, detail, isFound }: PaletteEntry, typed: string): string {
  return [title, detail, isFound ? typed : undefined].filter(Boolean).join(' ');
}

function runEntry(entry: PaletteEntry) {
  closeDialog();
  entry.run();
}
