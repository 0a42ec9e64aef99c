import { FileDown, FileX, Pause, Play, RefreshCw, Send, Square, Undo2 } from 'lucide-react';
import { useState } from 'react';
import type { AllocationDraft, Site } from '../../contract/index.ts';
import { useAction, useBackend, useClient, useQuery } from '../backend/hooks.ts';
import { CommandButton, useCommandContext } from '../commands/use-commands.tsx';
import { Button } from '../controls/button.tsx';
import { Segments } from '../controls/field.tsx';
import { Menu } from '../controls/menu.tsx';
import { Progress, Skeleton } from '../controls/pieces.tsx';
import { saveBytes } from '../controls/save.ts';
import { Facts, Moment } from '../controls/values.tsx';
import { ErrorNote } from '../errors/error-note.tsx';
import { Detail } from '../frame/screen.tsx';
import { notify, openDialog } from '../view/view.ts';
import { words } from '../words/words.ts';
import { DraftStatus } from './change-status.tsx';
import { ChangesGrid, type Showing } from './changes-grid.tsx';
import { openDraft } from './place.ts';

import './allocations.css';

const text = words.changes;
const over: readonly AllocationDraft['state'][] = ['stopped', 'interrupted', 'cancelled'];

/** One draft: what it would do, and while and after it is sent what becomes of each change. */
export function DraftDetail({ site, id }: { readonly site: Site; readonly id: string }) {
  const { data: draft, error } = useQuery('allocations.getDraft', { site: site.site, draft: id });
  const [showing, setShowing] = useState<Showing>('all');
  if (!draft || draft.draft !== id) return error ? <ErrorNote error={error} /> : <Skeleton lines={10} />;
  const { outcomes, count, ready } = draft;
  const wrong =
    outcomes.refused + outcomes.moved + outcomes.undecided + outcomes.not_applied + outcomes.looking;
  const failed = wrong - outcomes.looking;
  const waits = draft.state === 'draft' || draft.state === 'discarded';
  return (
    <Detail
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
      actions={<CommandButton id="view.closeDetail" kind="quiet" bare />}
    >
      <div className="draft-head">
        <Actions draft={draft} />
        {!waits && <Progress label={text.progress} done={outcomes.applied + failed} total={ready} />}
        {draft.reason !== null && (
          <p className="callout callout-warn" role="status">
            {draft.reason}
          </p>
        )}
        {draft.state === 'draft' && draft.changed_meanwhile > 0 && (
          <p className="callout callout-warn">{text.meanwhile(draft.changed_meanwhile)}</p>
        )}
        {outcomes.undecided > 0 && (
          <p className="callout callout-warn">{text.undecided(outcomes.undecided)}</p>
        )}
        <Facts
          across
          rows={[
            [text.facts.site, site.title],
            [
              text.facts.made,
              <span key="made">
                <Moment at={draft.created_at} /> {text.by(draft.who)}
              </span>,
            ],
            [
              text.facts.checked,
              draft.checked_at === null ? text.notChecked : <Moment key="checked" at={draft.checked_at} />,
            ],
            [text.facts.requests, draft.together ? text.inOne : text.separately],
          ]}
        />
        {count > 1 && (
          <Segments
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
    </Detail>
  );
}

function Actions({ draft }: { readonly draft: AllocationDraft }) {
  const client = useClient();
  const { connection } = useBackend();
  const { away } = useCommandContext();
  const { site, draft: id, state } = draft;
  const one = { site, draft: id };
  const acting = useAction((act: () => Promise<unknown>) => act());
  const does = (act: () => Promise<unknown>) => () => void acting.run(act);
  const offline = away === null ? null : `${away} ${text.offline}`;
  const report = async (format: 'csv' | 'json') => {
    const file = await client.allocations.report({ ...one, format });
    saveBytes(await connection.readBlob(file.blob), file.name, file.type);
    notify(text.exported(file.name), 'good');
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
              reason={offline ?? (draft.ready === 0 ? text.nothingReady : null)}
              onPress={() => openDialog({ kind: 'sendDraft', draft: id })}
            >
              {text.send}
            </Button>
            <Button
              icon={RefreshCw}
              reason={offline}
              pending={pending}
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
          <Button icon={Pause} pending={pending} onPress={does(() => client.allocations.pause(one))}>
            {text.pause}
          </Button>
        )}
        {(state === 'paused' || over.includes(state)) && (
          <Button
            kind="primary"
            icon={Play}
            reason={offline}
            pending={pending}
            onPress={does(() => client.allocations.resume(one))}
          >
            {text.resume}
          </Button>
        )}
        {(state === 'running' || state === 'paused') && (
          <Button icon={Square} pending={pending} onPress={does(() => client.allocations.cancel(one))}>
            {text.stop}
          </Button>
        )}
        {left > 0 && (state === 'done' || over.includes(state)) && (
          <Button icon={Undo2} pending={pending} onPress={does(redraft)}>
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
      {acting.error && <ErrorNote error={acting.error} site={site} />}
    </>
  );
}
