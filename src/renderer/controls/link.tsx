import type { ReactNode } from 'react';
import { Link as AriaLink } from 'react-aria-components';
import './link.css';

interface LinkProps {
  readonly children: ReactNode;
  /** Target of the link for screen readers, if its text does not name it. */
  readonly label?: string;
  readonly onPress: () => void;
}

/** Link to another screen of the window. Links never leave the window. */
export function Link({ children, label, onPress }: LinkProps) {
  return (
    <AriaLink className="link" onPress={onPress}>
      {children}
      {label && <span className="visually-hidden"> {label}</span>}
    </AriaLink>
  );
}
