import { Activity, CircleCheck, CircleDashed, CirclePause, CircleX, LoaderCircle, X } from 'lucide-react';
import { useEffect } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import type { Job, JobState } from '../../contract/index.ts';
import { useJob, useQuery } from '../backend/hooks.ts';
import { Button } from '../controls/button.tsx';
import { Link } from '../controls/link.tsx';
import { Popover } from '../controls/overlay.tsx';
import { Progress } from '../controls/pieces.tsx';
import { Status, type Tone } from '../controls/status.tsx';
import { Ago } from '../controls/values.tsx';
import { errorLine } from '../errors/error-words.ts';
import { useOpenReplay } from '../replay/front.ts';
import { go, openDialog } from '../view/view.ts';
import { words } from '../words/words.ts';
import { isUnderWay, overall, paceText } from './progress.ts';
import { useCancel } from './running-job.tsx';
import './jobs.css';

const looks: Record<JobState, readonly [Tone, typeof Activity]> = {
  running: ['accent', LoaderCircle],
  paused: ['warn', CirclePause],
  done: ['good', CircleCheck],
  failed: ['bad', CircleX],
  cancelled: ['calm', CircleDashed],
  interrupted: ['warn', CircleDashed],
};

export function JobStatus({ state }: { readonly state: JobState }) {
  const [tone, icon] = looks[state];
  return (
    <Status tone={tone} icon={icon}>
      {words.jobs.states[state]}
    </Status>
  );
}

/**
 * Long work, wherever one is in the window: what runs, how far it is, and its end by a press. Always one line, so that nothing beside it
 * moves or is covered when work begins.
 */
export function JobTray({ site }: { readonly site: string }) {
  const { data: jobs = [] } = useQuery('jobs.list', { site, limit: 20 });
  const running = jobs.filter(isUnderWay);
  const [newest = null, ...others] = running;
  const told = useJob(site, newest?.id ?? null);
  const front = told?.id === newest?.id ? told : newest;
  const replay = running.find(({ kind }) => kind === 'replay')?.id ?? null;
  useEffect(() => useOpenReplay.setState({ live: replay }), [replay]);
  return (
    <section className="tray" aria-label={words.jobs.tray}>
      <Popover
        label={words.jobs.recent}
        placement="right bottom"
        trigger={
          <AriaButton className="tray-button">
            <Activity size={14} aria-hidden="true" />
            <span className="unseen">{words.jobs.tray}: </span>
            {front ? <FrontText job={front} /> : words.jobs.idle}
            {others.length > 0 && <span>{words.jobs.others(others.length)}</span>}
          </AriaButton>
        }
      >
        <div className="tray-list">
          <h3>{words.jobs.recent}</h3>
          {jobs.length === 0 && <p>{words.jobs.none}</p>}
          {jobs.map((job) =>
            isUnderWay(job) ? <RunningJob key={job.id} known={job} /> : <EndedJob key={job.id} job={job} />,
          )}
        </div>
      </Popover>
      {front && (
        <>
          <EndJob job={front} />
          <Progress label={words.jobs.kinds[front.kind]} {...overall(front)} />
        </>
      )}
    </section>
  );
}

function FrontText({ job }: { readonly job: Job }) {
  const { done, total, estimated } = overall(job);
  const kind = words.jobs.kinds[job.kind];
  const far = words.jobs.progressOf(done, total, estimated);
  return (
    <span className="tray-front" title={`${kind}: ${far}`}>
      <b>{kind}</b> {far}
    </span>
  );
}

function EndJob({ job }: { readonly job: Job }) {
  const end = useCancel(job);
  const cancel = () => {
    // A replay says first what cannot be called back.
    if (job.kind === 'replay') return openDialog({ kind: 'cancelReplay', job: job.id });
    end();
  };
  const label = words.jobs.cancel(words.jobs.kinds[job.kind]);
  return <Button kind="quiet" size="small" icon={X} label={label} onPress={cancel} />;
}

function RunningJob({ known }: { readonly known: Job }) {
  const job = useJob(known.site, known.id) ?? known;
  const { done, total, estimated } = overall(job);
  const kind = words.jobs.kinds[job.kind];
  // How a replay goes on is told in its cockpit.
  const replay = job.kind === 'replay';
  const current = job.progress.find((part) => part.current)?.current;
  return (
    <div className="tray-job">
      <div className="tray-line">
        <b>{replay ? <Link onPress={() => go({ screen: 'replays', item: job.id })}>{kind}</Link> : kind}</b>
        <span>{words.jobs.progressOf(done, total, estimated)}</span>
        <EndJob job={job} />
      </div>
      <Progress label={kind} done={done} total={total} />
      <small>{paceText(job) || (replay ? null : current) || '\u00a0'}</small>
    </div>
  );
}

function EndedJob({ job }: { readonly job: Job }) {
  return (
    <div className="tray-job">
      <div className="tray-line">
        <b>{words.jobs.kinds[job.kind]}</b>
        <JobStatus state={job.state} />
        <small>
          <Ago at={job.ended_at ?? job.started_at} />
        </small>
      </div>
      {(job.summary ?? job.error) && <small>{job.error ? errorLine(job.error) : job.summary}</small>}
    </div>
  );
}
