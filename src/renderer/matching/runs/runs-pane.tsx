import { FlaskConical, Play } from 'lucide-react';
import type { MatchRun, Site } from '../../../contract/index.ts';
import { useAction, useContractClient, useQuery } from '../../backend-client/backend-hooks.ts';
import { CommandButton } from '../../commands/command-button.tsx';
import { Button } from '../../controls/button.tsx';
import { EmptyState } from '../../controls/empty-state.tsx';
import { DateTime } from '../../controls/formatted-values.tsx';
import { Skeleton } from '../../controls/skeleton.tsx';
import { ErrorMessage } from '../../errors/error-message.tsx';
import { ReasonDialog } from '../../layout/reason-dialog.tsx';
import { PageLayout } from '../../layout/screen-layout.tsx';
import { announceToScreenReader, openDialog, openFilteredList } from '../../navigation/window-state.ts';
import { formatCount } from '../../texts/numbers.ts';
import { texts } from '../../texts/texts.ts';
import './runs.css';

const text = texts.matching.runs;
const MAX_RUNS = 100;

/** Lists the matching runs and dry runs with their results, and offers to undo a run. */
export function MatchingRunsPane({ site }: { readonly site: Site }) {
  const client = useContractClient();
  const { data, error } = useQuery('match.runs', { site: site.site, limit: MAX_RUNS });
  const dryRun = useAction(async () => {
    await client.match.run({ site: site.site, dry_run: true });
    announceToScreenReader(text.dryRunStarted);
  });
  const failed = error ?? dryRun.error;
  if (data?.rows.length === 0) {
    return (
      <EmptyState
        icon={Play}
        title={text.emptyTitle}
        action={<CommandButton id="matching.run" kind="primary" />}
        text={texts.matching.runHint}
      />
    );
  }
  return (
    <PageLayout>
      <div className="runs-lead">
        <p className="rules-lead">{text.lead}</p>
        <Button icon={FlaskConical} isPending={dryRun.running} onPress={() => void dryRun.run()}>
          {text.dryRunButton}
        </Button>
      </div>
      {failed && <ErrorMessage error={failed} site={site.site} />}
      {!data && !error && <Skeleton lines={8} />}
      <ul className="runs">
        {data?.rows.map((run) => (
          <RunRow key={run.id} run={run} />
        ))}
      </ul>
    </PageLayout>
  );
}

function RunRow({ run }: { readonly run: MatchRun }) {
  const { id, dry_run, state, undone } = run;
  const passesWithMatches = run.passes.filter(
    ({ confirmed, suggested, ambiguous }) => confirmed + suggested + ambiguous > 0,
  );
  return (
    <li>
      <div className="run-head">
        <h2>{dry_run ? text.dryRunTitle(id) : text.runTitle(id)}</h2>
        <span className="fineprint">
          <DateTime at={run.started_at} /> · {run.user} · {text.states[state]}
        </span>
        <span className="run-actions">
          {!dry_run && state !== 'undone' && (
            <Button size="small" onPress={() => openFilteredList('matching', { run: id })}>
              {text.show}
            </Button>
          )}
          {!dry_run && (state === 'done' || state === 'canceled') && (
            <Button size="small" kind="danger" onPress={() => openDialog({ kind: 'undoRun', run })}>
              {text.undo}
            </Button>
          )}
        </span>
      </div>
      {undone && <p className="callout">{text.undone(undone.user, undone.reason)}</p>}
      <p>{(dry_run ? text.dryRunResults : text.results)(run.confirmed, run.suggested, run.ambiguous)}</p>
      <p className="fineprint">{text.unmatched(run.unmatched_lines, run.unmatched_payments)}</p>
      {passesWithMatches.length > 0 && (
        <details className="bank-more">
          <summary>{text.passes}</summary>
          <table className="run-passes">
            <thead>
              <tr>
                <th scope="col">{text.pass}</th>
                {(['confirmed', 'suggested', 'ambiguous'] as const).map((status) => (
                  <th key={status} scope="col" className="end">
                    {texts.matching.statuses[status]}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {passesWithMatches.map((pass) => (
                <tr key={pass.rule}>
                  <th scope="row">{pass.title}</th>
                  {(['confirmed', 'suggested', 'ambiguous'] as const).map((status) => (
                    <td key={status} className="end">
                      {formatCount(pass[status])}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      )}
    </li>
  );
}

/** Dialog for undoing the matches that a run confirmed or suggested. Requires a reason. */
export function UndoMatchingRunDialog({ site, run }: { readonly site: string; readonly run: MatchRun }) {
  const client = useContractClient();
  return (
    <ReasonDialog
      site={site}
      title={text.undoTitle(run.id)}
      submitLabel={text.undoNow}
      placeholder={text.reasonExample}
      size="small"
      danger
      focusReason
      onSubmit={(reason) => client.match.undoRun({ site, id: run.id, reason })}
      successText={() => text.undoing(run.id)}
    >
      <p>{text.undoText(run.confirmed)}</p>
    </ReasonDialog>
  );
}
