import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';

/** A certificate and its private key, in PEM. */
export type Certificate = { cert: string; key: string };

/** An option of the command line that cannot be used; the message says what is expected. */
export class WrongOption extends Error {
  override readonly name = 'WrongOption';
}

/**
 * The certificate of `--https [certificate key]`: two files. Without them, those that `npx office-addin-dev-certs
 * install` created, which this machine trusts.
 * @param home the home folder of the user
 * @returns undefined without that option
 * @throws WrongOption
 */
export function certificateOf(words: readonly string[], home = homedir()): Certificate | undefined {
  const { values, positionals } = parse(words);
  if (values.https !== true) {
    if (positionals.length > 0) throw new WrongOption(`--https is expected before ${positionals.join(' ')}.`);
    return undefined;
  }
  if (positionals.length !== 0 && positionals.length !== 2) {
    throw new WrongOption('--https: expected nothing after it, or the file of a certificate and the file of its key.');
  }
  const made = path.join(home, '.office-addin-dev-certs');
  const [cert, key] =
    positionals.length === 2 ? positionals : ['localhost.crt', 'localhost.key'].map((name) => path.join(made, name));
  return { cert: read(cert!), key: read(key!) };
}

function parse(words: readonly string[]) {
  try {
    return parseArgs({ args: [...words], options: { https: { type: 'boolean' } }, allowPositionals: true });
  } catch (failure) {
    throw new WrongOption((failure as Error).message);
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new WrongOption(
      `--https: ${file} cannot be read. Run \`npx office-addin-dev-certs install\` once, or name the files of a certificate ` +
        'and its key: npm start -- --https localhost.pem localhost-key.pem',
    );
  }
}
