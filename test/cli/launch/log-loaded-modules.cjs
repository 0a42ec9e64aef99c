/** Preloaded before a program. On exit, writes the loaded files and Node modules to descriptor 3. */
const { writeSync } = require('node:fs');

process.on('exit', () => {
  const files = Object.keys(require.cache).filter((file) => file !== __filename);
  const builtIn = process.moduleLoadList.map((name) => name.replace(/^NativeModule /, ''));
  writeSync(3, JSON.stringify({ files, builtIn }));
});
