import { CircleCheck, LockOpen } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { PeriodDetail, ScheduleLine, SignOffChange, Site, Workpaper } from '../../../contract/index.ts';
import { useAction, useContractClient, useQuery } from '../../backend-client/backend-hooks.ts';
import { Button } from '../../controls/button.tsx';
import { EmptyState } from '../../controls/empty-state.tsx';
import { ToggleSwitch } from '../../controls/form-fields.tsx';
import { DateTime, MissingValue, Money } from '../../controls/formatted-values.tsx';
import { Panel } from '../../controls/panel.tsx';
import { Skeleton } from '../../controls/skeleton.tsx';
import { DataTable } from '../../controls/table-head.tsx';
import { ErrorMessage } from '../../errors/error-message.tsx';
import type { GridColumn } from '../../grid/columns/column-layout.ts';
import { createColumnFactories, createMoneyColumn } from '../../grid/columns/value-columns.tsx';
import { usePagedList } from '../../grid/lists/use-paged-list.ts';
import { StatusBar } from '../../grid/summary/status-bar.tsx';
import { GridView } from '../../grid/view/grid-view.tsx';
import { PageLayout } from '../../layout/screen-layout.tsx';
import { showNotice } from '../../navigation/window-state.ts';
import { formatDateTime, formatMonth } from '../../texts/date-times.ts';
import { texts } from '../../texts/texts.ts';
import { openRecordOfFigureRow } from '../shared/open-records.ts';

const text = texts.periods.changes;
const column = createColumnFactories(text.columns);
const columns: readonly GridColumn<SignOffChange>[] = [
  column.text('what', 96, (row) => text.changeLabels[row.change], { tone: 'strong' }),
  column.text('kind', 130, (row) => `${text.kinds[row.kind]} ${row.row}`),
  column.text('text', 200, 'text', { fillsSpace: true }),
  createMoneyColumn(
    column.head('amount', 120),
    (row) => (row.amount_in_cents === 0 ? null : row.amount_in_cents),
    (row) => row.currency,
  ),
  column.text('by', 88, (row) => row.detected_by.action, { tone: 'quiet' }),
  column.dateTime('noticed', 158, 'detected_at'),
  {
    id: 'lands',
    title: text.columns.countsIn,
    width: 122,
    cell: (row) => formatMonth(row.posted_in),
    copy: (row) => ({ text: row.posted_in }),
  },
  {
    ...column.head('ended', 120),
    cell: (row) => (row.ended === null ? <MissingValue /> : text.ended[row.ended.reason]),
    copy: (row) => ({ text: row.ended?.reason ?? '' }),
  },
];
const idOf = (row: SignOffChange) => row.id;

/** Tab that shows the changes since sign-off: the figures that differ and the records that have changed. */
export function ChangesTab({ site, detail }: { readonly site: Site; readonly detail: PeriodDetail }) {
  if (detail.version === 0) {
    return <EmptyState icon={LockOpen} title={text.neverTitle} text={text.neverText} />;
  }
  return <Changes site={site} detail={detail} />;
}

