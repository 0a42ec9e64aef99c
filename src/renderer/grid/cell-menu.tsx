import { useRef } from 'react';
import { Menu, MenuItem, Popover } from 'react-aria-components';
import type { MenuEntry } from '../controls/menu.tsx';
import { words } from '../words/words.ts';

export interface CellMenuState {
  readonly at: { readonly x: number; readonly y: number };
  readonly entries: readonly MenuEntry[];
}

/** What can be done with a row or a cell, where it was asked for. */
export function CellMenu({
  state,
  onClose,
}: {
  readonly state: CellMenuState;
  readonly onClose: () => void;
}) {
  const spot = useRef<HTMLSpanElement>(null);
  return (
    <>
      <span ref={spot} className="grid-spot" style={{ left: state.at.x, top: state.at.y }} />
      <Popover
        className="popover"
        aria-label={words.grid.menu}
        triggerRef={spot}
        isOpen
        onOpenChange={(open) => {
          if (!open) onClose();
        }}
        placement="bottom start"
        offset={2}
      >
        <Menu className="menu" aria-label={words.grid.menu} autoFocus="first" onClose={onClose}>
          {state.entries.map((entry) => (
            <MenuItem
              key={entry.id}
              id={entry.id}
              className="menu-item"
              textValue={entry.label}
              isDisabled={Boolean(entry.reason)}
              onAction={entry.run}
            >
              {entry.icon && <entry.icon size={15} aria-hidden="true" />}
              <span className="menu-label">{entry.label}</span>
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </>
  );
}
