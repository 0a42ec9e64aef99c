import { randomBytes } from 'node:crypto';
import type {
  ContractInputs,
  ImportPlan,
  ImportPlanQuestion,
  ImportPlanStatement,
} from '../../contract/index.ts';
import type { BankFile, BankFileProfile } from '../../domain/bankfiles/index.ts';
import type { OpenSite } from '../sites/open-site.ts';
import { findAccountCurrency, type StoredBankAccount } from '../store/bank/bank-account.ts';
import { findBankImportByFile } from '../store/bank/bank-import.ts';
import { listStoredBankStatements, type NewBankStatement } from '../store/bank/bank-statement.ts';
import { countImportPlanRows, listFirstStatementLines } from '../store/bank/import-plan-rows.ts';
import { releaseImportPlanMemory, skipFileStatements } from '../store/bank/import-plan-store.ts';
import type { ReadableDb, WritableDb } from '../store/sqlite/connection.ts';
import {
  askForCurrency,
  CURRENCY_ANSWER_KEY,
  findCurrencyConflict,
  readCurrencyAnswer,
  withAnsweredCurrency,
} from './account-currency.ts';
import { listValidProfiles, requireValidProfile, toPlainBankProfile } from './accounts-and-profiles.ts';
import type { BankFileUpload } from './bank-file-uploads.ts';
import { toImportedStatements } from './bank-statements.ts';
import { compareWithStoredBankLines, type NewBankLineTotals } from './compare-with-stored-bank-lines.ts';
import {
  findImportTargetAccount,
  findRequestedAccount,
  type ImportTargetAccount,
} from './import-target-account.ts';
import { type OpenBankFile, openBankFile } from './open-bank-file.ts';
import { type ParsedBankFile, parseBankFileToDisk } from './parse-bank-file.ts';

export type ImportPlanInput = ContractInputs['bank']['plan'] & {
  answers: Readonly<Record<string, string>>;
  keep_rows: readonly number[];
};

/** Import plan of an uploaded file, for preview and import. Its rows are on disk, so the caller must close it. */
export interface StoredImportPlan {
  readonly id: string;
  readonly site: string;
  readonly upload: BankFileUpload;
  readonly account: {
    readonly id: number | null;
    readonly name: string;
    readonly kind: StoredBankAccount['kind'];
    readonly by: ImportPlan['account']['by'];
  };
  /** Account number in the file, if earlier files of the account had no number. */
  readonly number: string | null;
  readonly sha256: string;
  readonly file: BankFile;
  readonly rows: WritableDb;
  /** Currency of payouts that have none in the file. */
  readonly currency: string;
  /** Indexes of the file's statements for other accounts. */
  readonly skippedStatements: readonly number[];
  /** Numbers of the rows to import even if the account already has equal lines. */
  readonly forcedRows: ReadonlySet<number>;
  readonly digest: string;
  /** The account's change counter when the plan was made, or -1 if the account did not exist. */
  readonly changes: number;
  readonly preview: Omit<ImportPlan, 'plan'>;
}

interface ImportPlanContext {
  readonly site: string;
  readonly open: OpenSite;
  readonly upload: BankFileUpload;
  readonly today: string;
  /** Currency of the account, if a source other than the file gives it. */
  readonly currency?: string | null;
}

/**
 * Creates the import plan of an uploaded file. `currency` is used if neither the account nor the file has one. Throws `not_found`
 * for an unknown account or profile, and `validation` for an invalid profile.
 */
export async function createImportPlan(
  context: ImportPlanContext,
  input: ImportPlanInput,
): Promise<StoredImportPlan> {
  const bytes = openBankFile(context.upload.path);
  try {
    return await createPlanFromFile(context, input, bytes);
  } finally {
    bytes.close();
  }
}

