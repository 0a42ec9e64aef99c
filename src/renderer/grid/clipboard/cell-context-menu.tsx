import { useRef } from 'react';
import { Menu, MenuItem, Popover } from 'react-aria-components';
import { KeyCaps } from '../../controls/key-caps.tsx';
import type { MenuEntry } from '../../controls/menu.tsx';
import { texts } from '../../texts/texts.ts';

export interface CellMenuState {
  /** Pointer position within the window, in px. */
  readonly at: { readonly x: number; readonly y: number };
  readonly entries: readonly (MenuEntry & { readonly keys?: string | undefined })[];
}

interface CellMenuProps {
  readonly label?: string;
  readonly state: CellMenuState;
  readonly onClose: () => void;
}

/** Menu at a position in the window, for example of a row or a column header. */
export function CellMenu({ label = texts.grid.menu, state, onClose }: CellMenuProps) {
  const anchor = useRef<HTMLSpanElement>(null);
  return (
    <>
      <span ref={anchor} className="cell-menu-anchor" style={{ left: state.at.x, top: state.at.y }} />
      <Popover
        className="popover"
        aria-label={label}
        triggerRef={anchor}
        isOpen
        onOpenChange={(open) => {
          if (!open) onClose();
        }}
        placement="bottom start"
        offset={2}
      >
        <Menu className="menu" aria-label={label} autoFocus="first" onClose={onClose}>
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
              <span className="menu-label">
                {entry.label}
                {entry.disabledReason && <small>{entry.disabledReason}</small>}
              </span>
              {entry.keys && <KeyCaps keys={entry.keys} />}
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </>
  );
}
