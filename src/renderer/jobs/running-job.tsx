import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { errorOf, type Job, type Progress as Part } from '../../contract/index.ts';
import { useClient } from '../backend/hooks.ts';
import { Button } from '../controls/button.tsx';
import { Progress } from '../controls/pieces.tsx';
import { errorLine } from '../errors/error-words.ts';
import { notify } from '../view/view.ts';
import { words } from '../words/words.ts';
import { overall, paceText } from './progress.ts';
import './jobs.css';

const text = words.jobs;

interface RunningJobProps {
  readonly job: Job;
  readonly title: string;
  /** Names the section, where its title changes as the job goes on. */
  readonly label?: string;
  /** What ends it, where that is a command of its own. */
  readonly cancel?: ReactNode;
  /** Its parts; else it is shown as one. */
  readonly children?: ReactNode;
}

/** A job under way, on the page of what it does: how far it is, how fast it goes, its end by a press. */
export function RunningJob({ job, title, label = title, cancel, children }: RunningJobProps) {
  const end = useCancel(job);
  const { done, total, estimated } = overall(job);
  return (
    <section className="running" aria-label={label}>
      <header>
        <h2>{title}</h2>
        <span className="fineprint">
          {[children ? null : text.progressOf(done, total, estimated), paceText(job)]
            .filter(Boolean)
            .join(' · ')}
        </span>
        {cancel ?? (
          <Button size="small" icon={X} onPress={end}>
            {words.controls.cancel}
          </Button>
        )}
      </header>
      {children ?? <Progress label={title} done={done} total={total} />}
    </section>
  );
}

interface JobPartsProps {
  readonly job: Job;
  /** Parts by the names people know. */
  readonly names: Readonly<Record<string, string>>;
  /** What else is said of a part, below it. */
  readonly note?: (part: Part) => ReactNode;
}

/** A job part by part, with real counts. */
export function JobParts({ job, names, note }: JobPartsProps) {
  return job.progress.map((part) => {
    const name = partName(part.part, names);
    return (
      <div key={part.part} className="running-part">
        <div>
          <span>{name}</span>
          <span className="fineprint">
            {text.progressOf(part.done, part.total, part.estimated)}
            {part.failed > 0 && ` · ${text.failed(part.failed)}`}
          </span>
        </div>
        <Progress label={name} done={part.done} total={part.total} />
        {note && <span className="fineprint">{note(part) || '\u00a0'}</span>}
      </div>
    );
  });
}

/** A part by the name people know; what is new keeps its own. */
export function partName(part: string, names: Readonly<Record<string, string>>): string {
  return new Map(Object.entries(names)).get(part) ?? part;
}

/** Ends a job; says so where it could not. */
export function useCancel({ site, id }: Pick<Job, 'site' | 'id'>): () => void {
  const client = useClient();
  return () => {
    client.jobs.cancel({ site, job: id }).catch((thrown: unknown) => {
      notify(errorLine(errorOf(thrown)), 'bad');
    });
  };
}
