import { X } from 'lucide-react';
import { errorOf } from '../../contract/index.ts';
import { useClient, useJob, useQuery } from '../backend/hooks.ts';
import { Button } from '../controls/Button.tsx';
import { Progress } from '../controls/Pieces.tsx';
import { errorLine } from '../errors/errorWords.ts';
import { overall, paceText } from '../jobs/progress.ts';
import { notify } from '../view/view.ts';
import { words } from '../words/words.ts';
import '../sync/sync.css';

const text = words.overview;

/** The job that checks now, be it a check of everything or a sync. */
export function RunningCheck({ site, job: id }: { readonly site: string; readonly job: string }) {
  const client = useClient();
  const { data: known } = useQuery('jobs.get', { site, job: id });
  const job = useJob(site, id) ?? known;
  if (!job) return null;
  const { done, total } = overall(job);
  const title = job.kind === 'check' ? text.checking : words.sync.running;
  const cancel = () => {
    client.jobs.cancel({ site, job: id }).catch((thrown: unknown) => {
      notify(errorLine(errorOf(thrown)), 'bad');
    });
  };
  return (
    <section className="running" aria-label={title}>
      <header>
        <h2>{title}</h2>
        <span className="fineprint">
          {[words.sync.progressOf(done, total), paceText(job)].filter(Boolean).join(' · ')}
        </span>
        <Button size="small" icon={X} onPress={cancel}>
          {text.cancelCheck}
        </Button>
      </header>
      <Progress label={title} done={done} total={total} />
    </section>
  );
}
