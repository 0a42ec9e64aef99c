import { z } from 'zod';
import { job } from '../app/jobs.ts';
import { blob, moment, pageInput, pageOf, quantity, serviceId, siteName } from '../shared/common-schemas.ts';
import { errorValue } from '../shared/errors.ts';
import { command, query, remoteCommand } from '../shared/procedure-kinds.ts';
import { allocation } from './allocation-schema.ts';

/** A new quantity that a person wants (interface 4.4). A scheme that is not given is the service's own setting. */
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
 * Why a drafted change is not sent as it is. unreadable: a row of the file that cannot be read; unknown_pair: nothing is held
 * of it yet, a check asks the service; missing: the service has no such subscription or component; duplicate: named before
 * with the same quantity; contradiction: named more than once with different quantities; no_change: that is its quantity.
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
 * What became of a change. looking: the answer was lost and the history is being looked at; moved: the quantity is not what
 * was confirmed any more, so it was not sent; undecided: the history does not tell, a person must; not_applied: certainly not.
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

/** What the history of a pair showed: before a change was sent, or when it was looked for. */
export const historySight = z.object({
  /** Allocations in the history; those equal to the change (from, to, memo). */
  count: z.int(),
  equal: z.int(),
  /** The quantity in effect; null where there is no allocation. */
  quantity: quantity.nullable(),
  newest_at: moment.nullable(),
  read_at: moment,
});
export type HistorySight = z.infer<typeof historySight>;

/** What is known of a change whose answer was lost. */
export const changeEvidence = z.object({
  before: historySight,
  /** Null until the history was read again. */
  after: historySight.nullable(),
  /** What stands in the history since, newest first. */
  entries: z.array(allocation.omit({ chained: true, ordinal: true })),
  /** What follows from it, in a sentence. */
  verdict: z.string(),
});
export type ChangeEvidence = z.infer<typeof changeEvidence>;

/** One change of a draft: what was asked for, what it would do, and what became of it. */
export const allocationChange = z.object({
  draft: z.string(),
  /** Its place in the draft, from 0. */
  ordinal: z.int(),
  /** Where it stands in the file it came from, and how; null elsewhere. */
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
  /** What the history showed when it was drafted and when it was last read; null where it shows nothing. */
  drafted_quantity: quantity.nullable(),
  current_quantity: quantity.nullable(),
  direction: z.enum(['upgrade', 'downgrade', 'none']).nullable(),
  /** The scheme that will apply; null where the service's own setting does. */
  scheme: z.string().nullable(),
  /** The scheme last seen in this component's history for this direction, as a hint at that setting. */
  scheme_seen: z.string().nullable(),
  problem: changeProblem.nullable(),
  /** The problem in a sentence. */
  problem_text: z.string().nullable(),
  outcome: changeOutcome,
  /** How the outcome is known: the service answered, the history shows it, a person said so. */
  resolved_by: z.enum(['response', 'history', 'user']).nullable(),
  resolved_at: moment.nullable(),
  /** As the service recorded it. */
  applied: allocation.omit({ chained: true, ordinal: true }).nullable(),
  /** Why it was not; a 422's `errors` word for word. */
  error: errorValue.nullable(),
  evidence: changeEvidence.nullable(),
  /** The requests it was sent in, from the journal, oldest first. */
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

/** Changes that wait until a person sends them, and afterwards what became of them. */
export const allocationDraft = z.object({
  draft: z.string(),
  site: siteName,
  title: z.string(),
  source: z.enum(['form', 'file', 'again']),
  /** The changes of a subscription leave in one request; their charges are rolled up into one payment (interface 4.5). */
  together: z.boolean(),
  created_at: moment,
  /** Who made it. */
  user: z.string(),
  state: draftState,
  /** Why it paused or stopped, in a sentence. */
  reason: z.string().nullable(),
  /** When the histories were last read for it; null: never, what is shown is what was held. */
  checked_at: moment.nullable(),
  sent_at: moment.nullable(),
  ended_at: moment.nullable(),
  job: z.string().nullable(),
  stop_after: z.int().nullable(),
  count: z.int(),
  /** Changes without a problem, and how many of them raise and lower a quantity. */
  ready: z.int(),
  upgrades: z.int(),
  downgrades: z.int(),
  /** Changes whose quantity is another than when they were drafted. */
  changed_since_drafted: z.int(),
  problems: z.record(changeProblem, z.int()),
  outcomes: z.record(changeOutcome, z.int()),
  /** Over what is to be sent: to be given back when it is sent, which proves that what is sent is what was shown. */
  sha256: z.string(),
});
export type AllocationDraft = z.infer<typeof allocationDraft>;

const one = z.object({ site: siteName, draft: z.string() });
const oneChange = one.extend({ ordinal: z.int().min(0) });

/** Drafting, sending and settling changes of quantities; part of `allocations`. */
export const changeProcedures = {
  /** Writes changes down as a draft, from what is held alone. It sends nothing. */
  draft: command
    .input(
      z.object({
        site: siteName,
        from: z.union([
          z.object({ changes: z.array(wantedChange).min(1).max(1000) }),
          /** A CSV with the columns subscription_id, component_id, quantity and, at will, memo and the two schemes. */
          z.object({ csv: z.string().max(50_000_000), name: z.string().max(255) }),
        ]),
        together: z.boolean().default(false),
        title: z.string().max(200).optional(),
      }),
    )
    .output(allocationDraft),
  /** A new draft of the changes of an ended one that were certainly not applied. */
  redraft: command.input(one).output(allocationDraft),
  /** The newest first. */
  drafts: query
    .input(z.object({ site: siteName, limit: z.int().min(1).max(1000).default(200) }))
    .output(z.array(allocationDraft)),
  getDraft: query.input(one).output(allocationDraft),
  /** The changes of a draft in its order. */
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
  /** Reads the histories of a draft's changes anew, as a job, and says what changed meanwhile. */
  recheck: remoteCommand.input(one).output(job),
  discard: command.input(one).output(allocationDraft),
  /** Sends a draft, as a job: only by a person, only as it was shown (`sha256`). One at a time per site. */
  send: remoteCommand
    .input(
      one.extend({
        sha256: z.string(),
        /** Changes that may go wrong before it stops. */
        stop_after: z.int().min(1).max(1_000_000).default(5),
      }),
    )
    .output(allocationDraft),
  pause: command.input(one).output(allocationDraft),
  resume: remoteCommand.input(one).output(allocationDraft),
  cancel: command.input(one).output(allocationDraft),
  /** What a person found out of a change that could not be decided. */
  decide: command
    .input(oneChange.extend({ as: z.enum(['applied', 'not_applied']), reason: z.string().min(1).max(2000) }))
    .output(allocationChange),
  /** Looks a change up in the history again. */
  look: remoteCommand.input(oneChange).output(allocationChange),
  /** Every change of a draft with its outcome, as a file. */
  report: command.input(one.extend({ format: z.enum(['csv', 'json']) })).output(blob),
};
