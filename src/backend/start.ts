import type { MessagePort } from 'node:worker_threads';
import type { ContractRouterClient } from '@orpc/contract';
import type { Link, shellContract } from '../contract/index.ts';

/** What only the shell may touch, as the backend calls it. */
export type ShellClient = ContractRouterClient<typeof shellContract>;

/** One line for the shell's log: what happened, never money, never a customer, never a key. */
export interface LogRecord {
  readonly level: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal';
  readonly msg: string;
  readonly [field: string]: unknown;
}
export type Log = (record: LogRecord) => void;

/** Where the system does not name its user. */
export const UNKNOWN_USER = 'unknown';

/** What each half of the backend is started with. */
export interface Start {
  /** The data directory. */
  readonly home: string;
  readonly version: string;
  readonly shell: ShellClient;
  readonly log: Log;
  /** The user of this computer as the system names him, for the audit log. */
  readonly user?: string | undefined;
}

/** One half of the backend, reading or writing, ready to be called. */
export interface Backend {
  /** For this process: values pass as the JSON that crosses to other threads, and outputs are validated. */
  readonly link: Link;
  /** Serves the half's procedures on a port until it closes. */
  serve(port: MessagePort): void;
  /** Finishes what is being done and closes the stores. */
  close(): Promise<void>;
}
