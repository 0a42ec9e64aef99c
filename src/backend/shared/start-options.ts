import type { MessagePort } from 'node:worker_threads';
import type { ContractRouterClient } from '@orpc/contract';
import type { Link, shellContract } from '../../contract/index.ts';

/** Operations that only the shell can perform, as called by the backend. */
export type ShellClient = ContractRouterClient<typeof shellContract>;

/** One line of the shell's log. Never contains amounts, customers or keys. */
export interface LogRecord {
  readonly level: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal';
  readonly msg: string;
  readonly [field: string]: unknown;
}
export type ShellLog = (record: LogRecord) => void;

/** Used if the system does not name its user. */
export const UNKNOWN_USER = 'unknown';

/** Start parameters of the reader and the writer. */
export interface BackendStartOptions {
  /** The data directory. */
  readonly home: string;
  readonly version: string;
  readonly shell: ShellClient;
  readonly log: ShellLog;
  /** The system's name of the current user, for the audit log. */
  readonly user?: string | undefined;
}

/** A started reader or writer. */
export interface Backend {
  /** For this process. Values are copied as JSON as between threads, and outputs are validated. */
  readonly link: Link;
  /** Serves its procedures on a port until it closes. */
  serve(port: MessagePort): void;
  /** Finishes the current work and closes the databases. */
  close(): Promise<void>;
}
