import { X } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import {
  Dialog as AriaDialog,
  Popover as AriaPopover,
  type PopoverProps as AriaPopoverProps,
  DialogTrigger,
  Heading,
  Modal,
  ModalOverlay,
} from 'react-aria-components';
import { words } from '../words/words.ts';
import { Button } from './button.tsx';
import './overlay.css';

interface DialogProps {
  readonly title: string;
  readonly children: ReactNode;
  /** Buttons, the decisive one last. */
  readonly footer?: ReactNode;
  readonly size?: 'small' | 'regular' | 'wide' | 'large';
  readonly onClose: () => void;
  /** False while leaving by a click beside it would lose what was typed or started. */
  readonly dismissable?: boolean;
  /** It is only read: nothing in its body takes the focus, so the body does, to be scrolled by keys. */
  readonly isRead?: boolean;
}

/** Ctrl+Enter does what the dialog is for, from wherever in it one is. */
function decide(event: KeyboardEvent): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.defaultPrevented) return;
  const decisive = document.querySelector<HTMLElement>('.dialog-foot .button:last-child');
  if (decisive === null || decisive.getAttribute('aria-disabled') === 'true') return;
  event.preventDefault();
  decisive.click();
}

/** A dialog over the window; Esc closes it. */
export function Dialog(props: DialogProps) {
  const { title, children, footer, size = 'regular', onClose, dismissable = true } = props;
  useEffect(() => {
    document.addEventListener('keydown', decide);
    return () => document.removeEventListener('keydown', decide);
  }, []);
  return (
    <ModalOverlay
      className="veil"
      isOpen
      isDismissable={dismissable}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      <Modal className={`modal modal-${size}`}>
        <AriaDialog className="dialog">
          <header className="dialog-head">
            <Heading slot="title">{title}</Heading>
            <Button kind="quiet" icon={X} label={words.controls.close} onPress={onClose} />
          </header>
          <div className="dialog-body" {...(props.isRead ? { tabIndex: 0 } : {})}>
            {children}
          </div>
          {footer && <footer className="dialog-foot">{footer}</footer>}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

interface PopoverProps {
  readonly label: string;
  readonly trigger: ReactNode;
  readonly children: ReactNode | ((close: () => void) => ReactNode);
  readonly placement?: AriaPopoverProps['placement'];
}

/** A small panel beside the button that opens it. */
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
