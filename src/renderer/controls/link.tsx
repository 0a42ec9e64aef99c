import type { ReactNode } from 'react';
import { Link as AriaLink } from 'react-aria-components';
import './link.css';

interface LinkProps {
  readonly children: ReactNode;
  /** Accessible name of the link, for link texts that do not name the target. */
  readonly label?: string;
  readonly onPress: () => void;
}

/** Link to another screen of the window. It never leads outside the window. */
export function Link({ children, label, onPress }: LinkProps) {
  return (
    <AriaLink className="link" onPress={onPress}>
      {children}
      {label && <span className="visually-hidden"> {label}</span>}
    </AriaLink>
  );
}