async function createPlanFromFile(
  context: ImportPlanContext,
  input: ImportPlanInput,
  bytes: OpenBankFile,
): Promise<StoredImportPlan> {
  const { open, today } = context;
  const { books } = open;
  const requestedAccount = input.account === undefined ? null : findRequestedAccount(books, input.account);
  const sha256 = bytes.sha256();
  const profiles = listValidProfiles(books);
  const profile = resolveProfile(input, profiles);
  const parseWithCurrency = (currency: string | null) =>
    parseBankFileToDisk(bytes, { ...profile, profiles, answers: input.answers, currency, today });
  const given = readCurrencyAnswer(input.answers) ?? context.currency ?? null;
  const first = (requestedAccount && findAccountCurrency(books, requestedAccount)) ?? given;
  let read = await parseWithCurrency(first);
  try {
    const account = findImportTargetAccount(books, input.account, sha256, read.file);
    const known = account.currency ?? given;
    const question = known === null ? askForCurrency(read.file, open.file.currency) : null;
    const currency = known ?? question?.readings[0]?.value ?? open.file.currency;
    if (currency !== first && (known !== null || question !== null)) {
      read.rows.close();
      read = await parseWithCurrency(currency);
    }
    return buildPlan(context, input, { read, account, currency, question, sha256 });
  } catch (error) {
    read.rows.close();
    throw error;
  }
}

interface PlanSource {
  readonly read: ParsedBankFile;
  readonly account: ImportTargetAccount;
  readonly currency: string;
  /** Question about the account's currency; null if it is known. */
  readonly question: ImportPlanQuestion | null;
  readonly sha256: string;
}

function buildPlan(
  { site, open, upload }: ImportPlanContext,
  { answers, keep_rows }: ImportPlanInput,
  source: PlanSource,
): StoredImportPlan {
  const { read, account, currency, sha256 } = source;
  const { rows } = read;
  const selection = selectAccount(read, account, answers);
  const file = withAnsweredCurrency(read.file, answers);
  const skippedStatements = file.statements.flatMap((statement, at) =>
    selection.number !== null && (statement.account ?? selection.number) !== selection.number ? [at] : [],
  );
  const draft = {
    ...{ site, upload, account, number: selection.number, sha256, file, rows, currency, skippedStatements },
    forcedRows: new Set(keep_rows),
    changes: account.changes,
  };
  const left_out = skipFileStatements(rows, skippedStatements);
  const { digest, figures } = compareWithStoredBankLines(open, draft);
  const preview = toPlanPreview(open, { ...draft, digest }, { ...source, selection, figures, left_out });
  releaseImportPlanMemory(rows);
  return { id: randomBytes(9).toString('base64url'), ...draft, digest, preview };
}

function resolveProfile(
  input: ImportPlanInput,
  saved: readonly BankFileProfile[],
): { profile?: string | BankFileProfile } {
  if (input.custom_profile !== undefined) return { profile: requireValidProfile(input.custom_profile) };
  if (input.profile === undefined) return {};
  return { profile: saved.find(({ name }) => name === input.profile) ?? input.profile };
}

/** Choice of the account from which to import in a file with several accounts. */
interface AccountSelection {
  number: string | null;
  question: ImportPlanQuestion | null;
  blocker: string | null;
}

/** Key of the import question about the account to import from. */
const ACCOUNT_ANSWER_KEY = 'account';

function selectAccount(
  { file: { statements }, rows }: ParsedBankFile,
  account: { name: string; number: string | null },
  answers: ImportPlanInput['answers'],
): AccountSelection {
  const named = [...new Set(statements.flatMap((each) => (each.account === null ? [] : [each.account])))];
  if (named.length === 0) return { number: account.number, question: null, blocker: null };
  if (account.number !== null) {
    const blocker = named.includes(account.number)
      ? null
      : `The file is for account ${named.join(', ')}, but “${account.name}” is account ${account.number}.`;
    return { number: account.number, question: null, blocker };
  }
  const answer = Object.hasOwn(answers, ACCOUNT_ANSWER_KEY) ? answers[ACCOUNT_ANSWER_KEY] : undefined;
  if (named.length === 1 || (answer !== undefined && named.includes(answer))) {
    return { number: answer ?? named[0]!, question: null, blocker: null };
  }
  const readings = named.map((number) => {
    const of = statements.findIndex((each) => each.account === number);
    return {
      value: number,
      label: number,
      examples: listFirstStatementLines(rows, of).map((line) => ({
        location: line.location,
        raw: line.description,
        meaning: `booked on ${line.booked_on}`,
      })),
    };
  });
  const text = `The file contains several accounts. Which one is “${account.name}”?`;
  return { number: named[0]!, question: { key: ACCOUNT_ANSWER_KEY, text, readings }, blocker: null };
}

