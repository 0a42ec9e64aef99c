import { Check, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import {
  Menu as AriaMenu,
  Header,
  MenuItem,
  MenuSection,
  MenuTrigger,
  Popover,
  type PopoverProps,
} from 'react-aria-components';
import { texts } from '../texts/texts.ts';

export interface MenuEntry {
  readonly id: string;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly icon?: LucideIcon;
  readonly isChecked?: boolean | undefined;
  readonly count?: string;
  readonly isDanger?: boolean;
  readonly disabledReason?: string | null | undefined;
  readonly run: () => void;
}

interface MenuProps {
  readonly label: string;
  readonly trigger: ReactNode;
  readonly groups: readonly { readonly title?: string; readonly entries: readonly MenuEntry[] }[];
  readonly placement?: PopoverProps['placement'];
}

/** Menu of actions or options, opened by a button. */
export function Menu({ label, trigger, groups, placement = 'bottom start' }: MenuProps) {
  const shown = groups.filter((group) => group.entries.length > 0);
  const hasOptions = shown.some((group) => group.entries.some((entry) => entry.isChecked !== undefined));
  return (
    <MenuTrigger>
      {trigger}
      <Popover className="popover" placement={placement} offset={4}>
        <AriaMenu className="menu" aria-label={label}>
          {shown.map((group, index) => (
            <MenuSection key={group.title ?? index} aria-label={group.title ?? label}>
              {group.title && <Header className="menu-head">{group.title}</Header>}
              {group.entries.map((entry) => (
                <MenuEntryItem key={entry.id} entry={entry} hasOptions={hasOptions} />
              ))}
            </MenuSection>
          ))}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  );
}

function MenuEntryItem({ entry, hasOptions }: { readonly entry: MenuEntry; readonly hasOptions: boolean }) {
  const Icon = entry.icon;
  const hint = entry.disabledReason ?? entry.hint;
  return (
    <MenuItem
      id={entry.id}
      textValue={entry.label}
      className={`menu-item${entry.isDanger ? ' menu-danger' : ''}`}
      isDisabled={Boolean(entry.disabledReason)}
      onAction={entry.run}
    >
      {hasOptions && (
        <span className="menu-check">
          {entry.isChecked && <Check size={14} aria-label={texts.controls.chosen} />}
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
