import { Plus } from 'lucide-react';
import type { Checklist, ChecklistStep, PeriodDetail, Site } from '../../../contract/index.ts';
import { useAction, useContractClient, useQuery } from '../../backend-client/backend-hooks.ts';
import { Button } from '../../controls/button.tsx';
import { MissingValue } from '../../controls/formatted-values.tsx';
import { Link } from '../../controls/link.tsx';
import { Panel } from '../../controls/panel.tsx';
import { Skeleton } from '../../controls/skeleton.tsx';
import { DataTable } from '../../controls/table-head.tsx';
import { ErrorMessage } from '../../errors/error-message.tsx';
import { PageLayout } from '../../layout/screen-layout.tsx';
import { openDialog } from '../../navigation/window-state.ts';
import { formatDate, getSiteToday } from '../../texts/date-times.ts';
import { texts } from '../../texts/texts.ts';
import { ChecklistStateBadge } from './checklist-state-badge.tsx';
import { openChecklistStep } from './open-checklist-step.ts';

const text = texts.periods.checklist;

/** Tab with the month-end checklist of a period. While the period is open, its steps can be assigned and added. */
export function ChecklistTab({ site, detail }: { readonly site: Site; readonly detail: PeriodDetail }) {
  const { period } = detail;
  const { data, error } = useQuery('periods.checklist', { site: site.site, period });
  const client = useContractClient();
  const marking = useAction(({ step, state }: ChecklistStep) =>
    client.periods.changeChecklistStep({ site: site.site, period, step, done: state !== 'done' }),
  );
  return (
    <PageLayout className="periods">
      {error && !data && <ErrorMessage error={error} site={site.site} />}
      {marking.error && <ErrorMessage error={marking.error} site={site.site} />}
      {!data && !error && <Skeleton lines={10} />}
      {data && (
        <Panel
          level={2}
          title={text.title}
          aside={
            <Button
              size="small"
              icon={Plus}
              disabledReason={data.changeable ? null : text.closed}
              onPress={() => openDialog({ kind: 'checklistStep', period, step: null })}
            >
              {text.add}
            </Button>
          }
        >
          <p className="prose">{text.lead(countDone(data), data.steps.length)}</p>
          <ChecklistTable checklist={data} detail={detail} onMark={(step) => void marking.run(step)} />
        </Panel>
      )}
    </PageLayout>
  );
}

const countDone = ({ steps }: Checklist): number => steps.filter(({ state }) => state === 'done').length;

interface ChecklistTableProps {
  readonly checklist: Checklist;
  readonly detail: PeriodDetail;
  readonly onMark: (step: ChecklistStep) => void;
}

function ChecklistTable({ checklist: { steps, changeable }, detail, onMark }: ChecklistTableProps) {
  const titles = text.columns;
  return (
    <DataTable
      label={text.title}
      className="table checklist"
      titles={[
        titles.step,
        titles.state,
        { text: titles.owner, cellClass: 'checklist-owner' },
        titles.due,
        ...(changeable ? [{ unseen: titles.actions, cellClass: 'table-end' }] : []),
      ]}
      rows={steps.map((step) => ({
        key: step.step,
        cells: [
          <StepTitle key="step" step={step} detail={detail} />,
          <ChecklistStateBadge key="state" status={step.state} />,
          step.owner ?? <MissingValue key="owner" />,
          <DueDate key="due" step={step} changeable={changeable} />,
          changeable && (
            <StepActions key="actions" step={step} period={detail.period} onMark={() => onMark(step)} />
          ),
        ],
      }))}
    />
  );
}

interface StepProps {
  readonly step: ChecklistStep;
  readonly detail: PeriodDetail;
}

function StepTitle({ step, detail }: StepProps) {
  const { kind, title, reason } = step;
  return (
    <>
      {kind === 'own' ? title : <Link onPress={() => openChecklistStep(step, detail)}>{title}</Link>}
      <small>{reason}</small>
    </>
  );
}

function DueDate({
  step: { due_on, state },
  changeable,
}: {
  readonly step: ChecklistStep;
  readonly changeable: boolean;
}) {
  const isOverdue = changeable && state !== 'done' && due_on < getSiteToday();
  return (
    <>
      {formatDate(due_on)}
      {isOverdue && <small className="checklist-overdue">{text.overdue}</small>}
    </>
  );
}

interface StepActionsProps {
  readonly step: ChecklistStep;
  readonly period: string;
  readonly onMark: () => void;
}

function StepActions({ step, period, onMark }: StepActionsProps) {
  const { kind, state, title } = step;
  return (
    <span className="checklist-actions">
      {kind === 'own' && (
        <Button kind="quiet" size="small" onPress={onMark}>
          {state === 'done' ? text.markNotDone : text.markDone}
          <span className="visually-hidden"> {title}</span>
        </Button>
      )}
      <Button kind="quiet" size="small" onPress={() => openDialog({ kind: 'checklistStep', period, step })}>
        {text.edit}
        <span className="visually-hidden"> {title}</span>
      </Button>
    </span>
  );
}
