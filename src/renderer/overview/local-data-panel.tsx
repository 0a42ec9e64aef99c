import { CircleAlert, CircleCheck, CircleDashed } from 'lucide-react';
import type { CheckSummary, SyncPartStatus } from '../../contract/index.ts';
import { RelativeTime } from '../controls/formatted-values.tsx';
import { Link } from '../controls/link.tsx';
import { Panel } from '../controls/panel.tsx';
import { StatusLabel } from '../controls/status-label.tsx';
import { navigate } from '../navigation/window-state.ts';
import { formatCount } from '../texts/numbers.ts';
import { texts } from '../texts/texts.ts';

const text = texts.overview;

/** Shows how many records of each part are stored and when each part was last synced. */
export function LocalDataPanel({ summary: { freshness } }: { readonly summary: CheckSummary }) {
  return (
    <Panel
      level={2}
      title={text.localData}
      aside={<Link onPress={() => navigate({ screen: 'sync' })}>{texts.sync.title}</Link>}
    >
      <table className="table">
        <tbody>
          {freshness.parts.map((part) => (
            <tr key={part.part}>
              <th scope="row">{texts.sync.parts[part.part]}</th>
              <td>{formatCount(part.stored)}</td>
              <td>
                <RelativeTime at={part.synced_at} />
              </td>
              <td className="table-end">
                <PartState part={part} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}

function PartState({ part }: { readonly part: SyncPartStatus }) {
  const [tone, icon, word] =
    part.problems > 0
      ? (['warn', CircleAlert, texts.sync.problemCount(part.problems)] as const)
      : part.complete
        ? (['good', CircleCheck, text.complete] as const)
        : part.part === 'pdf'
          ? (['calm', CircleDashed, texts.sync.onDemand] as const)
          : (['warn', CircleDashed, text.incomplete] as const);
  return <StatusLabel tone={tone} icon={icon} text={word} />;
}
