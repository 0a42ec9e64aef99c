import type { Cents } from '../../ledger/index.ts';
import type { ImportAnswerOption, ImportQuestion } from '../model/bank-file.ts';
import { type BankFileProfile, feeRules, type SignRule, signRules } from '../model/profile.ts';
import { formatAmountInCurrency } from '../values/currency.ts';
import type { AmountRules } from './amount-rules.ts';
import {
  type AmountRulesScore,
  type AmountSurvey,
  computeBalanceEffect,
  type RawLineAmounts,
} from './amount-survey.ts';

interface DecisionContext {
  readonly profile: BankFileProfile;
  readonly answers: ReadonlyMap<string, string>;
  readonly currency: string | null;
  /** Opening and closing balance of the file, if it states both. */
  readonly change: Cents | null;
  /** True if debits and credits have a column each. */
  readonly hasSides: boolean;
}

interface AmountDecision {
  readonly rules: AmountRules;
  readonly questions: readonly ImportQuestion[];
}

/** Minimum share of the balances that must follow from the amounts to prove a rule. Chosen by judgment. */
const MIN_PROVEN_SHARE = 0.8;

/**
 * Decides how the amounts of a bank's table affect the account. The user's answers decide first, then the balances of
 * the file, then the profile, then signs and columns if they agree. Otherwise, the user is asked.
 */
export function decideAmountRules(survey: AmountSurvey, context: DecisionContext): AmountDecision {
  const written = readWrittenSigns(survey, context);
  if (context.profile.source === 'processor')
    return { rules: { signs: written[0] ?? 'signed', feeFactor: 0 }, questions: [] };
  const proven = listProvenRules(survey, context);
  const signs = decideSigns(survey, written, proven, context);
  const fees = decideFees(
    survey,
    proven.filter((rules) => rules.signs === signs.value),
    context,
  );
  const rules = { signs: signs.value, feeFactor: fees.value };
  const questions: ImportQuestion[] = [];
  if (signs.options.length > 1) questions.push(askForSigns(survey, signs.options, rules, context));
  if (fees.isOpen) questions.push(askForFees(survey, rules, context));
  return { rules, questions };
}

/** Returns the sign rules that are consistent with signs and columns, most likely first. */
function readWrittenSigns({ counts }: AmountSurvey, { hasSides, profile }: DecisionContext): SignRule[] {
  const { out, in: incoming } = counts;
  if (out.plus + out.minus + incoming.plus + incoming.minus === 0) return [profile.signs ?? 'signed'];
  if (out.minus + incoming.minus === 0) return ['unsigned'];
  if (out.plus + incoming.minus === 0) return ['signed'];
  if (profile.signs !== undefined) return [profile.signs];
  return hasSides ? ['reversal', 'unsigned', 'signed'] : ['unsigned', 'reversal', 'signed'];
}

/** Returns the rules with which most balances of the file agree; none if too few balances agree with any rule. */
function listProvenRules(survey: AmountSurvey, { change }: DecisionContext): AmountRules[] {
  const foots = ({ sum }: AmountRulesScore) => (change !== null && sum === change ? 0.5 : 0);
  const scores = survey.listScores().map((each) => ({ rules: each.rules, score: each.score + foots(each) }));
  const best = Math.max(...scores.map(({ score }) => score));
  const isProven = survey.gaps > 0 ? best >= survey.gaps * MIN_PROVEN_SHARE : best > 0;
  return isProven ? scores.filter(({ score }) => score === best).map(({ rules }) => rules) : [];
}

function decideSigns(
  survey: AmountSurvey,
  written: readonly SignRule[],
  proven: readonly AmountRules[],
  { answers }: DecisionContext,
): { value: SignRule; options: readonly SignRule[] } {
  const answer = signRules.find((rule) => rule === answers.get('signs'));
  const [first = 'signed'] = written;
  if (answer !== undefined) return { value: answer, options: [] };
  const provenSigns = [...new Set(proven.map(({ signs }) => signs))];
  if (provenSigns.length === 0)
    return { value: first, options: isSignOpen(survey) ? ['signed', 'inverted'] : written };
  const agreed = written.filter((rule) => provenSigns.includes(rule));
  if (agreed.length > 0) return { value: agreed[0] ?? first, options: agreed };
  const [other = first] = provenSigns;
  // A single balance may agree by chance.
  return survey.gaps > 1 ? { value: other, options: [] } : { value: first, options: [first, other] };
}

