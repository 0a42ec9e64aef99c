import {
  ClipboardCheck,
  FileWarning,
  ListTodo,
  type LucideIcon,
  RefreshCw,
  Repeat2,
  Sparkles,
} from 'lucide-react';
import type { CheckNextStep, CheckSummary, WebhookFilter } from '../../contract/index.ts';
import { runCommand } from '../commands/command.ts';
import { findCommand } from '../commands/command-registry.ts';
import { useCommandContext } from '../commands/use-command-context.ts';
import { Button } from '../controls/button.tsx';
import { Panel } from '../controls/panel.tsx';
import { navigate, openDialog } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';
import { showOpenExceptions } from './exception-summary.tsx';

const text = texts.overview;

const icons: Record<CheckNextStep['kind'], LucideIcon> = {
  sync: RefreshCw,
  problems: FileWarning,
  check: ClipboardCheck,
  replay: Repeat2,
  review: ListTodo,
};

/** Lists the next steps with their buttons, starting with the most urgent one. */
export function NextStepList({ summary }: { readonly summary: CheckSummary }) {
  return (
    <Panel level={2} title={text.nextSteps}>
      {summary.next.length === 0 ? (
        <p className="steps-none">
          <Sparkles size={16} aria-hidden="true" />
          {text.noNextSteps}
        </p>
      ) : (
        <ol className="steps">
          {summary.next.map((step, index) => (
            <NextStepItem key={step.kind} step={step} summary={summary} first={index === 0} />
          ))}
        </ol>
      )}
    </Panel>
  );
}

interface StepProps {
  readonly step: CheckNextStep;
  readonly summary: CheckSummary;
  readonly first: boolean;
}

function NextStepItem({ step, summary, first }: StepProps) {
  const context = useCommandContext();
  const Icon = icons[step.kind];
  const command = step.kind === 'sync' ? 'sync.start' : step.kind === 'check' ? 'check.start' : null;
  const enabled = command ? findCommand(command).enabled(context) : true;
  const reason = enabled !== true ? enabled : step.kind === 'replay' ? context.unavailableReason : null;
  const act = () => {
    if (command) return void runCommand(findCommand(command), context);
    if (step.kind === 'problems') return navigate({ screen: 'sync' });
    if (step.kind === 'replay')
      return openDialog({ kind: 'replay', selection: { filter: notAccepted(summary) } });
    showOpenExceptions(summary);
  };
  return (
    <li>
      <Icon size={16} aria-hidden="true" />
      <span>{step.message}</span>
      <Button size="small" kind={first ? 'primary' : 'plain'} disabledReason={reason} onPress={act}>
        {text.steps[step.kind]}
      </Button>
    </li>
  );
}

/** Returns a filter for the period's webhooks that the merchant's endpoint has not accepted. */
function notAccepted({ period }: CheckSummary): WebhookFilter {
  return { status: 'failed', ...(period ? { since: period.first, until: period.last } : {}) };
}
