/**
 * The border: everything the window, the command line and the tests can ask of the backend, and nothing else.
 * One file a noun. See `kinds.ts` for what query, command and stream mean, `errors.ts` for how calls fail.
 */
import type {
  ContractRouterClient,
  InferContractRouterInputs,
  InferContractRouterOutputs,
} from '@orpc/contract';
import { allocations } from './allocations.ts';
import { app } from './app.ts';
import { archive } from './archive.ts';
import { audit } from './audit.ts';
import { backups } from './backups.ts';
import { bank } from './bank.ts';
import { changes } from './changes.ts';
import { checks } from './checks.ts';
import { exceptions } from './exceptions.ts';
import { jobs } from './jobs.ts';
import { match } from './match.ts';
import { packs } from './packs.ts';
import { periods } from './periods.ts';
import { replay } from './replay.ts';
import { reports } from './reports.ts';
import { search } from './search.ts';
import { settings } from './settings.ts';
import { sites } from './sites.ts';
import { statements } from './statements.ts';
import { subscriptions } from './subscriptions.ts';
import { sync } from './sync.ts';
import { transactions } from './transactions.ts';
import { webhooks } from './webhooks.ts';
import { workpapers } from './workpapers.ts';

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
/** The typed client of the contract, whatever carries it. */
export type Client = ContractRouterClient<Contract>;
export type Inputs = InferContractRouterInputs<Contract>;
export type Outputs = InferContractRouterOutputs<Contract>;
