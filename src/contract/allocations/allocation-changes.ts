import { z } from 'zod';
import { job } from '../app/jobs.ts';
import { blob, moment, pageInput, pageOf, quantity, serviceId, siteName } from '../shared/common-schemas.ts';
import { errorValue } from '../shared/errors.ts';
import { command, query, remoteCommand } from '../shared/procedure-kinds.ts';
import { allocation } from './allocation-schema.ts';

/** A requested quantity (interface 4.4). If a scheme is omitted, the service's own setting applies. */
export const wantedChange = z.object({
  subscription_id: serviceId,
  component_id: serviceId,
  quantity,
  memo: z.string().max(2000).optional(),
  proration_upgrade_scheme: z.string().max(100).optional(),
  proration_downgrade_scheme: z.string().max(100).optional(),
});
export type WantedChange = z.infer<typeof wantedChange>;

/**
 * Why a drafted change is not sent. `unreadable`: the file's row cannot be read. `unknown_component`: nothing is stored
 * yet; a recheck asks the service. `missing`: the service has no such subscription or component. `duplicate`: already
 * listed with the same quantity. `contradiction`: listed with different quantities. `no_change`: this is the current
 * quantity.
 */
export const changeProblem = z.enum([
  'unreadable',
  'unknown_component',
  'missing',
  'duplicate',
  'contradiction',
  'no_change',
]);
export type ChangeProblem = z.infer<typeof changeProblem>;

/**
 * Outcome of a change. `looking`: the response was lost and the history is being read. `moved`: the quantity differs from
 * the confirmed one, so the change was not sent. `undecided`: the history is inconclusive, so a user must decide.
 * `not_applied`: certainly not applied.
 */
export const changeOutcome = z.enum([
  'waiting',
  'sending',
  'looking',
  'applied',
  'refused',
  'moved',
  'undecided',
  'not_applied',
]);
export type ChangeOutcome = z.infer<typeof changeOutcome>;

/** What the history showed before a change was sent, or when it was looked up. */
export const historySight = z.object({
  /** Number of allocations, and of those equal to the change (previous quantity, quantity, memo). */
  count: z.int(),
  equal: z.int(),
  /** Current quantity. Null without allocations. */
  quantity: quantity.nullable(),
  newest_at: moment.nullable(),
  read_at: moment,
});
export type HistorySight = z.infer<typeof historySight>;

/** Evidence about a change whose response was lost. */
export const changeEvidence = z.object({
  before: historySight,
  /** Null until the history was read again. */
  after: historySight.nullable(),
  /** Allocations added since, newest first. */
  entries: z.array(allocation.omit({ chained: true, ordinal: true })),
  /** Conclusion, as one sentence. */
  verdict: z.string(),
});
export type ChangeEvidence = z.infer<typeof changeEvidence>;

/** One change of a draft: the request, its expected effect and its outcome. */
export const allocationChange = z.object({
  draft: z.string(),
  /** Position in the draft, starting at 0. */
  ordinal: z.int(),
  /** Line and text in the imported file. Null if not imported. */
  line: z.int().nullable(),
  raw: z.string().nullable(),
  subscription_id: serviceId.nullable(),
  component_id: serviceId.nullable(),
  customer_name: z.string().nullable(),
  component_name: z.string().nullable(),
  quantity: quantity.nullable(),
  memo: z.string().nullable(),
  proration_upgrade_scheme: z.string().nullable(),
  proration_downgrade_scheme: z.string().nullable(),
  /** Quantity when drafted and when last read. Null without a history. */
  drafted_quantity: quantity.nullable(),
  current_quantity: quantity.nullable(),
  direction: z.enum(['upgrade', 'downgrade', 'none']).nullable(),
  /** Scheme that will apply. Null if the service's own setting applies. */
  scheme: z.string().nullable(),
  /** Scheme last used for this component in this direction, as a hint to that setting. */
  scheme_seen: z.string().nullable(),
  problem: changeProblem.nullable(),
  /** The problem, as one sentence. */
  problem_text: z.string().nullable(),
  outcome: changeOutcome,
  /** Source of the outcome: the service's response, the history, or a user's decision. */
  resolved_by: z.enum(['response', 'history', 'user']).nullable(),
  resolved_at: moment.nullable(),
  /** The allocation as recorded by the service. */
  applied: allocation.omit({ chained: true, ordinal: true }).nullable(),
  /** Why it was not applied. Contains a 422 response's `errors` unchanged. */
  error: errorValue.nullable(),
  evidence: changeEvidence.nullable(),
  /** Requests in which it was sent, from the journal, oldest first. */
  requests: z.array(
    z.object({
      request: z.int(),
      state: z.enum(['posting', 'unknown', 'applied', 'refused', 'not_applied', 'undecided']),
      posted_at: moment,
      ended_at: moment.nullable(),
      error: z.string().nullable(),
    }),
  ),
});
export type AllocationChange = z.infer<typeof allocationChange>;

