import { CircleCheck, TriangleAlert } from 'lucide-react';
import { type RefObject, useEffect, useRef } from 'react';
import type { PeriodDetail, Site, Workpaper, WorkpaperSection } from '../../../contract/index.ts';
import { listUnclearedComments } from '../../../domain/periods/index.ts';
import { useQuery } from '../../backend-client/backend-hooks.ts';
import { CommandButton } from '../../commands/command-button.tsx';
import { CopyButton } from '../../controls/copy-button.tsx';
import { Money } from '../../controls/formatted-values.tsx';
import { Link } from '../../controls/link.tsx';
import { Panel } from '../../controls/panel.tsx';
import { Skeleton } from '../../controls/skeleton.tsx';
import { DataTable } from '../../controls/table-head.tsx';
import { ErrorMessage } from '../../errors/error-message.tsx';
import { ListWithDetail } from '../../layout/screen-layout.tsx';
import { openFilteredList } from '../../navigation/window-state.ts';
import { formatDate } from '../../texts/date-times.ts';
import { formatCount } from '../../texts/numbers.ts';
import { texts } from '../../texts/texts.ts';
import type { PeriodRoute } from '../shared/period-route.ts';
import { RemainingWork } from '../shared/remaining-work.tsx';
import { FigureDetail } from './figure-detail.tsx';
import { ScheduleTable } from './schedule-table.tsx';
import { useWorkpaperKeys } from './workpaper-keys.ts';
import './workpaper.css';

const text = texts.periods;

interface WorkpaperTabProps {
  readonly site: Site;
  readonly route: PeriodRoute;
  readonly detail: PeriodDetail;
}

/** Tab that shows the workpaper with its qualifications, schedules, aging, adjustments, exceptions, and tick marks. */
export function WorkpaperTab({ site, route, detail }: WorkpaperTabProps) {
  const { period, figure } = route;
  const { data: workpaper, error } = useQuery('workpapers.get', { site: site.site, period });
  const page = useRef<HTMLDivElement>(null);
  useSavedScroll(page, `periods ${site.site} ${period}`, workpaper !== undefined);
  useWorkpaperKeys(page, workpaper !== undefined);
  return (
    <ListWithDetail
      name="periods"
      width={540}
      list={
        <div className="page" ref={page}>
          <div className="page-inner workpaper">
            <RemainingWork detail={detail} />
            {error && <ErrorMessage error={error} site={site.site} />}
            {!workpaper && !error && <Skeleton lines={12} />}
            {workpaper && (
              <WorkpaperContent
                workpaper={workpaper}
                period={period}
                comments={countUnclearedComments(detail)}
              />
            )}
          </div>
        </div>
      }
      detail={
        figure === null ? null : (
          <FigureDetail
            key={`${figure.currency} ${figure.id}`}
            site={site}
            period={period}
            currency={figure.currency}
            figure={figure.id}
            lines={linesOf(workpaper, figure.currency)}
            detail={detail}
          />
        )
      }
    />
  );
}

function linesOf(workpaper: Workpaper | undefined, currency: string) {
  return workpaper?.sections
    .find((section) => section.currency === currency)
    ?.schedules.flatMap(({ lines }) => lines);
}

const scrollPositions = new Map<string, number>();

/** Restores the scroll position after the workpaper has loaded and has reached its full height. */
function useSavedScroll(page: RefObject<HTMLDivElement | null>, name: string, ready: boolean): void {
  useEffect(() => {
    const box = page.current;
    if (!ready || box === null) return;
    box.scrollTop = scrollPositions.get(name) ?? 0;
    const keep = () => void scrollPositions.set(name, box.scrollTop);
    box.addEventListener('scroll', keep, { passive: true });
    return () => box.removeEventListener('scroll', keep);
  }, [page, name, ready]);
}

