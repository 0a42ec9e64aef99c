import { FileUp } from 'lucide-react';
import { useEffect, useState } from 'react';
import { DropZone, FileTrigger } from 'react-aria-components';
import type { AccountKind, BankAccount, ImportPlan, OfferedFile } from '../../contract/index.ts';
import { useAction, useClient, useJob, useNewest, useQuery } from '../backend/hooks.ts';
import { Button } from '../controls/button.tsx';
import { Dialog } from '../controls/overlay.tsx';
import { Progress } from '../controls/pieces.tsx';
import { ErrorNote } from '../errors/error-note.tsx';
import { overall } from '../jobs/progress.ts';
import { closeDialog, notify, showFiltered } from '../view/view.ts';
import { words } from '../words/words.ts';
import { type How, ImportHow, NEW_ACCOUNT } from './import-how.tsx';
import { OfferedFiles } from './offered-files.tsx';
import { PlanPreview } from './plan-preview.tsx';
import type { ProfileContent } from './profile-draft.ts';
import { ProfilePanel } from './profile-panel.tsx';
import { uploadFile } from './upload.ts';
import './bank.css';

const text = words.bank;
const none: readonly BankAccount[] = [];

/** From a file to lines of an account: it is read, shown as the plan that will be carried out, and only then kept. */
export function ImportFileDialog({ site }: { readonly site: string }) {
  const client = useClient();
  const { data: accounts = none } = useQuery('bank.accounts', { site });
  const { data: profiles = [] } = useQuery('bank.profiles', { site });
  const [file, setFile] = useState<File | null>(null);
  const [share, setShare] = useState<number | null>(null);
  const [upload, setUpload] = useState<string | null>(null);
  const [chosen, setChosen] = useState<string | null>(null);
  const [name, setName] = useState('');
  const [kind, setKind] = useState<AccountKind | null>(null);
  const [profile, setProfile] = useState('');
  /** The profile picked by hand: with another one, what was typed about it begins anew. */
  const [picked, setPicked] = useState('');
  const [custom, setCustom] = useState<ProfileContent | null>(null);
  const [keep, setKeep] = useState<readonly number[]>([]);
  const [answers, setAnswers] = useState<Record<string, string>>({});
  const [job, setJob] = useState<string | null>(null);

  /** Null: the file is to tell it. */
  const asked = chosen ?? (accounts.length === 0 ? NEW_ACCOUNT : null);
  const how = { account: asked, name: name.trim(), kind, profile, answers, custom, keep };
  const handing = useNewest(async (given: File) => {
    setShare(0);
    return await uploadFile(client, site, given, setShare).finally(() => setShare(null));
  });
  const reading = useNewest((of: string, by: typeof how) =>
    client.bank.plan({
      site,
      upload: of,
      ...(by.account !== null && { account: accountRefOf(by.account, by.name, by.kind) }),
      answers: by.answers,
      keep_rows: [...by.keep],
      ...(by.custom ? { custom_profile: by.custom } : by.profile === '' ? {} : { profile: by.profile }),
    }),
  );
  const applying = useAction((plan: ImportPlan) => client.bank.import({ site, plan: plan.plan }));
  const plan = reading.done;

  const take = async (given: File | null | undefined, into: Partial<typeof how> = {}) => {
    if (!given) return;
    setFile(given);
    // What was said of the file before is not said of this one.
    const account =
      into.account ?? (file === null ? how.account : accounts.length === 0 ? NEW_ACCOUNT : null);
    if (file !== null && into.account === undefined) setChosen(null);
    setAnswers({});
    setCustom(null);
    setKeep([]);
    setUpload(null);
    reading.reset();
    const became = await handing.run(given);
    if (became === null) return;
    setUpload(became);
    await reading.run(became, { ...how, ...into, account, answers: {}, custom: null, keep: [] });
  };
  const takeOffered = ({ name: fileName, text: content, account: of }: OfferedFile) => {
    const known = accounts.find((one) => one.name === of.name);
    const into = { account: known ? String(known.id) : NEW_ACCOUNT, name: of.name, kind: of.kind };
    setChosen(into.account);
    setName(into.name);
    setKind(into.kind);
    void take(new File([content], fileName, { type: 'text/csv' }), into);
    // The button that was pressed is gone now.
    requestAnimationFrame(() => document.querySelector<HTMLElement>('.bank-file button')?.focus());
  };
  /** Another account, profile or answer makes another plan. */
  const again = (change: Partial<typeof how>) => {
    if (upload !== null) void reading.run(upload, { ...how, ...change });
  };

  const changeHow = (change: Partial<How>) => {
    if (change.account !== undefined) setChosen(change.account);
    if (change.name !== undefined) setName(change.name);
    if (change.kind !== undefined) setKind(change.kind);
    if (change.profile !== undefined) {
      setProfile(change.profile);
      setPicked(change.profile);
      setCustom(null);
    }
    // A name is no other reading of the file: it is taken when the plan is carried out.
    if (change.name === undefined)
      again({ ...change, ...(change.profile === undefined ? {} : { custom: null }) });
  };

  const apply = async () => {
    if (plan === null || upload === null || hindrance !== null) return;
    const named =
      asked === NEW_ACCOUNT && plan.account.name !== how.name ? await reading.run(upload, how) : plan;
    const started = named && (await applying.run(named));
    if (started) setJob(started.job);
  };
  const hindrance =
    file === null
      ? text.noFile
      : asked === NEW_ACCOUNT && name.trim() === ''
        ? text.nameMissing
        : plan === null
          ? text.reading
          : plan.hindrance;
  const error = handing.error ?? reading.error ?? applying.error;
  if (job !== null && plan !== null) return <Importing site={site} job={job} plan={plan} />;
  return (
    <Dialog
      title={text.importTitle}
      size={plan === null ? 'regular' : 'large'}
      onClose={closeDialog}
      dismissable={file === null}
      footer={
        <>
          {plan !== null && hindrance !== null && <span className="fineprint push">{hindrance}</span>}
          <Button onPress={closeDialog}>{text.cancel}</Button>
          <Button
            kind="primary"
            pending={applying.running || reading.running}
            reason={hindrance ?? (plan?.rows.new === 0 ? text.apply(0) : null)}
            onPress={() => void apply()}
          >
            {text.apply(plan?.rows.new ?? 0)}
          </Button>
        </>
      }
    >
      <DropZone
        className="bank-drop"
        aria-label={text.dropZone}
        onDrop={async ({ items }) => {
          const dropped = items.find((item) => item.kind === 'file');
          if (dropped) await take(await dropped.getFile());
        }}
      >
        {file === null && <p>{text.importText}</p>}
        <div className="bank-file">
          <FileTrigger onSelect={(files) => void take(files?.[0])}>
            <Button icon={FileUp} kind={file === null ? 'primary' : 'plain'} autoFocus>
              {file === null ? text.chooseFile : text.otherFile}
            </Button>
          </FileTrigger>
          <span className="fineprint" role="status">
            {file === null
              ? text.dropHere
              : share !== null
                ? text.uploading(Math.floor(share * 100))
                : reading.running
                  ? text.reading
                  : file.name}
          </span>
        </div>
        {file === null && <OfferedFiles site={site} onTake={takeOffered} />}
      </DropZone>
      <ImportHow
        how={{
          account: asked ?? String(plan?.account.id ?? ''),
          name,
          kind: kind ?? plan?.account.kind ?? 'bank',
          profile,
        }}
        accounts={accounts}
        told={plan?.account.by ?? null}
        profiles={plan?.profile == null ? null : profiles}
        onChange={changeHow}
      />
      {plan?.profile != null && (
        <ProfilePanel
          key={`${plan.file.sha256} ${picked}`}
          site={site}
          profile={plan.profile}
          saved={profiles.find(({ name: known, built_in }) => known === profile && !built_in) ?? null}
          onTry={(tried) => {
            setCustom(tried);
            again({ custom: tried });
          }}
          onKept={(kept) => {
            setCustom(null);
            setProfile(kept ?? '');
            again({ custom: null, profile: kept ?? '' });
          }}
        />
      )}
      {error && <ErrorNote error={error} site={site} />}
      {plan && (
        <PlanPreview
          site={site}
          plan={plan}
          answers={answers}
          kept={keep}
          onKeep={(rows) => {
            setKeep(rows);
            again({ keep: rows });
          }}
          onAnswer={(key, value) => {
            const next = { ...answers, [key]: value };
            setAnswers(next);
            again({ answers: next });
          }}
        />
      )}
    </Dialog>
  );
}

