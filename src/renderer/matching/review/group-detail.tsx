import type { MatchGroup, MatchGroupDetail, Outputs, Site } from '../../../contract/index.ts';
import { useQuery } from '../../backend/hooks.ts';
import { CommandButton } from '../../commands/use-commands.tsx';
import { Link } from '../../controls/link.tsx';
import { Panel } from '../../controls/pieces.tsx';
import { Facts, Moment } from '../../controls/values.tsx';
import { DetailPending } from '../../frame/detail-pending.tsx';
import { Detail } from '../../frame/screen.tsx';
import { words } from '../../words/words.ts';
import { GroupStatusMark, ruleTitle } from '../looks.tsx';
import { Notes } from '../notes.tsx';
import { openMatching } from '../place.ts';
import { Adjustments, BankSide, Difference, StatementSide } from './group-sides.tsx';
import { Rivals } from './rivals.tsx';

const text = words.matching;

interface GroupDetailProps {
  readonly site: Site;
  readonly id: number;
  readonly passes: Outputs['match']['passes'];
  /** The match as its list has it: shown until all of it is read. */
  readonly row: MatchGroup | null;
}

/** One match: both sides with their sums, what was compared, what else fits, and what was decided. */
export function GroupDetail({ site, id, passes, row }: GroupDetailProps) {
  const { data, error } = useQuery('match.get', { site: site.site, id });
  // Never one match under the name of another: who decides by key decides about what he sees.
  const whole = data?.id === id ? data : null;
  const group = whole ?? (row?.id === id ? row : null);
  const actions = (
    <>
      <CommandButton id="matching.previous" kind="quiet" bare />
      <CommandButton id="matching.next" kind="quiet" bare />
      <CommandButton id="view.closeDetail" kind="quiet" bare />
    </>
  );
  if (group === null || error) {
    return <DetailPending title={text.detail(id)} actions={actions} error={error} notHeld={text.notHeld} />;
  }
  return (
    <Detail
      label={text.detail(id)}
      actions={actions}
      head={
        <>
          <h2>{ruleTitle(group.rule, passes)}</h2>
          <p>
            <GroupStatusMark status={group.status} pill />
            <span>{group.rivals === 0 ? text.unique : text.rivals(group.rivals)}</span>
          </p>
        </>
      }
    >
      <div className="detail-body" key={group.id}>
        <Decisions group={group} />
        <BankSide group={group} />
        <StatementSide group={group} />
        <Adjustments group={group} />
        <Difference group={group} />
        <Why group={group} explanation={whole?.explanation ?? null} />
        {whole && (
          <>
            <Rivals site={site.site} group={whole} />
            <Notes site={site.site} on={{ group: whole.id }} noted={whole.noted} />
            <History group={whole} />
          </>
        )}
      </div>
    </Detail>
  );
}

function Decisions({ group }: { readonly group: MatchGroup }) {
  const { status, line_count, transaction_count, adjustments, difference_in_cents } = group;
  const waits = status === 'suggested' || status === 'ambiguous';
  const several = line_count + transaction_count > 1;
  const even = difference_in_cents === 0 && (several || adjustments.length > 0);
  return (
    <div className="decisions">
      {waits && even && <CommandButton id="matching.confirm" kind="primary" />}
      {waits && <CommandButton id="matching.decline" />}
      {(status === 'confirmed' || status === 'declined') && <CommandButton id="matching.undo" />}
      {several && (waits || status === 'confirmed') && <CommandButton id="matching.divide" />}
    </div>
  );
}

/** What was compared, by the fields' names as people say them. */
function Why({ group, explanation }: { readonly group: MatchGroup; readonly explanation: string | null }) {
  const { user_rule, payout, reverses } = group;
  const named = Map.groupBy(
    group.reasons,
    ({ field }) => text.fields.get(field) ?? field.replaceAll('_', ' '),
  );
  return (
    <Panel title={group.status === 'ambiguous' ? text.whyNot : text.why}>
      {group.status !== 'ambiguous' && explanation !== null && <p className="prose">{explanation}</p>}
      <Facts
        rows={[
          ...[...named].map(([field, said]) => [field, said.map((each) => each.text).join('; ')] as const),
          user_rule && [
            text.userRule,
            <Link key="rule" onPress={() => openMatching('rules', user_rule.id)}>
              {user_rule.title}
            </Link>,
          ],
          payout === null
            ? null
            : [
                text.payout,
                <Link key="payout" onPress={() => openMatching('payouts', payout)}>
                  {text.openPayout}
                </Link>,
              ],
          reverses === null ? null : [text.reverses, text.payment(reverses)],
        ]}
      />
    </Panel>
  );
}

/** Notes stand in a part of their own. */
function History({ group }: { readonly group: MatchGroupDetail }) {
  return (
    <Panel title={text.history}>
      <ul className="match-history">
        {group.history
          .filter(({ what }) => what !== 'noted')
          .map((entry) => (
            <li key={`${entry.at} ${entry.what} ${entry.text}`}>
              {text.did[entry.what]}
              <small>
                {entry.who ?? text.byRun} · <Moment at={entry.at} />
                {entry.text !== null && ` · ${entry.text}`}
              </small>
            </li>
          ))}
      </ul>
    </Panel>
  );
}
