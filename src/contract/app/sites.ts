import { z } from 'zod';
import { moment, siteName } from '../shared/common-schemas.ts';
import { command, query, remoteCommand } from '../shared/procedure-kinds.ts';

export const wireFormat = z.enum(['json', 'xml']);

export const site = z.object({
  site: siteName,
  /** The name people read. */
  title: z.string(),
  base_url: z.string(),
  format: wireFormat,
  /** ISO 4217. The service does not say it, so it is the user's to set. */
  currency: z.string(),
  demo: z.boolean(),
  has_key: z.boolean(),
  /** The last four characters of the key, where one is kept. */
  key_hint: z.string().nullable(),
  created_at: moment,
  last_synced_at: moment.nullable(),
});
export type Site = z.infer<typeof site>;

const title = z.string().trim().min(1).max(80);
const baseUrl = z.string().trim().min(1).max(500);
const apiKey = z.string().min(1).max(500);
const currency = z.string().regex(/^[A-Z]{3}$/, 'three capital letters, as USD');

/** What a connection test found. It changes nothing. */
export const siteTest = z.object({
  ok: z.literal(true),
  /** Round trip of one small read, in ms. */
  ms: z.number(),
  /** What was read, in a sentence. */
  message: z.string(),
  /** The offset of the service's times, as `-05:00`, where one was seen. */
  utc_offset: z.string().nullable(),
});

export const sites = {
  list: query.input(z.object({})).output(z.array(site)),
  get: query.input(z.object({ site: siteName })).output(site),
  /** Tries the address and the key, and only when the service answers keeps both (the key in the keychain). */
  add: remoteCommand
    .input(
      z.object({
        title,
        /** Default: made from the title. */
        site: siteName.optional(),
        base_url: baseUrl,
        format: wireFormat.default('json'),
        currency: currency.default('USD'),
        /** Absent: a key already kept in the keychain under this name. */
        api_key: apiKey.optional(),
        demo: z.boolean().default(false),
      }),
    )
    .output(site),
  /** Tests a site that is kept, or an address and a key that are not yet. */
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
  /** Replaces the key after the service has accepted the new one. */
  replaceKey: remoteCommand.input(z.object({ site: siteName, api_key: apiKey })).output(site),
  /** Forgets the key and sets the site's folder aside (`removed/`); nothing is deleted. */
  remove: command.input(z.object({ site: siteName })).output(z.object({ set_aside: z.string() })),
};
