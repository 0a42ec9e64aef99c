/**
 * The import arrows of the design, enforced. A part may import only the parts named beside it;
 * some packages may be imported from one place only.
 */
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
  cli: ['contract', 'host', 'web'],
  renderer: ['contract', 'domain'],
};

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
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
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
