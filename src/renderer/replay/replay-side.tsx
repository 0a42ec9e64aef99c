import type { AuditEntry, ReplayJob } from '../../contract/index.ts';
import { useQuery } from '../backend/hooks.ts';
import { Link } from '../controls/link.tsx';
import { CopyButton, Panel } from '../controls/pieces.tsx';
import { Moment } from '../controls/values.tsx';
import { showFiltered } from '../view/view.ts';
import { countText } from '../words/numbers.ts';
import { errorName } from '../words/webhooks.ts';
import { words } from '../words/words.ts';
import { isUnderWay } from './outcomes.ts';

const text = words.replay;

/** Why some did not arrive, and who did what about this replay. */
export function ReplaySide({ replay }: { readonly replay: ReplayJob }) {
  return (
    <div className="cockpit-side">
      <Errors replay={replay} />
      <History replay={replay} />
    </div>
  );
}

function Errors({ replay }: { readonly replay: ReplayJob }) {
  const { site, job } = replay;
  const { data: errors = [] } = useQuery('replay.errors', { site, job });
  return (
    <Panel title={text.errors} level={2}>
      {errors.length === 0 ? (
        <p className="fineprint">{isUnderWay(replay) ? text.noErrors : text.noErrorsEnded}</p>
      ) : (
        <ul className="lines replay-errors">
          {errors.map(({ error, count, example }) => (
            <li key={error}>
              <span title={example}>
                <Link
                  label={text.showError}
                  onPress={() => showFiltered('webhooks', { status: 'failed', error })}
                >
                  {errorName(error)}
                </Link>
              </span>
              <b>{countText(count)}</b>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

/** As the audit log has it, the newest first. */
function History({ replay }: { readonly replay: ReplayJob }) {
  const { site, job, plan } = replay;
  const { data } = useQuery('audit.list', { site, filter: { subject: job }, limit: 50 });
  return (
    <Panel title={text.history} level={2}>
      <ol className="replay-history">
        {(data?.rows ?? []).map((entry) => (
          <li key={entry.seq}>
            <p>
              <b>{didText(entry)}</b> {text.by(entry.who)}
            </p>
            {entry.why && <p>{entry.why}</p>}
            <p className="fineprint">
              <Moment at={entry.at} to="second" />
            </p>
          </li>
        ))}
      </ol>
      <p className="fineprint replay-plan">
        {text.planOf} {plan}
        <CopyButton text={plan} label={text.planOf} />
      </p>
    </Panel>
  );
}

/** What was done; of its end, how it ended. */
function didText({ action, detail }: AuditEntry): string {
  const state = action === 'replay.end' ? String(detail['state']) : '';
  if (Object.hasOwn(text.states, state)) return text.states[state as keyof typeof text.states];
  return Object.hasOwn(text.did, action) ? (text.did[action] ?? action) : action;
}
