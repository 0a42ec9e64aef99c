import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { contractError, type ImportPlan, type Inputs, type PlanQuestion } from '../../contract/index.ts';
import {
  type BankFile,
  type BankLine,
  checkProfile,
  type Profile,
  readBankFile,
} from '../../domain/bankfiles/index.ts';
import type { OpenSite } from '../sites/stores.ts';
import type { StoredAccount } from '../store/bank/bankAccount.ts';
import { importOfFile } from '../store/bank/bankImport.ts';
import { heldLines } from '../store/bank/bankLine.ts';
import { savedProfiles } from '../store/bank/bankProfile.ts';
import { currencyOf, keyText, lineKey } from './identity.ts';
import { accountAsked, plannedAccount } from './plannedAccount.ts';
import { countDoubtful } from './planRows.ts';
import { planStatements } from './statements.ts';
import type { Upload } from './uploads.ts';
import { judge, type Verdicts } from './verdicts.ts';

export type PlanInput = Inputs['bank']['plan'] & {
  answers: Readonly<Record<string, string>>;
  keep_rows: readonly number[];
};

/** What importing a file will do: computed once, shown, and applied. */
export interface Plan {
  readonly id: string;
  readonly site: string;
  readonly upload: Upload;
  readonly account: {
    readonly id: number | null;
    readonly name: string;
    readonly kind: StoredAccount['kind'];
    readonly by: ImportPlan['account']['by'];
  };
  /** The account's number in its files, where this file is the first to tell it. */
  readonly number: string | null;
  readonly sha256: string;
  readonly file: BankFile;
  /** Of lines for which the file names none. */
  readonly currency: string;
  /** Lines of another account, by their place among the lines. */
  readonly foreign: ReadonlySet<number>;
  readonly wanted: ReadonlySet<number>;
  readonly verdicts: Verdicts;
  readonly digest: string;
  /** How often the account had changed when the plan was made; -1 where there was none. */
  readonly changes: number;
  readonly shown: Omit<ImportPlan, 'plan'>;
}

/** Makes the plan of an uploaded file; `currency`: of an account that is made by it. Throws `not_found` for an account or profile there is none of, `validation` for a bad profile. */
export async function makePlan(
  given: { site: string; open: OpenSite; upload: Upload; today: string; currency?: string | null },
  input: PlanInput,
): Promise<Plan> {
  const { site, open, upload, today } = given;
  const { books } = open;
  const asked = input.account === undefined ? null : accountAsked(books, input.account);
  const bytes = readFileSync(upload.path);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const profiles = savedProfiles(books).flatMap(({ content }) => {
    const read = checkProfile(JSON.parse(content));
    return 'profile' in read ? [read.profile] : [];
  });
  const profile = profileOf(input, profiles);
  const readIn = (currency: string) =>
    readBankFile(bytes, { ...profile, profiles, answers: input.answers, currency, today });
  const usual = given.currency ?? open.file.currency;
  const first = asked?.currency ?? usual;
  const read = await readIn(first);
  const account = plannedAccount(books, input.account, sha256, read);
  const currency = account.currency ?? usual;
  const file = currency === first ? read : await readIn(currency);
  const owner = ownerOf(file, account, input.answers);
  const foreign = new Set(
    file.lines.flatMap((line, at) =>
      owner.number !== null && (file.statements[line.statement]?.account ?? owner.number) !== owner.number
        ? [at]
        : [],
    ),
  );
  const wanted = wantedLines(file, input.keep_rows);
  const made = {
    site,
    upload,
    account,
    number: owner.number,
    sha256,
    file,
    currency,
    foreign,
    wanted,
    changes: account.changes,
  };
  const judged = judgeAnew(open, made);
  return {
    id: randomBytes(9).toString('base64url'),
    ...made,
    ...judged,
    shown: shownPlan(open, { ...made, ...judged }, owner),
  };
}

type Made = Omit<Plan, 'id' | 'verdicts' | 'digest' | 'shown'>;

/** Holds the lines against what the account holds now. */
export function judgeAnew(open: OpenSite, plan: Made): Pick<Plan, 'verdicts' | 'digest'> {
  const { file, currency, foreign, wanted, account } = plan;
  const keys = file.lines.map((line) => lineKey(line, currencyOf(line, currency)));
  const days = spanOf(file.lines);
  const held = account.id === null || days === null ? [] : heldLines(open.books, account.id, days);
  const verdicts = judge(
    keys,
    held,
    (at) => wanted.has(at),
    (at) => foreign.has(at),
  );
  const hash = createHash('sha256').update(`${plan.sha256}\n${account.id ?? account.name}\n`);
  keys.forEach((key, at) => {
    if (verdicts.isNew[at] === 1) hash.update(`${at} ${keyText(key)} ${verdicts.occurrence[at]}\n`);
  });
  return { verdicts, digest: hash.digest('hex') };
}

function spanOf(lines: Iterable<BankLine>): { first: string; last: string } | null {
  let first = '';
  let last = '';
  for (const { booked_on } of lines) {
    if (first === '' || booked_on < first) first = booked_on;
    if (booked_on > last) last = booked_on;
  }
  return first === '' ? null : { first, last };
}

