import { randomBytes } from 'node:crypto';
import { createWriteStream, rmSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createContractError, type PackDecisions } from '../../contract/index.ts';
import { MAX_FILE_BYTES } from '../../domain/bankfiles/model/limits.ts';
import { type BagReader, withOpenBag } from '../bagit/bag-reader.ts';
import { hashFile } from '../bagit/hash-files.ts';
import { listBankProfiles, saveAccount, saveBankProfile } from '../bank/accounts-and-profiles.ts';
import { startImport } from '../bank/apply-bank-import.ts';
import type { BankContext } from '../bank/bank-context.ts';
import { type BankFileUpload, createUploadPath } from '../bank/bank-file-uploads.ts';
import { createImportPlan, type StoredImportPlan } from '../bank/import-plan.ts';
import type { CommandContext } from '../jobs/command-context.ts';
import type { OpenSite } from '../sites/open-site.ts';
import { findBankAccountByName } from '../store/bank/bank-account.ts';
import { findBankImportByFile } from '../store/bank/bank-import.ts';
import { readNewBankLines } from '../store/bank/import-plan-rows.ts';
import {
  type ComparedDecision,
  createDecisionComparisonFactory,
  formatBankLineIdentity,
} from './decision-comparison.ts';
import type { VerifiedPack } from './read-pack.ts';

type PackSourceFile = PackDecisions['imports'][number];

/** Compares the source files of the pack with the books. Adds the lines of missing files to `addedLines`. */
export async function compareSourceFiles(
  { now }: Pick<CommandContext, 'now'>,
  open: OpenSite,
  pack: VerifiedPack,
  addedLines: Set<string>,
): Promise<ComparedDecision[]> {
  const results: ComparedDecision[] = [];
  await forEachSourceFile(open, pack, async (source, file) => {
    const result = createDecisionComparisonFactory('imports', {
      text: `${source.file}, “${source.account}”`,
      at: source.at,
      user: source.user,
    });
    if (file === 'stored') results.push(result.same());
    else if (file === null)
      results.push(
        result.notStored('The pack does not contain the file, because it was damaged or missing.'),
      );
    else {
      const plan = await createPackImportPlan({ open, pack, now: now() }, source, file);
      try {
        results.push(comparePlan(plan, result));
        if (plan.preview.blocker === null)
          for (const identity of newLineIdentities(plan)) addedLines.add(identity);
      } finally {
        plan.rows.close();
      }
    }
  });
  return results;
}

function comparePlan(
  { preview: { blocker, rows, questions } }: StoredImportPlan,
  result: ReturnType<typeof createDecisionComparisonFactory>,
): ComparedDecision {
  if (blocker === null) return result.missing(() => undefined);
  const isStored = rows.new === 0 && rows.duplicate > 0 && questions.length === 0;
  return isStored ? result.same() : result.notStored(blocker);
}

/** Imports the missing files, each in its own job. Returns the number of imported files. */
export async function importMissingSourceFiles(
  context: CommandContext & BankContext,
  site: string,
  pack: VerifiedPack,
): Promise<number> {
  const open = context.stores.open(site);
  let imported = 0;
  await forEachSourceFile(open, pack, async (source, file) => {
    if (file === null || file === 'stored') return;
    const createPlan = () => createPackImportPlan({ open, pack, now: context.now() }, source, file);
    const preview = await createPlan();
    preview.rows.close();
    if (preview.preview.blocker !== null) return;
    saveMissingSettings(context, open, pack, source);
    const plan = await createPlan();
    context.importSession.addPlan(plan);
    const { id } = startImport(context, site, plan.id);
    for await (const { error } of context.jobs.watch(site, id))
      if (error !== null) throw createContractError(error);
    imported++;
  });
  return imported;
}

/** Saves the account and the profile of a source file if the site does not have them. */
function saveMissingSettings(
  context: CommandContext & BankContext,
  open: OpenSite,
  { decisions }: VerifiedPack,
  source: PackSourceFile,
): void {
  const { site } = open.file;
  const account = decisions.accounts.find(({ name }) => name === source.account);
  if (account !== undefined && findBankAccountByName(open.books, source.account) === null)
    saveAccount(context, { site, ...account });
  const profile = decisions.profiles.find(({ name }) => name === source.profile);
  if (profile !== undefined && !hasProfile(open, profile.name))
    saveBankProfile(context, site, profile.profile);
}

/** Calls `work` for each source file with its upload: `stored` if in the books, null if the pack lacks the file. */
async function forEachSourceFile(
  { books, folder, file: { site } }: OpenSite,
  { path, decisions: { imports } }: VerifiedPack,
  work: (source: PackSourceFile, file: BankFileUpload | 'stored' | null) => Promise<void>,
): Promise<void> {
  const paths = imports.map((source) => source.path);
  await withOpenBag(path, paths, async (bag) => {
    for (const source of imports) {
      const account = findBankAccountByName(books, source.account);
      if (account !== null && findBankImportByFile(books, account.id, source.sha256) !== null) {
        await work(source, 'stored');
        continue;
      }
      const id = randomBytes(12).toString('hex');
      const upload = { id, site, name: source.file, path: createUploadPath(folder, id), bytes: source.bytes };
      try {
        await work(source, (await extractFile(bag, source, upload.path)) ? upload : null);
      } finally {
        rmSync(upload.path, { force: true });
      }
    }
  });
}

/** Extracts a file. Returns false if it has another checksum or size than stated, or exceeds the limit for imports. */
export async function extractFile(
  bag: BagReader,
  source: Pick<PackSourceFile, 'path' | 'sha256' | 'bytes'>,
  to: string,
): Promise<boolean> {
  const content = await bag.open(source.path).catch(() => null);
  if (content === null) return false;
  let received = 0;
  const limitSize = async function* (pieces: AsyncIterable<Buffer>) {
    for await (const piece of pieces) {
      received += piece.length;
      if (received > MAX_FILE_BYTES) return;
      yield piece;
    }
  };
  await pipeline(content, limitSize, createWriteStream(to, { mode: 0o600 }));
  const { sha256, bytes } = await hashFile(to);
  return sha256 === source.sha256 && bytes === source.bytes;
}

/** Creates the plan for importing a file into the same account and with the same profile as in the pack. */
async function createPackImportPlan(
  { open, pack: { decisions }, now }: { open: OpenSite; pack: VerifiedPack; now: number },
  source: PackSourceFile,
  upload: BankFileUpload,
): Promise<StoredImportPlan> {
  const { site } = open.file;
  const account = decisions.accounts.find(({ name }) => name === source.account);
  const packProfile = decisions.profiles.find(({ name }) => name === source.profile);
  const profile =
    source.profile !== null && hasProfile(open, source.profile)
      ? { profile: source.profile }
      : packProfile && { custom_profile: packProfile.profile };
  return await createImportPlan(
    {
      site,
      open,
      upload,
      today: new Date(now).toISOString().slice(0, 10),
      currency: account?.currency ?? open.file.currency,
    },
    {
      site,
      upload: upload.id,
      account: { name: source.account, ...(account && { kind: account.kind }) },
      ...profile,
      answers: {},
      keep_rows: [],
    },
  );
}

const hasProfile = ({ books }: OpenSite, profileName: string): boolean =>
  listBankProfiles(books).some(({ name }) => name === profileName);

function* newLineIdentities({ rows, account }: StoredImportPlan): Generator<string> {
  for (const lines of readNewBankLines(rows))
    for (const line of lines) yield formatBankLineIdentity({ ...line, account: account.name });
}
