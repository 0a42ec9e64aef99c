import type { DecisionContext } from '../jobs/exclusive-change.ts';
import type { ImportSession } from './desk.ts';

/** Dependencies for imports. */
export interface BankContext extends DecisionContext {
  readonly desk: ImportSession;
}
