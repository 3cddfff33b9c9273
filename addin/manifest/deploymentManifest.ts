/** The manifest of a deployment, made from the one for development. */

type Deployment = {
  /** The address of the app, from `deploymentUrl`. */
  url: URL;
  /** The add-in's identity, a GUID: to Excel, manifests with the same id are the same add-in. */
  id: string;
  /** From `manifestVersion`: Microsoft 365 takes an update with a higher one only. */
  version: string;
};

/** The version of a manifest, higher with each release. It begins with 1: stores refuse 0. @param release as 0.1.0 */
export const manifestVersion = (release: string): string => `1.${/^\d+\.\d+\.\d+/.exec(release)![0]}`;

/**
 * Reads the address of a deployment: https, with a path when the app is not at the root of its host.
 * @throws Error with a message for the user
 */
export function deploymentUrl(text: string): URL {
  const url = URL.parse(text);
  // Dots in a row stand for what was left out.
  if (url === null || url.hostname.includes('..')) {
    throw new Error(`"${text}" is not an address. Give one like https://ledgerline.example.com`);
  }
  // Checked first, so that no other message repeats a password.
  if (url.username || url.password) throw new Error('the address must not carry a user name or password.');
  if (url.protocol !== 'https:') throw new Error(`"${text}" is not https, and Excel loads an add-in over https only.`);
  // In the text: an empty query or fragment is not in the parsed parts.
  if (/[?#]/.test(text)) throw new Error(`"${text}" has a query or a fragment. Leave out everything from ? or # on.`);
  return url;
}

/** Reads an add-in's id. @throws Error when it is not a GUID */
export function deploymentId(text: string): string {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) throw new Error(`"${text}" is not a GUID.`);
  return text.toLowerCase();
}

/**
 * Replaces every address, the id and the version of a manifest. The text is edited, because the XML writer of office-addin-manifest
 * removes the comments and groups elements of one name, while the schema prescribes their order.
 * @param manifest the manifest for development, as XML
 * @param origin of the app in that manifest, such as https://localhost:3000
 */
export function deploymentManifest(manifest: string, origin: string, { url, id, version }: Deployment): string {
  // An https address may contain `&`, which XML text may not.
  const base = (url.origin + url.pathname.replace(/\/+$/, '')).replaceAll('&', '&amp;');
  return manifest
    .replace(/<Id>[^<]*<\/Id>/, () => `<Id>${id}</Id>`)
    .replace(/<Version>[^<]*<\/Version>/, () => `<Version>${version}</Version>`)
    .replaceAll(`<AppDomain>${origin}</AppDomain>`, () => `<AppDomain>${url.origin}</AppDomain>`) // has no path
    .replaceAll(origin, () => base);
}
