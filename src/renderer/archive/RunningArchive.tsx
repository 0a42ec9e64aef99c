import type { Job } from '../../contract/index.ts';
import { useAction, useClient, useJob } from '../backend/hooks.ts';
import { Button } from '../controls/Button.tsx';
import { Progress } from '../controls/Pieces.tsx';
import { paceText } from '../jobs/progress.ts';
import { words } from '../words/words.ts';

const text = words.archive;

/** Work on the archive under way, part by part, and its end by a press. */
export function RunningArchive({ site, known }: { readonly site: string; readonly known: Job }) {
  const client = useClient();
  const job = useJob(site, known.id) ?? known;
  const cancelling = useAction(() => client.jobs.cancel({ site, job: known.id }));
  return (
    <section className="running" aria-label={text.running}>
      <header>
        <h2>{partName(job.progress.at(-1)?.part ?? '') || text.running}</h2>
        <span className="fineprint">{paceText(job)}</span>
        <Button size="small" pending={cancelling.running} onPress={() => void cancelling.run()}>
          {text.cancel}
        </Button>
      </header>
      {job.progress.map((part) => (
        <div key={part.part} className="running-part">
          <div>
            <span>{partName(part.part)}</span>
            <span className="fineprint">
              {words.sync.progressOf(part.done, part.total)}
              {part.failed > 0 && ` · ${words.sync.failed(part.failed)}`}
            </span>
          </div>
          <Progress label={partName(part.part)} done={part.done} total={part.total} />
        </div>
      ))}
    </section>
  );
}

/** A part by the name people know; what is new keeps its own. */
function partName(part: string): string {
  return new Map<string, string>(Object.entries(text.parts)).get(part) ?? part;
}
