import type { DecisionContext } from '../jobs/exclusive-change.ts';
import type { ImportSession } from './import-session.ts';

/** Dependencies of the commands for bank accounts and imports. */
export interface BankContext extends DecisionContext {
  readonly importSession: ImportSession;
}
