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
  /** Accessible name of a button without text. Also shown as the tooltip. */
  readonly label?: string | undefined;
  /** Reason why the button is disabled. The button remains focusable, so that users can read the reason. */
  readonly disabledReason?: string | null | undefined;
  readonly isPending?: boolean;
  readonly shortcuts?: readonly string[] | undefined;
  readonly type?: 'button' | 'submit';
  readonly slot?: string;
  readonly isPressed?: boolean;
  readonly autoFocus?: boolean;
  readonly onPress?: () => void;
}

/** Button with a tooltip. A button without text shows only its icon and is named by its label. */
export function Button(props: ButtonProps) {
  const { children, label, disabledReason, shortcuts } = props;
  const hint = disabledReason ?? (children && !shortcuts ? null : label);
  const button = <PlainButton {...props} />;
  if (!hint) return button;
  return (
    <TooltipTrigger delay={disabledReason ? 150 : 500} closeDelay={0}>
      {button}
      <Tooltip className="tooltip" offset={6}>
        <span>{hint}</span>
        {!disabledReason && shortcuts?.[0] && <KeyCaps keys={shortcuts[0]} />}
      </Tooltip>
    </TooltipTrigger>
  );
}

/** Renders the button without a tooltip. */
function PlainButton(props: ButtonProps) {
  const { kind = 'plain', size = 'regular', iconAfter: IconAfter, children, label } = props;
  const isDisabled = Boolean(props.disabledReason) || props.isPending === true;
  return (
    <AriaButton
      className={`button button-${kind} button-${size}${children ? '' : ' button-icon'}`}
      type={props.type ?? 'button'}
      {...(props.slot === undefined ? {} : { slot: props.slot })}
      {...(label && !children ? { 'aria-label': label } : {})}
      {...(isDisabled ? { 'aria-disabled': true } : {})}
      {...(props.isPending ? { 'data-busy': true } : {})}
      {...(props.autoFocus ? { autoFocus: true } : {})}
      {...(props.isPressed === undefined ? {} : { 'aria-pressed': props.isPressed })}
      onPress={() => {
        if (!isDisabled) props.onPress?.();
      }}
    >
      <LeadingIcon icon={props.icon} isPending={props.isPending ?? false} />
      {children && <span className="button-text">{children}</span>}
      {IconAfter && <IconAfter size={13} aria-hidden="true" />}
    </AriaButton>
  );
}

function LeadingIcon({ icon: Icon, isPending }: Pick<ButtonProps, 'icon' | 'isPending'>) {
  if (isPending) return <span className="button-spinner" aria-hidden="true" />;
  return Icon && <Icon size={15} aria-hidden="true" />;
}
