import { ChevronDown, CircleAlert, CircleCheck, CircleDashed } from 'lucide-react';
import type { Outputs, PartStatus, Site } from '../../contract/index.ts';
import { useQuery } from '../backend/hooks.ts';
import { runCommand } from '../commands/command.ts';
import { CommandButton, commandNamed, useCommandContext } from '../commands/use-commands.tsx';
import { Button } from '../controls/button.tsx';
import { Menu } from '../controls/menu.tsx';
import { Panel, Progress, Skeleton } from '../controls/pieces.tsx';
import { Status } from '../controls/status.tsx';
import { TableHead } from '../controls/table-head.tsx';
import { Ago, Moment } from '../controls/values.tsx';
import { ErrorNote } from '../errors/error-note.tsx';
import { isOffline } from '../errors/error-words.ts';
import { Screen } from '../frame/screen.tsx';
import { countText } from '../words/numbers.ts';
import { words } from '../words/words.ts';
import { remarks } from './missing.ts';
import { Problems } from './problems.tsx';
import { RunningSync } from './running-sync.tsx';
import { Runs } from './runs.tsx';
import { Summary } from './summary.tsx';
import './sync.css';

const text = words.sync;
type SyncState = Outputs['sync']['status'];

/** What is held and up to when, what is missing and why, and the ways to get it. */
export function SyncScreen({ site }: { readonly site: Site }) {
  const { data: status, error } = useQuery('sync.status', { site: site.site });
  const context = useCommandContext();
  return (
    <Screen
      title={text.title}
      actions={
        status?.running ? (
          <CommandButton id="sync.cancel" />
        ) : (
          <>
            <Menu
              label={text.startMore}
              placement="bottom end"
              trigger={
                <Button kind="quiet" iconAfter={ChevronDown}>
                  {text.startMore}
                </Button>
              }
              groups={[
                ['sync.webhooks', 'sync.statements', 'sync.allocations', 'sync.pdf'],
                ['sync.full'],
              ].map((ids) => ({
                entries: ids.map((id) => {
                  const command = commandNamed(id);
                  const enabled = command.enabled(context);
                  return {
                    id,
                    label: command.title,
                    reason: enabled === true ? null : enabled,
                    hint: id === 'sync.full' ? text.fullHint : undefined,
                    run: () => void runCommand(command, context),
                  };
                }),
              }))}
            />
            <CommandButton id="sync.start" kind="primary" />
          </>
        )
      }
    >
      <div className="page">
        <div className="page-inner">
          {error && !status && <ErrorNote error={error} />}
          {!status && !error && <Skeleton lines={8} />}
          {status && (
            <>
              {!status.running && <Summary site={site.site} status={status} />}
              {status.running && (
                <RunningSync site={site.site} job={status.running} elsewhere={status.elsewhere ?? null} />
              )}
              {!status.running && status.last?.error && !isOffline(status.last.error) && (
                <ErrorNote
                  error={status.last.error}
                  onRetry={() => void runCommand(commandNamed('sync.start'), context)}
                />
              )}
              <Held status={status} />
            </>
          )}
          <Problems
            site={site.site}
            count={status?.parts.reduce((sum, part) => sum + part.problems, 0) ?? 0}
          />
          <Runs site={site.site} />
        </div>
      </div>
    </Screen>
  );
}

function Held({ status }: { readonly status: SyncState }) {
  const titles = text.columns;
  return (
    <Panel level={2} title={text.what}>
      <table className="table">
        <TableHead titles={[titles.part, titles.held, titles.newest, titles.complete, titles.state]} />
        <tbody>
          {status.parts.map((part) => (
            <PartRow key={part.part} part={part} />
          ))}
        </tbody>
      </table>
      {remarks(status).map((remark) => (
        <p key={remark} className="fineprint sync-remark">
          {remark}
        </p>
      ))}
    </Panel>
  );
}

function PartRow({ part }: { readonly part: PartStatus }) {
  const { held, expected } = part;
  return (
    <tr>
      <th scope="row">{text.parts[part.part]}</th>
      <td className="table-wide">
        {heldText(part)}
        {expected !== null && expected > held && (
          <Progress label={text.parts[part.part]} done={held} total={expected} />
        )}
      </td>
      <td>
        <Moment at={part.newest_at} />
      </td>
      <td>
        <Ago at={part.synced_at} />
      </td>
      <td>
        <PartState part={part} />
      </td>
    </tr>
  );
}

function heldText({ part, held, expected }: PartStatus): string {
  const shown = expected === null || expected === held ? countText(held) : text.heldOf(held, expected);
  return part === 'allocations' ? text.histories(shown, held === 1 && shown === '1') : shown;
}

function PartState({ part }: { readonly part: PartStatus }) {
  const { held, expected, complete, problems } = part;
  const missing = expected === null ? 0 : Math.max(0, expected - held);
  if (complete && problems === 0) {
    return (
      <Status tone="good" icon={CircleCheck}>
        {text.complete}
      </Status>
    );
  }
  if (part.part === 'pdf' && problems === 0) {
    return (
      <Status tone="calm" icon={CircleDashed}>
        {text.onDemand}
      </Status>
    );
  }
  if (problems > 0) {
    return (
      <Status tone="warn" icon={CircleAlert}>
        {[missing > 0 && part.part !== 'pdf' ? text.missing(missing) : null, text.problemCount(problems)]
          .filter(Boolean)
          .join(', ')}
      </Status>
    );
  }
  return (
    <Status tone={held === 0 ? 'calm' : 'warn'} icon={CircleDashed}>
      {missing > 0 ? text.missing(missing) : held === 0 ? text.empty : text.incomplete}
    </Status>
  );
}
