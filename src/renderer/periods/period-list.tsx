import { BookCheck, CalendarPlus, ChevronDown } from 'lucide-react';
import { Button as AriaButton } from 'react-aria-components';
import type { PeriodRow, Site } from '../../contract/index.ts';
import { useAction, useClient, useQuery } from '../backend/hooks.ts';
import { Button } from '../controls/button.tsx';
import { Link } from '../controls/link.tsx';
import { Menu } from '../controls/menu.tsx';
import { Empty, Skeleton } from '../controls/pieces.tsx';
import { TableHead } from '../controls/table-head.tsx';
import { Absent } from '../controls/values.tsx';
import { ErrorNote } from '../errors/error-note.tsx';
import { Screen } from '../frame/screen.tsx';
import { notify } from '../view/view.ts';
import { dateText, monthText } from '../words/moments.ts';
import { words } from '../words/words.ts';
import { PeriodStatus } from './looks.tsx';
import { openPeriod } from './place.ts';
import { remainsText } from './remains.ts';

const text = words.periods;

/** Every period of the site with its state, and what remains to be done in it. */
export function PeriodList({ site }: { readonly site: Site }) {
  const client = useClient();
  const { data: known, error } = useQuery('periods.list', { site: site.site });
  const opening = useAction(async (period: string) => {
    await client.periods.open({ site: site.site, period });
    notify(text.opened(monthText(period)), 'good');
    openPeriod(period);
  });
  const due =
    known !== undefined && known.due !== null && known.months.includes(known.due) ? known.due : null;
  const others = known?.months.filter((month) => month !== due) ?? [];
  const openDue = due !== null && (
    <Button
      kind="primary"
      icon={CalendarPlus}
      pending={opening.running}
      onPress={() => void opening.run(due)}
    >
      {text.openMonth(monthText(due))}
    </Button>
  );
  return (
    <Screen
      title={text.title}
      actions={
        <>
          {others.length > 0 && (
            <Menu
              label={text.openOther}
              placement="bottom end"
              trigger={
                <AriaButton className="button button-plain button-regular">
                  <span className="button-text">{text.openOther}</span>
                  <ChevronDown size={13} aria-hidden="true" />
                </AriaButton>
              }
              groups={[
                {
                  entries: others.map((month) => ({
                    id: month,
                    label: monthText(month),
                    run: () => void opening.run(month),
                  })),
                },
              ]}
            />
          )}
          {openDue}
        </>
      }
    >
      <div className="page">
        <div className="page-inner periods">
          {error && <ErrorNote error={error} site={site.site} />}
          {opening.error && <ErrorNote error={opening.error} site={site.site} />}
          {!known && !error && <Skeleton lines={8} />}
          {known && known.periods.length === 0 && (
            <Empty
              icon={BookCheck}
              title={known.months.length === 0 ? text.noMonthTitle : text.emptyTitle}
              action={openDue}
            >
              {known.months.length === 0 ? text.noMonthText : text.emptyText}
            </Empty>
          )}
          {known && known.periods.length > 0 && <Table site={site.site} rows={known.periods} />}
          {known && known.locked_until !== null && (
            <p className="fineprint">{text.lockedUntil(dateText(known.locked_until))}</p>
          )}
        </div>
      </div>
    </Screen>
  );
}

function Table({ site, rows }: { readonly site: string; readonly rows: readonly PeriodRow[] }) {
  const titles = text.columns;
  return (
    <table className="table" aria-label={text.list}>
      <TableHead titles={[titles.period, titles.state, titles.remains, titles.signed, titles.drift]} />
      <tbody>
        {rows.map((row) => (
          <tr key={row.period}>
            <th scope="row">
              <Link onPress={() => openPeriod(row.period)}>{monthText(row.period)}</Link>
            </th>
            <td>
              <PeriodStatus state={row.state} />
            </td>
            <td className="periods-remains">
              <Remains site={site} row={row} />
            </td>
            <td className="periods-signed">
              <Signed row={row} />
            </td>
            <td>
              <Drift row={row} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Counted for what is worked on; a closed period is done. */
function Remains({ site, row }: { readonly site: string; readonly row: PeriodRow }) {
  const { data: detail } = useQuery(
    'periods.get',
    row.state === 'closed' ? null : { site, period: row.period },
  );
  if (row.state === 'closed') return <Absent />;
  return detail ? remainsText(detail.progress) : null;
}

function Signed({ row: { submitted, reviewed } }: { readonly row: PeriodRow }) {
  const said = [
    submitted && text.preparedBy(submitted.name),
    reviewed && text.reviewedBy(reviewed.name),
    reviewed?.self_review && text.sign.selfReview,
  ].filter((part) => typeof part === 'string' && part !== '');
  return said.length === 0 ? <Absent /> : said.join(', ');
}

function Drift({ row }: { readonly row: PeriodRow }) {
  if (row.state !== 'closed') return <Absent />;
  if (row.drift.count === 0) return text.noDrift;
  return <Link onPress={() => openPeriod(row.period, 'drift')}>{text.driftCount(row.drift.count)}</Link>;
}
