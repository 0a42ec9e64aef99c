import { type ContractInputs, createNonRetryableError, type Incident } from '../../contract/index.ts';
import { formatCount } from '../../domain/text/format-count.ts';
import type { CommandContext } from '../jobs/command-context.ts';
import { requireRecord } from '../shared/require-record.ts';
import { formatTimestamp } from '../shared/timestamps.ts';
import type { OpenSite } from '../sites/open-site.ts';
import { addAuditEntry } from '../store/audit-log/audit-log.ts';
import {
  addIncident,
  addIncidentEntry,
  addIncidentWebhooks,
  changeIncident,
  findGapIncident,
  findIncident,
  listIncidentsOfWebhooks,
  type StoredIncident,
} from '../store/incidents/incident.ts';
import { toIncident } from '../store/incidents/incident-detail.ts';
import {
  type ReplayCandidate,
  readReplayCandidates,
  readReplayCandidatesById,
} from '../store/replay/replay-candidates.ts';
import { runInTransaction, type WritableDb } from '../store/sqlite/connection.ts';
import { listCurrentOutages } from './list-current-outages.ts';
import { refreshIncident, toNewIncident } from './update-incidents.ts';

type Inputs = ContractInputs['incidents'];
type Description = Pick<Inputs['update'], 'name' | 'cause' | 'owner'>;
type NewIncident = Omit<StoredIncident, 'id' | 'found_at' | 'found_by'>;

/** Maximum number of outages searched for an outage id. Chosen by judgment. */
const MAX_OUTAGES = 500;

export const requireIncident = (books: WritableDb, id: number): StoredIncident =>
  requireRecord(findIncident(books, id), `incident ${id}`, 'See the list of incidents.');

/**
 * Adds an incident. Throws `not_found` for an unknown outage, `conflict` if an unresolved incident tracks the outage, and
 * `validation` if no webhook belongs to the incident.
 */
export function addSelectedIncident(
  context: CommandContext,
  { site, from, ...description }: Inputs['add'],
): Incident {
  const open = context.stores.open(site);
  const { incident, webhooks } = selectIncident(open, from, context.now());
  if ('outage' in from) requireUntracked(open, incident, webhooks);
  return decide(context, site, {
    action: 'incidents.add',
    text: `Added with ${formatCount(webhooks.length, 'webhook')}.`,
    detail: { webhooks: webhooks.length },
    description,
    apply: (books, at) => {
      const id = addIncident(books, { ...incident, found_at: at, found_by: context.user });
      addIncidentWebhooks(books, id, webhooks);
      return id;
    },
  });
}

function requireUntracked({ books }: OpenSite, { kind, from_at, to_at }: NewIncident, ids: number[]): void {
  const candidates =
    kind === 'gap' ? [findGapIncident(books, from_at, to_at)] : listIncidentsOfWebhooks(books, ids);
  const known = candidates.find((each) => each?.kind === kind && each.state !== 'resolved');
  if (known)
    throw createNonRetryableError(
      'conflict',
      `Incident ${known.id} already tracks this outage.`,
      'Change that incident instead.',
    );
}

/** Changes the name, cause or owner of an incident, or adds a note. Throws `validation` for empty input. */
export function updateIncident(
  context: CommandContext,
  { site, id, note, ...description }: Inputs['update'],
): Incident {
  if (note === undefined && Object.values(description).every((value) => value === undefined))
    throw createNonRetryableError(
      'validation',
      'There is nothing to change.',
      'Enter a name, cause, owner or note.',
    );
  return decide(context, site, {
    action: 'incidents.update',
    text: note ?? null,
    detail: note === undefined ? {} : { note },
    description,
    apply: (books) => requireIncident(books, id).id,
  });
}

export function acknowledgeIncident(
  context: CommandContext,
  { site, id, ...description }: Inputs['acknowledge'],
): Incident {
  return decide(context, site, {
    action: 'incidents.acknowledge',
    text: 'Acknowledged.',
    description,
    apply(books) {
      const incident = requireIncident(books, id);
      if (incident.state !== 'open')
        throw wrongStateError(incident, 'Only an open incident can be acknowledged.');
      changeIncident(books, id, { state: 'acknowledged' });
      return id;
    },
  });
}

export function resolveIncident(
  context: CommandContext,
  { site, id, reason, ...description }: Inputs['resolve'],
): Incident {
  return decide(context, site, {
    action: 'incidents.resolve',
    text: `Resolved: ${reason}`,
    reason,
    description,
    apply(books, at) {
      const incident = requireIncident(books, id);
      if (incident.state === 'resolved') throw wrongStateError(incident, 'There is nothing to resolve.');
      changeIncident(books, id, { state: 'resolved', resolved_at: at, resolved_by: 'person' });
      return id;
    },
  });
}