/** An account there is, or one that the import makes; of what kind the file tells, unless somebody says it. */
function accountRefOf(account: string, name: string, kind: AccountKind | null) {
  return account === NEW_ACCOUNT
    ? { name: name || text.newAccountName, ...(kind !== null && { kind }) }
    : { id: Number(account) };
}

/** The plan is being carried out; closing the dialog leaves it to the tray. */
function Importing({
  site,
  job,
  plan,
}: {
  readonly site: string;
  readonly job: string;
  readonly plan: ImportPlan;
}) {
  const client = useClient();
  const state = useJob(site, job);
  const ended = state?.ended_at ?? null;
  const failed = state?.error ?? null;
  useEffect(() => {
    if (ended === null || failed !== null) return;
    let closed = false;
    const show = async () => {
      const done = await client.bank.getImport({ site, job });
      if (closed) return;
      closeDialog();
      showFiltered('bank', { import: done.id });
      notify(text.imported(done.rows.new, done.account.name), 'good');
    };
    void show();
    return () => {
      closed = true;
    };
  }, [client, site, job, ended, failed]);
  const { done, total } = state ? overall(state) : { done: 0, total: null };
  return (
    <Dialog
      title={text.importTitle}
      size="small"
      onClose={closeDialog}
      footer={<Button onPress={closeDialog}>{text.close}</Button>}
    >
      <p>
        {text.importing} {plan.file.name}
      </p>
      <Progress label={text.importing} done={done} total={total} />
      {failed && <ErrorNote error={failed} site={site} />}
    </Dialog>
  );
}
