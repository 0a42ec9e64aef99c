import type { MatchAlternative, MatchGroupDetail } from '../../../contract/index.ts';
import { useAction, useContractClient } from '../../backend-client/backend-hooks.ts';
import { Button } from '../../controls/button.tsx';
import { Panel } from '../../controls/panel.tsx';
import { ErrorMessage } from '../../errors/error-message.tsx';
import { texts } from '../../texts/texts.ts';
import { notifyManualMatch } from '../match-decisions.ts';

const text = texts.matching;

interface AlternativesProps {
  readonly site: string;
  readonly group: MatchGroupDetail;
}

/** Lists the alternatives to a match. Until the match is decided, the user can choose one of them instead. */
export function Alternatives({ site, group }: AlternativesProps) {
  const client = useContractClient();
  const choosing = useAction(async ({ bank_lines, transactions }: MatchAlternative) => {
    const made = await client.match.make({
      site,
      lines: bank_lines.map((id) => ({ id })),
      transactions: transactions.map((id) => ({ id })),
    });
    notifyManualMatch(client, site, [made]);
  });
  const waits = group.status === 'suggested' || group.status === 'ambiguous';
  const open = group.transaction_count === 0;
  if (group.nearest_alternatives.length === 0) return null;
  return (
    <Panel title={open ? text.equalAlternatives : text.alternatives}>
      <ul className="match-side">
        {group.nearest_alternatives.map((rival) => (
          <li key={rival.text}>
            <span>{rival.text}</span>
            {waits && rival.bank_lines.length > 0 && rival.transactions.length > 0 && (
              <Button size="small" isPending={choosing.running} onPress={() => void choosing.run(rival)}>
                {open ? text.matchThese : text.matchTheseInstead}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {group.alternatives > group.nearest_alternatives.length && (
        <p className="fineprint">{text.more(group.alternatives - group.nearest_alternatives.length)}</p>
      )}
      {choosing.error && <ErrorMessage error={choosing.error} site={site} />}
    </Panel>
  );
}
