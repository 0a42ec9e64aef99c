import { Archive, ChevronDown, FileWarning, FileX } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ArchiveSummary, Job, Site } from '../../contract/index.ts';
import { useJob, useQuery } from '../backend-client/backend-hooks.ts';
import { CommandButton } from '../commands/command-button.tsx';
import { createCommandMenuEntries } from '../commands/command-registry.ts';
import { useCommandContext } from '../commands/use-command-context.ts';
import { Button } from '../controls/button.tsx';
import { CopyButton } from '../controls/copy-button.tsx';
import { EmptyState } from '../controls/empty-state.tsx';
import { RelativeTime } from '../controls/formatted-values.tsx';
import { Link } from '../controls/link.tsx';
import { Menu } from '../controls/menu.tsx';
import { Panel } from '../controls/panel.tsx';
import { Skeleton } from '../controls/skeleton.tsx';
import { StatusLabel } from '../controls/status-label.tsx';
import { DataTable } from '../controls/table-head.tsx';
import { ErrorMessage } from '../errors/error-message.tsx';
import { isActiveJob } from '../jobs/job-progress.ts';
import { getJobPartName, JobPartList, RunningJobPanel } from '../jobs/running-job.tsx';
import { ScreenLayout } from '../layout/screen-layout.tsx';
import { openRecordLocation, recordLocations } from '../navigation/record-location.ts';
import { formatDate } from '../texts/date-times.ts';
import { formatBytes, formatCount } from '../texts/numbers.ts';
import { texts } from '../texts/texts.ts';
import { ArchiveFileList } from './archive-file-list.tsx';
import { ExportList } from './export-list.tsx';
import { RetentionPanel } from './retention-panel.tsx';
import './archive.css';

const text = texts.archive;

/** Screen of the PDF archive with its key figures, damaged files, exports, retention, and files. */
export function ArchiveScreen({ site: { site } }: { readonly site: Site }) {
  const { data: summary, error } = useQuery('archive.summary', { site });
  const { data: jobs = [] } = useQuery('jobs.list', { site, limit: 20 });
  const running = jobs.find((job) => job.kind === 'archive' && isActiveJob(job));
  const isEmpty = summary !== undefined && summary.files === 0 && summary.deleted === 0;
  return (
    <ScreenLayout
      title={text.title}
      actions={
        <>
          <CheckMenu />
          {summary && summary.stored < summary.statements && !isEmpty && <CommandButton id="archive.fetch" />}
          {!isEmpty && <CommandButton id="archive.export" kind="primary" />}
        </>
      }
    >
      <div className="page">
        <div className="page-inner archive">
          {error && !summary && <ErrorMessage error={error} />}
          {!summary && !error && <Skeleton lines={8} />}
          {running && <RunningArchiveJob site={site} known={running} />}
          {isEmpty && (
            <EmptyState
              icon={Archive}
              title={text.emptyTitle}
              action={
                summary.statements > 0 && !running && <CommandButton id="archive.fetch" kind="primary" />
              }
              text={`${text.emptyText} ${summary.statements === 0 ? text.emptyNoStatements : ''}`}
            />
          )}
          {summary && !isEmpty && (
            <>
              <ArchiveKeyFigures summary={summary} />
              <DamagedFileList summary={summary} />
            </>
          )}
          <ExportList site={site} busy={running !== undefined} />
          {summary && !isEmpty && <RetentionPanel site={site} summary={summary} />}
          {summary && summary.files > 0 && <ArchiveFileList site={site} />}
        </div>
      </div>
    </ScreenLayout>
  );
}

/** Shows the progress of an archive job. The title names the part that is currently running. */
export function RunningArchiveJob({ site, known }: { readonly site: string; readonly known: Job }) {
  const job = useJob(site, known.id) ?? known;
  const currentPart = job.progress.at(-1);
  return (
    <RunningJobPanel
      job={job}
      title={currentPart === undefined ? text.running : getJobPartName(currentPart.part, text.parts)}
      label={text.running}
    >
      <JobPartList job={job} names={text.parts} />
    </RunningJobPanel>
  );
}

