import type { MatchGroupDetail, MatchRival } from '../../../contract/index.ts';
import { useAction, useClient } from '../../backend/hooks.ts';
import { Button } from '../../controls/button.tsx';
import { Panel } from '../../controls/pieces.tsx';
import { ErrorNote } from '../../errors/error-note.tsx';
import { words } from '../../words/words.ts';
import { notifyMade } from '../decide.ts';

const text = words.matching;

interface RivalsProps {
  readonly site: string;
  readonly group: MatchGroupDetail;
}

/** What else would fit; while nothing is decided, one of them can be chosen instead. */
export function Rivals({ site, group }: RivalsProps) {
  const client = useClient();
  const choosing = useAction(async ({ bank_lines, transactions }: MatchRival) => {
    const made = await client.match.make({
      site,
      lines: bank_lines.map((id) => ({ id })),
      transactions: transactions.map((id) => ({ id })),
    });
    notifyMade(client, site, [made]);
  });
  const waits = group.status === 'suggested' || group.status === 'ambiguous';
  const open = group.transaction_count === 0;
  if (group.rivals_seen.length === 0) return null;
  return (
    <Panel title={open ? text.rivalsAlike : text.rivalsSeen}>
      <ul className="match-side">
        {group.rivals_seen.map((rival) => (
          <li key={rival.text}>
            <span>{rival.text}</span>
            {waits && rival.bank_lines.length > 0 && rival.transactions.length > 0 && (
              <Button size="small" pending={choosing.running} onPress={() => void choosing.run(rival)}>
                {open ? text.chooseOne : text.chooseRival}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {group.rivals > group.rivals_seen.length && (
        <p className="fineprint">{text.more(group.rivals - group.rivals_seen.length)}</p>
      )}
      {choosing.error && <ErrorNote error={choosing.error} site={site} />}
    </Panel>
  );
}
