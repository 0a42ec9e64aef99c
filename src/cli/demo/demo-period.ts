import type { Workpaper } from '../../contract/periods/workpapers.ts';
import { type CertificationRole, listStatementTexts } from '../../domain/periods/certification.ts';
import { formatCount, formatMoney } from '../output/format-values.ts';
import type { SiteContext } from '../runtime/cli-command.ts';
import { waitForJob } from '../runtime/follow-job.ts';

const EXPLANATION = 'Owner deposits, other customers and interest that are unrelated to the subscriptions.';
const SELF_REVIEW_REASON = 'Demonstration: the same person prepared and reviewed this period.';

/** Closes a demo month: explains unrelated items, then submits, reviews and closes the period. */
export async function closeDemoPeriod(context: SiteContext, period: string) {
  const { client, site } = context;
  const ref = { site, period };
  const existing = (await client.periods.list({ site })).periods.find((each) => each.period === period);
  if (existing?.state !== 'closed') {
    await waitForJob(context, (await client.check.start({ site })).job);
    if (existing === undefined) await client.periods.open(ref);
    await explainItems(context, period);
    if (existing === undefined || existing.state === 'open') {
      const confirmed = await listConfirmedTexts(context, 'prepared');
      await client.periods.submit({ ...ref, ...(await requiredComment(context, period)), confirmed });
    }
    if (existing?.state !== 'reviewed') {
      const confirmed = await listConfirmedTexts(context, 'reviewed');
      const self_review = SELF_REVIEW_REASON;
      await client.periods.review({ ...ref, verdict: 'approve', self_review, confirmed });
    }
    await waitForJob(context, (await client.periods.close(ref)).job);
  }
  const [closed, closedFigures, signed] = await Promise.all([
    client.periods.get(ref),
    client.periods.closedFigures(ref),
    client.periods.signed(ref),
  ]);
  const { sections, explained } = JSON.parse(signed.json) as Workpaper;
  return { period, state: closed.state, explained, sections, closed_figures: closedFigures };
}

async function explainItems({ client, site }: SiteContext, period: string): Promise<void> {
  const { rows } = await client.workpapers.items({ site, period, filter: { explained: false }, limit: 1000 });
  if (rows.length === 0) return;
  const items = rows.map(({ key }) => key);
  await client.periods.explain({ site, period, items, category: 'other income', explanation: EXPLANATION });
}

/** Returns the statements of a role, which the demonstration confirms. */
async function listConfirmedTexts({ client, site }: SiteContext, role: CertificationRole): Promise<string[]> {
  const { certification } = await client.workpapers.settings({ site });
  return listStatementTexts(certification.statements, role);
}

/** Returns a comment that lists the qualifications of the figures, if the period requires a comment. */
async function requiredComment({ client, site }: SiteContext, period: string): Promise<{ comment?: string }> {
  const { remarks } = await client.periods.get({ site, period });
  const messages = remarks.filter(({ requires }) => requires === 'comment').map(({ message }) => message);
  return messages.length === 0 ? {} : { comment: `Known qualifications: ${messages.join(' ')}` };
}

/** Formats the differences of the schedules and the digest of the closed demo period. */
export function formatDemoPeriod({
  period,
  sections,
  closed_figures: { rows, sha256 },
  explained,
}: Awaited<ReturnType<typeof closeDemoPeriod>>): string[] {
  const rowCount = rows.reduce((sum, { count }) => sum + count, 0);
  return [
    ...sections.flatMap(({ currency, schedules }) =>
      schedules.map(
        ({ id, title, difference_in_cents }) =>
          `${id} ${title}: difference ${formatMoney(difference_in_cents)} ${currency}`,
      ),
    ),
    `${period} is closed${explained ? ' with no unexplained items' : ''}: ${formatCount(rowCount, 'row')}, digest ${sha256}`,
  ];
}
