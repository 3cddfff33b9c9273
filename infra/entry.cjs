/*
 * The entry of the Functions worker. It loads app.js, and gives V8 the compiled code that the build put beside the code
 * (codeCache.ts). V8 refuses compiled code of another version of itself; the code is then compiled as everywhere.
 */

const { existsSync, readFileSync } = require('node:fs');
const { createRequire, Module } = require('node:module');
const path = require('node:path');
const { Script } = require('node:vm');

const compile = Module.prototype._compile;

Module.prototype._compile = function (source, filename, ...rest) {
  const cache = `${filename}.cache`;
  if (path.dirname(filename) !== __dirname || !existsSync(cache)) return compile.call(this, source, filename, ...rest);
  const script = new Script(Module.wrap(source), { filename, cachedData: readFileSync(cache) });
  const run = script.runInThisContext();
  return run.call(this.exports, this.exports, createRequire(filename), this, filename, __dirname);
};

require('./app.js');
