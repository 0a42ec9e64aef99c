import { oc } from '@orpc/contract';
import { errorMap } from './errors.ts';

/**
 * Kinds of procedures:
 * - `query`: only reads. The reader thread answers it, and it is repeated after a reconnect.
 * - `command`: changes data and is never resent automatically. The writer thread executes it.
 * - `stream`: yields values until it ends or is canceled. The writer thread serves it.
 */
export type Kind = 'query' | 'command' | 'stream';

export interface ProcedureMeta {
  readonly kind: Kind;
  /** True if the procedure requires the billing service. While offline, it is disabled with a reason. */
  readonly network?: boolean;
}

const base = oc.errors(errorMap);

export const query = base.$meta<ProcedureMeta>({ kind: 'query' });
export const command = base.$meta<ProcedureMeta>({ kind: 'command' });
export const stream = base.$meta<ProcedureMeta>({ kind: 'stream' });
/** A command that sends requests to the billing service. */
export const remoteCommand = base.$meta<ProcedureMeta>({ kind: 'command', network: true });