function CheckMenu() {
  const context = useCommandContext();
  return (
    <Menu
      label={text.checkMore}
      placement="bottom end"
      trigger={
        <Button kind="quiet" iconAfter={ChevronDown}>
          {text.checkMore}
        </Button>
      }
      groups={[['archive.check', 'archive.checkAll'], ['archive.verify']].map((ids) => ({
        entries: createCommandMenuEntries(ids, context),
      }))}
    />
  );
}

/** Shows the key figures of the archive: coverage, size, dates, and checks. */
export function ArchiveKeyFigures({ summary }: { readonly summary: ArchiveSummary }) {
  const { statements, stored, files, bytes, versions, oldest, newest, oldest_check, daily_check, deleted } =
    summary;
  const due = daily_check?.due ?? 0;
  return (
    <section className="archive-figures" aria-label={text.summary}>
      <dl>
        <Figure
          name={text.covered}
          note={stored < statements ? text.missing(statements - stored) : text.allStored}
          warn={stored < statements}
        >
          {text.coveredOf(stored, statements)}
        </Figure>
        <Figure name={text.files} note={`${formatBytes(bytes)} · ${text.versions(versions)}`}>
          {formatCount(files)}
        </Figure>
        <Figure name={text.documents} note={newest === null ? '' : text.to(formatDate(newest))}>
          {oldest === null ? text.noDocuments : formatDate(oldest)}
        </Figure>
        <Figure name={text.read} note={formatCheckNote(summary)} warn={summary.wrong.length > 0}>
          {oldest_check === null ? text.never : <RelativeTime at={oldest_check} />}
        </Figure>
      </dl>
      <p className="fineprint">
        {text.daily} {due > 0 && text.dueToday(due)} {deleted > 0 && text.deleted(deleted)}
      </p>
    </section>
  );
}

function formatCheckNote({ wrong, lost, oldest_check, checked, files }: ArchiveSummary): string {
  if (wrong.length + lost > 0) return text.wrongFiles(wrong.length + lost);
  return oldest_check === null ? text.someChecked(checked, files) : text.allChecked;
}

function Figure(props: { name: string; note: string; warn?: boolean; children: ReactNode }) {
  const { name, note, warn = false, children } = props;
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
      <dd className={warn ? 'archive-note archive-warn' : 'archive-note'}>{note}</dd>
    </div>
  );
}

const titles = text.damagedColumns;

/** Lists damaged and missing files, with a button to repair them. */
export function DamagedFileList({ summary: { wrong, lost } }: { readonly summary: ArchiveSummary }) {
  if (wrong.length === 0 && lost === 0) return null;
  return (
    <Panel
      level={2}
      title={text.damagedTitle}
      aside={wrong.length > 0 && <CommandButton id="archive.repair" size="small" />}
    >
      {wrong.length > 0 && <p>{text.damagedText}</p>}
      {lost > 0 && <p>{text.lost(lost)}</p>}
      {wrong.length > 0 && (
        <DataTable
          titles={[titles.state, titles.statements, titles.file, titles.found]}
          rows={wrong.map(({ sha256, state, statements, checked_at }) => ({
            key: sha256,
            cells: [
              <StatusLabel
                key="state"
                tone="bad"
                icon={state === 'damaged' ? FileWarning : FileX}
                text={text.states[state]}
              />,
              statements.map((id) => (
                <Link key={id} onPress={() => openRecordLocation(recordLocations.statement(id, 'pdf'))}>
                  {String(id)}
                </Link>
              )),
              <>
                <code>{sha256.slice(0, 16)}…</code> <CopyButton text={sha256} label={text.copySha} />
              </>,
              <RelativeTime key="found" at={checked_at} />,
            ],
          }))}
        />
      )}
    </Panel>
  );
}
