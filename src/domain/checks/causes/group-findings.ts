import { createFinding, type Finding, type FindingSeverity } from '../analysis/finding.ts';
import type { SubscriptionAnalysis } from '../analysis/subscription-analysis.ts';
import type { SubscriptionRecord } from '../analysis/subscription-record.ts';
import type { CauseDefinition, Correction } from './correction.ts';
import { findingCauses } from './index.ts';

/** Function that checks a record with the enabled rules. */
export interface RecordCheck {
  readonly analysis: SubscriptionAnalysis;
  readonly findings: readonly Finding[];
}

/** Maximum number of corrections tested per subscription, so that many errors cannot stall a check. Chosen by judgment. */
const MAX_TESTED_CORRECTIONS = 300;
const SEVERITIES: readonly FindingSeverity[] = ['notice', 'warning', 'error'];

/**
 * Combines findings that have one cause. A cause proposes a correction of the records, and the records are checked again with
 * it. The findings that vanish form a group, if there are at least two, and if no finding appears or changes its figures.
 * All other findings are returned unchanged, because a wrong member is worse than an ungrouped finding.
 */
export function groupFindings(
  first: RecordCheck,
  check: (record: SubscriptionRecord) => RecordCheck,
  isCauseEnabled: (cause: string) => boolean,
): readonly Finding[] {
  const causes = findingCauses.filter(({ id }) => isCauseEnabled(id));
  const groups: Finding[] = [];
  let current = first;
  let remainingTests = MAX_TESTED_CORRECTIONS;
  const countedCheck = (record: SubscriptionRecord): RecordCheck => {
    remainingTests--;
    return check(record);
  };
  while (current.findings.length > 1) {
    const best = findBestCorrection(current, causes, countedCheck, remainingTests);
    if (best === null) break;
    groups.push(createGroup(best));
    current = best.correctedCheck;
  }
  if (groups.length === 0) return first.findings;
  const grouped = new Set(groups.flatMap(({ members }) => members.map(({ key }) => key)));
  return [...groups, ...first.findings.filter(({ key }) => !grouped.has(key))];
}

/** Returns the first of the corrections that make the most findings vanish; null if none makes two vanish. */
function findBestCorrection(
  current: RecordCheck,
  causes: readonly CauseDefinition[],
  check: (record: SubscriptionRecord) => RecordCheck,
  maxTests: number,
): TestedCorrection | null {
  let best: TestedCorrection | null = null;
  const corrections = Iterator.from(proposeCorrections(causes, current.analysis)).take(maxTests);
  for (const { cause, correction } of corrections) {
    const tested = testCorrection(current, cause, correction, check);
    if (tested !== null && tested.members.length > (best?.members.length ?? 1)) best = tested;
    if (best?.members.length === current.findings.length) break;
  }
  return best;
}

function* proposeCorrections(causes: readonly CauseDefinition[], analysis: SubscriptionAnalysis) {
  for (const cause of causes)
    for (const correction of cause.proposeCorrections(analysis)) yield { cause, correction };
}

interface TestedCorrection {
  readonly cause: CauseDefinition;
  readonly correction: Correction;
  readonly correctedCheck: RecordCheck;
  /** Findings that vanish with the correction. */
  readonly members: readonly Finding[];
}

/** Returns the findings that vanish with a correction; null if another finding appears or changes its figures. */
function testCorrection(
  { findings }: RecordCheck,
  cause: CauseDefinition,
  correction: Correction,
  check: (record: SubscriptionRecord) => RecordCheck,
): TestedCorrection | null {
  const correctedCheck = check(correction.corrected);
  const before = new Map(findings.map((finding) => [finding.key, finding]));
  const after = new Set<string>();
  for (const finding of correctedCheck.findings) {
    const earlier = before.get(finding.key);
    if (earlier === undefined || !hasSameFigures(earlier, finding)) return null;
    after.add(finding.key);
  }
  return { cause, correction, correctedCheck, members: findings.filter(({ key }) => !after.has(key)) };
}

const hasSameFigures = (one: Finding, other: Finding): boolean =>
  one.expected_in_cents === other.expected_in_cents &&
  one.actual_in_cents === other.actual_in_cents &&
  one.difference_in_cents === other.difference_in_cents;

/** Creates the finding that stands for its members. Its evidence changes if a member appears, disappears or changes. */
function createGroup({ cause, correction, members }: TestedCorrection): Finding {
  const { subject, identity, message } = correction;
  const severity = SEVERITIES[Math.max(...members.map((each) => SEVERITIES.indexOf(each.severity)))];
  const group = createFinding(cause, {
    subject,
    identity,
    message,
    ...(severity && { severity }),
    // Members often report the same amount, so the largest one is at stake, not the sum.
    difference_in_cents: members.reduce<number | null>(largerAmount, null),
    evidence: [],
  });
  const rows = new Map(members.flatMap((member) => member.rows).map((row) => [JSON.stringify(row), row]));
  const evidence = members.map(({ key, evidence }) => [key, evidence]).sort();
  return { ...group, members, rows: [...rows.values()], evidence: JSON.stringify(evidence) };
}

const largerAmount = (largest: number | null, { difference_in_cents: cents }: Finding): number | null =>
  cents !== null && Math.abs(cents) > Math.abs(largest ?? 0) ? cents : largest;
