import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button as AriaButton, Tooltip, TooltipTrigger } from 'react-aria-components';
import { KeyCaps } from './key-caps.tsx';
import './button.css';

export interface ButtonProps {
  readonly kind?: 'primary' | 'plain' | 'quiet' | 'danger';
  readonly size?: 'regular' | 'small' | 'large';
  readonly icon?: LucideIcon | undefined;
  readonly iconAfter?: LucideIcon | undefined;
  readonly children?: ReactNode;
  /** Accessible name if there is no text, and text of the tooltip. */
  readonly label?: string | undefined;
  /** Why the button is disabled. It stays focusable, so that the reason can be read. */
  readonly disabledReason?: string | null | undefined;
  readonly isPending?: boolean;
  readonly shortcuts?: readonly string[] | undefined;
  readonly type?: 'button' | 'submit';
  readonly slot?: string;
  readonly isPressed?: boolean;
  /** True if the button has the focus when its dialog opens. */
  readonly autoFocus?: boolean;
  readonly onPress?: () => void;
}

/** Button. Without text it is an icon button named by its label. */
export function Button(props: ButtonProps) {
  const {
    kind = 'plain',
    size = 'regular',
    icon: Icon,
    iconAfter: After,
    children,
    label,
    disabledReason,
  } = props;
  const hint = disabledReason ?? (label && (!children || props.shortcuts) ? label : null);
  const button = (
    <AriaButton
      className={`button button-${kind} button-${size}${children ? '' : ' button-icon'}`}
      type={props.type ?? 'button'}
      {...(props.slot === undefined ? {} : { slot: props.slot })}
      {...(label && !children ? { 'aria-label': label } : {})}
      {...(disabledReason || props.isPending ? { 'aria-disabled': true } : {})}
      {...(props.isPending ? { 'data-busy': true } : {})}
      {...(props.autoFocus ? { autoFocus: true } : {})}
      {...(props.isPressed === undefined ? {} : { 'aria-pressed': props.isPressed })}
      onPress={() => {
        if (!disabledReason && !props.isPending) props.onPress?.();
      }}
    >
      {props.isPending ? (
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
    <TooltipTrigger delay={disabledReason ? 150 : 500} closeDelay={0}>
      {button}
      <Tooltip className="tooltip" offset={6}>
        <span>{hint}</span>
        {!disabledReason && props.shortcuts?.[0] && <KeyCaps keys={props.shortcuts[0]} />}
      </Tooltip>
    </TooltipTrigger>
  );
}
