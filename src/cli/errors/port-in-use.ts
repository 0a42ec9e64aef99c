import { type CliError, createUsageError } from './cli-error.ts';

/** Converts the error of a server that cannot listen because its port is in use. Returns null for other errors. */
export function toPortInUseError(error: unknown, option = '--port'): CliError | null {
  const { code, port } = (error ?? {}) as { readonly code?: unknown; readonly port?: unknown };
  if (code !== 'EADDRINUSE') return null;
  return createUsageError(
    `Port ${port} is already in use.`,
    `Choose another port with ${option}, or omit it.`,
  );
}
