import type { Progress as JobPart } from '../../contract/index.ts';
import { useJob, useQuery } from '../backend/hooks.ts';
import { CommandButton } from '../commands/useCommands.tsx';
import { Progress } from '../controls/Pieces.tsx';
import { paceText } from '../jobs/progress.ts';
import { durationText } from '../words/numbers.ts';
import { words } from '../words/words.ts';

const text = words.sync;

/** A sync under way, part by part, with real counts. */
export function RunningSync({ site, job: id }: { readonly site: string; readonly job: string }) {
  const { data: known } = useQuery('jobs.get', { site, job: id });
  const job = useJob(site, id) ?? known;
  if (!job) return null;
  const moving = job.progress.at(-1);
  // How long the whole will take is known when all parts have begun; until then, what this one will.
  const left = job.remaining_ms === null && moving !== undefined ? partLeft(moving, job.rate) : null;
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
          <span className="fineprint">
            {[part.current, part === moving && left !== null && text.partLeft(durationText(left))]
              .filter(Boolean)
              .join(' · ') || '\u00a0'}
          </span>
        </div>
      ))}
    </section>
  );
}

/** How long the rest of a part takes at this pace, in ms; null where that is not known. */
function partLeft({ done, failed, total }: JobPart, rate: number | null): number | null {
  if (total === null || rate === null || rate <= 0) return null;
  const more = total - done - failed;
  return more > 0 ? (more * 1000) / rate : null;
}

/** A part by the name people know; what is new keeps its own. */
function partName(part: string): string {
  const named: Readonly<Record<string, string>> = text.parts;
  return named[part] ?? part;
}
