import { CircleAlert, CircleCheck, CircleDashed } from 'lucide-react';
import type { CheckSummary, PartStatus } from '../../contract/index.ts';
import { Link } from '../controls/link.tsx';
import { Panel } from '../controls/pieces.tsx';
import { Status } from '../controls/status.tsx';
import { Ago } from '../controls/values.tsx';
import { go } from '../view/view.ts';
import { countText } from '../words/numbers.ts';
import { words } from '../words/words.ts';

const text = words.overview;

/** What is held of each part, and how fresh it is. */
export function Holdings({ summary: { freshness } }: { readonly summary: CheckSummary }) {
  return (
    <Panel
      level={2}
      title={text.held}
      aside={<Link onPress={() => go({ screen: 'sync' })}>{words.sync.title}</Link>}
    >
      <table className="table">
        <tbody>
          {freshness.parts.map((part) => (
            <tr key={part.part}>
              <th scope="row">{words.sync.parts[part.part]}</th>
              <td>{countText(part.held)}</td>
              <td>
                <Ago at={part.synced_at} />
              </td>
              <td className="table-end">
                <State part={part} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}

function State({ part }: { readonly part: PartStatus }) {
  const [tone, icon, word] =
    part.problems > 0
      ? (['warn', CircleAlert, words.sync.problemCount(part.problems)] as const)
      : part.complete
        ? (['good', CircleCheck, text.heldAll] as const)
        : part.part === 'pdf'
          ? (['calm', CircleDashed, words.sync.onDemand] as const)
          : (['warn', CircleDashed, text.heldPart] as const);
  return (
    <Status tone={tone} icon={icon}>
      {word}
    </Status>
  );
}
