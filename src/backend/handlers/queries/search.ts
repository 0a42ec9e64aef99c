import { searchProcedures } from '../../../contract/app/search.ts';
import { countUnindexedRecords } from '../../store/search/search-index.ts';
import { implementProcedures, type QueryContext } from '../procedures/implement-procedures.ts';

const loadSearch = () => import('../../store/search/find-records.ts');

export const searchQueries = ({ query, queryWith }: QueryContext) =>
  implementProcedures(searchProcedures, {
    find: queryWith(loadSearch, ({ findRecords }, site, input) => findRecords(site, input)),
    unsearched: query(({ cache }) => countUnindexedRecords(cache)),
  });
