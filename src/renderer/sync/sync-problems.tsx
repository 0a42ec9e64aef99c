import { useState } from 'react';
import type { SyncProblem } from '../../contract/index.ts';
import { useQuery } from '../backend-client/backend-hooks.ts';
import { Button } from '../controls/button.tsx';
import { CopyButton } from '../controls/copy-button.tsx';
import { DateTime } from '../controls/formatted-values.tsx';
import { Panel } from '../controls/panel.tsx';
import { texts } from '../texts/texts.ts';

const text = texts.sync;
const INITIAL_LIMIT = 20;

/** Lists the records that could not be read, with the service's response. Renders nothing if there are none. */
export function SyncProblems({ site, count }: { readonly site: string; readonly count: number }) {
  const [limit, setLimit] = useState(INITIAL_LIMIT);
  const { data: page } = useQuery('sync.problems', count > 0 ? { site, limit } : null);
  if (count === 0 || !page || page.rows.length === 0) return null;
  return (
    <Panel level={2} title={text.problems} aside={<span className="fineprint">{text.problemsText}</span>}>
      <ul className="problems">
        {page.rows.map((problem) => (
          <SyncProblemItem key={problem.id} problem={problem} />
        ))}
      </ul>
      {page.next !== null && limit < 1000 && (
        <Button kind="quiet" onPress={() => setLimit(Math.min(1000, limit * 4))}>
          {text.moreProblems}
        </Button>
      )}
    </Panel>
  );
}

function SyncProblemItem({ problem }: { readonly problem: SyncProblem }) {
  return (
    <li>
      <div className="problem-head">
        <b>{text.parts[problem.part]}</b>
        <code>{problem.location}</code>
        <span className="fineprint">
          <DateTime at={problem.seen_at} />
        </span>
      </div>
      <p>{problem.reason}</p>
      {problem.raw !== null && (
        <details>
          <summary>{text.raw}</summary>
          <CopyButton text={problem.raw} label={text.raw} />
          <pre className="code-block">{problem.raw}</pre>
        </details>
      )}
    </li>
  );
}
