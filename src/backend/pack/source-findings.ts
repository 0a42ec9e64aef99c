import { randomBytes } from 'node:crypto';
import { createWriteStream, rmSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { contractError, type PackDecisions } from '../../contract/index.ts';
import { MAX_BYTES } from '../../domain/bankfiles/limits.ts';
import { hashOfFile } from '../bag/reading.ts';
import { type BagSource, openBag } from '../bag/source.ts';
import { keepAccount, keepProfile, listProfiles } from '../bank/accounts.ts';
import { startImport } from '../bank/apply.ts';
import { makePlan, type Plan } from '../bank/plan.ts';
import { incomingPath, type Upload } from '../bank/uploads.ts';
import type { OpenSite } from '../sites/stores.ts';
import { accountNamed } from '../store/bank/bank-account.ts';
import { importOfFile } from '../store/bank/bank-import.ts';
import { newLines } from '../store/bank/plan-row-list.ts';
import type { WriterContext } from '../writer-context.ts';
import { type Finding, finding, identityText } from './finding.ts';
import type { ReadPack } from './read-pack.ts';

type Source = PackDecisions['imports'][number];

/** Each file of the pack held against the books; the lines that missing ones will bring are added to `coming`. */
export async function sourceFindings(
  { now }: Pick<WriterContext, 'now'>,
  open: OpenSite,
  pack: ReadPack,
  coming: Set<string>,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  await eachUnheld(open, pack, async (source, file) => {
    const told = finding('imports', {
      text: `${source.file}, “${source.account}”`,
      at: source.at,
      who: source.who,
    });
    if (file === 'held') return void findings.push(told.same());
    if (file === null)
      return void findings.push(told.notHeld('The pack does not have the file: it was damaged or gone.'));
    const plan = await planOf(open, pack, source, file, now());
    try {
      const { hindrance, rows, questions } = plan.shown;
      if (hindrance !== null) {
        const isHeld = rows.new === 0 && rows.duplicate > 0 && questions.length === 0;
        return void findings.push(isHeld ? told.same() : told.notHeld(hindrance));
      }
      for (const identity of newIdentities(plan)) coming.add(identity);
      findings.push(told.missing(() => undefined));
    } finally {
      plan.rows.close();
    }
  });
  return findings;
}

/** Imports the files that the books have not got, one after another, each as a job. Gives how many. */
export async function importSources(context: WriterContext, site: string, pack: ReadPack): Promise<number> {
  const open = context.stores.open(site);
  const { decisions } = pack;
  let imported = 0;
  await eachUnheld(open, pack, async (source, file) => {
    if (file === null || file === 'held') return;
    const planned = () => planOf(open, pack, source, file, context.now());
    const first = await planned();
    first.rows.close();
    if (first.shown.hindrance !== null) return;
    const account = decisions.accounts.find(({ name }) => name === source.account);
    if (account !== undefined && accountNamed(open.books, source.account) === null)
      keepAccount(context, { site, ...account });
    const profile = decisions.profiles.find(({ name }) => name === source.profile);
    if (profile !== undefined && !isProfile(open, profile.name)) keepProfile(context, site, profile.profile);
    const plan = await planned();
    context.desk.keep(plan);
    const { id } = startImport(context, site, plan.id);
    for await (const { error } of context.jobs.watch(site, id))
      if (error !== null) throw contractError(error);
    imported++;
  });
  return imported;
}

/** Goes through the files of the pack: `held` where the books have it, null where the pack has not, else as it stands here for the moment. */
async function eachUnheld(
  { books, folder, file: { site } }: OpenSite,
  { path, decisions }: ReadPack,
  work: (source: Source, file: Upload | 'held' | null) => Promise<void>,
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
        await work(source, 'held');
        continue;
      }
      const id = randomBytes(12).toString('hex');
      const upload = { id, site, name: source.file, path: incomingPath(folder, id), bytes: source.bytes };
      try {
        await work(source, (await extract(bag, source, upload.path)) ? upload : null);
      } finally {
        rmSync(upload.path, { force: true });
      }
    }
  } finally {
    bag.close();
  }
}

/** Whether the pack has the very file, and it is no larger than any that is imported. */
async function extract(bag: BagSource, source: Source, to: string): Promise<boolean> {
  const bytes = await bag.read(source.path).catch(() => null);
  if (bytes === null) return false;
  let length = 0;
  const capped = async function* (pieces: AsyncIterable<Buffer>) {
    for await (const piece of pieces) {
      length += piece.length;
      if (length > MAX_BYTES) return;
      yield piece;
    }
  };
  await pipeline(bytes, capped, createWriteStream(to, { mode: 0o600 }));
  return (await hashOfFile(to)).sha256 === source.sha256;
}

async function planOf(
  open: OpenSite,
  { decisions }: ReadPack,
  { account: name, profile }: Source,
  upload: Upload,
  now: number,
): Promise<Plan> {
  const account = decisions.accounts.find((each) => each.name === name);
  const saved = decisions.profiles.find((each) => each.name === profile);
  const today = new Date(now).toISOString().slice(0, 10);
  const currency = account?.currency ?? null;
  return await makePlan(
    { site: open.file.site, open, upload, today, currency },
    {
      site: open.file.site,
      upload: upload.id,
      account: { name, ...(account === undefined ? {} : { kind: account.kind }) },
      ...(profile !== null && isProfile(open, profile)
        ? { profile }
        : saved === undefined
          ? {}
          : { custom_profile: saved.profile }),
      answers: {},
      keep_rows: [],
    },
  );
}

const isProfile = ({ books }: OpenSite, wanted: string): boolean =>
  listProfiles(books).some(({ name }) => name === wanted);

function* newIdentities({ rows, account }: Plan): Generator<string> {
  for (const lines of newLines(rows)) {
    for (const line of lines) yield identityText({ ...line, account: account.name });
  }
}
