import { join } from 'node:path';
import { evidencePackProcedures } from '../../../contract/evidence-packs/evidence-packs.ts';
import { evidencePackResultSchema } from '../../../contract/index.ts';
import { peopleProcedures } from '../../../contract/people/people.ts';
import { periodProcedures } from '../../../contract/periods/periods.ts';
import { reportProcedures } from '../../../contract/periods/reports.ts';
import { workpaperProcedures } from '../../../contract/periods/workpapers.ts';
import { toMonthRange } from '../../../domain/ledger/index.ts';
import { requireRecord } from '../../shared/require-record.ts';
import { implementProcedures, type QueryContext } from '../procedures/implement-procedures.ts';

const loadPeriods = () => import('../../periods/period-detail.ts');
const loadPeople = () => import('../../people/people-file.ts');
const loadWorkpaper = () => import('../../periods/cached-workpaper.ts');
const loadClosedFigures = () => import('../../periods/closed-figures.ts');
const loadBroughtForward = () => import('../../store/periods/brought-forward.ts');
const loadSignOffChanges = () => import('../../store/periods/sign-off-change.ts');
const loadItems = () => import('../../workpaper/workpaper-items.ts');
const loadSignedItems = () => import('../../periods/signed-off-items.ts');
const loadContributions = () => import('../../periods/signed-off-contributions.ts');
const loadFigureRows = () => import('../../workpaper/figure-rows.ts');
const loadFlux = () => import('../../flux/period-flux.ts');
const loadChecklist = () => import('../../periods/checklist.ts');
const loadTrend = () => import('../../periods/period-trend.ts');
const loadSettings = () => import('../../workpaper/workpaper-settings.ts');
const loadPackRows = () => import('../../store/evidence-pack/pack-rows.ts');
const loadWritePack = () => import('../../evidence-pack/write-pack.ts');
const loadVerifyPack = () => import('../../evidence-pack/verify-pack.ts');
const loadReportTable = () => import('../../period-report/report-table-page.ts');
const loadWriteReport = () => import('../../period-report/write-report.ts');

export const periodQueries = ({ stores, version, queryWith }: QueryContext) =>
  implementProcedures(periodProcedures, {
    list: queryWith(loadPeriods, ({ listPeriods }, open) => listPeriods(open, Date.now())),
    get: async ({ input: { site, period } }) => {
      const [{ readPeriodDetail, requirePeriod }, { readWorkpaper }] = await Promise.all([
        loadPeriods(),
        loadWorkpaper(),
      ]);
      const at = { now: Date.now(), version };
      const workpaper = await stores.read(site, (open) => {
        requirePeriod(open.books, period);
        return readWorkpaper(open, period, at);
      });
      return stores.read(site, (open) => readPeriodDetail(open, period, at, workpaper));
    },
    checklist: async ({ input: { site, period } }) => {
      const { readChecklist } = await loadChecklist();
      return stores.read(site, (open) => readChecklist(open, period, { now: Date.now(), version }));
    },
    trend: async ({ input: { site, months } }) => {
      const { readPeriodTrend } = await loadTrend();
      return stores.read(site, (open) => readPeriodTrend(open, months, { now: Date.now(), version }));
    },
    closedFigures: queryWith(loadClosedFigures, ({ readClosedFigures }, { books }, input) =>
      readClosedFigures(books, input.period, input.version),
    ),
    signed: queryWith(loadClosedFigures, ({ readSignedOffFigures }, { books }, input) =>
      readSignedOffFigures(books, input.period, input.version),
    ),
    broughtForward: queryWith(
      loadBroughtForward,
      ({ listBroughtForwardItems }, { books }, { site, period, ...query }) =>
        listBroughtForwardItems(books, { ...query, ...toMonthRange(`${period}-01`) }),
    ),
    explained: queryWith(loadBroughtForward, ({ getExplainedItem }, { books }, { items }) =>
      items.map((item) => getExplainedItem(books, item)),
    ),
    signOffChanges: queryWith(loadSignOffChanges, ({ listSignOffChanges }, { books }, input) =>
      listSignOffChanges(books, input),
    ),
  });

