import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button as AriaButton, Tooltip, TooltipTrigger } from 'react-aria-components';
import { Keys } from './keys.tsx';
import './button.css';

export interface ButtonProps {
  readonly kind?: 'primary' | 'plain' | 'quiet' | 'danger';
  readonly size?: 'regular' | 'small' | 'large';
  readonly icon?: LucideIcon | undefined;
  readonly iconAfter?: LucideIcon | undefined;
  readonly children?: ReactNode;
  /** The name where there is no text, and the hover's words. */
  readonly label?: string | undefined;
  /** Why it cannot be pressed now. It stays reachable, so that the reason can be read. */
  readonly reason?: string | null | undefined;
  readonly pending?: boolean;
  readonly keys?: readonly string[] | undefined;
  readonly type?: 'button' | 'submit';
  readonly slot?: string;
  readonly pressed?: boolean;
  /** Has the focus when its dialog opens. */
  readonly autoFocus?: boolean;
  readonly onPress?: () => void;
}

/** Every button of the window. Without text it is an icon button, named by its label. */
export function Button(props: ButtonProps) {
  const { kind = 'plain', size = 'regular', icon: Icon, iconAfter: After, children, label, reason } = props;
  const hint = reason ?? (label && (!children || props.keys) ? label : null);
  const button = (
    <AriaButton
      className={`button button-${kind} button-${size}${children ? '' : ' button-icon'}`}
      type={props.type ?? 'button'}
      {...(props.slot === undefined ? {} : { slot: props.slot })}
      {...(label && !children ? { 'aria-label': label } : {})}
      {...(reason || props.pending ? { 'aria-disabled': true } : {})}
      {...(props.pending ? { 'data-busy': true } : {})}
      {...(props.autoFocus ? { autoFocus: true } : {})}
      {...(props.pressed === undefined ? {} : { 'aria-pressed': props.pressed })}
      onPress={() => {
        if (!reason && !props.pending) props.onPress?.();
      }}
    >
      {props.pending ? (
        <span className="button-spinner" aria-hidden="true" />
      ) : (
        Icon && <Icon size={15} aria-hidden="true" />
      )}
      {children && <span className="button-text">{children}</span>}
      {After && <After size={13} aria-hidden="true" />}
    </AriaButton>
  );
  if (!hint) return button;
  return (
    <TooltipTrigger delay={reason ? 150 : 500} closeDelay={0}>
      {button}
      <Tooltip className="tooltip" offset={6}>
        <span>{hint}</span>
        {!reason && props.keys?.[0] && <Keys keys={props.keys[0]} />}
      </Tooltip>
    </TooltipTrigger>
  );
}
