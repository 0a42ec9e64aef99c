import { z } from 'zod';
import { jobSchema } from '../app/jobs.ts';
import { field, oneTimeFileHandleSchema, toPageSchema } from '../shared/common-schemas.ts';
import { errorValueSchema } from '../shared/errors.ts';
import {
  definePageQuery,
  defineRemoteSiteCommand,
  defineSiteCommand,
  defineSiteQuery,
} from '../shared/procedure-kinds.ts';
import { allocationSchema } from './allocation-schema.ts';
import { prorationSchemes } from './proration-schemes.ts';

const wholeNumber = 'must be a whole number of at least 0, for example 12';
/** A requested quantity (interface 4.4): a number, or a string of digits. */
const requestedQuantitySchema = z.union(
  [
    z.int(wholeNumber).min(0, wholeNumber),
    z
      .string()
      .regex(/^\d{1,15}$/, wholeNumber)
      .transform(Number),
  ],
  wholeNumber,
);

/** A requested quantity change (interface 4.4). If a proration scheme is omitted, the service's own setting applies. */
const quantityChangeSchema = z.object({
  subscription_id: field.serviceId,
  component_id: field.serviceId,
  quantity: requestedQuantitySchema,
  memo: z.string().max(2000).optional(),
  proration_upgrade_scheme: z.enum(prorationSchemes.upgrade).optional(),
  proration_downgrade_scheme: z.enum(prorationSchemes.downgrade).optional(),
});
export type QuantityChange = z.infer<typeof quantityChangeSchema>;

/**
 * Reason why a drafted change is not sent. `unreadable`: the file's row cannot be read. `unknown_component`: no
 * allocation of the component is stored. `missing`: the service does not know the component. `duplicate`: the draft
 * lists the component twice with the same quantity. `contradiction`: the draft lists the component with different
 * quantities. `no_change`: the requested quantity is the current one.
 */
export const allocationChangeProblemSchema = z.enum([
  'unreadable',
  'unknown_component',
  'missing',
  'duplicate',
  'contradiction',
  'no_change',
]);
export type AllocationChangeProblem = z.infer<typeof allocationChangeProblemSchema>;

/**
 * Outcome of a change. `verifying`: the response was lost and the history is being read. `quantity_changed`: not sent,
 * because the quantity differs from the confirmed one. `undecided`: a user must decide, because the history is
 * inconclusive. `not_applied`: certainly not applied.
 */
export const allocationChangeOutcomeSchema = z.enum([
  'waiting',
  'sending',
  'verifying',
  'applied',
  'refused',
  'quantity_changed',
  'undecided',
  'not_applied',
]);
export type AllocationChangeOutcome = z.infer<typeof allocationChangeOutcomeSchema>;

/** State of an allocation history before a change was sent, or when the outcome of the change was looked up. */
const historySnapshotSchema = z.object({
  count: z.int(),
  /** Number of allocations that equal the change in previous quantity, quantity and memo. */
  equal: z.int(),
  /** Current quantity; null if there are no allocations. */
  quantity: field.quantity.nullable(),
  newest_at: field.moment.nullable(),
  read_at: field.moment,
});
export type AllocationHistorySnapshot = z.infer<typeof historySnapshotSchema>;

/** Evidence about a change whose response was lost. */
const changeEvidenceSchema = z.object({
  before: historySnapshotSchema,
  /** State of the history after the change; null until the history has been read again. */
  after: historySnapshotSchema.nullable(),
  /** Allocations added since the change was sent, newest first. */
  entries: z.array(allocationSchema.omit({ chained: true, ordinal: true })),
  /** Conclusion from the evidence, as one sentence. */
  verdict: z.string(),
});
export type AllocationChangeEvidence = z.infer<typeof changeEvidenceSchema>;

/** One change of a draft: the request, its expected effect and its outcome. */
export const allocationChangeSchema = z.object({
  draft: z.string(),
  /** Position of the change in the draft, starting at 0. */
  ordinal: z.int(),
  /** Line number in the imported file; null if the change was not imported. */
  line: z.int().nullable(),
  raw: z.string().nullable(),
  subscription_id: field.serviceId.nullable(),
  component_id: field.serviceId.nullable(),
  customer_name: z.string().nullable(),
  component_name: z.string().nullable(),
  quantity: field.quantity.nullable(),
  memo: z.string().nullable(),
  proration_upgrade_scheme: z.string().nullable(),
  proration_downgrade_scheme: z.string().nullable(),
  /** Quantity of the component when the change was drafted; null if no history is stored. */
  drafted_quantity: field.quantity.nullable(),
  current_quantity: field.quantity.nullable(),
  direction: z.enum(['upgrade', 'downgrade', 'none']).nullable(),
  /** Proration scheme that will apply; null if the service's own setting applies. */
  scheme: z.string().nullable(),
  /** Proration scheme of the component's latest change in this direction. The service's setting may differ. */
  scheme_seen: z.string().nullable(),
  problem: allocationChangeProblemSchema.nullable(),
  /** Problem of the change, as one sentence. */
  problem_text: z.string().nullable(),
  outcome: allocationChangeOutcomeSchema,
  /** Source of the outcome: the service's response, the history, or a user's decision. */
  resolved_by: z.enum(['response', 'history', 'user']).nullable(),
  resolved_at: field.moment.nullable(),
  /** The allocation that the change caused, as recorded by the service. */
  applied: allocationSchema.omit({ chained: true, ordinal: true }).nullable(),
  /** Reason why the change was not applied. Contains a 422 response's `errors` unchanged. */
  error: errorValueSchema.nullable(),
  evidence: changeEvidenceSchema.nullable(),
  /** Requests that sent the change, oldest first. */
  requests: z.array(
    z.object({
      request: z.int(),
      state: z.enum(['posting', 'unknown', 'applied', 'refused', 'not_applied', 'undecided']),
      posted_at: field.moment,
      ended_at: field.moment.nullable(),
      error: z.string().nullable(),
    }),
  ),
});
export type AllocationChange = z.infer<typeof allocationChangeSchema>;

