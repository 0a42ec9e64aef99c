import type { ReactNode } from 'react';
import { Link as AriaLink } from 'react-aria-components';
import './link.css';

interface LinkProps {
  readonly children: ReactNode;
  /** What it leads to, where its text does not say. */
  readonly label?: string;
  readonly onPress: () => void;
}

/** Leads to another place in the window; nothing here leads out of it. */
export function Link({ children, label, onPress }: LinkProps) {
  return (
    <AriaLink className="link" onPress={onPress}>
      {children}
      {label && <span className="unseen"> {label}</span>}
    </AriaLink>
  );
}
