import type { MatchGroup, MatchGroupDetail, Site } from '../../../contract/index.ts';
import { matchOriginLabel } from '../../../domain/labels/matches.ts';
import { useQuery } from '../../backend-client/backend-hooks.ts';
import { CommandButton } from '../../commands/command-button.tsx';
import { Link } from '../../controls/link.tsx';
import { Panel } from '../../controls/panel.tsx';
import { DateTime, FactList } from '../../controls/values.tsx';
import { DetailPlaceholder } from '../../layout/detail-placeholder.tsx';
import { DetailPane } from '../../layout/screen.tsx';
import { texts } from '../../texts/texts.ts';
import { MatchNotes } from '../notes.tsx';
import { openMatching } from '../route.ts';
import { MatchStatusBadge } from '../status-badges.tsx';
import { Alternatives } from './alternatives.tsx';
import { Adjustments, BankSide, StatementSide, UnexplainedDifference } from './match-sides.tsx';

const text = texts.matching;

interface MatchDetailProps {
  readonly site: Site;
  readonly id: number;
  /** Match as loaded by the list, shown until its details have loaded. */
  readonly row: MatchGroup | null;
}

/** Shows one match with both sides, the difference, evidence, alternatives, notes, and history. */
export function MatchDetail({ site, id, row }: MatchDetailProps) {
  const { data, error } = useQuery('match.get', { site: site.site, id });
  // Ignores details of another match, because the shortcut keys act on the match that is open.
  const details = data?.id === id ? data : null;
  const group = details ?? (row?.id === id ? row : null);
  const actions = (
    <>
      <CommandButton id="matching.previous" kind="quiet" iconOnly />
      <CommandButton id="matching.next" kind="quiet" iconOnly />
      <CommandButton id="view.closeDetail" kind="quiet" iconOnly />
    </>
  );
  if (group === null || error) {
    return (
      <DetailPlaceholder
        title={text.detail(id)}
        actions={actions}
        error={error}
        notFoundText={text.notFound}
      />
    );
  }
  return (
    <DetailPane
      label={text.detail(id)}
      actions={actions}
      head={
        <>
          <h2>{matchOriginLabel(group.rule).title}</h2>
          <p>
            <MatchStatusBadge status={group.status} pill />
            <span>
              {group.alternatives === 0 ? text.noAlternative : text.alternativeCount(group.alternatives)}
            </span>
          </p>
        </>
      }
    >
      <div className="detail-body" key={group.id}>
        <MatchActions group={group} />
        <BankSide group={group} />
        <StatementSide group={group} />
        <Adjustments group={group} />
        <UnexplainedDifference group={group} />
        <MatchEvidence group={group} explanation={details?.explanation ?? null} />
        {details && (
          <>
            <Alternatives site={site.site} group={details} />
            <MatchNotes site={site.site} on={{ group: details.id }} notes={details.note_texts} />
            <MatchHistory group={details} />
          </>
        )}
      </div>
    </DetailPane>
  );
}

function MatchActions({ group }: { readonly group: MatchGroup }) {
  const { status, line_count, transaction_count, adjustments, difference_in_cents } = group;
  const waits = status === 'suggested' || status === 'ambiguous';
  const several = line_count + transaction_count > 1;
  const even = difference_in_cents === 0 && (several || adjustments.length > 0);
  return (
    <div className="decisions">
      {waits && even && <CommandButton id="matching.confirm" kind="primary" />}
      {waits && <CommandButton id="matching.decline" />}
      {(status === 'confirmed' || status === 'declined') && <CommandButton id="matching.undo" />}
      {several && (waits || status === 'confirmed') && <CommandButton id="matching.split" />}
    </div>
  );
}

/** Shows the evidence of a match, grouped by field. */
function MatchEvidence({
  group,
  explanation,
}: {
  readonly group: MatchGroup;
  readonly explanation: string | null;
}) {
  const { user_rule, payout, reverses } = group;
  const named = Map.groupBy(
    group.reasons,
    ({ field }) => text.evidenceFields.get(field) ?? field.replaceAll('_', ' '),
  );
  return (
    <Panel title={group.status === 'ambiguous' ? text.whyAmbiguous : text.evidenceFor}>
      {group.status !== 'ambiguous' && explanation !== null && <p className="prose">{explanation}</p>}
      <FactList
        rows={[
          ...[...named].map(
            ([field, reasons]) => [field, reasons.map((each) => each.text).join('; ')] as const,
          ),
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

/** Shows the history of a match without notes, which have their own panel. */
function MatchHistory({ group }: { readonly group: MatchGroupDetail }) {
  return (
    <Panel title={text.history}>
      <ul className="match-history">
        {group.history
          .filter(({ action }) => action !== 'noted')
          .map((entry) => (
            <li key={`${entry.at} ${entry.action} ${entry.text}`}>
              {text.historyActions[entry.action]}
              <small>
                {entry.user ?? text.byMatchingRun} · <DateTime at={entry.at} />
                {entry.text !== null && ` · ${entry.text}`}
              </small>
            </li>
          ))}
      </ul>
    </Panel>
  );
}
