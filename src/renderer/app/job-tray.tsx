import { Activity, X } from 'lucide-react';
import { useEffect } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import type { Job } from '../../contract/index.ts';
import { useJob, useQuery } from '../backend-client/backend-hooks.ts';
import { Button } from '../controls/button.tsx';
import { RelativeTime } from '../controls/formatted-values.tsx';
import { Link } from '../controls/link.tsx';
import { Popover } from '../controls/popover.tsx';
import { ProgressIndicator } from '../controls/progress-indicator.tsx';
import { formatError } from '../errors/error-texts.ts';
import { formatJobRate, getTotalJobProgress, isActiveJob } from '../jobs/job-progress.ts';
import { JobStatus, useCancelJob } from '../jobs/running-job.tsx';
import { navigate, openDialog } from '../navigation/window-state.ts';
import { useOpenReplay } from '../replay/open-replay.ts';
import { texts } from '../texts/texts.ts';
import '../jobs/jobs.css';

/** Shows running and recent jobs. Always takes up one line, so that the layout does not shift when a job starts. */
export function JobTray({ site }: { readonly site: string }) {
  const { data: jobs = [] } = useQuery('jobs.list', { site, limit: 20 });
  const running = jobs.filter(isActiveJob);
  const [newest = null, ...others] = running;
  const watched = useJob(site, newest?.id ?? null);
  const current = watched?.id === newest?.id ? watched : newest;
  const replay = running.find(({ kind }) => kind === 'replay')?.id ?? null;
  useEffect(() => useOpenReplay.setState({ activeJob: replay }), [replay]);
  return (
    <section className="tray" aria-label={texts.jobs.tray}>
      <Popover
        label={texts.jobs.recent}
        placement="right bottom"
        trigger={
          <AriaButton className="tray-button">
            <Activity size={14} aria-hidden="true" />
            <span className="tray-text">
              <span className="visually-hidden">{texts.jobs.tray}: </span>
              {current ? <CurrentJobText job={current} /> : texts.jobs.idle}
              {others.length > 0 && <span>{texts.jobs.others(others.length)}</span>}
            </span>
          </AriaButton>
        }
      >
        <div className="tray-list">
          <h3>{texts.jobs.recent}</h3>
          {jobs.length === 0 && <p>{texts.jobs.none}</p>}
          {jobs.map((job) =>
            isActiveJob(job) ? (
              <RunningJobRow key={job.id} listed={job} />
            ) : (
              <FinishedJobRow key={job.id} job={job} />
            ),
          )}
        </div>
      </Popover>
      {current && (
        <>
          <CancelJobButton job={current} />
          <ProgressIndicator label={texts.jobs.kinds[current.kind]} {...getTotalJobProgress(current)} />
        </>
      )}
    </section>
  );
}

function CurrentJobText({ job }: { readonly job: Job }) {
  const { done, total, estimated } = getTotalJobProgress(job);
  const kind = texts.jobs.kinds[job.kind];
  const progress = texts.jobs.progressOf(done, total, estimated);
  return (
    <span className="tray-current" title={`${kind}: ${progress}`}>
      <b>{kind}</b> {progress}
    </span>
  );
}

function CancelJobButton({ job }: { readonly job: Job }) {
  const cancelJob = useCancelJob(job);
  const cancel = () => {
    // Canceling a replay needs confirmation in a dialog that states what cannot be recalled.
    if (job.kind === 'replay') return openDialog({ kind: 'cancelReplay', job: job.id });
    cancelJob();
  };
  const label = texts.jobs.cancel(texts.jobs.kinds[job.kind]);
  return <Button kind="quiet" size="small" icon={X} label={label} onPress={cancel} />;
}

function RunningJobRow({ listed }: { readonly listed: Job }) {
  const job = useJob(listed.site, listed.id) ?? listed;
  const { done, total, estimated } = getTotalJobProgress(job);
  const kind = texts.jobs.kinds[job.kind];
  // Replay details are shown on the replay screen, not in the tray.
  const isReplay = job.kind === 'replay';
  const current = job.progress.find((part) => part.current)?.current;
  return (
    <div className="tray-job">
      <div className="tray-line">
        <b>
          {isReplay ? (
            <Link onPress={() => navigate({ screen: 'replays', item: job.id })}>{kind}</Link>
          ) : (
            kind
          )}
        </b>
        <span>{texts.jobs.progressOf(done, total, estimated)}</span>
        <CancelJobButton job={job} />
      </div>
      <ProgressIndicator label={kind} done={done} total={total} />
      <small>{formatJobRate(job) || (isReplay ? null : current) || '\u00a0'}</small>
    </div>
  );
}

function FinishedJobRow({ job }: { readonly job: Job }) {
  return (
    <div className="tray-job">
      <div className="tray-line">
        <b>{texts.jobs.kinds[job.kind]}</b>
        <JobStatus status={job.state} />
        <small>
          <RelativeTime at={job.ended_at ?? job.started_at} />
        </small>
      </div>
      {(job.summary ?? job.error) && <small>{job.error ? formatError(job.error) : job.summary}</small>}
    </div>
  );
}
