import { CircleCheck, LockOpen } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { DriftRow, PeriodDetail, ScheduleLine, Site, Workpaper } from '../../contract/index.ts';
import { useAction, useClient, useQuery } from '../backend/hooks.ts';
import { Button } from '../controls/button.tsx';
import { Toggle } from '../controls/field.tsx';
import { Empty, Panel } from '../controls/pieces.tsx';
import { TableHead } from '../controls/table-head.tsx';
import { Absent, Moment, Money } from '../controls/values.tsx';
import { ErrorNote } from '../errors/error-note.tsx';
import type { Column } from '../grid/columns.ts';
import { GridView } from '../grid/grid-view.tsx';
import { StatusBar } from '../grid/status-bar.tsx';
import { useList } from '../grid/use-list.ts';
import { momentColumn, moneyColumn, textColumn } from '../grid/value-columns.tsx';
import { notify } from '../view/view.ts';
import { momentText, monthText } from '../words/moments.ts';
import { words } from '../words/words.ts';
import { openRow } from './opened.ts';

const text = words.periods.drift;
const idOf = (row: DriftRow) => row.id;

/** What is otherwise than it was signed: the figures side by side, and the rows that changed. */
export function DriftPart({ site, detail }: { readonly site: Site; readonly detail: PeriodDetail }) {
  if (detail.version === 0) {
    return (
      <Empty icon={LockOpen} title={text.neverTitle}>
        {text.neverText}
      </Empty>
    );
  }
  return <Changes site={site} detail={detail} />;
}

function Changes({ site, detail }: { readonly site: Site; readonly detail: PeriodDetail }) {
  const client = useClient();
  const { period } = detail;
  const [ended, setEnded] = useState(false);
  const comparing = useAction(() => client.periods.compare({ site: site.site }));
  const { data: seal } = useQuery('periods.seal', { site: site.site, period });
  const grid = useList({
    name: 'drift',
    list: 'periods.drift',
    selection: { site: site.site, period, filter: { ended } },
    idOf,
  });
  const columns = useMemo(() => driftColumns(), []);
  const compare = async () => {
    if (await comparing.run()) notify(text.comparing);
  };
  return (
    <>
      <div className="period-tools">
        {seal && (
          <span>
            {text.seal(seal.version)}, <Moment at={seal.sealed_at} />{' '}
            <code title={seal.sha256}>{seal.sha256.slice(0, 16)}</code>
          </span>
        )}
        {seal?.reopened_at && (
          <span className="fineprint">{text.reopenedSeal(momentText(seal.reopened_at))}</span>
        )}
        <span className="push" />
        <Toggle on={ended} onChange={setEnded}>
          {text.showEnded}
        </Toggle>
        <Button pending={comparing.running} onPress={() => void compare()}>
          {text.compare}
        </Button>
      </div>
      {comparing.error && <ErrorNote error={comparing.error} site={site.site} />}
      <AsSigned site={site.site} period={period} />
      <GridView
        name="drift"
        label={text.grid}
        grid={grid}
        columns={columns}
        pickable={false}
        onOpen={openChanged}
        empty={
          <Empty icon={CircleCheck} title={text.noneTitle}>
            {text.noneText}
          </Empty>
        }
      />
      <StatusBar grid={grid} one={text.one} />
    </>
  );
}

function openChanged({ kind, row }: DriftRow): void {
  if (
    kind === 'statement' ||
    kind === 'payment' ||
    kind === 'line' ||
    kind === 'payout' ||
    kind === 'match'
  ) {
    openRow({ kind, id: row });
  }
}

type Lines = ReadonlyMap<string, ScheduleLine & { readonly currency: string }>;

function linesOf(sections: Workpaper['sections']): Lines {
  return new Map(
    sections.flatMap(({ currency, schedules }) =>
      schedules.flatMap(({ lines }) =>
        lines.map((line) => [`${currency} ${line.id}`, { ...line, currency }] as const),
      ),
    ),
  );
}

/** The figures as they were signed and as they are now, where they differ. */
function AsSigned({ site, period }: { readonly site: string; readonly period: string }) {
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
  if (lines === null) return null;
  const titles = text.signedColumns;
  return (
    <div className="as-signed">
      <Panel level={2} title={text.asSigned}>
        {lines.length === 0 ? (
          <p className="sheet-good">
            <CircleCheck size={15} aria-hidden="true" />
            {text.unchanged}
          </p>
        ) : (
          <table className="table sheet-table">
            <TableHead
              titles={[titles.line, { end: titles.signed }, { end: titles.now }, { end: titles.change }]}
            />
            <tbody>
              {lines.map(({ key, before, after }) => (
                <tr key={key}>
                  <th scope="row">{(after ?? before)?.label}</th>
                  <td className="table-end">
                    <Money cents={before?.amount_in_cents ?? null} />
                  </td>
                  <td className="table-end">
                    <Money cents={after?.amount_in_cents ?? null} />
                  </td>
                  <td className="table-end">
                    <Money cents={(after?.amount_in_cents ?? 0) - (before?.amount_in_cents ?? 0)} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Panel>
    </div>
  );
}

function driftColumns(): readonly Column<DriftRow>[] {
  const titles = text.columns;
  return [
    textColumn({ id: 'what', title: titles.what, width: 96, tone: 'strong' }, (row) => text.whats[row.what]),
    textColumn({ id: 'kind', title: titles.kind, width: 130 }, (row) => `${text.kinds[row.kind]} ${row.row}`),
    textColumn({ id: 'text', title: titles.text, width: 200, grows: true }, (row) => row.text),
    moneyColumn(
      { id: 'amount', title: titles.amount, width: 120 },
      (row) => (row.amount_in_cents === 0 ? null : row.amount_in_cents),
      (row) => row.currency,
    ),
    textColumn({ id: 'by', title: titles.by, width: 88, tone: 'quiet' }, (row) => row.noticed_by.what),
    momentColumn({ id: 'noticed', title: titles.noticed, width: 158 }, (row) => row.noticed_at),
    {
      id: 'lands',
      title: titles.lands,
      width: 122,
      cell: (row) => monthText(row.lands_in),
      copy: (row) => ({ text: row.lands_in }),
    },
    {
      id: 'ended',
      title: titles.ended,
      width: 120,
      cell: (row) => (row.ended === null ? <Absent /> : text.ended[row.ended.how]),
      copy: (row) => ({ text: row.ended?.how ?? '' }),
    },
  ];
}
