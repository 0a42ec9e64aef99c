import { createORPCClient, DynamicLink } from '@orpc/client';
import { getContractRouter, isContractProcedure } from '@orpc/contract';
import type { BackendLink, BackendThread } from './backend-link.ts';
import { type BackendClient, backendContract } from './contract.ts';
import type { ProcedureKind, ProcedureMeta } from './shared/procedure-kinds.ts';

/** Returns the kind of the procedure at a path; null if there is none. */
export function getProcedureKind(path: readonly string[]): ProcedureKind | null {
  const procedure = getContractRouter(backendContract, path);
  return isContractProcedure(procedure) ? (procedure['~orpc'].meta as ProcedureMeta).kind : null;
}

/** Returns the thread for a procedure. The reader answers queries, so that they never wait for a write. */
export function getProcedureThread(path: readonly string[]): BackendThread {
  return getProcedureKind(path) === 'query' ? 'reader' : 'writer';
}

/** Creates a client of the complete contract, with one link to each thread. */
export function createBackendClient(links: Record<BackendThread, BackendLink>): BackendClient {
  return createORPCClient(new DynamicLink((_options, path) => links[getProcedureThread(path)]));
}
