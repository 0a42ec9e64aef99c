import { X } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { texts } from '../texts/texts.ts';
import { Button } from './button.tsx';
import './overlay.css';

export interface DialogProps {
  readonly title: string;
  readonly children: ReactNode;
  /** Buttons at the bottom of the dialog. The last one is the primary action. */
  readonly footer?: ReactNode;
  readonly size?: 'small' | 'regular' | 'wide' | 'large';
  readonly onClose: () => void;
  /** Set to false while closing the dialog by a click outside it would lose the user's input. */
  readonly dismissable?: boolean;
  /** True if the body has no focusable content. The body then receives the focus, so that keys can scroll it. */
  readonly isReadOnly?: boolean;
}

/** Presses the dialog's primary button when the user presses Ctrl+Enter anywhere in the dialog. */
function pressPrimaryButton(event: KeyboardEvent): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.defaultPrevented) return;
  const primary = document.querySelector<HTMLElement>('.dialog-foot .button:last-child');
  if (primary === null || primary.getAttribute('aria-disabled') === 'true') return;
  event.preventDefault();
  primary.click();
}

/** Modal dialog that the Escape key closes. */
export function Dialog(props: DialogProps) {
  const { title, children, footer, size = 'regular', onClose, dismissable = true } = props;
  useEffect(() => {
    document.addEventListener('keydown', pressPrimaryButton);
    return () => document.removeEventListener('keydown', pressPrimaryButton);
  }, []);
  return (
    <ModalOverlay
      className="modal-overlay"
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
            <Button kind="quiet" icon={X} label={texts.controls.close} onPress={onClose} />
          </header>
          <div className="dialog-body" {...(props.isReadOnly ? { tabIndex: 0 } : {})}>
            {children}
          </div>
          {footer && <footer className="dialog-foot">{footer}</footer>}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}
