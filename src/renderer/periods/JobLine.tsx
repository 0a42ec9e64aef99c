import { useClient, useJob } from '../backend/hooks.ts';
import { Button } from '../controls/Button.tsx';
import { Progress } from '../controls/Pieces.tsx';
import { ErrorNote } from '../errors/ErrorNote.tsx';
import { isUnderWay, overall, paceText } from '../jobs/progress.ts';
import { words } from '../words/words.ts';

interface JobLineProps {
  readonly site: string;
  readonly job: string;
  readonly title: string;
}

/** A job of the page: how far it is, its end by a press, and how it failed. */
export function JobLine({ site, job: id, title }: JobLineProps) {
  const client = useClient();
  const job = useJob(site, id);
  if (job === null) return null;
  if (job.error !== null) return <ErrorNote error={job.error} site={site} />;
  if (!isUnderWay(job)) return null;
  const { done, total } = overall(job);
  return (
    <section className="running" aria-label={title}>
      <header>
        <h2>{title}</h2>
        <span className="fineprint">{paceText(job)}</span>
        <Button size="small" onPress={() => void client.jobs.cancel({ site, job: id })}>
          {words.periods.pack.cancel}
        </Button>
      </header>
      <Progress label={title} done={done} total={total} />
    </section>
  );
}
