import { ArrowLeft, FilePen } from 'lucide-react';
import type { AllocationDraft, Site } from '../../contract/index.ts';
import { CommandButton } from '../commands/command-button.tsx';
import { Button } from '../controls/button.tsx';
import { EmptyState } from '../controls/empty-state.tsx';
import type { GridColumn } from '../grid/columns/columns.ts';
import { countColumn, dateTimeColumn, textColumn } from '../grid/columns/value-columns.tsx';
import { useCompleteList } from '../grid/lists/use-complete-list.ts';
import { useDetailFollowsActiveRow } from '../grid/lists/use-detail-sync.ts';
import { StatusBar } from '../grid/summary/status-bar.tsx';
import { GridView } from '../grid/view/grid-view.tsx';
import { ListWithDetail, Screen } from '../layout/screen.tsx';
import { navigate, useWindowState } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';
import { toDraftId } from './allocation-route.ts';
import { AllocationDraftStatus } from './change-status.tsx';
import { DraftDetail } from './draft-detail.tsx';

const text = texts.changes;
const titles = text.columns;
const rowsOf = (drafts: AllocationDraft[]) => drafts;
const idOf = (draft: AllocationDraft) => `draft-${draft.draft}`;

/** Screen that lists the allocation drafts, both unsent and sent. */
export function DraftsScreen({ site }: { readonly site: Site }) {
  const item = useWindowState((state) => state.route.item);
  const grid = useCompleteList({
    name: 'allocations',
    procedure: 'allocations.drafts',
    query: { site: site.site },
    rowsOf,
    idOf,
  });
  const open = toDraftId(item);
  useDetailFollowsActiveRow(grid, open !== null, idOf);
  return (
    <Screen
      title={text.title}
      actions={
        <>
          <Button kind="quiet" icon={ArrowLeft} onPress={() => navigate({ item: null })}>
            {text.back}
          </Button>
          <CommandButton id="allocations.import" kind="primary" />
        </>
      }
    >
      <ListWithDetail
        name="drafts"
        width={780}
        list={
          <>
            <GridView
              name="allocationDrafts"
              label={text.grid}
              grid={grid}
              columns={columns}
              isSelectable={false}
              onOpen={(row) => navigate({ item: idOf(row) }, open !== null)}
              onEscape={() => navigate({ item: null })}
              empty={
                <EmptyState icon={FilePen} title={text.emptyTitle}>
                  {text.emptyText}
                </EmptyState>
              }
            />
            <StatusBar grid={grid} singular={text.singular} />
          </>
        }
        detail={open && <DraftDetail key={open} site={site} id={open} />}
      />
    </Screen>
  );
}

function draftCountColumn(
  id: 'changes' | 'ready' | 'applied' | 'open',
  count: (draft: AllocationDraft) => number,
): GridColumn<AllocationDraft> {
  return countColumn({ id, title: titles[id], width: 92 }, count);
}

const columns: readonly GridColumn<AllocationDraft>[] = [
  textColumn(
    { id: 'title', title: titles.title, width: 200, fillsSpace: true, tone: 'strong' },
    (row) => row.title,
  ),
  {
    id: 'state',
    title: titles.state,
    width: 172,
    cell: (row) => <AllocationDraftStatus draft={row} />,
    copy: (row) => ({ text: text.states[row.state] }),
  },
  dateTimeColumn({ id: 'made', title: titles.made, width: 158 }, (row) => row.created_at),
  draftCountColumn('changes', ({ count }) => count),
  draftCountColumn('ready', ({ ready }) => ready),
  draftCountColumn('applied', ({ outcomes }) => outcomes.applied),
  draftCountColumn('open', ({ outcomes }) => outcomes.undecided + outcomes.looking + outcomes.sending),
  textColumn({ id: 'user', title: titles.user, width: 110, isHiddenByDefault: true }, (row) => row.user),
];
