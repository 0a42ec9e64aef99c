import {
  ClipboardCheck,
  FileWarning,
  ListTodo,
  type LucideIcon,
  RefreshCw,
  Repeat2,
  Sparkles,
} from 'lucide-react';
import type { CheckSummary, NextStep, WebhookFilter } from '../../contract/index.ts';
import { runCommand } from '../commands/command.ts';
import { commandNamed, useCommandContext } from '../commands/use-commands.tsx';
import { Button } from '../controls/button.tsx';
import { Panel } from '../controls/pieces.tsx';
import { go, openDialog } from '../view/view.ts';
import { words } from '../words/words.ts';
import { showOpen } from './standing.tsx';

const text = words.overview;

const icons: Record<NextStep['what'], LucideIcon> = {
  sync: RefreshCw,
  problems: FileWarning,
  check: ClipboardCheck,
  replay: Repeat2,
  review: ListTodo,
};

/** What to do next, the most urgent first, each by one press. */
export function NextSteps({ summary }: { readonly summary: CheckSummary }) {
  return (
    <Panel level={2} title={text.next_}>
      {summary.next.length === 0 ? (
        <p className="steps-none">
          <Sparkles size={16} aria-hidden="true" />
          {text.nothingNext}
        </p>
      ) : (
        <ol className="steps">
          {summary.next.map((step, place) => (
            <Step key={step.what} step={step} summary={summary} first={place === 0} />
          ))}
        </ol>
      )}
    </Panel>
  );
}

interface StepProps {
  readonly step: NextStep;
  readonly summary: CheckSummary;
  readonly first: boolean;
}

function Step({ step, summary, first }: StepProps) {
  const context = useCommandContext();
  const Icon = icons[step.what];
  const command = step.what === 'sync' ? 'sync.start' : step.what === 'check' ? 'check.start' : null;
  const enabled = command ? commandNamed(command).enabled(context) : true;
  const reason = enabled !== true ? enabled : step.what === 'replay' ? context.away : null;
  const act = () => {
    if (command) return void runCommand(commandNamed(command), context);
    if (step.what === 'problems') return go({ screen: 'sync' });
    if (step.what === 'replay')
      return openDialog({ kind: 'replay', selection: { filter: notAccepted(summary) } });
    showOpen(summary);
  };
  return (
    <li>
      <Icon size={16} aria-hidden="true" />
      <span>{step.message}</span>
      <Button size="small" kind={first ? 'primary' : 'plain'} reason={reason} onPress={act}>
        {text.steps[step.what]}
      </Button>
    </li>
  );
}

/** The webhooks of the period that the merchant's endpoint has not taken. */
function notAccepted({ period }: CheckSummary): WebhookFilter {
  return { status: 'failed', ...(period ? { since: period.first, until: period.last } : {}) };
}
