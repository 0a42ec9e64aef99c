import { CircleCheck, CircleMinus, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import type {
  MatchAlternative,
  MatchGroup,
  MatchGroupDetail,
  MatchReason,
  Site,
} from '../../../contract/index.ts';
import { getMatchOriginLabel } from '../../../domain/labels/matches.ts';
import { useAction, useContractClient, useQuery } from '../../backend-client/backend-hooks.ts';
import { CommandButton } from '../../commands/command-button.tsx';
import { CommentsPanel } from '../../comments/comments-panel.tsx';
import { Button } from '../../controls/button.tsx';
import { DateTime, LabeledValueList } from '../../controls/formatted-values.tsx';
import { Link } from '../../controls/link.tsx';
import { Panel } from '../../controls/panel.tsx';
import { ErrorMessage } from '../../errors/error-message.tsx';
import { RecordPane } from '../../list-screen/record-pane.tsx';
import { texts } from '../../texts/texts.ts';
import { findConfirmationBlocker, showManualMatchNotice } from '../shared/match-decisions.ts';
import { MatchStatusBadge } from '../shared/match-status-badges.tsx';
import { openMatchingTab } from '../shared/matching-route.ts';
import { PaymentTrailPanel } from '../trail/payment-trail-panel.tsx';
import { MatchAdjustments, MatchBankLines, MatchDifference, MatchPayments } from './match-sides.tsx';

const text = texts.matching;

interface MatchDetailProps {
  readonly site: Site;
  readonly id: number;
  /** Match as loaded by the list, shown until its details have loaded. */
  readonly row: MatchGroup | null;
}

/** Shows one match with both sides, the difference, evidence, alternatives, comments, and history. */
export function MatchDetail({ site, id, row }: MatchDetailProps) {
  const { data, ...state } = useQuery('match.get', { site: site.site, id });
  // The shortcut keys act on the open match, so the previous match's details are not shown.
  const details = data?.id === id ? data : null;
  return (
    <RecordPane
      title={text.detail(id)}
      query={{ ...state, data: details ?? (row?.id === id ? row : undefined) }}
      commands={['matching.previous', 'matching.next']}
      notFoundText={text.notFound}
      head={({ rule, status, alternatives }) => (
        <>
          <h2>{getMatchOriginLabel(rule).title}</h2>
          <p>
            <MatchStatusBadge status={status} pill />
            <span>{alternatives === 0 ? text.noAlternative : text.alternativeCount(alternatives)}</span>
          </p>
        </>
      )}
    >
      {(group) => (
        <div className="detail-body" key={group.id}>
          <MatchActions group={group} />
          <MatchBankLines group={group} />
          <MatchPayments group={group} />
          <MatchAdjustments group={group} />
          <MatchDifference group={group} />
          <MatchEvidence group={group} explanation={details?.explanation ?? null} />
          <EvidencePanel
            title={text.evidenceAgainst}
            reasons={group.reasons.filter(isAgainst)}
            icon={CircleMinus}
          />
          {details && (
            <>
              <MatchAlternatives site={site.site} group={details} />
              <PaymentTrailPanel site={site.site} from={{ kind: 'match', id: details.id }} />
              <CommentsPanel site={site.site} kind="match" id={details.id} />
              <MatchHistory group={details} />
            </>
          )}
        </div>
      )}
    </RecordPane>
  );
}

function MatchActions({ group }: { readonly group: MatchGroup }) {
  const { status, line_count, transaction_count } = group;
  const isUndecided = status === 'suggested' || status === 'ambiguous';
  const hasSeveralItems = line_count + transaction_count > 1;
  return (
    <div className="decisions">
      {findConfirmationBlocker(group) === null && <CommandButton id="matching.confirm" kind="primary" />}
      {isUndecided && <CommandButton id="matching.decline" />}
      {(status === 'confirmed' || status === 'declined') && <CommandButton id="matching.undo" />}
      {hasSeveralItems && (isUndecided || status === 'confirmed') && <CommandButton id="matching.split" />}
    </div>
  );
}

const isAgainst = ({ against }: MatchReason): boolean => against === true;

/** Shows the evidence for a match, and the rule, payout or payment that the match refers to. */
function MatchEvidence({
  group,
  explanation,
}: {
  readonly group: MatchGroup;
  readonly explanation: string | null;
}) {
  const { user_rule, payout, reverses } = group;
  const reasons = group.reasons.filter((reason) => !isAgainst(reason));
  return (
    <EvidencePanel title={text.evidenceFor} reasons={reasons} icon={CircleCheck}>
      {reasons.length === 0 && explanation !== null && <p className="prose">{explanation}</p>}
      <LabeledValueList
        rows={[
          user_rule && [
            text.userRule,
            <Link key="rule" onPress={() => openMatchingTab('rules', user_rule.id)}>
              {user_rule.title}
            </Link>,
          ],
          payout === null
            ? null
            : [
                text.payout,
                <Link key="payout" onPress={() => openMatchingTab('payouts', payout)}>
                  {text.openPayout}
                </Link>,
              ],
          reverses === null ? null : [text.reverses, text.payment(reverses)],
        ]}
      />
    </EvidencePanel>
  );
}

interface EvidencePanelProps {
  readonly title: string;
  readonly reasons: readonly MatchReason[];
  readonly icon: LucideIcon;
  readonly children?: ReactNode;
}

/** Lists reasons as sentences. Shows nothing if there is neither a reason nor other content. */
function EvidencePanel({ title, reasons, icon: Icon, children }: EvidencePanelProps) {
  if (reasons.length === 0 && children === undefined) return null;
  return (
    <Panel title={title}>
      {reasons.length > 0 && (
        <ul className="match-evidence">
          {reasons.map((reason) => (
            <li key={reason.text}>
              <Icon size={16} aria-hidden="true" />
              {reason.text}
            </li>
          ))}
        </ul>
      )}
      {children}
    </Panel>
  );
}

/** Shows the history of a match. */
function MatchHistory({ group }: { readonly group: MatchGroupDetail }) {
  return (
    <Panel title={text.history}>
      <ul className="match-history">
        {group.history.map((entry) => (
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

/** Lists unmatched items of the same amount. Until the match is decided, the user can choose one of them instead. */
export function MatchAlternatives({
  site,
  group,
}: {
  readonly site: string;
  readonly group: MatchGroupDetail;
}) {
  const client = useContractClient();
  const choosing = useAction(async ({ bank_lines, transactions }: MatchAlternative) => {
    const made = await client.match.make({
      site,
      lines: bank_lines.map((id) => ({ id })),
      transactions: transactions.map((id) => ({ id })),
    });
    showManualMatchNotice(client, site, [made]);
  });
  const isUndecided = group.status === 'suggested' || group.status === 'ambiguous';
  const hasNoPayment = group.transaction_count === 0;
  if (group.nearest_alternatives.length === 0) return null;
  return (
    <Panel title={text.sameAmount(group.nearest_alternatives.length)}>
      <p className="fineprint">{text.sameAmountText(group.alternatives)}</p>
      <ul className="match-side">
        {group.nearest_alternatives.map((rival) => (
          <li key={rival.text}>
            <span>{rival.text}</span>
            {isUndecided && rival.bank_lines.length > 0 && rival.transactions.length > 0 && (
              <Button size="small" isPending={choosing.running} onPress={() => void choosing.run(rival)}>
                {hasNoPayment ? text.matchThese : text.matchTheseInstead}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {choosing.error && <ErrorMessage error={choosing.error} site={site} />}
    </Panel>
  );
}
