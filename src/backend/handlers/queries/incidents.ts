import { incidentStateSchema } from '../../../contract/index.ts';
import { incidentProcedures } from '../../../contract/webhooks/incidents.ts';
import { offerIncidentReport } from '../../incidents/offer-incident-report.ts';
import { requireRecord } from '../../shared/require-record.ts';
import { listIncidents } from '../../store/incidents/incident.ts';
import { getIncidentDetail, toIncident } from '../../store/incidents/incident-detail.ts';
import { implementProcedures, type QueryContext } from '../procedures/implement-procedures.ts';

export const incidentQueries = ({ query, ...context }: QueryContext) =>
  implementProcedures(incidentProcedures, {
    list: query(({ books }, { state }) =>
      listIncidents(books, state ?? incidentStateSchema.options).map(toIncident),
    ),
    get: query(({ cache, books }, { id }) =>
      requireRecord(getIncidentDetail(cache, books, id), `incident ${id}`, 'See the list of incidents.'),
    ),
    report: ({ input }) => offerIncidentReport(context, input),
  });
