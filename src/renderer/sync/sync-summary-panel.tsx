import { CircleAlert, CircleCheck, CircleDashed } from 'lucide-react';
import type { ContractOutputs } from '../../contract/index.ts';
import { SegmentedControl } from '../controls/form-fields.tsx';
import { RelativeTime, useCurrentTime } from '../controls/formatted-values.tsx';
import { formatDateTime } from '../texts/date-times.ts';
import { texts } from '../texts/texts.ts';
import { changeUserSetting, useUserSettings } from '../user-settings/user-settings.ts';
import { formatMissingData } from './data-completeness.ts';
import type { NextSyncTrigger } from './next-sync.ts';
import { describeOtherProcesses } from './other-processes.ts';
import { summarizeSyncStatus } from './sync-summary.ts';
import { useNextSyncTrigger } from './use-automatic-sync.ts';

const text = texts.sync;
const ICONS = { good: CircleCheck, warn: CircleAlert, calm: CircleDashed } as const;

/** Panel that summarizes a site's data, what the next sync will do, and when it will start. */
export function SyncSummaryPanel({
  site,
  status,
}: {
  readonly site: string;
  readonly status: ContractOutputs['sync']['status'];
}) {
  const { tone, title, nextStep } = summarizeSyncStatus(status);
  const missing = formatMissingData(status);
  const Icon = ICONS[tone];
  const trigger = useNextSyncTrigger(site);
  const automatic = useUserSettings((settings) => settings['sync.automatic']);
  return (
    <section className={`sync-summary sync-${tone}`} aria-label={title}>
      <header>
        <Icon size={20} aria-hidden="true" />
        <h2>{title}</h2>
        {status.last && (
          <span className="fineprint">
            {status.last.ok ? text.lastSync : text.lastAttempt} <RelativeTime at={status.last.at} />
          </span>
        )}
      </header>
      {missing && <p>{missing}</p>}
      {describeOtherProcesses(status).map((line) => (
        <p key={line}>{line}</p>
      ))}
      <p>
        {nextStep} {trigger && <NextSyncText trigger={trigger} />}
      </p>
      <SegmentedControl
        label={text.automatic}
        value={automatic}
        onChange={(value) => changeUserSetting('sync.automatic', value)}
        options={(['never', 'back', 'often'] as const).map((value) => ({
          value,
          label: text.automaticChoices[value],
        }))}
      />
    </section>
  );
}

function NextSyncText({ trigger }: { readonly trigger: NextSyncTrigger }) {
  const now = useCurrentTime(20_000);
  if (trigger.by !== 'clock') return text.triggers[trigger.by];
  return trigger.at <= now
    ? text.triggers.soon
    : text.triggers.clock(formatDateTime(new Date(trigger.at).toISOString()));
}
