/** The allowed imports. A part may import only the parts named beside it. Some packages have one place of import. */
const parts = {
  contract: [],
  domain: ['contract'],
  billing: [],
  sandbox: [],
  backend: ['contract', 'domain', 'billing'],
  host: ['contract', 'backend'],
  main: ['contract', 'host'],
  preload: [],
  web: ['contract', 'host'],
  cli: ['contract', 'domain', 'host', 'web'],
  renderer: ['contract', 'domain'],
};

/**
 * The folders of the backend from bottom to top. A file may import its own folder and the folders listed before it. The
 * subjects between `jobs` and `handlers` have one order, so that none of them depends on another both ways.
 */
const backendFolders = [
  'shared',
  // The databases. Only this layer contains SQL.
  'store/sqlite',
  'store/lists',
  'store/audit-log',
  'store/jobs',
  'store/check-queue',
  'store/period-lock',
  'store/statements',
  'store/webhooks',
  'store/allocations',
  'store/missing-webhooks',
  'store/workpaper',
  'store/bank',
  'store/matching',
  'store/checks',
  'store/general-ledger',
  'store/archive',
  'store/periods',
  'store/period-report',
  'store/comments',
  'store/evidence-pack',
  'store/replay',
  'store/incidents',
  'store/alerts',
  'store/activity',
  'store/search',
  'store/migrations',
  'store/backups',
  'store/database',
  'store/sync',
  'store/recomputation',
  // The opened sites, and the jobs that run on them.
  'sites',
  'jobs',
  // The subjects.
  'bagit',
  'period-lock',
  'changes-since-sign-off',
  'matching',
  'bank',
  'comments',
  'archive',
  'search-indexing',
  'checks',
  'incidents',
  'alerts',
  'sync/shared',
  'sync/webhooks',
  'sync/statements',
  'sync/allocations',
  'sync',
  'allocations',
  'replay',
  'backups',
  'people',
  'time-stamps',
  'books-verification',
  'workpaper',
  'periods',
  'general-ledger',
  'flux',
  'period-report',
  'evidence-pack',
  'site-setup',
  'missing-webhooks',
  'doctor',
  'recomputation',
  // The procedures of the contract.
  'handlers/procedures',
  'handlers/queries',
  'handlers/commands',
  'handlers',
];

/** Matches the files of a backend folder. Listed subfolders are folders of their own. */
const backendFiles = (folder) =>
  `^src/backend/${folder}/${backendFolders.some((each) => each.startsWith(`${folder}/`)) ? '[^/]+$' : ''}`;

const backendOrder = backendFolders.map((folder, at) => ({
  name: `backend-${folder}-imports`,
  comment: `src/backend/${folder} may import the folders listed before it`,
  severity: 'error',
  from: { path: backendFiles(folder) },
  to: { path: '^src/backend/', pathNot: backendFolders.slice(0, at + 1).map(backendFiles) },
}));

const arrows = Object.entries(parts).map(([part, allowed]) => ({
  name: `${part}-imports`,
  comment: `src/${part} may import: ${allowed.join(', ') || 'no other part'}`,
  severity: 'error',
  from: { path: `^src/${part}/` },
  to: { path: '^src/', pathNot: [part, ...allowed].map((name) => `^src/${name}/`) },
}));

const only = (name, module, from) => ({
  name: `${name}-only`,
  comment: `${name} is imported only from ${from}`,
  severity: 'error',
  from: { path: '^src/', pathNot: from },
  to: { path: module },
});

module.exports = {
  forbidden: [
    ...arrows,
    ...backendOrder,
    {
      name: 'backend-folder-unlisted',
      comment: 'every folder of the backend has a place in the list above',
      severity: 'error',
      from: {},
      to: { path: '^src/backend/.+/', pathNot: backendFolders.map(backendFiles) },
    },
    {
      name: 'backend-entry-only',
      comment: 'the host reaches the backend through its entry alone',
      severity: 'error',
      from: { path: '^src/host/' },
      to: { path: '^src/backend/', pathNot: '^src/backend/index\\.ts$' },
    },
    only('electron', '(^|/)node_modules/electron/|^electron$', '^src/(main|preload)/'),
    only('undici', '(^|/)node_modules/undici/|^undici$', '^src/billing/'),
    only('better-sqlite3', '(^|/)node_modules/better-sqlite3/', '^src/backend/store/'),
    only('react', '(^|/)node_modules/react(-dom)?/', '^src/renderer/'),
    {
      name: 'no-circular',
      comment: 'type-only imports included',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-orphan-test-imports',
      comment: 'nothing that ships imports a test',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^test/' },
    },
    { name: 'resolvable', severity: 'error', from: { path: '^src/' }, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
