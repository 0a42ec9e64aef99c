import type { IncidentKind, Outage } from '../../contract/index.ts';
import { incidentKindLabels } from '../../domain/labels/incidents.ts';
import { formatCount } from '../../domain/text/format-count.ts';
import type { ChangeEvents } from '../jobs/change-events.ts';
import type { OpenSite } from '../sites/open-site.ts';
import {
  addIncident,
  addIncidentEntry,
  addIncidentWebhooks,
  changeIncident,
  findGapIncident,
  findIncident,
  listIncidents,
  listIncidentsOfWebhooks,
  listIncidentWebhooks,
  listWebhooksWithoutIncident,
  type StoredIncident,
} from '../store/incidents/incident.ts';
import { readIncidentWebhooks } from '../store/incidents/incident-detail.ts';
import { readReplayCandidates } from '../store/replay/replay-candidates.ts';
import { runInTransaction } from '../store/sqlite/connection.ts';
import { isGapFilled } from '../store/webhooks/webhook-gaps.ts';
import { listCurrentOutages } from './list-current-outages.ts';

/** Maximum number of outages that become incidents, newest first. Chosen by judgment. */
const MAX_OUTAGES = 100;
/** Minimum number of new failures of an outage for a new incident after a person resolved the last one. Chosen by judgment. */
const MIN_NEW_FAILURES = 3;

type Site = Pick<OpenSite, 'cache' | 'books'>;

/** Adds new incidents, and resolves incidents whose webhooks were all accepted. Emits an event on changes. */
export function updateIncidentsAfterJob(
  tools: { now: () => number; changes: Pick<ChangeEvents, 'emit'> },
  open: OpenSite,
): void {
  if (updateIncidents(open, tools.now())) tools.changes.emit(open.file.site, 'incidents');
}

/** Updates the incidents from the stored log. Returns true if any incident changed. `at` is UTC milliseconds. */
export function updateIncidents(site: Site, at: number): boolean {
  const { cache, books } = site;
  const { outages } = listCurrentOutages(cache, MAX_OUTAGES, at);
  return runInTransaction(books, () => {
    const touched = new Set(listIncidents(books, ['open', 'acknowledged']).map(({ id }) => id));
    let changed = false;
    for (const outage of outages.toReversed()) {
      const { id, isNew } =
        outage.kind === 'gap' ? trackGap(site, outage, at) : trackFailures(site, outage, at);
      if (id !== null) touched.add(id);
      changed ||= isNew;
    }
    for (const id of touched) if (refreshIncident(site, id, at)) changed = true;
    return changed;
  });
}

/** Incident to which an outage belongs (null if none), and whether the incident was created or extended. */
interface TrackedOutage {
  id: number | null;
  isNew: boolean;
}

function trackGap({ books }: Site, outage: Outage, at: number): TrackedOutage {
  const to_at = Date.parse(outage.to);
  const known = findGapIncident(books, Date.parse(outage.from), to_at);
  if (known === null) return { id: addFoundIncident(books, outage, { at, webhooks: [] }), isNew: true };
  const grows = known.state !== 'resolved' && to_at !== known.to_at;
  if (grows) changeIncident(books, known.id, { to_at });
  return { id: known.resolved_by === 'person' ? null : known.id, isNew: grows };
}

/**
 * Adds the failures of an outage to the incident that contains its earlier failures, or else to a new incident. Outages
 * are identified by their webhooks, because replays change the time of the first failure.
 */
function trackFailures({ cache, books }: Site, outage: Outage, at: number): TrackedOutage {
  const ids = [...readReplayCandidates(cache, outage.filter ?? {})].map(({ webhook_id }) => webhook_id);
  const owners = listIncidentsOfWebhooks(books, ids);
  const fresh = listWebhooksWithoutIncident(books, ids);
  const own = owners.filter(({ kind }) => kind === 'failures' || kind === 'never_sent');
  const current =
    own.find(({ state }) => state !== 'resolved') ?? own.find(({ resolved_by }) => resolved_by === 'proof');
  if (current !== undefined) {
    if (fresh.length > 0) extendIncident(books, current, outage, fresh);
    return { id: current.id, isNew: fresh.length > 0 };
  }
  if (fresh.length < (owners.length > 0 ? MIN_NEW_FAILURES : 1)) return { id: null, isNew: false };
  return { id: addFoundIncident(books, outage, { at, webhooks: fresh }), isNew: true };
}

function extendIncident(
  books: OpenSite['books'],
  { id, from_at, to_at }: StoredIncident,
  outage: Outage,
  fresh: readonly number[],
): void {
  addIncidentWebhooks(books, id, fresh);
  changeIncident(books, id, {
    webhooks: listIncidentWebhooks(books, id).length,
    from_at: Math.min(from_at, Date.parse(outage.from)),
    to_at: Math.max(to_at, Date.parse(outage.to)),
  });
}

function addFoundIncident(
  books: OpenSite['books'],
  outage: Outage,
  { at, webhooks }: { at: number; webhooks: readonly number[] },
): number {
  const id = addIncident(books, { ...toNewIncident(outage, webhooks.length), found_at: at, found_by: null });
  addIncidentWebhooks(books, id, webhooks);
  addIncidentEntry(books, id, { at, user: null, text: 'Found in the webhook log.' });
  return id;
}

/** Returns the fields of a new open incident, except who found it and when. */
export function toNewIncident(
  { kind, from, to, url, error }: Pick<Outage, 'from' | 'to' | 'url' | 'error'> & { kind: IncidentKind },
  webhooks: number,
): Omit<StoredIncident, 'id' | 'found_at' | 'found_by'> {
  return {
    kind,
    name: `${incidentKindLabels[kind]}, ${from.slice(0, 16).replace('T', ' ')} UTC`,
    cause: null,
    owner: null,
    state: 'open',
    url,
    error,
    from_at: Date.parse(from),
    to_at: Date.parse(to),
    webhooks,
    accepted: 0,
    resolved_at: null,
    resolved_by: null,
  };
}

/**
 * Counts the accepted webhooks of an incident. Resolves the incident if the log proves its end. Reopens it if an
 * earlier proof no longer holds. Returns true if the incident changed.
 */
export function refreshIncident({ cache, books }: Site, id: number, at: number): boolean {
  const incident = findIncident(books, id);
  if (incident === null) return false;
  const { kind, webhooks, state, resolved_by } = incident;
  const accepted = readIncidentWebhooks(cache, books, id).filter(({ isAccepted }) => isAccepted).length;
  const isProved = kind === 'gap' ? isGapFilled(cache, incident) : accepted === webhooks;
  const found = (text: string) => addIncidentEntry(books, id, { at, user: null, text });
  if (isProved && state !== 'resolved') {
    changeIncident(books, id, { accepted, state: 'resolved', resolved_at: at, resolved_by: 'proof' });
    found(
      kind === 'gap'
        ? 'Resolved: the log now contains webhooks from this time range.'
        : `Resolved: the endpoint accepted ${webhooks === 1 ? 'the webhook' : `all ${webhooks} webhooks`}.`,
    );
    return true;
  }
  if (!isProved && resolved_by === 'proof') {
    changeIncident(books, id, { accepted, state: 'open', resolved_at: null, resolved_by: null });
    found(
      kind === 'gap'
        ? 'Reopened: the log has the gap again.'
        : `Reopened: ${formatCount(webhooks - accepted, 'webhook is', 'webhooks are')} not accepted.`,
    );
    return true;
  }
  if (accepted === incident.accepted) return false;
  changeIncident(books, id, { accepted });
  return true;
}
