import { DatabaseBackup, ShieldAlert } from 'lucide-react';
import { useState } from 'react';
import type { BooksBackup, ContractOutputs, Site } from '../../contract/index.ts';
import { useQuery } from '../backend-client/backend-hooks.ts';
import { CommandButton } from '../commands/command-button.tsx';
import { Button } from '../controls/button.tsx';
import { EmptyState } from '../controls/empty-state.tsx';
import { TextInput } from '../controls/form-fields.tsx';
import { DateTime, MissingValue } from '../controls/formatted-values.tsx';
import { Link } from '../controls/link.tsx';
import { Panel } from '../controls/panel.tsx';
import { Skeleton } from '../controls/skeleton.tsx';
import { DataTable } from '../controls/table-head.tsx';
import { ErrorMessage } from '../errors/error-message.tsx';
import { ListWithDetail, ScreenLayout } from '../layout/screen-layout.tsx';
import { navigate, useWindowState } from '../navigation/window-state.ts';
import { formatDateTime } from '../texts/date-times.ts';
import { formatBytes, formatCount } from '../texts/numbers.ts';
import { texts } from '../texts/texts.ts';
import { BackupDetail, toBackupRouteItem, toBackupSource } from './backup-detail.tsx';
import './backups.css';

const text = texts.backups;

/** Screen that lists the backups of the books. The screen also works if the books are damaged. */
export function BackupsScreen({ site }: { readonly site: Site }) {
  const item = useWindowState((state) => state.route.item);
  const { data: backups, error } = useQuery('backups.list', { site: site.site });
  return (
    <ScreenLayout
      title={text.title}
      actions={
        <>
          <CommandButton id="backups.restorePack" />
          <CommandButton id="backups.make" kind="primary" />
        </>
      }
    >
      <ListWithDetail
        name="backups"
        width={520}
        list={
          <div className="page">
            <div className="page-inner backups">
              <p className="prose">{text.lead}</p>
              {error && <ErrorMessage error={error} site={site.site} />}
              {!backups && !error && <Skeleton lines={8} />}
              {backups && <BooksStatus kept={backups} />}
              {backups && <BackupTable copies={backups.copies} open={item} />}
              <OtherBackupForm />
            </div>
          </div>
        }
        detail={
          item === null ? null : <BackupDetail key={item} site={site.site} from={toBackupSource(item)} />
        }
      />
    </ScreenLayout>
  );
}

type BackupList = ContractOutputs['backups']['list'];

function BooksStatus({ kept: { problem, changed_since, bytes, copies } }: { readonly kept: BackupList }) {
  if (problem !== null) {
    return (
      <div className="callout callout-bad" role="alert">
        <ShieldAlert size={16} aria-hidden="true" />
        <div>
          <strong>{text.damagedTitle}</strong>
          <span>
            {problem} {text.damagedText}
          </span>
        </div>
      </div>
    );
  }
  return (
    <p className="fineprint">
      {text.size(formatBytes(bytes))} {changed_since && copies.length > 0 && text.changedSince}
    </p>
  );
}

function BackupTable(props: { readonly copies: readonly BooksBackup[]; readonly open: string | null }) {
  const { copies, open } = props;
  if (copies.length === 0) {
    return <EmptyState icon={DatabaseBackup} title={text.emptyTitle} text={text.emptyText} />;
  }
  const titles = text.columns;
  return (
    <DataTable
      label={text.grid}
      titles={[
        titles.made,
        titles.reason,
        { end: titles.size },
        { end: titles.entries },
        { unseen: text.look, cellClass: 'table-end' },
      ]}
      rows={copies.map((copy) => ({
        key: copy.name,
        className: copy.name === open ? 'backups-open' : '',
        cells: [
          <DateTime key="made" at={copy.made_at} />,
          text.reasons[copy.reason],
          formatBytes(copy.bytes),
          copy.entries === null ? <MissingValue key="entries" /> : formatCount(copy.entries),
          copy.problem ?? (
            <Link
              key="look"
              label={text.compareWith(formatDateTime(copy.made_at))}
              onPress={() => navigate({ item: copy.name })}
            >
              {text.look}
            </Link>
          ),
        ],
      }))}
    />
  );
}

/** Form for opening a backup file from another folder. */
function OtherBackupForm() {
  const [path, setPath] = useState('');
  const missing = path.trim() === '';
  return (
    <Panel level={2} title={text.otherLocation}>
      <form
        className="backups-other"
        onSubmit={(event) => {
          event.preventDefault();
          if (!missing) navigate({ item: toBackupRouteItem(path.trim()) });
        }}
      >
        <TextInput label={text.path} value={path} onChange={setPath} maxLength={4000} />
        <Button type="submit" disabledReason={missing ? text.pathNeeded : null}>
          {text.look}
        </Button>
      </form>
    </Panel>
  );
}

/** Banner shown on every screen if the books cannot be opened. It links to the backups. */
export function DamagedBooksBanner({ site }: { readonly site: string }) {
  const { error } = useQuery('check.summary', { site });
  const { data: backups } = useQuery('backups.list', error?.code === 'corrupt' ? { site } : null);
  if (error?.code !== 'corrupt' || !backups || backups.problem === null) return null;
  return (
    <div className="banner banner-warn" role="alert">
      <ShieldAlert size={14} aria-hidden="true" />
      <span className="banner-text">{text.damagedBanner}</span>
      <Button
        size="small"
        onPress={() => navigate({ screen: 'backups', item: backups.copies[0]?.name ?? null })}
      >
        {text.showLatest}
      </Button>
    </div>
  );
}
