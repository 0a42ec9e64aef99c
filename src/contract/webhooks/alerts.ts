import { z } from 'zod';
import { field } from '../shared/common-schemas.ts';
import { defineSiteCommand, defineSiteQuery } from '../shared/procedure-kinds.ts';

/**
 * `failing`: the endpoint has stopped accepting webhooks. `pausing`: the service is about to pause it. `paused`,
 * `disabled`: the service sends or creates no webhooks. `silent`: the log has no new webhooks although there are
 * usually many.
 */
const endpointProblemSchema = z.enum(['failing', 'pausing', 'paused', 'disabled', 'silent']);
export type EndpointProblem = z.infer<typeof endpointProblemSchema>;

const alertKindSchema = z.enum([...endpointProblemSchema.options, 'recovered', 'test']);
export type AlertKind = z.infer<typeof alertKindSchema>;

/** Channel through which an alert reaches a person. `address`: an HTTP address of the merchant. */
const alertChannelSchema = z.enum(['desktop', 'command', 'address']);
export type AlertChannel = z.infer<typeof alertChannelSchema>;

/** Delivery of an alert through one channel. */
const alertDeliverySchema = z.object({
  channel: alertChannelSchema,
  /**
   * `pending`: also after a failed attempt, until the next one. `failed`: no attempt succeeded in time. `skipped`: a later alert
   * about the same endpoint replaced it, or it was too old to be useful.
   */
  state: z.enum(['pending', 'sending', 'delivered', 'failed', 'skipped']),
  attempts: z.int(),
  /** Reason why the latest attempt failed; null if it did not. */
  error: z.string().nullable(),
});
export type AlertDelivery = z.infer<typeof alertDeliverySchema>;

/** A message to a person about the delivery of a site's webhooks. */
export const alertSchema = z.object({
  id: field.rowId,
  at: field.moment,
  kind: alertKindSchema,
  /** Address of the endpoint without its query; null if the alert is about the whole site. */
  endpoint: z.string().nullable(),
  /** Number of webhooks in a row that the endpoint has not accepted. */
  failures: z.int(),
  /** Time of the first failed attempt, of the last webhook before the silence, or of the recovery. */
  since: field.moment,
  /** True if the service itself reported the state. Otherwise, it follows from the webhook log. */
  reported: z.boolean(),
  title: z.string(),
  text: z.string(),
  deliveries: z.array(alertDeliverySchema),
});
export type Alert = z.infer<typeof alertSchema>;

/** Alert to show on the desktop, with the number of the attempt that its result must state. */
const desktopAlertSchema = alertSchema.extend({ attempt: z.int() });
export type DesktopAlert = z.infer<typeof desktopAlertSchema>;

const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time, for example 22:00');
/** Local hours without alerts. Alerts that still apply are sent afterwards. May span midnight. */
const quietHoursSchema = z
  .object({ from: timeOfDay, to: timeOfDay })
  .refine(({ from, to }) => from !== to, 'must have different start and end times');
export type QuietHours = z.infer<typeof quietHoursSchema>;

const alertSettingsSchema = z.object({
  /** True to show desktop notifications. */
  desktop: z.boolean(),
  /** File name of the program to run, in the folder `hooks` of the home; null for none. */
  command: z.string().nullable(),
  /** Host of the address to which alerts are posted; null for none. The complete address may contain a secret. */
  address_host: z.string().nullable(),
  quiet_hours: quietHoursSchema.nullable(),
  /** Programs that can be chosen as `command`. */
  available_commands: z.array(z.string()),
  /** Folder of these programs. */
  commands_folder: z.string(),
});
export type AlertSettings = z.infer<typeof alertSettingsSchema>;

export const alertProcedures = {
  /** Lists alerts, newest first. */
  list: defineSiteQuery({
    limit: z.int().min(1).max(500).default(50),
    /** Only alerts with a greater id. */
    after: z.int().nonnegative().optional(),
  }).output(z.array(alertSchema)),
  settings: defineSiteQuery().output(alertSettingsSchema),
  /**
   * Changes settings. Absent fields stay as they are. Throws `validation` for an unusable program or address, and in the window
   * also for a new address in a local network.
   */
  saveSettings: defineSiteCommand({
    desktop: z.boolean().optional(),
    command: z.string().min(1).max(100).nullable().optional(),
    /** Address to which alerts are posted as JSON: https, or http on this computer. */
    address: z.string().trim().min(1).max(2000).nullable().optional(),
    quiet_hours: quietHoursSchema.nullable().optional(),
  }).output(alertSettingsSchema),
  /** Sends a test alert through every configured channel. Throws `validation` if there is none. */
  test: defineSiteCommand().output(alertSchema),
  /**
   * Returns the next alert to show on the desktop now, with an id above `after`, or null. No other caller gets it before its
   * result is saved or two minutes have passed.
   */
  takeDesktop: defineSiteCommand({ after: z.int().nonnegative().default(0) }).output(
    desktopAlertSchema.nullable(),
  ),
  /** Saves if an alert was shown on the desktop. Ignored if it has been taken again. Throws `not_found` for an unknown alert. */
  saveDesktopResult: defineSiteCommand({
    alert: field.rowId,
    attempt: z.int().positive(),
    /** Reason why the alert was not shown, or null. */
    error: z.string().max(1000).nullable(),
  }).output(z.object({})),
};
