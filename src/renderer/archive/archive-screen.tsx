import { Archive, ChevronDown } from 'lucide-react';
import type { Site } from '../../contract/index.ts';
import { useQuery } from '../backend-client/backend-hooks.ts';
import { CommandButton } from '../commands/command-button.tsx';
import { createCommandEntries } from '../commands/command-menu-entries.ts';
import { useCommandContext } from '../commands/use-command-context.ts';
import { Button } from '../controls/button.tsx';
import { EmptyState } from '../controls/empty-state.tsx';
import { Menu } from '../controls/menu.tsx';
import { Skeleton } from '../controls/skeleton.tsx';
import { ErrorMessage } from '../errors/error-message.tsx';
import { isActiveJob } from '../jobs/job-progress.ts';
import { Screen } from '../layout/screen.tsx';
import { texts } from '../texts/texts.ts';
import { ArchiveFigures } from './archive-figures.tsx';
import { DamagedFiles } from './damaged-files.tsx';
import { ExportList } from './export-list.tsx';
import { ArchiveFileList } from './file-list.tsx';
import { RetentionPanel } from './retention-panel.tsx';
import { RunningArchiveJob } from './running-archive-job.tsx';
import './archive.css';

const text = texts.archive;

/** Screen of the PDF archive with its key figures, damaged files, exports, retention, and files. */
export function ArchiveScreen({ site: { site } }: { readonly site: Site }) {
  const { data: summary, error } = useQuery('archive.summary', { site });
  const { data: jobs = [] } = useQuery('jobs.list', { site, limit: 20 });
  const running = jobs.find((job) => job.kind === 'archive' && isActiveJob(job));
  const isEmpty = summary !== undefined && summary.files === 0 && summary.deleted === 0;
  return (
    <Screen
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
            >
              {text.emptyText} {summary.statements === 0 && text.emptyNoStatements}
            </EmptyState>
          )}
          {summary && !isEmpty && (
            <>
              <ArchiveFigures summary={summary} />
              <DamagedFiles summary={summary} />
            </>
          )}
          <ExportList site={site} busy={running !== undefined} />
          {summary && !isEmpty && <RetentionPanel site={site} summary={summary} />}
          {summary && summary.files > 0 && <ArchiveFileList site={site} />}
        </div>
      </div>
    </Screen>
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
        entries: createCommandEntries(ids, context),
      }))}
    />
  );
}
