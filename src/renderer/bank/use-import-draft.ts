import { useState } from 'react';
import type { AccountKind, BankAccount, ContractInputs } from '../../contract/index.ts';
import { useContractClient, useLatestOnlyAction } from '../backend-client/backend-hooks.ts';
import { texts } from '../texts/texts.ts';
import type { BankProfileContent } from './bank-profile-fields.ts';
import { NEW_ACCOUNT_KEY } from './import-settings.tsx';
import { uploadFile } from './upload-file.ts';

/** Settings that an import plan depends on, apart from the file itself. */
export interface ImportSettingsDraft {
  /** Account id or `NEW_ACCOUNT_KEY`, or null to detect the account from the file. */
  readonly account: string | null;
  readonly name: string;
  /** Account type, or null to detect it from the file. */
  readonly kind: AccountKind | null;
  /** Profile name, or an empty string to detect the format from the file. */
  readonly profile: string;
  readonly customProfile: BankProfileContent | null;
  readonly answers: Readonly<Record<string, string>>;
  /** Row numbers of duplicates that the user chose to import anyway. */
  readonly includedDuplicates: readonly number[];
}

/** Default settings that apply to a single file. They are reset when another file is opened. */
const fileDefaults = { customProfile: null, answers: {}, includedDuplicates: [] };
const emptyDraft: ImportSettingsDraft = { account: null, name: '', kind: null, profile: '', ...fileDefaults };

/** Uploads a file and plans its import again after every change of the settings. Only the latest plan counts. */
export function useImportDraft(site: string, accounts: readonly BankAccount[]) {
  const client = useContractClient();
  const [file, setFile] = useState<File | null>(null);
  /** Uploaded fraction of the file, from 0 to 1, or null if no upload is running. */
  const [uploadedShare, setUploadedShare] = useState<number | null>(null);
  const [upload, setUpload] = useState<string | null>(null);
  const [stored, setStored] = useState(emptyDraft);
  const withDefaultAccount = (draft: ImportSettingsDraft): ImportSettingsDraft => ({
    ...draft,
    account: draft.account ?? (accounts.length === 0 ? NEW_ACCOUNT_KEY : null),
  });
  const draft = withDefaultAccount(stored);
  const uploading = useLatestOnlyAction(async (opened: File) => {
    setUploadedShare(0);
    return await uploadFile(client, site, opened, setUploadedShare).finally(() => setUploadedShare(null));
  });
  const planning = useLatestOnlyAction((uploadId: string, from: ImportSettingsDraft) =>
    client.bank.plan(planInput(site, uploadId, from)),
  );
  const plan = planning.done;

  const openFile = async (opened: File, preset: Partial<ImportSettingsDraft> = {}) => {
    // Ignores the account that was chosen for a previous file.
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
  const change = (changed: Partial<ImportSettingsDraft>) => {
    setStored((before) => ({ ...before, ...changed }));
    // A new account name does not affect how the file is read, so only `finalPlan` applies it.
    if (upload !== null && changed.name === undefined) void planning.run(upload, { ...draft, ...changed });
  };
  /** Returns the plan to import, including the latest name of a new account. Returns null if planning fails. */
  const finalPlan = async () => {
    if (plan === null || upload === null) return null;
    const isNameOutdated = draft.account === NEW_ACCOUNT_KEY && plan.account.name !== draft.name.trim();
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

function planInput(site: string, upload: string, draft: ImportSettingsDraft): ContractInputs['bank']['plan'] {
  const { account, name, kind, profile, customProfile, answers, includedDuplicates } = draft;
  const accountInput =
    account === NEW_ACCOUNT_KEY
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
