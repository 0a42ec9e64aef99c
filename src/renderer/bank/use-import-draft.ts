import { useState } from 'react';
import type { AccountKind, BankAccount, Inputs } from '../../contract/index.ts';
import { useContractClient, useLatestAction } from '../backend-client/backend-hooks.ts';
import { texts } from '../texts/texts.ts';
import { NEW_ACCOUNT } from './import-settings.tsx';
import type { ProfileContent } from './profile-draft.ts';
import { uploadFile } from './upload-file.ts';

/** Everything besides the file that an import plan depends on. */
export interface ImportDraft {
  /** An account's id or `NEW_ACCOUNT`. Null to detect the account from the file. */
  readonly account: string | null;
  readonly name: string;
  /** Null to detect the account type from the file. */
  readonly kind: AccountKind | null;
  /** Name of a profile. Empty to detect the format from the file. */
  readonly profile: string;
  readonly customProfile: ProfileContent | null;
  readonly answers: Readonly<Record<string, string>>;
  /** Row numbers that are imported although they are duplicates. */
  readonly includedDuplicates: readonly number[];
}

/** Settings that apply to one file only and are reset when another file is opened. */
const fileDefaults = { customProfile: null, answers: {}, includedDuplicates: [] };
const emptyDraft: ImportDraft = { account: null, name: '', kind: null, profile: '', ...fileDefaults };

/** Uploads a file and plans its import again after every change. Only the newest plan counts. */
export function useImportDraft(site: string, accounts: readonly BankAccount[]) {
  const client = useContractClient();
  const [file, setFile] = useState<File | null>(null);
  /** Uploaded share of the file, 0 to 1. Null if no upload is running. */
  const [uploadedShare, setUploadedShare] = useState<number | null>(null);
  const [upload, setUpload] = useState<string | null>(null);
  const [stored, setStored] = useState(emptyDraft);
  const withDefaultAccount = (draft: ImportDraft): ImportDraft => ({
    ...draft,
    account: draft.account ?? (accounts.length === 0 ? NEW_ACCOUNT : null),
  });
  const draft = withDefaultAccount(stored);
  const uploading = useLatestAction(async (opened: File) => {
    setUploadedShare(0);
    return await uploadFile(client, site, opened, setUploadedShare).finally(() => setUploadedShare(null));
  });
  const planning = useLatestAction((uploadId: string, from: ImportDraft) =>
    client.bank.plan(planInput(site, uploadId, from)),
  );
  const plan = planning.done;

  const openFile = async (opened: File, preset: Partial<ImportDraft> = {}) => {
    // The account chosen for an earlier file is not assumed for this one.
    const account = preset.account ?? (file === null ? stored.account : null);
    const next = { ...stored, ...preset, account, ...fileDefaults };
    setFile(opened);
    setStored(next);
    setUpload(null);
    planning.reset();
    const uploaded = await uploading.run(opened);
    if (uploaded === null) return;
    setUpload(uploaded);
    await planning.run(uploaded, withDefaultAccount(next));
  };
  const change = (changed: Partial<ImportDraft>) => {
    setStored((before) => ({ ...before, ...changed }));
    // The name does not change how the file is read. `finalPlan` applies it.
    if (upload !== null && changed.name === undefined) void planning.run(upload, { ...draft, ...changed });
  };
  /** Returns the plan to import, with the latest name of a new account. Null if it fails. */
  const finalPlan = async () => {
    if (plan === null || upload === null) return null;
    const isNameOutdated = draft.account === NEW_ACCOUNT && plan.account.name !== draft.name.trim();
    return isNameOutdated ? await planning.run(upload, draft) : plan;
  };
  return {
    file,
    uploadedShare,
    draft,
    plan,
    isReading: planning.running,
    error: uploading.error ?? planning.error,
    openFile,
    change,
    finalPlan,
  };
}

/** Draft, plan and actions of the import dialog. */
export type ImportDraftState = ReturnType<typeof useImportDraft>;

function planInput(site: string, upload: string, draft: ImportDraft): Inputs['bank']['plan'] {
  const { account, name, kind, profile, customProfile, answers, includedDuplicates } = draft;
  const accountInput =
    account === NEW_ACCOUNT
      ? { name: name.trim() || texts.bank.newAccountName, ...(kind !== null && { kind }) }
      : { id: Number(account) };
  return {
    site,
    upload,
    ...(account !== null && { account: accountInput }),
    answers: { ...answers },
    keep_rows: [...includedDuplicates],
    ...(customProfile ? { custom_profile: customProfile } : profile === '' ? {} : { profile }),
  };
}
