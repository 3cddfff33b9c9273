import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';

const MAKE_ONE = 'Run `npx office-addin-dev-certs install`, which makes one for 30 days';

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
 * @param now before the end of the certificate
 * @returns undefined without that option
 * @throws WrongOption
 */
export function certificateOf(words: readonly string[], home = homedir(), now = new Date()): Certificate | undefined {
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
  return checked({ cert: cert!, key: key! }, now);
}

/** Reads the files of a certificate and its key, which belong together and have not ended. @throws WrongOption */
function checked(files: Certificate, now: Date): Certificate {
  const [cert, key] = [read(files.cert), read(files.key)];
  const certificate = certificateIn(cert, key);
  if (certificate === undefined)
    throw new WrongOption(`--https: ${files.cert} is no certificate of ${files.key} in PEM.`);
  if (certificate.validToDate >= now) return { cert, key };
  const day = certificate.validToDate.toISOString().slice(0, 10);
  throw new WrongOption(`--https: ${files.cert} ended on ${day}. ${MAKE_ONE}.`);
}

/** The certificate of a key; undefined when it is none. */
function certificateIn(cert: string, key: string): X509Certificate | undefined {
  try {
    const certificate = new X509Certificate(cert);
    return certificate.checkPrivateKey(createPrivateKey(key)) ? certificate : undefined;
  } catch {
    return undefined;
  }
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
      `--https: ${file} cannot be read. ${MAKE_ONE}, or name the files of a certificate and its key: ` +
        'npm start -- --https localhost.pem localhost-key.pem',
    );
  }
}
