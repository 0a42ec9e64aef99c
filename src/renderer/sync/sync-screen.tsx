import { ChevronDown, CircleAlert, CircleCheck, CircleDashed } from 'lucide-react';
import type { ContractOutputs, Site, SyncPartStatus } from '../../contract/index.ts';
import { useQuery } from '../backend-client/backend-hooks.ts';
import { runCommand } from '../commands/command.ts';
import { CommandButton } from '../commands/command-button.tsx';
import { createCommandMenuEntries, findCommand } from '../commands/command-registry.ts';
import { useCommandContext } from '../commands/use-command-context.ts';
import { Button } from '../controls/button.tsx';
import { DateTime, RelativeTime } from '../controls/formatted-values.tsx';
import { Menu } from '../controls/menu.tsx';
import { Panel } from '../controls/panel.tsx';
import { ProgressIndicator } from '../controls/progress-indicator.tsx';
import { Skeleton } from '../controls/skeleton.tsx';
import { StatusLabel } from '../controls/status-label.tsx';
import { DataTable } from '../controls/table-head.tsx';
import { ErrorMessage } from '../errors/error-message.tsx';
import { isOfflineError } from '../errors/error-texts.ts';
import { PageLayout, ScreenLayout } from '../layout/screen-layout.tsx';
import { formatCount } from '../texts/numbers.ts';
import { texts } from '../texts/texts.ts';
import { formatStoredDataNotes } from './data-completeness.ts';
import { PastSyncList } from './past-sync-list.tsx';
import { RunningSync } from './running-sync.tsx';
import { SyncProblems } from './sync-problems.tsx';
import { SyncSummaryPanel } from './sync-summary-panel.tsx';
import './sync.css';

const text = texts.sync;
type SyncStatus = ContractOutputs['sync']['status'];

/** Screen that shows the stored data, missing data, problems, and past syncs. */
export function SyncScreen({ site }: { readonly site: Site }) {
  const { data: status, error } = useQuery('sync.status', { site: site.site });
  const context = useCommandContext();
  return (
    <ScreenLayout
      title={text.title}
      actions={
        status?.running ? (
          <CommandButton id="sync.cancel" />
        ) : (
          <>
            <SyncMenu />
            <CommandButton id="sync.start" kind="primary" />
          </>
        )
      }
    >
      <PageLayout>
        {error && !status && <ErrorMessage error={error} />}
        {!status && !error && <Skeleton lines={8} />}
        {status && (
          <>
            {!status.running && <SyncSummaryPanel site={site.site} status={status} />}
            {status.running && (
              <RunningSync
                site={site.site}
                job={status.running}
                other_process={status.other_process ?? null}
              />
            )}
            {!status.running && status.last?.error && !isOfflineError(status.last.error) && (
              <ErrorMessage
                error={status.last.error}
                onRetry={() => void runCommand(findCommand('sync.start'), context)}
              />
            )}
            <StoredDataPanel status={status} />
          </>
        )}
        <SyncProblems
          site={site.site}
          count={status?.parts.reduce((sum, part) => sum + part.problems, 0) ?? 0}
        />
        <PastSyncList site={site.site} />
      </PageLayout>
    </ScreenLayout>
  );
}

function SyncMenu() {
  const context = useCommandContext();
  const partCommands = ['sync.webhooks', 'sync.statements', 'sync.allocations', 'sync.pdf'];
  const fullSyncEntries = createCommandMenuEntries(['sync.full'], context).map((entry) => ({
    ...entry,
    hint: text.fullHint,
  }));
  return (
    <Menu
      label={text.startMore}
      placement="bottom end"
      trigger={
        <Button kind="quiet" iconAfter={ChevronDown}>
          {text.startMore}
        </Button>
      }
      groups={[{ entries: createCommandMenuEntries(partCommands, context) }, { entries: fullSyncEntries }]}
    />
  );
}

function StoredDataPanel({ status }: { readonly status: SyncStatus }) {
  const titles = text.columns;
  return (
    <Panel level={2} title={text.storedData}>
      <DataTable
        titles={[
          titles.part,
          { text: titles.stored, cellClass: 'table-wide' },
          titles.newest,
          titles.complete,
          titles.state,
        ]}
        rows={status.parts.map((part) => ({
          key: part.part,
          cells: [
            text.parts[part.part],
            <StoredCount key="stored" part={part} />,
            <DateTime key="newest" at={part.newest_at} />,
            <RelativeTime key="synced" at={part.synced_at} />,
            <PartStatusLabel key="state" part={part} />,
          ],
        }))}
      />
      {formatStoredDataNotes(status).map((note) => (
        <p key={note} className="fineprint sync-remark">
          {note}
        </p>
      ))}
    </Panel>
  );
}

function StoredCount({ part }: { readonly part: SyncPartStatus }) {
  const { stored, expected } = part;
  return (
    <>
      {formatStored(part)}
      {expected !== null && expected > stored && (
        <ProgressIndicator label={text.parts[part.part]} done={stored} total={expected} />
      )}
    </>
  );
}

function formatStored({ part, stored, expected }: SyncPartStatus): string {
  const shown =
    expected === null || expected === stored ? formatCount(stored) : text.storedOf(stored, expected);
  return part === 'allocations' ? text.histories(shown, stored === 1 && shown === '1') : shown;
}

function PartStatusLabel({ part }: { readonly part: SyncPartStatus }) {
  const { stored, expected, complete, problems } = part;
  const missing = expected === null ? 0 : Math.max(0, expected - stored);
  if (complete && problems === 0) {
    return <StatusLabel tone="good" icon={CircleCheck} text={text.complete} />;
  }
  if (part.part === 'pdf' && problems === 0) {
    return <StatusLabel tone="calm" icon={CircleDashed} text={text.onDemand} />;
  }
  if (problems > 0) {
    return (
      <StatusLabel
        tone="warn"
        icon={CircleAlert}
        text={[missing > 0 && part.part !== 'pdf' ? text.missing(missing) : null, text.problemCount(problems)]
          .filter(Boolean)
          .join(', ')}
      />
    );
  }
  return (
    <StatusLabel
      tone={stored === 0 ? 'calm' : 'warn'}
      icon={CircleDashed}
      text={missing > 0 ? text.missing(missing) : stored === 0 ? text.empty : text.incomplete}
    />
  );
}
