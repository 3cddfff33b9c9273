/** The manifest of a deployment, made from the one for development. */

type Deployment = {
  /** Where the app answers, as `deploymentUrl` returns it. */
  url: URL;
  /** The add-in's identity, a GUID: to Excel, manifests with the same id are the same add-in. */
  id: string;
};

/**
 * Reads the address of a deployment: https, with a path when the app does not answer at the root of its host.
 *
 * @throws Error that tells the person who typed the address what is wrong with it
 */
export function deploymentUrl(text: string): URL {
  if (!URL.canParse(text)) throw new Error(`"${text}" is not an address. Give one like https://ledgerline.example.com`);
  const url = new URL(text);
  // First, so that no other refusal repeats a password.
  if (url.username || url.password) throw new Error('the address must not carry a user name or password.');
  if (url.protocol !== 'https:') throw new Error(`"${text}" is not https, and Excel loads an add-in over https only.`);
  // In the text: an empty query or fragment leaves no trace in the parsed parts.
  if (/[?#]/.test(text)) throw new Error(`"${text}" has a query or a fragment. Leave out everything from ? or # on.`);
  return url;
}

/**
 * Reads an add-in's id.
 *
 * @throws Error when it is not a GUID
 */
export function deploymentId(text: string): string {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) throw new Error(`"${text}" is not a GUID.`);
  return text.toLowerCase();
}

/**
 * Moves every address of a manifest to a deployment and gives it the deployment's id. Nothing else changes.
 *
 * The text is edited in place: the XML writer of office-addin-manifest drops the comments and puts elements of one name
 * together, while the schema prescribes their order.
 *
 * @param manifest the manifest for development, as XML
 * @param origin where the app answers in that manifest, such as https://localhost:3000
 */
export function deploymentManifest(manifest: string, origin: string, { url, id }: Deployment): string {
  // An https address may hold one character that XML text may not.
  const base = (url.origin + url.pathname.replace(/\/+$/, '')).replaceAll('&', '&amp;');
  return manifest
    .replace(/<Id>[^<]*<\/Id>/, () => `<Id>${id}</Id>`)
    .replaceAll(`<AppDomain>${origin}</AppDomain>`, () => `<AppDomain>${url.origin}</AppDomain>`) // has no path
    .replaceAll(origin, () => base);
}
