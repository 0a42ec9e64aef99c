import { useRef } from 'react';
import { Menu, MenuItem, Popover } from 'react-aria-components';
import type { MenuEntry } from '../../controls/menu.tsx';
import { texts } from '../../texts/texts.ts';

export interface CellMenuState {
  /** Pointer position within the window, in px. */
  readonly at: { readonly x: number; readonly y: number };
  readonly entries: readonly MenuEntry[];
}

export function CellMenu(props: { readonly state: CellMenuState; readonly onClose: () => void }) {
  const { state, onClose } = props;
  const anchor = useRef<HTMLSpanElement>(null);
  return (
    <>
      <span ref={anchor} className="cell-menu-anchor" style={{ left: state.at.x, top: state.at.y }} />
      <Popover
        className="popover"
        aria-label={texts.grid.menu}
        triggerRef={anchor}
        isOpen
        onOpenChange={(open) => {
          if (!open) onClose();
        }}
        placement="bottom start"
        offset={2}
      >
        <Menu className="menu" aria-label={texts.grid.menu} autoFocus="first" onClose={onClose}>
          {state.entries.map((entry) => (
            <MenuItem
              key={entry.id}
              id={entry.id}
              className="menu-item"
              textValue={entry.label}
              isDisabled={Boolean(entry.disabledReason)}
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
