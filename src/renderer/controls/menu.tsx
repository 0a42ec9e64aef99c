import type { LucideIcon } from 'lucide-react';
import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import type { PopoverProps } from 'react-aria-components';
import { Menu as AriaMenu, Header, MenuItem, MenuSection, MenuTrigger, Popover } from 'react-aria-components';
import { words } from '../words/words.ts';

export interface MenuEntry {
  readonly id: string;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly icon?: LucideIcon;
  readonly checked?: boolean | undefined;
  readonly count?: string;
  readonly danger?: boolean;
  /** Why it cannot be chosen now. */
  readonly reason?: string | null | undefined;
  readonly run: () => void;
}

interface MenuProps {
  readonly label: string;
  readonly trigger: ReactNode;
  readonly groups: readonly { readonly title?: string; readonly entries: readonly MenuEntry[] }[];
  readonly placement?: PopoverProps['placement'];
}

/** A list of things to do or to choose, opened by a button. */
export function Menu({ label, trigger, groups, placement = 'bottom start' }: MenuProps) {
  const shown = groups.filter((group) => group.entries.length > 0);
  const choosing = shown.some((group) => group.entries.some((entry) => entry.checked !== undefined));
  return (
    <MenuTrigger>
      {trigger}
      <Popover className="popover" placement={placement} offset={4}>
        <AriaMenu className="menu" aria-label={label}>
          {shown.map((group, place) => (
            <MenuSection key={group.title ?? place} aria-label={group.title ?? label}>
              {group.title && <Header className="menu-head">{group.title}</Header>}
              {group.entries.map((entry) => (
                <Entry key={entry.id} entry={entry} choosing={choosing} />
              ))}
            </MenuSection>
          ))}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  );
}

function Entry({ entry, choosing }: { readonly entry: MenuEntry; readonly choosing: boolean }) {
  const Icon = entry.icon;
  const hint = entry.reason ?? entry.hint;
  return (
    <MenuItem
      id={entry.id}
      textValue={entry.label}
      className={`menu-item${entry.danger ? ' menu-danger' : ''}`}
      isDisabled={Boolean(entry.reason)}
      onAction={entry.run}
    >
      {choosing && (
        <span className="menu-check">
          {entry.checked && <Check size={14} aria-label={words.controls.chosen} />}
        </span>
      )}
      {Icon && <Icon size={15} aria-hidden="true" />}
      <span className="menu-label">
        {entry.label}
        {hint && <small>{hint}</small>}
      </span>
      {entry.count !== undefined && <span className="menu-count">{entry.count}</span>}
    </MenuItem>
  );
}
