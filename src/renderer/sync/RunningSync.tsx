import { useJob, useQuery } from '../backend/hooks.ts';
import { CommandButton } from '../commands/useCommands.tsx';
import { Progress } from '../controls/Pieces.tsx';
import { paceText } from '../jobs/progress.ts';
import { words } from '../words/words.ts';

const text = words.sync;

/** A sync under way, part by part, with real counts. */
export function RunningSync({ site, job: id }: { readonly site: string; readonly job: string }) {
  const { data: known } = useQuery('jobs.get', { site, job: id });
  const job = useJob(site, id) ?? known;
  if (!job) return null;
  return (
    <section className="running" aria-label={text.running}>
      <header>
        <h2>{text.running}</h2>
        <span className="fineprint">{paceText(job)}</span>
        <CommandButton id="sync.cancel" size="small" />
      </header>
      {job.progress.map((part) => (
        <div key={part.part} className="running-part">
          <div>
            <span>{partName(part.part)}</span>
            <span className="fineprint">
              {text.progressOf(part.done, part.total)}
              {part.failed > 0 && ` · ${text.failed(part.failed)}`}
            </span>
          </div>
          <Progress label={partName(part.part)} done={part.done} total={part.total} />
          <span className="fineprint">{part.current ?? '\u00a0'}</span>
        </div>
      ))}
    </section>
  );
}

/** A part by the name people know; what is new keeps its own. */
function partName(part: string): string {
  const named: Readonly<Record<string, string>> = text.parts;
  return named[part] ?? part;
}
