import { parseEndpointAddress } from '../../billing/index.ts';
import { createNonRetryableError } from '../../contract/index.ts';
import type { CommandContext } from '../jobs/command-context.ts';
import type { DeliveryTarget } from './replay-plan.ts';

/** Validates the address of an endpoint and reads the shared key. Throws `validation` or `auth` with advice. */
export async function openDeliveryTarget(
  { shell }: Pick<CommandContext, 'shell'>,
  site: string,
  endpoint: string,
): Promise<DeliveryTarget> {
  const address = parseEndpointAddress(endpoint);
  const { shared_key } = await shell.sharedKeys.get({ site });
  if (shared_key !== null) return { endpoint: address, sharedKey: shared_key };
  throw createNonRetryableError(
    'auth',
    `No shared key is stored for ${site}, so its webhooks cannot be signed.`,
    'Enter the site’s shared key, which the billing service shows with its webhook settings. It is not the API key.',
  );
}
