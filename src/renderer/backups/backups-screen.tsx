import { DatabaseBackup, ShieldAlert } from 'lucide-react';
import { useState } from 'react';
import type { BooksCopy, Outputs, Site } from '../../contract/index.ts';
import { useQuery } from '../backend-client/backend-hooks.ts';
import { CommandButton } from '../commands/command-button.tsx';
import { Button } from '../controls/button.tsx';
import { EmptyState } from '../controls/empty-state.tsx';
import { TextInput } from '../controls/form-fields.tsx';
import { Link } from '../controls/link.tsx';
import { Panel } from '../controls/panel.tsx';
import { Skeleton } from '../controls/skeleton.tsx';
import { TableHead } from '../controls/table-head.tsx';
import { DateTime, NoValue } from '../controls/values.tsx';
import { ErrorMessage } from '../errors/error-message.tsx';
import { ListWithDetail, Screen } from '../layout/screen.tsx';
import { navigate, useWindowState } from '../navigation/window-state.ts';
import { formatDateTime } from '../texts/moments.ts';
import { formatBytes, formatCount } from '../texts/numbers.ts';
import { texts } from '../texts/texts.ts';
import { BackupDetail } from './backup-detail.tsx';
import { toBackupItem, toBackupSource } from './backup-source.ts';
import './backups.css';

const text = texts.backups;

/** Screen that lists the backups of the books. It also works if the books are damaged. */
export function BackupsScreen({ site }: { readonly site: Site }) {
  const item = useWindowState((state) => state.route.item);
  const { data: backups, error } = useQuery('backups.list', { site: site.site });
  return (
    <Screen
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
    </Screen>
  );
}

type BackupList = Outputs['backups']['list'];

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

function BackupTable({
  copies,
  open,
}: {
  readonly copies: readonly BooksCopy[];
  readonly open: string | null;
}) {
  if (copies.length === 0) {
    return (
      <EmptyState icon={DatabaseBackup} title={text.emptyTitle}>
        {text.emptyText}
      </EmptyState>
    );
  }
  const titles = text.columns;
  return (
    <table className="table" aria-label={text.grid}>
      <TableHead
        titles={[
          titles.made,
          titles.reason,
          { end: titles.size },
          { end: titles.entries },
          { unseen: text.look },
        ]}
      />
      <tbody>
        {copies.map((copy) => (
          <tr key={copy.name} className={copy.name === open ? 'backups-open' : ''}>
            <th scope="row">
              <DateTime at={copy.made_at} />
            </th>
            <td>{text.reasons[copy.reason]}</td>
            <td className="table-end">{formatBytes(copy.bytes)}</td>
            <td className="table-end">{copy.entries === null ? <NoValue /> : formatCount(copy.entries)}</td>
            <td className="table-end">
              {copy.problem ?? (
                <Link
                  label={text.compareWith(formatDateTime(copy.made_at))}
                  onPress={() => navigate({ item: copy.name })}
                >
                  {text.look}
                </Link>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
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
          if (!missing) navigate({ item: toBackupItem(path.trim()) });
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
