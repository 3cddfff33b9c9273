const BCPP = 'http://www.odb.belastingdienst.nl/Belastingdienst/BCPP';

/** The namespace of each version, as its official schema has it. */
export const namespaces = {
  '4.0': `${BCPP}/1.1/structures/XmlauditfileXAF_4.0`,
  '3.2.1': `${BCPP}/1.0/structures/XmlAuditfileFinancieel3.2.1`,
  '3.2': 'http://www.auditfiles.nl/XAF/3.2',
} as const;

/** Namespaces that no schema has: that of the explanation of 4.0, and one that several programs write. */
const others = ['http://www.odb.belastingdienst.nl/XAF/4.0', 'http://www.auditfiles.nl/XAF/4.0'];

const known = new Set([...Object.values(namespaces), ...others].map((uri) => uri.toLowerCase()));

/** Whether a namespace is that of an audit file that can be read. Programs differ in case and in a slash at its end. */
export const isAuditfile = (uri: string): boolean => known.has(uri.toLowerCase().replace(/\/$/, ''));
