import { alertProcedures } from '../../../contract/webhooks/alerts.ts';
import { describeAlertSettings } from '../../alerts/alert-settings.ts';
import { toAlert } from '../../alerts/describe-alert.ts';
import { listAlerts } from '../../store/alerts/alert.ts';
import { implementProcedures, type QueryContext } from '../procedures/implement-procedures.ts';

export const alertQueries = ({ query, home }: QueryContext) =>
  implementProcedures(alertProcedures, {
    list: query(({ books, file }, { after, limit }) =>
      listAlerts(books, after ?? 0, limit ?? 50).map((alert) => toAlert(books, file.title, alert)),
    ),
    settings: query(({ file }) => describeAlertSettings(home, file.site)),
  });
