import { incidentProcedures } from '../../../contract/webhooks/incidents.ts';
import {
  acknowledgeIncident,
  addSelectedIncident,
  reopenIncident,
  resolveIncident,
  updateIncident,
} from '../../incidents/incident-decisions.ts';
import { implementProcedures } from '../procedures/implement-procedures.ts';
import type { WriterContext } from './writer-context.ts';

export const incidentCommands = (context: WriterContext) =>
  implementProcedures(incidentProcedures, {
    add: async ({ input, signal }) => {
      if ('filter' in input.from && input.from.filter.search !== undefined)
        await context.indexing.indexAll(input.site, 'webhooks', signal);
      return addSelectedIncident(context, input);
    },
    update: ({ input }) => updateIncident(context, input),
    acknowledge: ({ input }) => acknowledgeIncident(context, input),
    resolve: ({ input }) => resolveIncident(context, input),
    reopen: ({ input }) => reopenIncident(context, input),
  });
