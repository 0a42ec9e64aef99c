import { z } from 'zod';
import { field, oneTimeFileHandleSchema } from '../shared/common-schemas.ts';
import { defineSiteCommand, defineSiteQuery } from '../shared/procedure-kinds.ts';
import { replayJobSchema } from './replay.ts';
import { outageKindSchema, webhookFilterSchema } from './webhooks.ts';

export const incidentStateSchema = z.enum(['open', 'acknowledged', 'resolved']);
export type IncidentState = z.infer<typeof incidentStateSchema>;

/** Origin of an incident: an outage of this kind, an error group, or webhooks that a person selected. */
const incidentKindSchema = z.enum([...outageKindSchema.options, 'error_group', 'selection']);
export type IncidentKind = z.infer<typeof incidentKindSchema>;

/** Webhooks that were not accepted, or a gap in the log, tracked until the webhooks are proved to be accepted. */
export const incidentSchema = z.object({
  id: field.rowId,
  kind: incidentKindSchema,
  name: z.string(),
  /** Cause as entered by a person; null if unknown. */
  cause: z.string().nullable(),
  owner: z.string().nullable(),
  state: incidentStateSchema,
  /** Address of the endpoint without query; null for a gap or if the webhooks have several addresses. */
  url: z.string().nullable(),
  /** Error group of the webhooks, the most frequent one of an outage; null if unknown. */
  error: z.string().nullable(),
  /** Creation time of the first webhook, or of the last webhook before a gap. ISO 8601 in UTC. */
  from: field.moment,
  to: field.moment,
  /** Number of webhooks of the incident. They are fixed when it is found, and increase only while an outage continues. */
  webhooks: z.int(),
  /** Number of these webhooks that have been accepted since, as of the latest sync or replay. */
  accepted: z.int(),
  found_at: field.moment,
  /** User who added the incident; null if Tieout found it. */
  found_by: z.string().nullable(),
  resolved_at: field.moment.nullable(),
  /** `proof`: all webhooks have been accepted, or the gap has been filled. `person`: resolved with a reason. */
  resolved_by: z.enum(['proof', 'person']).nullable(),
});
export type Incident = z.infer<typeof incidentSchema>;

/** An entry of an incident's history. */
const incidentEntrySchema = z.object({
  at: field.moment,
  /** User who made the decision; null for an automatic entry. */
  user: z.string().nullable(),
  text: z.string(),
});
export type IncidentEntry = z.infer<typeof incidentEntrySchema>;

const incidentDetailSchema = incidentSchema.extend({
  /** Webhooks, decisions and replays in time order. */
  timeline: z.array(incidentEntrySchema),
  /** Replays of the incident's webhooks, oldest first. `webhooks` and `accepted` count only the incident's webhooks. */
  replays: z.array(
    replayJobSchema
      .pick({ job: true, state: true, started_at: true, ended_at: true, endpoint: true })
      .extend({ webhooks: z.int(), accepted: z.int() }),
  ),
  by_event: z.array(z.object({ event: z.string(), webhooks: z.int(), accepted: z.int() })),
  /** IDs of webhooks that have not been accepted, oldest first, at most 1,000. */
  not_accepted: z.array(field.serviceId),
});
export type IncidentDetail = z.infer<typeof incidentDetailSchema>;

const ofIncident = { id: field.rowId };
/** Null removes the cause or owner. */
const description = {
  name: z.string().trim().min(1).max(120).optional(),
  cause: z.string().trim().min(1).max(2000).nullable().optional(),
  owner: z.string().trim().min(1).max(80).nullable().optional(),
};

export const incidentProcedures = {
  /** Lists incidents, unresolved ones first, then newest first. */
  list: defineSiteQuery({ state: z.array(incidentStateSchema).optional() }).output(z.array(incidentSchema)),
  get: defineSiteQuery(ofIncident).output(incidentDetailSchema),
  /** Adds an incident from an outage, an error group or other selected webhooks. Throws `validation` if there are none. */
  add: defineSiteCommand({
    from: z.union([
      z.object({ outage: z.string() }),
      /** A filter with `error` selects an error group. Only webhooks that were not accepted belong to the incident. */
      z.object({ filter: webhookFilterSchema }),
      z.object({ ids: z.array(field.serviceId).min(1).max(1_000_000) }),
    ]),
    ...description,
  }).output(incidentSchema),
  /** Changes the name, cause or owner, or adds a note to the timeline. */
  update: defineSiteCommand({
    ...ofIncident,
    ...description,
    note: z.string().trim().min(1).max(500).optional(),
  }).output(incidentSchema),
  /** Records that someone works on an open incident. Throws `conflict` if it is not open. */
  acknowledge: defineSiteCommand({ ...ofIncident, ...description }).output(incidentSchema),
  /** Resolves an incident without proof. Throws `conflict` if it is already resolved. */
  resolve: defineSiteCommand({ ...ofIncident, ...description, reason: field.reason }).output(incidentSchema),
  /** Reopens an incident that a person resolved. Throws `conflict` if it is not resolved. */
  reopen: defineSiteCommand({ ...ofIncident, reason: field.reason }).output(incidentSchema),
  /** Returns a report for the post-mortem as Markdown or JSON. */
  report: defineSiteQuery({ ...ofIncident, format: z.enum(['md', 'json']) }).output(oneTimeFileHandleSchema),
};
