import { FlaskConical, Play } from 'lucide-react';
import type { MatchRun, Site } from '../../../contract/index.ts';
import { useAction, useClient, useQuery } from '../../backend/hooks.ts';
import { CommandButton } from '../../commands/use-commands.tsx';
import { Button } from '../../controls/button.tsx';
import { Empty, Skeleton } from '../../controls/pieces.tsx';
import { Moment } from '../../controls/values.tsx';
import { ErrorNote } from '../../errors/error-note.tsx';
import { openDialog, say, showFiltered } from '../../view/view.ts';
import { countText } from '../../words/numbers.ts';
import { words } from '../../words/words.ts';
import './runs.css';

const text = words.matching.runs;
const MOST = 100;

/** What each run of the passes did or would do, and the way to take it back as a whole. */
export function RunsPane({ site }: { readonly site: Site }) {
  const client = useClient();
  const { data, error } = useQuery('match.runs', { site: site.site, limit: MOST });
  const trying = useAction(async () => {
    await client.match.run({ site: site.site, dry_run: true });
    say(text.tryStarted);
  });
  const failed = error ?? trying.error;
  if (data?.rows.length === 0) {
    return (
      <Empty icon={Play} title={text.emptyTitle} action={<CommandButton id="matching.run" kind="primary" />}>
        {words.matching.runHint}
      </Empty>
    );
  }
  return (
    <div className="page">
      <div className="page-inner">
        <div className="runs-lead">
          <p className="rules-lead">{text.lead}</p>
          <Button icon={FlaskConical} pending={trying.running} onPress={() => void trying.run()}>
            {text.tryDry}
          </Button>
        </div>
        {failed && <ErrorNote error={failed} site={site.site} />}
        {!data && !error && <Skeleton lines={8} />}
        <ul className="runs">
          {data?.rows.map((run) => (
            <RunRow key={run.id} run={run} />
          ))}
        </ul>
      </div>
    </div>
  );
}

function RunRow({ run }: { readonly run: MatchRun }) {
  const { id, dry_run, state, undone } = run;
  const did = run.passes.filter(
    ({ confirmed, suggested, ambiguous }) => confirmed + suggested + ambiguous > 0,
  );
  return (
    <li>
      <div className="run-head">
        <h2>{dry_run ? text.dryRun(id) : text.run(id)}</h2>
        <span className="fineprint">
          <Moment at={run.started_at} /> · {run.who} · {text.states[state]}
        </span>
        <span className="run-actions">
          {!dry_run && state !== 'undone' && (
            <Button size="small" onPress={() => showFiltered('matching', { run: id })}>
              {text.show}
            </Button>
          )}
          {!dry_run && (state === 'done' || state === 'cancelled') && (
            <Button size="small" kind="danger" onPress={() => openDialog({ kind: 'undoRun', run })}>
              {text.undo}
            </Button>
          )}
        </span>
      </div>
      {undone && <p className="callout">{text.undone(undone.who, undone.reason)}</p>}
      <p>{(dry_run ? text.would : text.did)(run.confirmed, run.suggested, run.ambiguous)}</p>
      <p className="fineprint">{text.left(run.unmatched_lines, run.unmatched_payments)}</p>
      {did.length > 0 && (
        <details className="bank-more">
          <summary>{text.passes}</summary>
          <table className="run-passes">
            <thead>
              <tr>
                <th scope="col">{text.pass}</th>
                {(['confirmed', 'suggested', 'ambiguous'] as const).map((status) => (
                  <th key={status} scope="col" className="end">
                    {words.matching.statuses[status]}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {did.map((pass) => (
                <tr key={pass.rule}>
                  <th scope="row">{pass.title}</th>
                  {(['confirmed', 'suggested', 'ambiguous'] as const).map((status) => (
                    <td key={status} className="end">
                      {countText(pass[status])}
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
