import type { ReactNode } from 'react';
import {
  Dialog as AriaDialog,
  Popover as AriaPopover,
  type PopoverProps as AriaPopoverProps,
  DialogTrigger,
} from 'react-aria-components';
import './overlay.css';

interface PopoverProps {
  readonly label: string;
  readonly trigger: ReactNode;
  readonly children: ReactNode | ((close: () => void) => ReactNode);
  readonly placement?: AriaPopoverProps['placement'];
}

/** Small panel shown next to the button that opens it. */
export function Popover({ label, trigger, children, placement = 'bottom start' }: PopoverProps) {
  return (
    <DialogTrigger>
      {trigger}
      <AriaPopover className="popover" placement={placement} offset={4}>
        <AriaDialog className="popover-dialog" aria-label={label}>
          {({ close }) => (typeof children === 'function' ? children(close) : children)}
        </AriaDialog>
      </AriaPopover>
    </DialogTrigger>
  );
}
