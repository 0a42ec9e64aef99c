import type { ImportQuestion } from '../model/bank-file.ts';
import type { BankFileProfile } from '../model/profile.ts';
import type { StatementDraft } from '../statements/line-collector.ts';
import { decideAmountRules } from './amount-decision.ts';
import type { AmountRules } from './amount-rules.ts';
import type { ColumnLayout } from './column-layout.ts';
import { type Direction, resolveDirections } from './direction-words.ts';
import { withoutLabeledRows } from './labeled-rows.ts';
import { type SurveyContext, surveyRows } from './survey-rows.ts';
import type { TableRow } from './table-rows.ts';

interface AmountSource {
  readonly rows: () => Iterable<TableRow>;
  readonly layout: ColumnLayout;
  readonly statement: StatementDraft;
  readonly conventions: Omit<SurveyContext, 'layout' | 'directions'> & {
    readonly fallbackCurrency: string | null;
  };
}

/** Conventions by which the amounts of a table are read, and the settings to save in its profile. */
interface ResolvedAmounts {
  readonly rules: AmountRules;
  readonly directions: ReadonlyMap<string, Direction>;
  readonly settings: Pick<BankFileProfile, 'signs' | 'fees' | 'fee_sign' | 'outgoing_directions'>;
  readonly questions: readonly ImportQuestion[];
}

/** Derives signs, directions and fees from rows, balances and answers. Asks about settings that remain open. */
export function resolveAmounts(
  { rows, layout, statement, conventions }: AmountSource,
  given: Readonly<Record<string, string>>,
): ResolvedAmounts {
  const { profile } = conventions;
  const answers = new Map(Object.entries(given));
  const { directions, open } = findDirections(withoutLabeledRows(rows()), layout, { profile, answers });
  const currency = conventions.currency ?? conventions.fallbackCurrency;
  const context = { ...conventions, currency, layout, directions };
  let { survey, change } = surveyRows(rows(), statement, context);
  const learned = open.length > 0 ? survey.learnDirections() : new Map<string, Direction>();
  if (learned.size > 0) {
    for (const [text, direction] of learned) directions.set(text, direction);
    ({ survey, change } = surveyRows(rows(), statement, context));
  }
  const hasSides =
    layout.columns.has('credit') || layout.columns.has('debit') || layout.columns.has('net_debit');
  const decision = decideAmountRules(survey, { profile, answers, currency, change, hasSides });
  const asked = open.filter((text) => !directions.has(text));
  return {
    rules: decision.rules,
    directions,
    settings: toSettings(decision, directions, asked.length === 0 && (open.length > 0 || hasAnswer(answers))),
    questions: [...asked.map(askForDirection), ...decision.questions],
  };
}

const DIRECTION_KEY = 'direction.';
/** Maximum number of unknown directions to ask about. A column with more texts is no direction column. */
const MAX_OPEN_DIRECTIONS = 12;

const hasAnswer = (answers: ReadonlyMap<string, string>): boolean =>
  [...answers.keys()].some((key) => key.startsWith(DIRECTION_KEY));

/** Returns the directions of the texts of the direction column, and the texts to ask about. */
function findDirections(
  rows: Iterable<TableRow>,
  layout: ColumnLayout,
  { profile, answers }: { profile: BankFileProfile; answers: ReadonlyMap<string, string> },
): { directions: Map<string, Direction>; open: string[] } {
  const [column] = layout.columns.get('direction') ?? [];
  if (column === undefined) return { directions: new Map(), open: [] };
  const texts = new Set<string>();
  for (const { cells } of rows) {
    const text = cells[column]?.trim().toLowerCase();
    if (text && texts.size < 1000) texts.add(text);
  }
  const { outgoing_directions: outgoing } = profile;
  if (outgoing !== undefined)
    return {
      directions: new Map([...texts].map((text) => [text, outgoing.includes(text) ? 'out' : 'in'])),
      open: [],
    };
  const directions = resolveDirections(texts, layout.names[column] ?? '');
  const open = texts.size > MAX_OPEN_DIRECTIONS ? [] : [...texts].filter((text) => !directions.has(text));
  for (const text of open) {
    const answer = answers.get(DIRECTION_KEY + text);
    if (answer === 'in' || answer === 'out') directions.set(text, answer);
  }
  return { directions, open };
}

const askForDirection = (text: string): ImportQuestion => ({
  key: DIRECTION_KEY + text,
  text: `Is “${text}” money received or paid?`,
  readings: [
    { value: 'in', label: 'Money received', examples: [] },
    { value: 'out', label: 'Money paid', examples: [] },
  ],
});

function toSettings(
  { rules, questions }: { rules: AmountRules; questions: readonly ImportQuestion[] },
  directions: ReadonlyMap<string, Direction>,
  isLearned: boolean,
): ResolvedAmounts['settings'] {
  const isOpen = (key: string) => questions.some((question) => question.key === key);
  const outgoing = [...directions].flatMap(([text, direction]) => (direction === 'out' ? [text] : []));
  return {
    ...(rules.signs === 'signed' || isOpen('signs') ? {} : { signs: rules.signs }),
    ...(rules.feeFactor === 0 || isOpen('fees')
      ? {}
      : { fees: 'separate', fee_sign: rules.feeFactor > 0 ? 'negative' : 'positive' }),
    ...(isLearned ? { outgoing_directions: outgoing } : {}),
  };
}
