import { FileDown, FileX, Pause, Play, RefreshCw, Send, Square, Undo2 } from 'lucide-react';
import { useState } from 'react';
import type { AllocationDraft, BackendClient, Site } from '../../contract/index.ts';
import { useAction, useBackend, useContractClient, useQuery } from '../backend-client/backend-hooks.ts';
import { CommandButton } from '../commands/command-button.tsx';
import { useCommandContext } from '../commands/use-command-context.ts';
import { Button, type ButtonProps } from '../controls/button.tsx';
import { SegmentedControl } from '../controls/form-fields.tsx';
import { DateTime, LabeledValueList } from '../controls/formatted-values.tsx';
import { Menu } from '../controls/menu.tsx';
import { ProgressIndicator } from '../controls/progress-indicator.tsx';
import { Skeleton } from '../controls/skeleton.tsx';
import { ErrorMessage } from '../errors/error-message.tsx';
import { DetailPane } from '../layout/screen-layout.tsx';
import { openDialog } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';
import { saveFile } from '../window-shell/save-file.ts';
import { openAllocationDraft } from './allocation-route.ts';
import { AllocationDraftStatus } from './allocation-status.tsx';
import { type DraftChangeFilter, DraftChangesGrid } from './draft-changes-grid.tsx';

import './allocations.css';

const text = texts.changes;
/** Draft states in which sending stopped early and can be resumed. */
const resumableStates: readonly AllocationDraft['state'][] = ['stopped', 'interrupted', 'canceled'];

/** Shows the details of a draft, with its changes and their outcomes. */
export function AllocationDraftDetail({ site, id }: { readonly site: Site; readonly id: string }) {
  const { data: draft, error } = useQuery('allocations.getDraft', { site: site.site, draft: id });
  const [filter, setFilter] = useState<DraftChangeFilter>('all');
  if (!draft || draft.draft !== id) return error ? <ErrorMessage error={error} /> : <Skeleton lines={10} />;
  const { outcomes, count, ready } = draft;
  const unsuccessful =
    outcomes.refused +
    outcomes.quantity_changed +
    outcomes.undecided +
    outcomes.not_applied +
    outcomes.verifying;
  const failedCount = unsuccessful - outcomes.verifying;
  const isUnsent = draft.state === 'draft' || draft.state === 'discarded';
  return (
    <DetailPane
      label={text.detail(draft.title)}
      head={
        <>
          <h2>{draft.title}</h2>
          <p>
            <AllocationDraftStatus draft={draft} pill />
            <span>{isUnsent ? text.summary(draft) : text.sent(draft)}</span>
          </p>
        </>
      }
      actions={<CommandButton id="view.closeDetail" kind="quiet" iconOnly />}
    >
      <div className="draft-head">
        <DraftActions draft={draft} />
        {!isUnsent && (
          <ProgressIndicator label={text.progress} done={outcomes.applied + failedCount} total={ready} />
        )}
        {draft.reason !== null && (
          <p className="callout callout-warn" role="status">
            {draft.reason}
          </p>
        )}
        {draft.state === 'draft' && draft.changed_since_drafted > 0 && (
          <p className="callout callout-warn">{text.quantitiesChanged(draft.changed_since_drafted)}</p>
        )}
        {outcomes.undecided > 0 && (
          <p className="callout callout-warn">{text.undecided(outcomes.undecided)}</p>
        )}
        <LabeledValueList
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
            label={text.filterLabel}
            labelUnseen
            value={filter}
            onChange={setFilter}
            options={(['all', 'ready', 'problems', 'wrong'] as const).map((value) => ({
              value,
              label: `${text.filters[value]} ${{ all: count, ready, problems: count - ready, wrong: unsuccessful }[value]}`,
            }))}
          />
        )}
      </div>
      <DraftChangesGrid draft={draft} filter={filter} />
    </DetailPane>
  );
}

/** Shows the buttons available in the draft's current state, and the report menu. */
function DraftActions({ draft }: { readonly draft: AllocationDraft }) {
  const client = useContractClient();
  const { connection } = useBackend();
  const { unavailableReason } = useCommandContext();
  const { site, draft: id } = draft;
  const ref = { site, draft: id };
  const action = useAction((act: () => Promise<unknown>) => act());
  const handler = (act: () => Promise<unknown>) => () => void action.run(act);
  const exportReport = (format: 'csv' | 'json') =>
    handler(async () => {
      const file = await client.allocations.report({ ...ref, format });
      await saveFile({ bytes: await connection.readBlob(file.blob), name: file.name, type: file.type });
    });
  const offlineReason = unavailableReason === null ? null : `${unavailableReason} ${text.offline}`;
  const buttons = draftButtons({ draft, client, offlineReason, isPending: action.running, handler });
  return (
    <>
      <div className="draft-actions">
        {buttons.map(
          ([isShown, label, props]) =>
            isShown && (
              <Button key={label} {...props}>
                {label}
              </Button>
            ),
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
                { id: 'csv', label: text.reportCsv, run: exportReport('csv') },
                { id: 'json', label: text.reportJson, run: exportReport('json') },
              ],
            },
          ]}
        />
      </div>
      {action.error && <ErrorMessage error={action.error} site={site} />}
    </>
  );
}

interface DraftButtonsOptions {
  readonly draft: AllocationDraft;
  readonly client: BackendClient;
  readonly offlineReason: string | null;
  readonly isPending: boolean;
  handler(act: () => Promise<unknown>): () => void;
}

type DraftButton = readonly [isShown: boolean, label: string, props: ButtonProps];

/** Returns the buttons of a draft, each with a flag that is true if the draft's state allows it. */
function draftButtons({
  draft,
  client,
  offlineReason,
  isPending,
  handler,
}: DraftButtonsOptions): DraftButton[] {
  const { site, draft: id, state, outcomes, ready } = draft;
  const ref = { site, draft: id };
  const isUnsent = state === 'draft';
  const isResumable = resumableStates.includes(state);
  const notApplied = outcomes.refused + outcomes.quantity_changed + outcomes.not_applied;
  return [
    [
      isUnsent,
      text.send,
      {
        kind: 'primary',
        icon: Send,
        disabledReason: offlineReason ?? (ready === 0 ? text.nothingReady : null),
        onPress: () => openDialog({ kind: 'sendDraft', draft: id }),
      },
    ],
    [
      isUnsent,
      text.check,
      {
        icon: RefreshCw,
        disabledReason: offlineReason,
        isPending,
        onPress: handler(() => client.allocations.recheck(ref)),
      },
    ],
    [
      isUnsent,
      text.discard,
      { kind: 'quiet', icon: FileX, onPress: handler(() => client.allocations.discard(ref)) },
    ],
    [
      state === 'running',
      text.pause,
      { icon: Pause, isPending, onPress: handler(() => client.allocations.pause(ref)) },
    ],
    [
      state === 'paused' || isResumable,
      text.resume,
      {
        kind: 'primary',
        icon: Play,
        disabledReason: offlineReason,
        isPending,
        onPress: handler(() => client.allocations.resume(ref)),
      },
    ],
    [
      state === 'running' || state === 'paused',
      text.stop,
      { icon: Square, isPending, onPress: handler(() => client.allocations.cancel(ref)) },
    ],
    [
      notApplied > 0 && (state === 'done' || isResumable),
      text.redraft,
      {
        icon: Undo2,
        isPending,
        onPress: handler(async () => openAllocationDraft((await client.allocations.redraft(ref)).draft)),
      },
    ],
  ];
}
