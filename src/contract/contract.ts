/**
 * The complete interface between the backend and the window, the command line and the tests. One folder per subject.
 * `shared/procedure-kinds.ts` defines queries, commands and streams; `shared/errors.ts` defines how calls fail.
 */
import type {
  ContractRouterClient,
  InferContractRouterInputs,
  InferContractRouterOutputs,
} from '@orpc/contract';
import { allocations } from './allocations/allocations.ts';
import { app } from './app/app.ts';
import { audit } from './app/audit.ts';
import { backups } from './app/backups.ts';
import { changes } from './app/change-events.ts';
import { jobs } from './app/jobs.ts';
import { search } from './app/search.ts';
import { settings } from './app/settings.ts';
import { sites } from './app/sites.ts';
import { sync } from './app/sync.ts';
import { archive } from './archive/archive.ts';
import { bank } from './bank/bank.ts';
import { checks } from './checks/checks.ts';
import { exceptions } from './checks/exceptions.ts';
import { packs } from './evidence-packs/evidence-packs.ts';
import { match } from './matching/matching.ts';
import { periods } from './periods/periods.ts';
import { reports } from './periods/reports.ts';
import { workpapers } from './periods/workpapers.ts';
import { statements } from './statements/statements.ts';
import { transactions } from './statements/transactions.ts';
import { subscriptions } from './subscriptions/subscriptions.ts';
import { replay } from './webhooks/replay.ts';
import { webhooks } from './webhooks/webhooks.ts';

export const contract = {
  sites,
  webhooks,
  statements,
  transactions,
  subscriptions,
  allocations,
  sync,
  replay,
  check: checks,
  exceptions,
  archive,
  bank,
  match,
  periods,
  workpapers,
  reports,
  packs,
  audit,
  backups,
  jobs,
  search,
  changes,
  settings,
  app,
};

export type Contract = typeof contract;
/** Typed client of the contract. */
export type Client = ContractRouterClient<Contract>;
export type Inputs = InferContractRouterInputs<Contract>;
export type Outputs = InferContractRouterOutputs<Contract>;
