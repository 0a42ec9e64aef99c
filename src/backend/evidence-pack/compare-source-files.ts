import { randomBytes } from 'node:crypto';
import { createWriteStream, rmSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { contractError, type PackDecisions } from '../../contract/index.ts';
import { MAX_FILE_BYTES } from '../../domain/bankfiles/model/limits.ts';
import { type BagReader, openBag } from '../bagit/bag-reader.ts';
import { hashFile } from '../bagit/read-files.ts';
import { listProfiles, saveAccount, saveBankProfile } from '../bank/accounts-and-profiles.ts';
import { startImport } from '../bank/apply-import.ts';
import type { BankContext } from '../bank/bank-context.ts';
import { createImportPlan, type StoredImportPlan } from '../bank/import-plan.ts';
import { type Upload, uploadPath } from '../bank/uploads.ts';
import type { CommandContext } from '../jobs/command-context.ts';
import type { OpenSite } from '../sites/open-site.ts';
import { accountNamed } from '../store/bank/bank-account.ts';
import { importOfFile } from '../store/bank/bank-import.ts';
import { newLines } from '../store/bank/plan-row-list.ts';
import { type ComparedDecision, createComparison, formatLineIdentity } from './compared-decision.ts';
import type { VerifiedPack } from './read-pack.ts';

type PackSourceFile = PackDecisions['imports'][number];

/** Compares the source files of the pack with the books. Adds the lines of missing files to `coming`. */
export async function compareSourceFiles(
  { now }: Pick<CommandContext, 'now'>,
  open: OpenSite,
  pack: VerifiedPack,
  addedLines: Set<string>,
): Promise<ComparedDecision[]> {
  const findings: ComparedDecision[] = [];
  await forEachSourceFile(open, pack, async (source, file) => {
    const result = createComparison('imports', {
      text: `${source.file}, “${source.account}”`,
      at: source.at,
      user: source.user,
    });
    if (file === 'stored') return void findings.push(result.same());
    if (file === null)
      return void findings.push(result.notStored('The pack does not have the file: it was damaged or gone.'));
    const plan = await createPackImportPlan(open, pack, source, file, now());
    try {
      const { blocker, rows, questions } = plan.shown;
      if (blocker !== null) {
        const isStored = rows.new === 0 && rows.duplicate > 0 && questions.length === 0;
        return void findings.push(isStored ? result.same() : result.notStored(blocker));
      }
      for (const identity of newLineIdentities(plan)) addedLines.add(identity);
      findings.push(result.missing(() => undefined));
    } finally {
      plan.rows.close();
    }
  });
  return findings;
}

/** Imports the missing files one after another, each as a job. Returns the number of imported files. */
export async function importMissingSourceFiles(
  context: CommandContext & BankContext,
  site: string,
  pack: VerifiedPack,
): Promise<number> {
  const open = context.stores.open(site);
  const { decisions } = pack;
  let imported = 0;
  await forEachSourceFile(open, pack, async (source, file) => {
    if (file === null || file === 'stored') return;
    const createPlan = () => createPackImportPlan(open, pack, source, file, context.now());
    const first = await createPlan();
    first.rows.close();
    if (first.shown.blocker !== null) return;
    const account = decisions.accounts.find(({ name }) => name === source.account);
    if (account !== undefined && accountNamed(open.books, source.account) === null)
      saveAccount(context, { site, ...account });
    const profile = decisions.profiles.find(({ name }) => name === source.profile);
    if (profile !== undefined && !hasProfile(open, profile.name))
      saveBankProfile(context, site, profile.profile);
    const plan = await createPlan();
    context.importSession.addPlan(plan);
    const { id } = startImport(context, site, plan.id);
    for await (const { error } of context.jobs.watch(site, id))
      if (error !== null) throw contractError(error);
    imported++;
  });
  return imported;
}

/**
 * Calls `work` for each source file of the pack: with `stored` if the books have the file, with null if the pack lacks
 * it, or else with the extracted file.
 */
async function forEachSourceFile(
  { books, folder, file: { site } }: OpenSite,
  { path, decisions }: VerifiedPack,
  work: (source: PackSourceFile, file: Upload | 'stored' | null) => Promise<void>,
): Promise<void> {
  const { imports } = decisions;
  const bag = await openBag(
    path,
    imports.map((source) => source.path),
  );
  try {
    for (const source of imports) {
      const account = accountNamed(books, source.account);
      if (account !== null && importOfFile(books, account.id, source.sha256) !== null) {
        await work(source, 'stored');
        continue;
      }
      const id = randomBytes(12).toString('hex');
      const upload = { id, site, name: source.file, path: uploadPath(folder, id), bytes: source.bytes };
      try {
        await work(source, (await extractFile(bag, source, upload.path)) ? upload : null);
      } finally {
        rmSync(upload.path, { force: true });
      }
    }
  } finally {
    bag.close();
  }
}

/** Extracts a file. Returns false if it does not match its checksum or exceeds the size limit for imports. */
async function extractFile(bag: BagReader, source: PackSourceFile, to: string): Promise<boolean> {
  const bytes = await bag.read(source.path).catch(() => null);
  if (bytes === null) return false;
  let length = 0;
  const limitSize = async function* (pieces: AsyncIterable<Buffer>) {
    for await (const piece of pieces) {
      length += piece.length;
      if (length > MAX_FILE_BYTES) return;
      yield piece;
    }
  };
  await pipeline(bytes, limitSize, createWriteStream(to, { mode: 0o600 }));
  return (await hashFile(to)).sha256 === source.sha256;
}

async function createPackImportPlan(
  open: OpenSite,
  { decisions }: VerifiedPack,
  { account: name, profile }: PackSourceFile,
  upload: Upload,
  now: number,
): Promise<StoredImportPlan> {
  const account = decisions.accounts.find((each) => each.name === name);
  const saved = decisions.profiles.find((each) => each.name === profile);
  const today = new Date(now).toISOString().slice(0, 10);
  const currency = account?.currency ?? null;
  return await createImportPlan(
    { site: open.file.site, open, upload, today, currency },
    {
      site: open.file.site,
      upload: upload.id,
      account: { name, ...(account === undefined ? {} : { kind: account.kind }) },
      ...(profile !== null && hasProfile(open, profile)
        ? { profile }
        : saved === undefined
          ? {}
          : { custom_profile: saved.profile }),
      answers: {},
      keep_rows: [],
    },
  );
}

const hasProfile = ({ books }: OpenSite, profileName: string): boolean =>
  listProfiles(books).some(({ name }) => name === profileName);

function* newLineIdentities({ rows, account }: StoredImportPlan): Generator<string> {
  for (const lines of newLines(rows)) {
    for (const line of lines) yield formatLineIdentity({ ...line, account: account.name });
  }
}
