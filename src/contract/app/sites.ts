import { z } from 'zod';
import { moment, siteName } from '../shared/common-schemas.ts';
import { command, query, remoteCommand } from '../shared/procedure-kinds.ts';

export const wireFormat = z.enum(['json', 'xml']);

export const site = z.object({
  site: siteName,
  /** Display name. */
  title: z.string(),
  base_url: z.string(),
  format: wireFormat,
  /** ISO 4217 code. The service does not return it, so the user sets it. */
  currency: z.string(),
  demo: z.boolean(),
  has_key: z.boolean(),
  /** Last four characters of the stored key. Null if none is stored. */
  key_hint: z.string().nullable(),
  created_at: moment,
  last_synced_at: moment.nullable(),
});
export type Site = z.infer<typeof site>;

const title = z.string().trim().min(1).max(80);
const baseUrl = z.string().trim().min(1).max(500);
const apiKey = z.string().min(1).max(500);
const currency = z.string().regex(/^[A-Z]{3}$/, 'three capital letters, as USD');

/** Result of a connection test. A test changes nothing. */
export const siteTest = z.object({
  ok: z.literal(true),
  /** Round trip of one small read, in milliseconds. */
  ms: z.number(),
  /** Description of what was read, as one sentence. */
  message: z.string(),
  /** UTC offset of the service's times, such as `-05:00`. Null if none was seen. */
  utc_offset: z.string().nullable(),
});

export const sites = {
  list: query.input(z.object({})).output(z.array(site)),
  get: query.input(z.object({ site: siteName })).output(site),
  /** Tests the address and the key, and saves both if the service accepts them. The key goes to the keychain. */
  add: remoteCommand
    .input(
      z.object({
        title,
        /** Derived from the title if omitted. */
        site: siteName.optional(),
        base_url: baseUrl,
        format: wireFormat.default('json'),
        currency: currency.default('USD'),
        /** If omitted, the key already stored in the keychain under this name is used. */
        api_key: apiKey.optional(),
        demo: z.boolean().default(false),
      }),
    )
    .output(site),
  /** Tests a saved site, or an address and a key that are not saved yet. */
  test: remoteCommand
    .input(
      z.union([
        z.object({ site: siteName }),
        z.object({ base_url: baseUrl, format: wireFormat, api_key: apiKey }),
      ]),
    )
    .output(siteTest),
  update: command
    .input(
      z.object({
        site: siteName,
        title: title.optional(),
        base_url: baseUrl.optional(),
        format: wireFormat.optional(),
        currency: currency.optional(),
      }),
    )
    .output(site),
  /** Replaces the key once the service has accepted the new one. */
  replaceKey: remoteCommand.input(z.object({ site: siteName, api_key: apiKey })).output(site),
  /** Deletes the key and moves the site's folder to `removed/`. No data is deleted. */
  remove: command.input(z.object({ site: siteName })).output(z.object({ set_aside: z.string() })),
};