export function reopenIncident(context: CommandContext, { site, id, reason }: Inputs['reopen']): Incident {
  return decide(context, site, {
    action: 'incidents.reopen',
    text: `Reopened: ${reason}`,
    reason,
    description: {},
    apply(books) {
      const incident = requireIncident(books, id);
      if (incident.resolved_by !== 'person')
        throw wrongStateError(
          incident,
          incident.state === 'resolved'
            ? 'All of its webhooks were accepted. It reopens automatically if that changes.'
            : 'It is not resolved.',
        );
      changeIncident(books, id, { state: 'open', resolved_at: null, resolved_by: null });
      return id;
    },
  });
}

const wrongStateError = ({ id, state }: StoredIncident, hint: string) =>
  createNonRetryableError('conflict', `Incident ${id} is ${state}.`, hint);

interface IncidentDecision {
  action: string;
  /** Text for the timeline, or null if only the incident's description changes. */
  text: string | null;
  reason?: string;
  detail?: Record<string, unknown>;
  description: Description;
  /** Applies a decision to an incident and returns the incident's id. */
  apply(books: WritableDb, at: number): number;
}

/** Applies a decision, records it in the timeline and the audit log, and returns the incident. */
function decide(
  { stores, changes, user, now }: CommandContext,
  site: string,
  { action, text, reason, detail = {}, description, apply }: IncidentDecision,
): Incident {
  const { cache, books } = stores.open(site);
  const at = now();
  const id = runInTransaction(books, () => {
    const id = apply(books, at);
    const change = Object.fromEntries(
      Object.entries(description).filter(([, value]) => value !== undefined),
    ) as Partial<Pick<StoredIncident, 'name' | 'cause' | 'owner'>>;
    changeIncident(books, id, change);
    for (const line of [text, describeChange(change)])
      if (line !== null) addIncidentEntry(books, id, { at, user, text: line });
    const { name } = requireIncident(books, id);
    const entry = {
      action,
      subject: String(id),
      reason: reason ?? null,
      detail: { name, ...change, ...detail },
    };
    addAuditEntry(books, { at, user, ...entry });
    refreshIncident({ cache, books }, id, at);
    return id;
  });
  changes.emit(site, 'incidents', 'audit');
  return toIncident(requireIncident(books, id));
}

/** Returns a sentence for the timeline about the changed fields, or null if none changed. */
function describeChange({ name, cause, owner }: Partial<Pick<StoredIncident, 'name' | 'cause' | 'owner'>>) {
  const sentences = [
    name === undefined ? null : `Name: ${name}.`,
    cause === undefined ? null : cause === null ? 'Cause removed.' : `Cause: ${cause}`,
    owner === undefined ? null : owner === null ? 'Owner removed.' : `Owner: ${owner}.`,
  ].filter((sentence) => sentence !== null);
  return sentences.length === 0 ? null : sentences.join(' ');
}

/** Returns a new incident for a selection, and the ids of its webhooks that were not accepted. */
function selectIncident(
  { cache }: OpenSite,
  from: Inputs['add']['from'],
  now: number,
): { incident: NewIncident; webhooks: number[] } {
  if ('outage' in from) {
    const { outages } = listCurrentOutages(cache, MAX_OUTAGES, now);
    const outage = requireRecord(
      outages.find(({ id }) => id === from.outage) ?? null,
      `outage ${from.outage}`,
      'See the list of outages. An outage ends when its webhooks are accepted.',
    );
    const webhooks =
      outage.filter === null ? [] : [...readReplayCandidates(cache, outage.filter)].map(toWebhookId);
    return { incident: toNewIncident(outage, webhooks.length), webhooks };
  }
  const candidates =
    'filter' in from
      ? readReplayCandidates(cache, { ...from.filter, status: 'failed' })
      : readReplayCandidatesById(cache, from.ids);
  const rows = [...candidates].filter(({ delivery }) => delivery !== 0);
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined)
    throw createNonRetryableError(
      'validation',
      'All selected webhooks were accepted or are not stored.',
      'Select webhooks that were not accepted. Sync first if the log is not current.',
    );
  const urls = new Set(rows.map(({ url }) => url));
  const errors = new Set(rows.map(({ error }) => error));
  const isErrorGroup = 'filter' in from && from.filter.error !== undefined;
  const fromTime = formatTimestamp(first.created_at);
  const incident = toNewIncident(
    {
      kind: isErrorGroup ? 'error_group' : 'selection',
      from: fromTime,
      to: formatTimestamp(last.created_at),
      url: urls.size === 1 ? first.url : null,
      error: errors.size === 1 ? first.error : null,
    },
    rows.length,
  );
  const name = isErrorGroup
    ? `Error: ${from.filter.error?.slice(0, 100)}`
    : `${formatCount(rows.length, 'selected webhook')}, ${fromTime.slice(0, 16).replace('T', ' ')} UTC`;
  return { incident: { ...incident, name }, webhooks: rows.map(toWebhookId) };
}

const toWebhookId = ({ webhook_id }: ReplayCandidate): number => webhook_id;