function toPlanPreview(
  { books }: OpenSite,
  plan: Omit<StoredImportPlan, 'id' | 'preview'>,
  result: PlanSource & { selection: AccountSelection; figures: NewBankLineTotals; left_out: number },
): StoredImportPlan['preview'] {
  const { file, account, upload, sha256, digest, currency } = plan;
  const { read, selection, left_out } = result;
  const { count: isNew, ...figures } = result.figures;
  const { failed, skipped, needs_review } = countImportPlanRows(plan.rows);
  const statements = summarizeStatements(file, currency);
  const asked = [result.question, selection.question].filter((question) => question !== null);
  const questions = [...file.questions, ...asked].map(({ readings, ...question }) => ({
    ...question,
    readings: readings.map(({ examples, ...reading }) => ({ ...reading, examples: [...examples] })),
  }));
  return {
    digest,
    file: { name: upload.name, bytes: upload.bytes, sha256 },
    account: { id: account.id, name: account.name, kind: account.kind, by: account.by },
    format: file.format,
    dialect: file.dialect,
    profile: file.profile === null ? null : toPlainBankProfile(file.profile),
    columns: [...file.columns],
    rows: {
      total: file.rows,
      new: isNew,
      duplicate: file.lines - isNew - left_out,
      failed,
      skipped: skipped + left_out,
    },
    needs_review,
    ...figures,
    statements,
    payouts: file.payouts.length,
    remarks: read.remarks,
    questions,
    imported_before: account.id === null ? null : findBankImportByFile(books, account.id, sha256),
    blocker:
      selection.blocker ??
      findCurrencyConflict(file, result.account) ??
      findImportBlocker(read, account.by, isNew + countNewStatements(books, plan, statements), questions),
  };
}

function findImportBlocker(
  { file, refusal }: ParsedBankFile,
  by: ImportPlan['account']['by'],
  isNew: number,
  questions: readonly { key: string }[],
): string | null {
  if (refusal !== null) return refusal;
  if (questions.length === 1 && questions[0]?.key === CURRENCY_ANSWER_KEY)
    return 'The file does not state the currency of the account. Answer the question first.';
  if (questions.length > 0) return 'The file can be read in more than one way. Answer the question first.';
  if (file.lines === 0 && (isNew === 0 || file.rows > 0)) return 'The file contains no readable line.';
  if (by === null) return 'Choose the account of the file.';
  return isNew === 0 ? 'Every line of the file is already imported.' : null;
}

/** Returns how many of the file's statements have balances that the account does not store yet. */
function countNewStatements(
  books: ReadableDb,
  { account, skippedStatements }: Pick<StoredImportPlan, 'account' | 'skippedStatements'>,
  statements: readonly ImportPlanStatement[],
): number {
  const toKey = (each: Pick<NewBankStatement, 'from_on' | 'to_on' | 'closing_in_cents' | 'currency'>) =>
    JSON.stringify([each.from_on, each.to_on, each.closing_in_cents, each.currency]);
  const source = {
    account_id: account.id ?? 0,
    import_id: 0,
    file: '',
    sha256: '',
    bytes: 0,
    at: 0,
    user: '',
  };
  const inFile = toImportedStatements(
    statements.filter((_, at) => !skippedStatements.includes(at)),
    source,
  );
  if (inFile.length === 0) return 0;
  const stored = new Set(account.id === null ? [] : listStoredBankStatements(books, account.id).map(toKey));
  return inFile.filter((each) => !stored.has(toKey(each))).length;
}

/** Returns the file's statements, each with the difference between its balances and its lines' total. */
function summarizeStatements({ statements }: BankFile, defaultCurrency: string): ImportPlanStatement[] {
  return statements.map((statement) => {
    const { account, number, from, to, opening, closing, location, lines, lines_in_cents } = statement;
    const currencies = [...new Set(statement.currencies.map((currency) => currency ?? defaultCurrency))];
    const comparable = opening !== null && closing !== null && currencies.length <= 1;
    return {
      account,
      number,
      currency: statement.currency ?? (currencies.length === 1 ? currencies[0]! : null),
      from,
      to,
      lines,
      lines_in_cents,
      opening_in_cents: opening?.amount_in_cents ?? null,
      opening_on: opening?.date ?? null,
      closing_in_cents: closing?.amount_in_cents ?? null,
      closing_on: closing === null ? null : (closing.date ?? to),
      difference_in_cents: comparable
        ? closing.amount_in_cents - opening.amount_in_cents - lines_in_cents
        : null,
      location,
    };
  });
}
