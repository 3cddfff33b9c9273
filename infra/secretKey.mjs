// Run by `azd provision` before it makes anything: gives the environment a SECRET_KEY, once.
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';

if (process.env.SECRET_KEY) {
  console.log('SECRET_KEY is set already; it stays as it is.');
} else {
  const secretKey = randomBytes(32).toString('base64');
  const { status } = spawnSync('azd', ['env', 'set', 'SECRET_KEY', secretKey], {
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (status !== 0) {
    console.error('SECRET_KEY could not be set: run `azd env set SECRET_KEY` with 32 random bytes in base64.');
    process.exit(1);
  }
  console.log('SECRET_KEY was made. Keep a copy of it: without it, stored credentials cannot be read.');
}