function Changes({ site, detail }: { readonly site: Site; readonly detail: PeriodDetail }) {
  const client = useContractClient();
  const { period } = detail;
  const [showsPast, setEnded] = useState(false);
  const comparing = useAction(() => client.periods.compare({ site: site.site, refresh: true }));
  const closing = useQuery('periods.closedFigures', { site: site.site, period });
  const latest = useQuery('periods.signOffChanges', { site: site.site, period, limit: 1 });
  const [closedFigures, newest] = [closing.data, latest.data];
  const grid = usePagedList({
    name: 'changes',
    procedure: 'periods.signOffChanges',
    query: { site: site.site, period, filter: { ended: showsPast } },
    idOf,
  });
  const compare = async () => {
    if (await comparing.run()) showNotice(text.comparing);
  };
  // Without both, the tools are lower, and the list would move once they have loaded.
  if ((closing.loading && !closedFigures) || (latest.loading && !newest))
    return (
      <PageLayout>
        <Skeleton lines={8} />
      </PageLayout>
    );
  return (
    <>
      <div className="period-tools">
        {closedFigures && (
          <span>
            {text.closing(closedFigures.version)}, <DateTime at={closedFigures.closed_at} />{' '}
            <code title={closedFigures.sha256}>{closedFigures.sha256.slice(0, 16)}</code>
          </span>
        )}
        {closedFigures?.reopened_at && (
          <span className="fineprint">{text.reopened(formatDateTime(closedFigures.reopened_at))}</span>
        )}
        {newest && <span className="fineprint">{text.recordsRead(newest.records_read_at)}</span>}
        <span className="push" />
        <ToggleSwitch on={showsPast} onChange={setEnded}>
          {text.showPast}
        </ToggleSwitch>
        <Button isPending={comparing.running} onPress={() => void compare()}>
          {text.compareButton}
        </Button>
      </div>
      {comparing.error && <ErrorMessage error={comparing.error} site={site.site} />}
      <ChangedFigures site={site.site} period={period} />
      <GridView
        name="changes"
        label={text.grid}
        grid={grid}
        columns={columns}
        isSelectable={false}
        filters={[texts.periods.exportedPeriod(period)]}
        onOpen={openChangedRecord}
        empty={<EmptyState icon={CircleCheck} title={text.noneTitle} text={text.noneText} />}
      />
      <StatusBar grid={grid} singular={text.one} />
    </>
  );
}

function openChangedRecord({ kind, row }: SignOffChange): void {
  if (kind !== 'exception' && kind !== 'file') openRecordOfFigureRow({ kind, id: row });
}

type FiguresByKey = ReadonlyMap<string, ScheduleLine & { readonly currency: string }>;

function linesOf(sections: Workpaper['sections']): FiguresByKey {
  return new Map(
    sections.flatMap(({ currency, schedules }) =>
      schedules.flatMap(({ lines }) =>
        lines.map((line) => [`${currency} ${line.id}`, { ...line, currency }] as const),
      ),
    ),
  );
}

/** Shows the amount at closing and the current amount of every figure that has changed. */
function ChangedFigures({ site, period }: { readonly site: string; readonly period: string }) {
  const { data: signed } = useQuery('periods.signed', { site, period });
  const { data: now } = useQuery('workpapers.get', { site, period, now: true });
  const lines = useMemo(() => {
    if (!signed || !now) return null;
    const before = linesOf((JSON.parse(signed.json) as Pick<Workpaper, 'sections'>).sections);
    const after = linesOf(now.sections);
    return [...new Set([...before.keys(), ...after.keys()])]
      .map((key) => ({ key, before: before.get(key), after: after.get(key) }))
      .filter(({ before: was, after: is }) => was?.amount_in_cents !== is?.amount_in_cents);
  }, [signed, now]);
  const titles = text.signedColumns;
  return (
    <div className="as-signed">
      <Panel level={2} title={text.changedFigures}>
        {lines === null ? (
          <Skeleton lines={1} />
        ) : lines.length === 0 ? (
          <p className="sheet-good">
            <CircleCheck size={15} aria-hidden="true" />
            {text.unchanged}
          </p>
        ) : (
          <DataTable
            className="table sheet-table"
            titles={[titles.line, { end: titles.signed }, { end: titles.now }, { end: titles.change }]}
            rows={lines.map(({ key, before, after }) => ({
              key,
              cells: [
                (after ?? before)?.label,
                <Money key="before" cents={before?.amount_in_cents ?? null} />,
                <Money key="after" cents={after?.amount_in_cents ?? null} />,
                <Money key="change" cents={(after?.amount_in_cents ?? 0) - (before?.amount_in_cents ?? 0)} />,
              ],
            }))}
          />
        )}
      </Panel>
    </div>
  );
}