export const peopleQueries = ({ home }: QueryContext) =>
  implementProcedures(peopleProcedures, { list: async () => (await loadPeople()).listPeople(home) });

export const workpaperQueries = ({ stores, version, queryWith }: QueryContext) =>
  implementProcedures(workpaperProcedures, {
    get: async ({ input: { site, period, now } }) => {
      const { readWorkpaper, readCurrentWorkpaper } = await loadWorkpaper();
      const read = now ? readCurrentWorkpaper : readWorkpaper;
      return stores.read(site, (open) => read(open, period, { now: Date.now(), version }));
    },
    items: async ({ input }) => {
      const { site, period, now } = input;
      const [{ listSignedOffItems }, { readCurrentBillingSums }, { listWorkpaperItems }] = await Promise.all([
        loadSignedItems(),
        loadWorkpaper(),
        loadItems(),
      ]);
      const signedItems = now ? null : stores.read(site, ({ books }) => listSignedOffItems(books, input));
      if (signedItems !== null) return signedItems;
      const at = { now: Date.now(), version };
      const billing = await stores.read(site, (open) => readCurrentBillingSums(open, period, at));
      return stores.read(site, (open) => listWorkpaperItems(open, input, billing));
    },
    rows: async ({ input }) => {
      const [{ readSignedOffContributions }, { listFigureRows }] = await Promise.all([
        loadContributions(),
        loadFigureRows(),
      ]);
      const contributions = await stores.read(input.site, (open) => readSignedOffContributions(open, input));
      return stores.read(input.site, (open) => listFigureRows(open, contributions, input));
    },
    flux: async ({ input: { site, period } }) => {
      const { readFlux } = await loadFlux();
      return stores.read(site, (open) => readFlux(open, period, { now: Date.now(), version }));
    },
    fluxRows: async ({ input }) => {
      const { readFluxRows } = await loadFlux();
      return stores.read(input.site, (open) => readFluxRows(open, input, { now: Date.now(), version }));
    },
    settings: queryWith(loadSettings, ({ readWorkpaperSettings }, { books }) => readWorkpaperSettings(books)),
  });

export const evidencePackQueries = ({ queryWith }: QueryContext) =>
  implementProcedures(evidencePackProcedures, {
    plan: queryWith(loadWritePack, ({ previewEvidencePack }, site, input) =>
      previewEvidencePack(site, input.period),
    ),
    result: queryWith(loadPackRows, ({ listEvidencePackResults }, { books }, { job }) => {
      const [pack = null] = listEvidencePackResults(books, { job });
      const json = requireRecord(pack, `pack of job ${job}`, 'The pack was not written completely.');
      return evidencePackResultSchema.parse(JSON.parse(json));
    }),
    list: queryWith(loadPackRows, ({ listEvidencePackResults }, { books }, { period }) =>
      listEvidencePackResults(books, { period }).map((json) =>
        evidencePackResultSchema.parse(JSON.parse(json)),
      ),
    ),
    verify: async ({ input, signal = new AbortController().signal }) =>
      (await loadVerifyPack()).verifyEvidencePack(input.path, signal, input.receipt),
  });

export const reportQueries = ({ stores, shell, version }: QueryContext) =>
  implementProcedures(reportProcedures, {
    table: async ({ input }) => {
      const { site, period } = input;
      const [{ readWorkpaper }, { readReportTable }] = await Promise.all([
        loadWorkpaper(),
        loadReportTable(),
      ]);
      const stamp = { now: Date.now(), version };
      const workpaper = await stores.read(site, (open) => readWorkpaper(open, period, stamp));
      return stores.read(site, (open) => readReportTable(open, workpaper, input));
    },
    file: async ({ input: { site, period, format } }) => {
      const { formatReportFileName, REPORT_MEDIA_TYPES, writeReport } = await loadWriteReport();
      const source = stores.read(site, ({ file, folder }) => ({ file, folder }));
      const name = formatReportFileName(source.file.title, period, format);
      const output = { path: join(source.folder, 'reports', name), isStream: false };
      const stamp = { now: Date.now(), version };
      const { path } = await writeReport(source, { period, format, output }, stamp);
      return shell.blobs.offer({ path, name, type: REPORT_MEDIA_TYPES[format] });
    },
  });
