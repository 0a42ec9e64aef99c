import type { IncidentDetail } from '../../contract/index.ts';
import { incidentKindLabels, incidentStateLabels } from '../labels/incidents.ts';
import { formatCount } from '../text/format-count.ts';

/** Returns the post-mortem report of an incident as Markdown. `madeAt` is an ISO 8601 timestamp. */
export function formatIncidentReport(
  incident: IncidentDetail,
  { siteTitle, madeAt }: { siteTitle: string; madeAt: string },
): string {
  const { name, cause, timeline, replays, by_event, not_accepted } = incident;
  return [
    `# Incident ${incident.id}: ${escapeMarkdown(name)}`,
    '',
    `Report of ${formatTime(madeAt)} about ${escapeMarkdown(siteTitle)}. All times are in UTC.`,
    '',
    ...formatTable(['Field', 'Value'], describeIncident(incident)),
    '',
    '## Impact',
    '',
    describeImpact(incident),
    ...(by_event.length === 0
      ? []
      : [
          '',
          ...formatTable(
            ['Event', 'Webhooks', 'Accepted since'],
            by_event.map(({ event, webhooks, accepted }) => [event, String(webhooks), String(accepted)]),
          ),
        ]),
    '',
    '## Cause',
    '',
    cause === null ? 'Not recorded.' : escapeMarkdown(cause),
    '',
    '## Timeline',
    '',
    ...formatTable(
      ['Time', 'By', 'Event'],
      timeline.map(({ at, user, text }) => [formatTime(at), user ?? 'Tieout', text]),
    ),
    '',
    '## Replays',
    '',
    ...(replays.length === 0
      ? ['None.']
      : formatTable(
          ['Replay', 'Started', 'Status', 'Sent to', 'Webhooks', 'Accepted'],
          replays.map(({ job, started_at, state, endpoint, webhooks, accepted }) => [
            job,
            formatTime(started_at),
            state,
            endpoint ?? 'the service’s endpoint',
            String(webhooks),
            String(accepted),
          ]),
        )),
    ...(not_accepted.length === 0 ? [] : ['', '## Not accepted', '', formatIds(incident)]),
    '',
  ].join('\n');
}

function describeIncident(incident: IncidentDetail): [string, string][] {
  const { kind, state, resolved_at, resolved_by, owner, url, error, found_at, found_by } = incident;
  const proof = resolved_by === 'proof' ? 'proved by the webhook log' : 'by decision';
  return [
    ['Kind', incidentKindLabels[kind]],
    ['Status', incidentStateLabels[state]],
    ['Resolved', resolved_at === null ? '–' : `${formatTime(resolved_at)}, ${proof}`],
    ['Owner', owner ?? '–'],
    ['Found', `${formatTime(found_at)} by ${found_by ?? 'Tieout'}`],
    ['From', formatTime(incident.from)],
    ['To', formatTime(incident.to)],
    ['Endpoint', url ?? '–'],
    ['Error', error ?? '–'],
  ];
}

function describeImpact({ kind, webhooks, accepted }: IncidentDetail): string {
  if (kind === 'gap')
    return 'The log has no webhooks of this time, so the number of missing notifications is unknown.';
  const open = webhooks - accepted;
  const rest =
    open === 0
      ? 'All of them have been accepted since.'
      : `${formatCount(open, 'webhook has', 'webhooks have')} not been accepted so far.`;
  return `${formatCount(webhooks, 'webhook was', 'webhooks were')} not accepted. ${rest}`;
}

function formatIds({ not_accepted, webhooks, accepted }: IncidentDetail): string {
  const more = webhooks - accepted - not_accepted.length;
  return `Webhook ids: ${not_accepted.join(', ')}${more > 0 ? `, and ${more} more` : ''}.`;
}

const formatTime = (at: string): string => at.slice(0, 19).replace('T', ' ');

function formatTable(header: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const formatRow = (cells: readonly string[]) => `| ${cells.map(escapeMarkdown).join(' | ')} |`;
  return [formatRow(header), `|${header.map(() => '---').join('|')}|`, ...rows.map(formatRow)];
}

/** Escapes text of people and of endpoints, so that it can contain neither markup nor links nor table borders. */
const escapeMarkdown = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_{}[\]()#+!|~<>&]/g, (character) => `\\${character}`)
    .replace(/:\/\//g, ':\\/\\/');
