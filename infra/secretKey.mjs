// Run by `azd provision` before it makes anything: gives the environment a SECRET_KEY and a HEALTH_KEY, once.
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';

const keys = {
  SECRET_KEY: { bytes: 32, encoding: 'base64' },
  // In base64url it could begin with a dash, which azd takes for an option.
  HEALTH_KEY: { bytes: 24, encoding: 'hex' },
};

for (const [name, { bytes, encoding }] of Object.entries(keys)) {
  if (process.env[name]) {
    console.log(`${name} is set already; it stays as it is.`);
    continue;
  }
  const { status } = spawnSync('azd', ['env', 'set', name, randomBytes(bytes).toString(encoding)], {
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (status !== 0) {
    console.error(`${name} could not be set: run \`azd env set ${name}\` with ${bytes} random bytes in ${encoding}.`);
    process.exit(1);
  }
  console.log(`${name} was made. Keep a copy of it where you keep passwords.`);
}
