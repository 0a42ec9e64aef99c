import type { StatementFilter } from '../../../contract/statements/statements.ts';
import { CliError, toCliErrorValue } from '../../errors/cli-error.ts';
import { connectSite, type SiteContext } from '../../runtime/cli-command.ts';
import { waitForJob } from '../../runtime/follow-job.ts';

/**
 * Downloads the missing PDFs of closed statements. If the download fails, for example without a network, only prints
 * the reason, because the stored PDFs can still be exported. Returns the context for later calls. Throws `canceled` on
 * Ctrl-C.
 */
export async function fetchMissingPdfs(context: SiteContext, filter: StatementFilter): Promise<SiteContext> {
  try {
    const connected = await connectSite(context);
    const { client, site } = connected;
    const { job } = await client.archive.fetch({ site, filter });
    await waitForJob(connected, job);
    return connected;
  } catch (error) {
    if (context.interrupt.signal.aborted) throw new CliError('canceled', 'Stopped.');
    const { message } = await toCliErrorValue(error);
    context.output.notice(`Missing PDFs could not be downloaded: ${message}`);
    return context;
  }
}