/** Returns true if balances or texts are evidence that positive amounts may be money paid. */
const isSignOpen = (survey: AmountSurvey): boolean =>
  isUnsignedDespiteBalances(survey) || survey.negativeBillPayments > 0;

/** Returns true if no amount has a sign or a direction, although the balances do not only rise or only fall. */
const isUnsignedDespiteBalances = ({ counts, gaps }: AmountSurvey): boolean =>
  gaps > 0 && counts.none.plus > 1 && counts.none.minus + counts.in.plus + counts.out.plus === 0;

function decideFees(
  { fees }: AmountSurvey,
  proven: readonly AmountRules[],
  { profile, answers }: DecisionContext,
): { value: AmountRules['feeFactor']; isOpen: boolean } {
  if (fees.plus + fees.minus === 0) return { value: 0, isOpen: false };
  const isNegative = profile.fee_sign === undefined ? fees.plus === 0 : profile.fee_sign === 'negative';
  const separate = isNegative ? 1 : -1;
  const answer = feeRules.find((rule) => rule === answers.get('fees'));
  if (answer !== undefined) return { value: answer === 'included' ? 0 : separate, isOpen: false };
  const factors = [...new Set(proven.map(({ feeFactor }) => feeFactor))];
  if (factors.length === 1) return { value: factors[0] ?? 0, isOpen: false };
  if (profile.fees !== undefined) return { value: profile.fees === 'included' ? 0 : separate, isOpen: false };
  return { value: separate, isOpen: true };
}

const signTexts: Readonly<Record<SignRule, string>> = {
  signed: 'The sign of the amount: negative amounts are money paid',
  unsigned: 'The debit, credit or direction column, whatever the sign of the amount',
  reversal: 'The debit, credit or direction column; a negative amount reverses it',
  inverted: 'The sign of the amount: negative amounts are money received',
};

function askForSigns(
  { signExamples, feeExamples }: AmountSurvey,
  options: readonly SignRule[],
  { feeFactor }: AmountRules,
  { currency }: DecisionContext,
): ImportQuestion {
  const examples = signExamples.length > 0 ? signExamples : feeExamples;
  const readings = options.map((signs) => ({
    value: signs,
    label: signTexts[signs],
    examples: examples.map((line) => describe(line, { signs, feeFactor }, currency)),
  }));
  const text = 'What decides whether an amount is money received or paid? The file contradicts itself.';
  return { key: 'signs', text, readings };
}

function askForFees(
  { feeExamples }: AmountSurvey,
  { signs, feeFactor }: AmountRules,
  { currency }: DecisionContext,
): ImportQuestion {
  const toReading = (value: string, label: string, factor: AmountRules['feeFactor']): ImportAnswerOption => ({
    value,
    label,
    examples: feeExamples.map((line) => describe(line, { signs, feeFactor: factor }, currency)),
  });
  return {
    key: 'fees',
    text: 'Does the amount include the fee?',
    readings: [
      toReading('separate', 'No, the fee is charged in addition', feeFactor === 0 ? -1 : feeFactor),
      toReading('included', 'Yes, the amount includes the fee', 0),
    ],
  };
}

function describe(line: RawLineAmounts, rules: AmountRules, currency: string | null) {
  const format = (cents: Cents) => formatAmountInCurrency(cents, currency);
  const written = line.parts.map(({ value }) => format(value)).join(' / ');
  return {
    location: line.location,
    raw: line.fee === 0 ? written : `${written}, fee ${format(line.fee)}`,
    meaning: format(computeBalanceEffect(line, rules)),
  };
}
