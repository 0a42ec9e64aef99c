import type { Incident, IncidentDetail } from '../../../contract/index.ts';
import { formatTimestamp } from '../../shared/timestamps.ts';
import { createLocalAcceptanceLookup } from '../replay/local-deliveries.ts';
import { type ReadableDb, select } from '../sqlite/connection.ts';
import { findIncident, listIncidentWebhooks, type StoredIncident } from './incident.ts';

/** Maximum number of listed ids of webhooks that were not accepted. Chosen by judgment. */
const MAX_LISTED_WEBHOOKS = 1000;

export function toIncident({ from_at, to_at, found_at, resolved_at, ...rest }: StoredIncident): Incident {
  return {
    ...rest,
    from: formatTimestamp(from_at),
    to: formatTimestamp(to_at),
    found_at: formatTimestamp(found_at),
    resolved_at: formatTimestamp(resolved_at),
  };
}

/** A webhook of an incident. `isAccepted` means that its own address has accepted it. */
export interface IncidentWebhook {
  id: number;
  event: string;
  isAccepted: boolean;
}

/**
 * Returns an incident's webhooks in ascending order of creation. A webhook counts as accepted if the log or a local
 * delivery to its own address shows its acceptance. A webhook that is not stored counts as not accepted.
 */
export function readIncidentWebhooks(
  cache: ReadableDb,
  books: ReadableDb,
  incident: number,
): IncidentWebhook[] {
  const sql = `SELECT value AS id, coalesce(webhook.event, '') AS event, coalesce(webhook.delivery, 2) AS delivery,
       coalesce(url, '') AS url
     FROM json_each(?) LEFT JOIN webhook ON webhook.id = value LEFT JOIN webhook_class ON webhook_class.id = class_id
     ORDER BY webhook.created_at, value`;
  const isAcceptedLocally = createLocalAcceptanceLookup(books);
  const ids = JSON.stringify(listIncidentWebhooks(books, incident));
  return select
    .rows<{ id: number; event: string; delivery: number; url: string }>(cache, sql, ids)
    .map(({ id, event, delivery, url }) => ({
      id,
      event,
      isAccepted: delivery === 0 || isAcceptedLocally(id, url),
    }));
}

/** Returns an incident with its timeline and replays, or null if it does not exist. */
export function getIncidentDetail(cache: ReadableDb, books: ReadableDb, id: number): IncidentDetail | null {
  const stored = findIncident(books, id);
  if (stored === null) return null;
  const webhooks = readIncidentWebhooks(cache, books, id);
  const replays = listIncidentReplays(books, id);
  return {
    ...toIncident(stored),
    timeline: createTimeline(books, stored, replays),
    replays,
    by_event: countByEvent(webhooks),
    not_accepted: webhooks
      .filter(({ isAccepted }) => !isAccepted)
      .slice(0, MAX_LISTED_WEBHOOKS)
      .map((each) => each.id),
  };
}

function countByEvent(webhooks: readonly IncidentWebhook[]): IncidentDetail['by_event'] {
  return [...Map.groupBy(webhooks, ({ event }) => event)]
    .map(([event, rows]) => ({
      event,
      webhooks: rows.length,
      accepted: rows.filter(({ isAccepted }) => isAccepted).length,
    }))
    .sort((a, b) => b.webhooks - a.webhooks || (a.event < b.event ? -1 : 1));
}

type IncidentReplays = IncidentDetail['replays'];

/** Lists the replays that contain any webhook of an incident, oldest first. */
function listIncidentReplays(books: ReadableDb, incident: number): IncidentReplays {
  const sql = `SELECT job, replay_job.state, started_at, ended_at, address AS endpoint, webhooks, accepted
     FROM (SELECT job, count(*) AS webhooks, sum(outcome = 'accepted') AS accepted
         FROM incident_webhook CROSS JOIN replay_item INDEXED BY replay_item_webhook USING (webhook_id)
         WHERE incident = ? GROUP BY job)
       JOIN replay_job USING (job) JOIN replay_plan ON replay_plan.id = plan ORDER BY started_at, job`;
  type Row = Omit<IncidentReplays[number], 'started_at' | 'ended_at'> & {
    started_at: number;
    ended_at: number | null;
  };
  return select.rows<Row>(books, sql, incident).map((row) => ({
    ...row,
    started_at: formatTimestamp(row.started_at),
    ended_at: formatTimestamp(row.ended_at),
  }));
}

/** Merges the times of the webhooks, the recorded decisions and the replays into one timeline. */
function createTimeline(
  books: ReadableDb,
  { id, kind, from_at, to_at }: StoredIncident,
  replays: IncidentReplays,
): IncidentDetail['timeline'] {
  const sql = 'SELECT at, user, text FROM incident_entry WHERE incident = ? ORDER BY seq';
  const entries = select
    .rows<{ at: number; user: string | null; text: string }>(books, sql, id)
    .map((row) => ({ ...row, at: formatTimestamp(row.at) }));
  const [first, last] =
    kind === 'gap'
      ? ['Last webhook before the gap.', 'End of the gap.']
      : ['First webhook that was not accepted.', 'Last webhook that was not accepted.'];
  const found = (at: string, text: string) => ({ at, user: null, text });
  return [
    found(formatTimestamp(from_at), first),
    found(formatTimestamp(to_at), last),
    ...entries,
    ...replays.flatMap(({ job, started_at, ended_at, webhooks, accepted, endpoint }) => [
      found(started_at, `Replay ${job} started${endpoint === null ? '' : ` to ${endpoint}`}.`),
      ...(ended_at === null
        ? []
        : [found(ended_at, `Replay ${job} ended: ${accepted} of ${webhooks} webhooks accepted.`)]),
    ]),
  ].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
}
