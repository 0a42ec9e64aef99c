import { CircleAlert, CircleCheck, CircleDashed } from 'lucide-react';
import type { Outputs } from '../../contract/index.ts';
import { SegmentedControl } from '../controls/form-fields.tsx';
import { RelativeTime, useCurrentTime } from '../controls/values.tsx';
import { formatDateTime } from '../texts/moments.ts';
import { texts } from '../texts/texts.ts';
import { changeSetting, useUserSettings } from '../user-settings/user-settings.ts';
import { formatMissingData } from './data-completeness.ts';
import type { NextSyncTrigger } from './next-sync.ts';
import { formatOtherProcesses } from './other-processes.ts';
import { summarizeSync } from './sync-summary.ts';
import { useNextSyncTrigger } from './use-automatic-sync.ts';

const text = texts.sync;
const ICONS = { good: CircleCheck, warn: CircleAlert, calm: CircleDashed } as const;

/** How things stand in one sentence, what comes next in another, and whether it comes by itself. */
export function SyncSummaryPanel({
  site,
  status,
}: {
  readonly site: string;
  readonly status: Outputs['sync']['status'];
}) {
  const { tone, now, next } = summarizeSync(status);
  const missing = formatMissingData(status);
  const Icon = ICONS[tone];
  const begins = useNextSyncTrigger(site);
  const automatic = useUserSettings((settings) => settings['sync.automatic']);
  return (
    <section className={`sync-summary sync-${tone}`} aria-label={now}>
      <header>
        <Icon size={20} aria-hidden="true" />
        <h2>{now}</h2>
        {status.last && (
          <span className="fineprint">
            {status.last.ok ? text.lastSync : text.lastTry} <RelativeTime at={status.last.at} />
          </span>
        )}
      </header>
      {missing && <p>{missing}</p>}
      {formatOtherProcesses(status).map((line) => (
        <p key={line}>{line}</p>
      ))}
      <p>
        {next} {begins && <NextSyncText next={begins} />}
      </p>
      <SegmentedControl
        label={text.automatic}
        value={automatic}
        onChange={(value) => changeSetting('sync.automatic', value)}
        options={(['never', 'back', 'often'] as const).map((value) => ({
          value,
          label: text.automaticChoices[value],
        }))}
      />
    </section>
  );
}

function NextSyncText({ next }: { readonly next: NextSyncTrigger }) {
  const now = useCurrentTime(20_000);
  if (next.by !== 'clock') return text.begins[next.by];
  return next.at <= now
    ? text.begins.soon
    : text.begins.clock(formatDateTime(new Date(next.at).toISOString()));
}
