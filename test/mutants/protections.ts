import { dataProtections } from './data-protections.ts';
import { desktopProtections } from './desktop-protections.ts';
import { securityProtections } from './security-protections.ts';

/** A protection of the app, and how to remove it from the source. */
export interface Protection {
  /** What holds as long as the protection exists. */
  readonly name: string;
  /** Source file, relative to the checkout. */
  readonly file: string;
  /** Text that occurs once in the file. */
  readonly code: string;
  /** Text without the protection. */
  readonly without: string;
  /** Test files or folders, one of which must fail without the protection. */
  readonly tests: readonly string[];
}

export const protections: readonly Protection[] = [
  ...securityProtections,
  ...dataProtections,
  ...desktopProtections,
];
