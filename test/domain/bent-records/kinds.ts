import type { SiteRows } from './bent-site.ts';
import { logKinds } from './kinds-log.ts';
import { statementKinds } from './kinds-statements.ts';
import { transactionKinds } from './kinds-transactions.ts';
import type { Pick } from './pick.ts';

/** A kind of error in the records, bent at a random position. */
export interface BentKind {
  readonly name: string;
  /** Reason why an error of this kind may not be found, or not as one exception; absent if it must be. */
  readonly limit?: string;
  /** Bends the rows. Throws NoPositionError if the site has no suitable position. */
  bend(rows: SiteRows, pick: Pick): void;
}

/** All kinds of bent records. */
export const bentKinds: readonly BentKind[] = [...statementKinds, ...transactionKinds, ...logKinds];
