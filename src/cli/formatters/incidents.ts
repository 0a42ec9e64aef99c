import type { Incident, IncidentDetail } from '../../contract/webhooks/incidents.ts';
import { incidentKindLabels } from '../../domain/labels/incidents.ts';
import { formatMinute } from '../output/format-values.ts';
import { createCountColumn, formatLabeledValues, type TableColumn } from '../output/table.ts';
import type { TextLines } from '../output/terminal-text.ts';

export const incidentColumns: TableColumn<Incident>[] = [
  { header: 'incident', cell: ({ id }) => id, align: 'right' },
  { header: 'state', cell: ({ state }) => state },
  { header: 'name', cell: ({ name }) => name, minWidth: 24 },
  { header: 'from (UTC)', cell: ({ from }) => formatMinute(from) },
  { header: 'to (UTC)', cell: ({ to }) => formatMinute(to) },
  createCountColumn('webhooks', ({ webhooks }) => webhooks),
  createCountColumn('accepted', ({ accepted }) => accepted),
  { header: 'owner', cell: ({ owner }) => owner, isOptional: true },
  { header: 'address', cell: ({ url }) => url, minWidth: 16, isOptional: true },
];

/** Formats an incident with its timeline and replays. */
export function formatIncident(incident: IncidentDetail): TextLines {
  const { state, resolved_by, timeline, replays, by_event } = incident;
  return [
    formatLabeledValues([
      ['incident', incident.id],
      ['name', incident.name],
      ['kind', incidentKindLabels[incident.kind]],
      ['state', resolved_by === null ? state : `${state} (${resolved_by})`],
      ['owner', incident.owner],
      ['cause', incident.cause],
      ['address', incident.url],
      ['error', incident.error],
      ['webhooks', `${incident.accepted} of ${incident.webhooks} accepted`],
    ]),
    by_event.length > 0 && ['', 'events'],
    by_event.map(({ event, webhooks, accepted }) => `  ${event}: ${accepted} of ${webhooks} accepted`),
    '',
    'timeline (UTC)',
    timeline.map(
      ({ at, user, text }) => `  ${formatMinute(at)}  ${text}${user === null ? '' : ` (${user})`}`,
    ),
    replays.length > 0 && ['', 'replays'],
    replays.map(
      ({ job, state, webhooks, accepted }) => `  ${job}  ${state}, ${accepted} of ${webhooks} accepted`,
    ),
  ];
}
