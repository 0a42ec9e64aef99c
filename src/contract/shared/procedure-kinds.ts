import { oc } from '@orpc/contract';
import { z } from 'zod';
import { field, pageInputSchema, pageMarksInput, pageMarksSchema } from './common-schemas.ts';
import { contractErrorMap } from './errors.ts';

/**
 * Kinds of procedures:
 * - `query`: only reads. The reader thread answers it, and it is repeated after a reconnect.
 * - `command`: changes data and is never resent automatically. The writer thread executes it.
 * - `stream`: yields values until it ends or is canceled. The writer thread serves it.
 */
export type ProcedureKind = 'query' | 'command' | 'stream';

export interface ProcedureMeta {
  readonly kind: ProcedureKind;
  /** True if the procedure requires the billing service. While offline, it is disabled with a reason. */
  readonly network?: boolean;
}

const base = oc.errors(contractErrorMap);

export const queryProcedure = base.$meta<ProcedureMeta>({ kind: 'query' });
export const commandProcedure = base.$meta<ProcedureMeta>({ kind: 'command' });
export const streamProcedure = base.$meta<ProcedureMeta>({ kind: 'stream' });
/** A command that sends requests to the billing service. */
export const remoteCommandProcedure = base.$meta<ProcedureMeta>({ kind: 'command', network: true });

type NoFields = Record<never, never>;

const toSiteInput = <Fields extends z.ZodRawShape>(fields: Fields) =>
  z.object({ site: field.siteName, ...fields });

/** Creates a query about one site. `fields` are its other input fields. */
export const defineSiteQuery = <Fields extends z.ZodRawShape = NoFields>(fields = {} as Fields) =>
  queryProcedure.input(toSiteInput(fields));

/** Creates a query for one page of a list. `fields` are its input fields besides the site and the page. */
export const definePageQuery = <Fields extends z.ZodRawShape = NoFields>(fields = {} as Fields) =>
  queryProcedure.input(pageInputSchema.extend({ site: field.siteName, ...fields }));

/** Creates a query for the page marks of a list. `selection` is the input that filters and sorts the list. */
export const definePageMarksQuery = <Fields extends z.ZodRawShape>(selection: Fields) =>
  defineSiteQuery({ ...selection, ...pageMarksInput }).output(pageMarksSchema);

/** Creates a command for one site. `fields` are its other input fields. */
export const defineSiteCommand = <Fields extends z.ZodRawShape = NoFields>(fields = {} as Fields) =>
  commandProcedure.input(toSiteInput(fields));

/** Creates a command for one site that sends requests to the billing service. */
export const defineRemoteSiteCommand = <Fields extends z.ZodRawShape = NoFields>(fields = {} as Fields) =>
  remoteCommandProcedure.input(toSiteInput(fields));