function profileOf(input: PlanInput, saved: readonly Profile[]): { profile?: string | Profile } {
  if (input.custom_profile !== undefined) {
    const read = checkProfile(input.custom_profile);
    if ('profile' in read) return { profile: read.profile };
    throw contractError({
      code: 'validation',
      message: 'The profile cannot be used.',
      hint: 'Mend what is named.',
      errors: [...read.faults],
      retryable: false,
    });
  }
  if (input.profile === undefined) return {};
  return { profile: saved.find(({ name }) => name === input.profile) ?? input.profile };
}

/** Rows to bring in although lines like them are held, as places among the lines. */
function wantedLines(file: BankFile, rows: readonly number[]): Set<number> {
  if (rows.length === 0) return new Set();
  const asked = new Set(rows);
  return new Set(file.lines.flatMap((line, at) => (asked.has(line.row) ? [at] : [])));
}

/** Which of the accounts a file names is the one imported to. */
interface Owner {
  number: string | null;
  question: PlanQuestion | null;
  hindrance: string | null;
}

/** The answer to which of several accounts is meant has this key. */
const ACCOUNT = 'account';

function ownerOf(
  { statements, lines }: BankFile,
  account: { name: string; number: string | null },
  answers: PlanInput['answers'],
): Owner {
  const named = [...new Set(statements.flatMap((each) => (each.account === null ? [] : [each.account])))];
  if (named.length === 0) return { number: account.number, question: null, hindrance: null };
  if (account.number !== null) {
    const hindrance = named.includes(account.number)
      ? null
      : `The file is of account ${named.join(', ')}; “${account.name}” has been ${account.number}.`;
    return { number: account.number, question: null, hindrance };
  }
  const said = Object.hasOwn(answers, ACCOUNT) ? answers[ACCOUNT] : undefined;
  if (named.length === 1 || (said !== undefined && named.includes(said))) {
    return { number: said ?? named[0]!, question: null, hindrance: null };
  }
  const readings = named.map((number) => {
    const of = statements.findIndex((each) => each.account === number);
    const examples = lines.filter((line) => line.statement === of).slice(0, 3);
    return {
      value: number,
      label: number,
      examples: examples.map((line) => ({
        place: line.place,
        raw: line.description,
        meaning: `booked on ${line.booked_on}`,
      })),
    };
  });
  const text = `The file holds several accounts. Which of them is “${account.name}”?`;
  return { number: named[0]!, question: { key: ACCOUNT, text, readings }, hindrance: null };
}

function shownPlan({ books }: OpenSite, plan: Omit<Plan, 'id' | 'shown'>, owner: Owner): Plan['shown'] {
  const { file, verdicts, account, upload, sha256, digest, foreign, currency } = plan;
  const isNew = file.lines.filter((_line, at) => verdicts.isNew[at] === 1);
  const effects = (effect: string) =>
    file.problems.filter((problem) => problem.effect === effect && problem.row !== null).length;
  const days = spanOf(isNew);
  const questions = [...file.questions, ...(owner.question === null ? [] : [owner.question])].map(
    ({ readings, ...question }) => ({
      ...question,
      readings: readings.map(({ examples, ...reading }) => ({ ...reading, examples: [...examples] })),
    }),
  );
  return {
    digest,
    file: { name: upload.name, bytes: upload.bytes, sha256 },
    account: { id: account.id, name: account.name, kind: account.kind, by: account.by },
    format: file.format,
    dialect: file.dialect,
    profile:
      file.profile === null ? null : (JSON.parse(JSON.stringify(file.profile)) as ImportPlan['profile']),
    rows: {
      total: file.rows,
      new: isNew.length,
      duplicate: file.lines.length - isNew.length - foreign.size,
      failed: effects('failed'),
      skipped: effects('skipped') + foreign.size,
    },
    doubtful: countDoubtful(plan),
    sums: sumsOf(isNew, currency),
    first_on: days?.first ?? null,
    last_on: days?.last ?? null,
    statements: planStatements(file, currency),
    payouts: file.payouts.length,
    remarks: file.problems
      .filter(({ effect, row }) => row === null || effect === 'balance')
      .map(({ place, reason }) => ({ place, text: reason })),
    questions,
    imported_before: account.id === null ? null : importOfFile(books, account.id, sha256),
    hindrance: owner.hindrance ?? hindranceOf(file, account.by, isNew.length, questions.length),
  };
}

function hindranceOf(
  { problems, lines }: BankFile,
  by: ImportPlan['account']['by'],
  isNew: number,
  questions: number,
): string | null {
  const refused = problems.find(({ effect }) => effect === 'refused');
  if (refused !== undefined) return refused.reason;
  if (questions > 0) return 'The file can be read in two ways: answer the question first.';
  if (lines.length === 0) return 'There is no line in the file that could be read.';
  if (by === null) return 'Say which account the file is of.';
  return isNew === 0 ? 'Every line of the file is held already.' : null;
}

function sumsOf(lines: readonly BankLine[], otherwise: string): ImportPlan['sums'] {
  const sums = new Map<string, ImportPlan['sums'][number]>();
  for (const line of lines) {
    const currency = currencyOf(line, otherwise);
    const sum = sums.get(currency) ?? { currency, count: 0, in_cents: 0, out_cents: 0 };
    sums.set(currency, sum);
    sum.count++;
    if (line.amount_in_cents > 0) sum.in_cents += line.amount_in_cents;
    else sum.out_cents += line.amount_in_cents;
  }
  return [...sums.values()].toSorted((a, b) => (a.currency < b.currency ? -1 : 1));
}
