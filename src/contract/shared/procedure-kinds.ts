import { oc } from '@orpc/contract';
import { z } from 'zod';
import { field, marksInput, marksOutputSchema, pageInputSchema } from './common-schemas.ts';
import { errorMap } from './errors.ts';

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

const base = oc.errors(errorMap);

export const query = base.$meta<ProcedureMeta>({ kind: 'query' });
export const command = base.$meta<ProcedureMeta>({ kind: 'command' });
export const stream = base.$meta<ProcedureMeta>({ kind: 'stream' });
/** A command that sends requests to the billing service. */
export const remoteCommand = base.$meta<ProcedureMeta>({ kind: 'command', network: true });

type NoFields = Record<never, never>;

const toSiteInput = <Fields extends z.ZodRawShape>(fields: Fields) =>
  z.object({ site: field.siteName, ...fields });

/** Creates a query about one site. `fields` are its other input fields. */
export const siteQuery = <Fields extends z.ZodRawShape = NoFields>(fields = {} as Fields) =>
  query.input(toSiteInput(fields));

/** Creates a query for one page of a list. `fields` are its input fields besides the site and the page. */
export const pageQuery = <Fields extends z.ZodRawShape = NoFields>(fields = {} as Fields) =>
  query.input(pageInputSchema.extend({ site: field.siteName, ...fields }));

/** Creates a query for the page marks of a list. `selection` is the input that filters and sorts the list. */
export const marksQuery = <Fields extends z.ZodRawShape>(selection: Fields) =>
  siteQuery({ ...selection, ...marksInput }).output(marksOutputSchema);

/** Creates a command for one site. `fields` are its other input fields. */
export const siteCommand = <Fields extends z.ZodRawShape = NoFields>(fields = {} as Fields) =>
  command.input(toSiteInput(fields));

/** Creates a command for one site that sends requests to the billing service. */
export const remoteSiteCommand = <Fields extends z.ZodRawShape = NoFields>(fields = {} as Fields) =>
  remoteCommand.input(toSiteInput(fields));
