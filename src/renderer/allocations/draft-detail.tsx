import { FileDown, FileX, Pause, Play, RefreshCw, Send, Square, Undo2 } from 'lucide-react';
import { useState } from 'react';
import type { AllocationDraft, Site } from '../../contract/index.ts';
import { useAction, useBackend, useContractClient, useQuery } from '../backend-client/backend-hooks.ts';
import { CommandButton } from '../commands/command-button.tsx';
import { useCommandContext } from '../commands/use-command-context.ts';
import { Button } from '../controls/button.tsx';
import { downloadBytes } from '../controls/download-file.ts';
import { SegmentedControl } from '../controls/form-fields.tsx';
import { Menu } from '../controls/menu.tsx';
import { ProgressIndicator } from '../controls/progress-indicator.tsx';
import { Skeleton } from '../controls/skeleton.tsx';
import { DateTime, FactList } from '../controls/values.tsx';
import { ErrorMessage } from '../errors/error-message.tsx';
import { DetailPane } from '../layout/screen.tsx';
import { openDialog, showNotice } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';
import { openDraft } from './allocation-route.ts';
import { DraftStatus } from './change-status.tsx';
import { type ChangeFilter, ChangesGrid } from './changes-grid.tsx';

import './allocations.css';

const text = texts.changes;
const resumableStates: readonly AllocationDraft['state'][] = ['stopped', 'interrupted', 'canceled'];

/** One draft: what it would do, and while and after it is sent what becomes of each change. */
export function DraftDetail({ site, id }: { readonly site: Site; readonly id: string }) {
  const { data: draft, error } = useQuery('allocations.getDraft', { site: site.site, draft: id });
  const [showing, setShowing] = useState<ChangeFilter>('all');
  if (!draft || draft.draft !== id) return error ? <ErrorMessage error={error} /> : <Skeleton lines={10} />;
  const { outcomes, count, ready } = draft;
  const wrong =
    outcomes.refused + outcomes.moved + outcomes.undecided + outcomes.not_applied + outcomes.looking;
  const failed = wrong - outcomes.looking;
  const waits = draft.state === 'draft' || draft.state === 'discarded';
  return (
    <DetailPane
      label={text.detail(draft.title)}
      head={
        <>
          <h2>{draft.title}</h2>
          <p>
            <DraftStatus draft={draft} pill />
            <span>{waits ? text.summary(draft) : text.sent(draft)}</span>
          </p>
        </>
      }
      actions={<CommandButton id="view.closeDetail" kind="quiet" iconOnly />}
    >
      <div className="draft-head">
        <DraftActions draft={draft} />
        {!waits && <ProgressIndicator label={text.progress} done={outcomes.applied + failed} total={ready} />}
        {draft.reason !== null && (
          <p className="callout callout-warn" role="status">
            {draft.reason}
          </p>
        )}
        {draft.state === 'draft' && draft.changed_since_drafted > 0 && (
          <p className="callout callout-warn">{text.meanwhile(draft.changed_since_drafted)}</p>
        )}
        {outcomes.undecided > 0 && (
          <p className="callout callout-warn">{text.undecided(outcomes.undecided)}</p>
        )}
        <FactList
          sideBySide
          rows={[
            [text.facts.site, site.title],
            [
              text.facts.made,
              <span key="made">
                <DateTime at={draft.created_at} /> {text.by(draft.user)}
              </span>,
            ],
            [
              text.facts.checked,
              draft.checked_at === null ? text.notChecked : <DateTime key="checked" at={draft.checked_at} />,
            ],
            [text.facts.requests, draft.together ? text.inOne : text.separately],
          ]}
        />
        {count > 1 && (
          <SegmentedControl
            label={text.showing}
            labelUnseen
            value={showing}
            onChange={setShowing}
            options={(['all', 'ready', 'problems', 'wrong'] as const).map((value) => ({
              value,
              label: `${text.shows[value]} ${{ all: count, ready, problems: count - ready, wrong }[value]}`,
            }))}
          />
        )}
      </div>
      <ChangesGrid draft={draft} showing={showing} />
    </DetailPane>
  );
}

function DraftActions({ draft }: { readonly draft: AllocationDraft }) {
  const client = useContractClient();
  const { connection } = useBackend();
  const { unavailableReason } = useCommandContext();
  const { site, draft: id, state } = draft;
  const one = { site, draft: id };
  const acting = useAction((act: () => Promise<unknown>) => act());
  const does = (act: () => Promise<unknown>) => () => void acting.run(act);
  const offline = unavailableReason === null ? null : `${unavailableReason} ${text.offline}`;
  const report = async (format: 'csv' | 'json') => {
    const file = await client.allocations.report({ ...one, format });
    downloadBytes(await connection.readBlob(file.blob), file.name, file.type);
    showNotice(text.exported(file.name), 'good');
  };
  const redraft = async () => openDraft((await client.allocations.redraft(one)).draft);
  const pending = acting.running;
  const left = draft.outcomes.refused + draft.outcomes.moved + draft.outcomes.not_applied;
  return (
    <>
      <div className="draft-actions">
        {state === 'draft' && (
          <>
            <Button
              kind="primary"
              icon={Send}
              disabledReason={offline ?? (draft.ready === 0 ? text.nothingReady : null)}
              onPress={() => openDialog({ kind: 'sendDraft', draft: id })}
            >
              {text.send}
            </Button>
            <Button
              icon={RefreshCw}
              disabledReason={offline}
              isPending={pending}
              onPress={does(() => client.allocations.recheck(one))}
            >
              {text.check}
            </Button>
            <Button kind="quiet" icon={FileX} onPress={does(() => client.allocations.discard(one))}>
              {text.discard}
            </Button>
          </>
        )}
        {state === 'running' && (
          <Button icon={Pause} isPending={pending} onPress={does(() => client.allocations.pause(one))}>
            {text.pause}
          </Button>
        )}
        {(state === 'paused' || resumableStates.includes(state)) && (
          <Button
            kind="primary"
            icon={Play}
            disabledReason={offline}
            isPending={pending}
            onPress={does(() => client.allocations.resume(one))}
          >
            {text.resume}
          </Button>
        )}
        {(state === 'running' || state === 'paused') && (
          <Button icon={Square} isPending={pending} onPress={does(() => client.allocations.cancel(one))}>
            {text.stop}
          </Button>
        )}
        {left > 0 && (state === 'done' || resumableStates.includes(state)) && (
          <Button icon={Undo2} isPending={pending} onPress={does(redraft)}>
            {text.redraft}
          </Button>
        )}
        <Menu
          label={text.report}
          trigger={
            <Button kind="quiet" icon={FileDown}>
              {text.report}
            </Button>
          }
          groups={[
            {
              entries: [
                { id: 'csv', label: text.reportCsv, run: does(() => report('csv')) },
                { id: 'json', label: text.reportJson, run: does(() => report('json')) },
              ],
            },
          ]}
        />
      </div>
      {acting.error && <ErrorMessage error={acting.error} site={site} />}
    </>
  );
}
