import { alertProcedures } from '../../../contract/webhooks/alerts.ts';
import { saveDesktopResult, takeDesktopAlert } from '../../alerts/deliver-alerts.ts';
import { saveAlertSettings } from '../../alerts/save-alert-settings.ts';
import { sendTestAlert } from '../../alerts/update-alerts.ts';
import { implementProcedures } from '../procedures/implement-procedures.ts';
import type { WriterContext } from './writer-context.ts';

export const alertCommands = (context: WriterContext) =>
  implementProcedures(alertProcedures, {
    saveSettings: ({ input }) => saveAlertSettings(context, input),
    test: ({ input }) => sendTestAlert(context, input.site),
    takeDesktop: ({ input }) => takeDesktopAlert(context, input),
    saveDesktopResult: ({ input }) => saveDesktopResult(context, input),
  });