const draftStateSchema = z.enum([
  'draft',
  'discarded',
  'running',
  'paused',
  'stopped',
  'interrupted',
  'canceled',
  'done',
]);

/** A list of quantity changes with their outcomes. Nothing is sent until a user sends the draft. */
export const allocationDraftSchema = z.object({
  draft: z.string(),
  site: field.siteName,
  title: z.string(),
  source: z.enum(['form', 'file', 'again']),
  /** True if all changes of a subscription are sent in one request and billed as one payment (interface 4.5). */
  together: z.boolean(),
  created_at: field.moment,
  user: z.string(),
  state: draftStateSchema,
  /** Reason why the draft was paused or stopped, as one sentence. */
  reason: z.string().nullable(),
  /** Time at which the histories were last read for the draft. Null means that only stored data was used. */
  checked_at: field.moment.nullable(),
  sent_at: field.moment.nullable(),
  ended_at: field.moment.nullable(),
  job: z.string().nullable(),
  stop_after: z.int().nullable(),
  count: z.int(),
  /** Number of changes without a problem. */
  ready: z.int(),
  upgrades: z.int(),
  downgrades: z.int(),
  /** Number of changes whose current quantity differs from when they were drafted. */
  changed_since_drafted: z.int(),
  problems: z.record(allocationChangeProblemSchema, z.int()),
  outcomes: z.record(allocationChangeOutcomeSchema, z.int()),
  /** Digest of the changes to send. `send` requires this digest, so that exactly the displayed changes are sent. */
  sha256: z.string(),
});
export type AllocationDraft = z.infer<typeof allocationDraftSchema>;

const one = { draft: z.string() };
const oneChange = { ...one, ordinal: z.int().min(0) };

/** Procedures for drafting, sending and resolving quantity changes. Part of `allocations`. */
export const allocationChangeProcedures = {
  /** Creates a draft from stored data. Sends nothing. */
  draft: defineSiteCommand({
    from: z.union([
      z.object({ changes: z.array(quantityChangeSchema).min(1).max(1000) }),
      /** CSV file with the columns subscription_id, component_id and quantity. Other columns are optional. */
      z.object({ csv: z.string().max(50_000_000), name: z.string().max(255) }),
    ]),
    together: z.boolean().default(false),
    title: z.string().max(200).optional(),
  }).output(allocationDraftSchema),
  /** Creates a draft from the changes of an ended draft that were certainly not applied. */
  redraft: defineSiteCommand(one).output(allocationDraftSchema),
  /** Lists drafts, newest first. */
  drafts: defineSiteQuery({ limit: z.int().min(1).max(1000).default(200) }).output(
    z.array(allocationDraftSchema),
  ),
  getDraft: defineSiteQuery(one).output(allocationDraftSchema),
  /** Lists the changes of a draft in order. */
  changes: definePageQuery({
    ...one,
    show: z.enum(['all', 'ready', 'problems']).default('all'),
    outcome: z.array(allocationChangeOutcomeSchema).optional(),
  }).output(toPageSchema(allocationChangeSchema)),
  getChange: defineSiteQuery(oneChange).output(allocationChangeSchema),
  /** Reads the allocation histories of a draft's changes again, as a job, and updates the draft's preview. */
  recheck: defineRemoteSiteCommand(one).output(jobSchema),
  discard: defineSiteCommand(one).output(allocationDraftSchema),
  /** Sends a draft as a job. Requires the displayed `sha256`. A site sends only one draft at a time. */
  send: defineRemoteSiteCommand({
    ...one,
    sha256: z.string(),
    /** Number of failed changes after which sending stops. */
    stop_after: z.int().min(1).max(1_000_000).default(5),
  }).output(allocationDraftSchema),
  pause: defineSiteCommand(one).output(allocationDraftSchema),
  resume: defineRemoteSiteCommand(one).output(allocationDraftSchema),
  cancel: defineSiteCommand(one).output(allocationDraftSchema),
  /** Records a user's decision about an undecided change. */
  decide: defineSiteCommand({
    ...oneChange,
    as: z.enum(['applied', 'not_applied']),
    reason: z.string().min(1).max(2000),
  }).output(allocationChangeSchema),
  /** Looks up a change in the component's allocation history again. */
  look: defineRemoteSiteCommand(oneChange).output(allocationChangeSchema),
  /** Returns a file with every change of a draft and its outcome. */
  report: defineSiteCommand({ ...one, format: z.enum(['csv', 'json']) }).output(oneTimeFileHandleSchema),
};
