import { peopleProcedures } from '../../../contract/people/people.ts';
import { implementProcedures } from '../procedures/implement-procedures.ts';
import type { WriterContext } from './writer-context.ts';

const loadSigners = () => import('../../people/signers.ts');

export const peopleCommands = (context: WriterContext) =>
  implementProcedures(peopleProcedures, {
    add: async ({ input }) => {
      const person = await (await loadSigners()).addPerson(context, input);
      context.changes.emit(null, 'settings');
      return person;
    },
    setDefault: async ({ input }) => {
      const person = (await loadSigners()).setDefaultPerson(context, input.name);
      context.changes.emit(null, 'settings');
      return person;
    },
  });
