import type { AuditEntry, ReplayJob } from '../../contract/index.ts';
import { useQuery } from '../backend-client/backend-hooks.ts';
import { CopyButton } from '../controls/copy-button.tsx';
import { DateTime } from '../controls/formatted-values.tsx';
import { Link } from '../controls/link.tsx';
import { Panel } from '../controls/panel.tsx';
import { openFilteredList } from '../navigation/window-state.ts';
import { formatCount } from '../texts/numbers.ts';
import { texts } from '../texts/texts.ts';
import { formatErrorGroup } from '../texts/webhooks.ts';
import { isActiveReplay } from './replay-outcomes.ts';

const text = texts.replay;

/** Sidebar with the errors and history of a replay. */
export function ReplaySidebar({ replay }: { readonly replay: ReplayJob }) {
  return (
    <div className="replay-sidebar">
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
        <p className="fineprint">{isActiveReplay(replay) ? text.noErrors : text.noErrorsEnded}</p>
      ) : (
        <ul className="lines replay-errors">
          {errors.map(({ error, count, example }) => (
            <li key={error}>
              <span title={example}>
                <Link
                  label={text.showError}
                  onPress={() => openFilteredList('webhooks', { status: 'failed', error })}
                >
                  {formatErrorGroup(error)}
                </Link>
              </span>
              <b>{formatCount(count)}</b>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

/** Lists the audit log entries of a replay, newest first. */
function History({ replay }: { readonly replay: ReplayJob }) {
  const { site, job, plan } = replay;
  const { data } = useQuery('audit.list', { site, filter: { subject: job }, limit: 50 });
  return (
    <Panel title={text.history} level={2}>
      <ol className="replay-history">
        {(data?.rows ?? []).map((entry) => (
          <li key={entry.seq}>
            <p>
              <b>{formatAction(entry)}</b> {text.by(entry.user)}
            </p>
            {entry.reason && <p>{entry.reason}</p>}
            <p className="fineprint">
              <DateTime at={entry.at} precision="second" />
            </p>
          </li>
        ))}
      </ol>
      <p className="fineprint replay-plan">
        {text.plan} {plan}
        <CopyButton text={plan} label={text.plan} />
      </p>
    </Panel>
  );
}

/** Formats the action of an audit log entry. The end of a replay is shown as the replay's final state. */
function formatAction({ action, detail }: AuditEntry): string {
  const state = action === 'replay.end' ? String(detail['state']) : '';
  if (Object.hasOwn(text.states, state)) return text.states[state as keyof typeof text.states];
  return Object.hasOwn(text.actions, action) ? (text.actions[action] ?? action) : action;
}
