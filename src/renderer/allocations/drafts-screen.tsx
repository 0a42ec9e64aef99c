import { ArrowLeft, FilePen } from 'lucide-react';
import type { AllocationDraft, Site } from '../../contract/index.ts';
import { CommandButton } from '../commands/use-commands.tsx';
import { Button } from '../controls/button.tsx';
import { Empty } from '../controls/pieces.tsx';
import { Beside, Screen } from '../frame/screen.tsx';
import type { Column } from '../grid/columns.ts';
import { GridView } from '../grid/grid-view.tsx';
import { StatusBar } from '../grid/status-bar.tsx';
import { useFollow } from '../grid/use-follow.ts';
import { useWholeList } from '../grid/use-whole-list.ts';
import { countColumn, momentColumn, textColumn } from '../grid/value-columns.tsx';
import { go, useView } from '../view/view.ts';
import { words } from '../words/words.ts';
import { DraftStatus } from './change-status.tsx';
import { DraftDetail } from './draft-detail.tsx';
import { draftIn } from './place.ts';

const text = words.changes;
const titles = text.columns;
const rowsOf = (drafts: AllocationDraft[]) => drafts;
const idOf = (draft: AllocationDraft) => `draft-${draft.draft}`;

/** The drafts that wait, and what became of those that were sent. */
export function DraftsScreen({ site }: { readonly site: Site }) {
  const item = useView((view) => view.route.item);
  const grid = useWholeList({
    name: 'allocations',
    list: 'allocations.drafts',
    selection: { site: site.site },
    rowsOf,
    idOf,
  });
  const open = draftIn(item);
  useFollow(grid, open !== null, idOf);
  return (
    <Screen
      title={text.title}
      actions={
        <>
          <Button kind="quiet" icon={ArrowLeft} onPress={() => go({ item: null })}>
            {text.back}
          </Button>
          <CommandButton id="allocations.import" kind="primary" />
        </>
      }
    >
      <Beside
        name="drafts"
        width={780}
        list={
          <>
            <GridView
              name="allocationDrafts"
              label={text.grid}
              grid={grid}
              columns={columns}
              pickable={false}
              onOpen={(row) => go({ item: idOf(row) }, open !== null)}
              onEscape={() => go({ item: null })}
              empty={
                <Empty icon={FilePen} title={text.emptyTitle}>
                  {text.emptyText}
                </Empty>
              }
            />
            <StatusBar grid={grid} one={text.one} />
          </>
        }
        detail={open && <DraftDetail key={open} site={site} id={open} />}
      />
    </Screen>
  );
}

function figure(
  id: 'changes' | 'ready' | 'applied' | 'open',
  count: (draft: AllocationDraft) => number,
): Column<AllocationDraft> {
  return countColumn({ id, title: titles[id], width: 92 }, count);
}

const columns: readonly Column<AllocationDraft>[] = [
  textColumn(
    { id: 'title', title: titles.title, width: 200, grows: true, tone: 'strong' },
    (row) => row.title,
  ),
  {
    id: 'state',
    title: titles.state,
    width: 172,
    cell: (row) => <DraftStatus draft={row} />,
    copy: (row) => ({ text: text.states[row.state] }),
  },
  momentColumn({ id: 'made', title: titles.made, width: 158 }, (row) => row.created_at),
  figure('changes', ({ count }) => count),
  figure('ready', ({ ready }) => ready),
  figure('applied', ({ outcomes }) => outcomes.applied),
  figure('open', ({ outcomes }) => outcomes.undecided + outcomes.looking + outcomes.sending),
  textColumn({ id: 'who', title: titles.who, width: 110, hidden: true }, (row) => row.who),
];