export const draftState = z.enum([
  'draft',
  'discarded',
  'running',
  'paused',
  'stopped',
  'interrupted',
  'canceled',
  'done',
]);

/** A draft of changes that a user must send, with their outcomes. */
export const allocationDraft = z.object({
  draft: z.string(),
  site: siteName,
  title: z.string(),
  source: z.enum(['form', 'file', 'again']),
  /** Sends all changes of a subscription in one request, billed as one payment (interface 4.5). */
  together: z.boolean(),
  created_at: moment,
  /** User who created it. */
  user: z.string(),
  state: draftState,
  /** Why it paused or stopped, as one sentence. */
  reason: z.string().nullable(),
  /** When the histories were last read for it. Null means that only stored data was used. */
  checked_at: moment.nullable(),
  sent_at: moment.nullable(),
  ended_at: moment.nullable(),
  job: z.string().nullable(),
  stop_after: z.int().nullable(),
  count: z.int(),
  /** Number of changes without a problem, and how many increase or decrease a quantity. */
  ready: z.int(),
  upgrades: z.int(),
  downgrades: z.int(),
  /** Number of changes whose current quantity differs from when they were drafted. */
  changed_since_drafted: z.int(),
  problems: z.record(changeProblem, z.int()),
  outcomes: z.record(changeOutcome, z.int()),
  /** Digest of what will be sent. `send` requires it, which proves that exactly the displayed changes are sent. */
  sha256: z.string(),
});
export type AllocationDraft = z.infer<typeof allocationDraft>;

const one = z.object({ site: siteName, draft: z.string() });
const oneChange = one.extend({ ordinal: z.int().min(0) });

/** Procedures for drafting, sending and resolving quantity changes. Part of `allocations`. */
export const changeProcedures = {
  /** Creates a draft from stored data. Sends nothing. */
  draft: command
    .input(
      z.object({
        site: siteName,
        from: z.union([
          z.object({ changes: z.array(wantedChange).min(1).max(1000) }),
          /** CSV with the columns subscription_id, component_id and quantity, and optionally memo and the two schemes. */
          z.object({ csv: z.string().max(50_000_000), name: z.string().max(255) }),
        ]),
        together: z.boolean().default(false),
        title: z.string().max(200).optional(),
      }),
    )
    .output(allocationDraft),
  /** Creates a draft from the changes of an ended draft that were certainly not applied. */
  redraft: command.input(one).output(allocationDraft),
  /** Lists drafts, newest first. */
  drafts: query
    .input(z.object({ site: siteName, limit: z.int().min(1).max(1000).default(200) }))
    .output(z.array(allocationDraft)),
  getDraft: query.input(one).output(allocationDraft),
  /** Lists the changes of a draft in order. */
  changes: query
    .input(
      pageInput.extend({
        ...one.shape,
        show: z.enum(['all', 'ready', 'problems']).default('all'),
        outcome: z.array(changeOutcome).optional(),
      }),
    )
    .output(pageOf(allocationChange)),
  getChange: query.input(oneChange).output(allocationChange),
  /** Reads the histories of a draft's changes again, as a job, and marks what changed. */
  recheck: remoteCommand.input(one).output(job),
  discard: command.input(one).output(allocationDraft),
  /** Sends a draft as a job. Only a user starts it, and only with the displayed `sha256`. One at a time per site. */
  send: remoteCommand
    .input(
      one.extend({
        sha256: z.string(),
        /** Number of failed changes after which sending stops. */
        stop_after: z.int().min(1).max(1_000_000).default(5),
      }),
    )
    .output(allocationDraft),
  pause: command.input(one).output(allocationDraft),
  resume: remoteCommand.input(one).output(allocationDraft),
  cancel: command.input(one).output(allocationDraft),
  /** Records a user's decision about an undecided change. */
  decide: command
    .input(oneChange.extend({ as: z.enum(['applied', 'not_applied']), reason: z.string().min(1).max(2000) }))
    .output(allocationChange),
  /** Looks up a change in the history again. */
  look: remoteCommand.input(oneChange).output(allocationChange),
  /** Returns a file with every change of a draft and its outcome. */
  report: command.input(one.extend({ format: z.enum(['csv', 'json']) })).output(blob),
};
