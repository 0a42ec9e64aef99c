import { ArrowLeft, FilePen } from 'lucide-react';
import type { AllocationDraft, Site } from '../../contract/index.ts';
import { CommandButton } from '../commands/command-button.tsx';
import { Button } from '../controls/button.tsx';
import { EmptyState } from '../controls/empty-state.tsx';
import type { GridColumn } from '../grid/columns/column-layout.ts';
import { createColumnFactories } from '../grid/columns/value-columns.tsx';
import { useCompleteList } from '../grid/lists/use-complete-list.ts';
import { useDetailSync } from '../grid/lists/use-detail-sync.ts';
import { StatusBar } from '../grid/summary/status-bar.tsx';
import { GridView } from '../grid/view/grid-view.tsx';
import { ListWithDetail, ScreenLayout } from '../layout/screen-layout.tsx';
import { navigate, useWindowState } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';
import { parseDraftId } from './allocation-route.ts';
import { AllocationDraftStatus } from './allocation-status.tsx';
import { AllocationDraftDetail } from './draft-detail.tsx';

const text = texts.changes;
const titles = text.columns;
const rowsOf = (drafts: AllocationDraft[]) => drafts;
const idOf = (draft: AllocationDraft) => `draft-${draft.draft}`;

/** Screen that lists the allocation drafts, both unsent and sent. */
export function AllocationDraftsScreen({ site }: { readonly site: Site }) {
  const item = useWindowState((state) => state.route.item);
  const grid = useCompleteList({
    name: 'allocations',
    procedure: 'allocations.drafts',
    query: { site: site.site },
    rowsOf,
    idOf,
  });
  const open = parseDraftId(item);
  useDetailSync(grid, open !== null, idOf);
  return (
    <ScreenLayout
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
              empty={<EmptyState icon={FilePen} title={text.emptyTitle} text={text.emptyText} />}
            />
            <StatusBar grid={grid} singular={text.singular} />
          </>
        }
        detail={open && <AllocationDraftDetail key={open} site={site} id={open} />}
      />
    </ScreenLayout>
  );
}

const column = createColumnFactories(titles);
const columns: readonly GridColumn<AllocationDraft>[] = [
  column.text('title', 200, 'title', { fillsSpace: true, tone: 'strong' }),
  {
    ...column.head('state', 172),
    cell: (row) => <AllocationDraftStatus draft={row} />,
    copy: (row) => ({ text: text.states[row.state] }),
  },
  column.dateTime('made', 158, 'created_at'),
  column.count('changes', 92, 'count'),
  column.count('ready', 124, 'ready'),
  column.count('applied', 92, ({ outcomes }) => outcomes.applied),
  column.count('open', 92, ({ outcomes }) => outcomes.undecided + outcomes.verifying + outcomes.sending),
  column.text('user', 110, 'user', { startsHidden: true }),
];