/** Returns the number of comments to clear per figure, by currency and id. */
function countUnclearedComments({ history }: PeriodDetail): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { currency, figure } of listUnclearedComments(history)) {
    const key = `${currency} ${figure}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

interface WorkpaperContentProps {
  readonly workpaper: Workpaper;
  readonly period: string;
  /** Number of comments to clear per figure, by currency and id. */
  readonly comments: ReadonlyMap<string, number>;
}

function WorkpaperContent({ workpaper, period, comments }: WorkpaperContentProps) {
  const { head, sections, explained } = workpaper;
  const isPassed = sections.some(({ schedules }) => schedules.some(({ materiality }) => materiality?.passed));
  // Omits the qualification about damaged data, because the page already shows it above every tab.
  const qualifications = workpaper.qualifications.filter(({ kind }) => kind !== 'damaged');
  return (
    <>
      <div className="sheet-head">
        <h2>{text.asAt(formatDate(head.as_at))}</h2>
        <p className={explained ? 'sheet-good' : 'sheet-open'}>
          {explained ? (
            <CircleCheck size={15} aria-hidden="true" />
          ) : (
            <TriangleAlert size={15} aria-hidden="true" />
          )}
          {explained ? (isPassed ? text.passed : text.explained) : text.unexplained}
        </p>
        <p className="fineprint">{text.asAtText(formatDate(head.since))}</p>
        {head.state === 'closed' && <p className="fineprint">{text.signedText}</p>}
      </div>
      {qualifications.length > 0 && (
        <div className="callout callout-warn">
          <TriangleAlert size={16} aria-hidden="true" />
          <div>
            <strong>{text.qualifications}</strong>
            {qualifications.map(({ kind, message }) => (
              <span key={kind + message}>{message}</span>
            ))}
          </div>
        </div>
      )}
      {sections.map((section) => (
        <Section
          key={section.currency}
          section={section}
          period={period}
          many={sections.length > 1}
          comments={comments}
        />
      ))}
      <Exceptions workpaper={workpaper} period={period} />
      <Legend workpaper={workpaper} />
    </>
  );
}

interface SectionProps {
  readonly section: WorkpaperSection;
  readonly period: string;
  readonly many: boolean;
  readonly comments: ReadonlyMap<string, number>;
}

function Section({ section, period, many, comments }: SectionProps) {
  const { currency, schedules, aging, outstanding, adjustments } = section;
  const { ageColumns: ages, adjustmentColumns: titles } = text;
  return (
    <section className="sheet-section" aria-label={currency}>
      {many && <h2 className="sheet-currency">{currency}</h2>}
      {schedules.map((schedule) => (
        <ScheduleTable
          key={schedule.id}
          schedule={schedule}
          currency={currency}
          period={period}
          comments={comments}
        />
      ))}
      <Panel level={2} title={`${text.aging}, ${currency}`}>
        <DataTable
          className="table sheet-table"
          titles={[ages.age, { end: ages.count }, { end: ages.unexplained }, { end: ages.amount }]}
          rows={[
            ...aging.map(({ from_days, to_days, ...bucket }) => ({
              key: from_days,
              cells: [text.age(from_days, to_days), ...agingCells(bucket)],
            })),
            {
              key: 'total',
              className: 'sheet-total',
              cells: [text.outstandingTotal, ...agingCells(outstanding)],
            },
          ]}
        />
      </Panel>
      <Panel level={2} title={`${text.adjustments}, ${currency}`}>
        {adjustments.length === 0 ? (
          <p className="fineprint">{text.noAdjustments}</p>
        ) : (
          <DataTable
            className="table sheet-table"
            titles={[titles.category, { end: titles.count }, { end: titles.amount }]}
            rows={adjustments.map(({ category, count, amount_in_cents }) => ({
              key: category,
              cells: [category, formatCount(count), <Money key="amount" cents={amount_in_cents} />],
            }))}
          />
        )}
      </Panel>
    </section>
  );
}

type AgingFigures = Pick<WorkpaperSection['outstanding'], 'count' | 'unexplained' | 'amount_in_cents'>;

const agingCells = ({ count, unexplained, amount_in_cents }: AgingFigures) => [
  formatCount(count),
  formatCount(unexplained),
  <Money key="amount" cents={amount_in_cents} />,
];

function Exceptions({ workpaper, period }: { readonly workpaper: Workpaper; readonly period: string }) {
  const { by_rule } = workpaper.exceptions;
  const titles = texts.overview.ruleColumns;
  return (
    <Panel level={2} title={text.exceptions}>
      {by_rule.length === 0 ? (
        <p className="fineprint">{text.noExceptions}</p>
      ) : (
        <DataTable
          className="table sheet-table"
          titles={[titles.rule, { end: titles.open }, { end: titles.accepted }, { end: titles.stake }]}
          rows={by_rule.map(({ rule, title, open, accepted, at_stake_in_cents }) => ({
            key: rule,
            cells: [
              <Link key="rule" onPress={() => openFilteredList('exceptions', { rule: [rule], period })}>
                {title}
              </Link>,
              formatCount(open),
              formatCount(accepted),
              <Money key="stake" cents={at_stake_in_cents} />,
            ],
          }))}
        />
      )}
    </Panel>
  );
}

function Legend({ workpaper: { legend, digest, head } }: { readonly workpaper: Workpaper }) {
  return (
    <Panel
      level={2}
      title={text.legend}
      aside={<CommandButton id="periods.settings" kind="quiet" size="small" />}
    >
      <dl className="legend">
        {legend.map(({ mark, meaning }) => (
          <div key={mark}>
            <dt className="tickmark">{mark}</dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <p className="fineprint sheet-digest" title={text.digestText}>
        {text.madeBy(head.app_version)} · {text.digest} <code>{digest}</code>
        <CopyButton text={digest} label={text.copyDigest} />
      </p>
    </Panel>
  );
}
