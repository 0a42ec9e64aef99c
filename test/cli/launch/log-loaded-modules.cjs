/** Loaded before a program: at its end it tells, on descriptor 3, which files and which of Node's own modules were loaded. */
const { writeSync } = require('node:fs');

process.on('exit', () => {
  const files = Object.keys(require.cache).filter((file) => file !== __filename);
  const own = process.moduleLoadList.map((name) => name.replace(/^NativeModule /, ''));
  writeSync(3, JSON.stringify({ files, own }));
});
