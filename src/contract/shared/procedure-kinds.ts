import { oc } from '@orpc/contract';
import { errorMap } from './errors.ts';

/**
 * What a procedure may do, and so how it is treated:
 * - `query`: reads only, may be repeated at will; answered by the reader thread; asked again after a reconnect.
 * - `command`: changes something, is sent once and never re-sent by itself; carried out by the writer thread.
 * - `stream`: yields values until it ends or is canceled; served by the writer thread.
 */
export type Kind = 'query' | 'command' | 'stream';

export interface ProcedureMeta {
  readonly kind: Kind;
  /** True where the procedure needs the billing service; it is disabled, with the reason, while offline. */
  readonly network?: boolean;
}

const base = oc.errors(errorMap);

export const query = base.$meta<ProcedureMeta>({ kind: 'query' });
export const command = base.$meta<ProcedureMeta>({ kind: 'command' });
export const stream = base.$meta<ProcedureMeta>({ kind: 'stream' });
/** A command that talks to the billing service. */
export const remoteCommand = base.$meta<ProcedureMeta>({ kind: 'command', network: true });
